package authorizer

import (
	"bytes"
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/modelplane-go/modelplane/functions/internal/names"
)

// A Secret is one that the gateway may use.
type Secret struct {
	Namespace string
	Name      string
	Purpose   string // The value of the label that says what for.
	Data      map[string][]byte
}

// A Keyring holds what the Secrets say. It may be used by many at once.
type Keyring struct {
	mu        sync.RWMutex
	callers   map[string]map[string][]caller // By namespace and name of the Secret.
	endpoints map[string]map[string]credentials
}

// A caller is one of a Secret's keys.
type caller struct {
	name   string
	digest [sha256.Size]byte
}

// Credentials of endpoints are a Secret's values by key.
type credentials map[string]string

// NewKeyring returns a Keyring without a key.
func NewKeyring() *Keyring {
	return &Keyring{callers: map[string]map[string][]caller{}, endpoints: map[string]map[string]credentials{}}
}

// Put a Secret in the place of the one of its name.
func (k *Keyring) Put(s Secret) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.remove(s.Namespace, s.Name)
	switch s.Purpose {
	case names.GatewaySecretCaller:
		put(k.callers, s, callersOf(s))
	case names.GatewaySecretEndpoint:
		put(k.endpoints, s, credentialsOf(s))
	}
}

func put[T any](in map[string]map[string]T, s Secret, v T) {
	if in[s.Namespace] == nil {
		in[s.Namespace] = map[string]T{}
	}
	in[s.Namespace][s.Name] = v
}

// callersOf a Secret, sorted by name. An empty value is nobody's key.
func callersOf(s Secret) []caller {
	out := make([]caller, 0, len(s.Data))
	for _, name := range slices.Sorted(maps.Keys(s.Data)) {
		if v := trim(s.Data[name]); len(v) > 0 {
			out = append(out, caller{name: name, digest: sha256.Sum256(v)})
		}
	}
	return out
}

func credentialsOf(s Secret) credentials {
	out := credentials{}
	for name, v := range s.Data {
		out[name] = string(trim(v))
	}
	return out
}

// trim the end of the line that files end with.
func trim(v []byte) []byte {
	return bytes.TrimSuffix(bytes.TrimSuffix(v, []byte("\n")), []byte("\r"))
}

// Remove a Secret.
func (k *Keyring) Remove(namespace, name string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.remove(namespace, name)
}

func (k *Keyring) remove(namespace, name string) {
	delete(k.callers[namespace], name)
	delete(k.endpoints[namespace], name)
}

// Caller finds who it is that calls a service of a namespace with a key. It
// returns false if the key is none of the namespace's, nor one for all.
func (k *Keyring) Caller(namespace, key string) (string, bool) {
	if key == "" {
		return "", false
	}
	digest := sha256.Sum256([]byte(key))
	k.mu.RLock()
	defer k.mu.RUnlock()

	name, found := find(k.callers[namespace], digest)
	system, ok := find(k.callers[names.SystemNamespace], digest)
	if !found {
		return system, ok
	}
	return name, true
}

// find the first whose key it is, after a look at all of them.
func find(secrets map[string][]caller, digest [sha256.Size]byte) (string, bool) {
	name, found := "", false
	for _, secret := range slices.Sorted(maps.Keys(secrets)) {
		for _, c := range secrets[secret] {
			if subtle.ConstantTimeCompare(c.digest[:], digest[:]) == 1 && !found {
				name, found = c.name, true
			}
		}
	}
	return name, found
}

// A Use is what an endpoint is to be called with.
type Use struct {
	Namespace string
	Secret    string
	Key       string
}

// Credential finds what to call an endpoint with. An error says which Secret is
// amiss and what to do, and nothing that is in it.
func (k *Keyring) Credential(u Use) (string, error) {
	k.mu.RLock()
	defer k.mu.RUnlock()

	data, ok := k.endpoints[u.Namespace][u.Secret]
	if !ok {
		return "", fmt.Errorf("there is no Secret %[1]s in namespace %[2]s that the gateway may use: create it, or label it with "+
			"kubectl label secret %[1]s --namespace %[2]s %[3]s=%[4]s", u.Secret, u.Namespace, names.LabelGatewaySecret, names.GatewaySecretEndpoint)
	}
	v := data[u.Key]
	if v == "" {
		return "", fmt.Errorf("secret %s in namespace %s has nothing under key %s: add it, or name another key", u.Secret, u.Namespace, u.Key)
	}
	if !fits(v) {
		return "", fmt.Errorf("secret %s in namespace %s has under key %s what no header can hold: it must be one line without control characters",
			u.Secret, u.Namespace, u.Key)
	}
	return v, nil
}

// fits says whether a header can hold a value.
func fits(v string) bool {
	for i := range len(v) {
		if v[i] != '\t' && (v[i] < ' ' || v[i] == 0x7f) {
			return false
		}
	}
	return true
}
