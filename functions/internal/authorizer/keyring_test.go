package authorizer

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// keyring of two namespaces and modelplane-system.
func keyring() *Keyring {
	k := NewKeyring()
	for _, s := range []Secret{
		{Namespace: "ml-team", Name: "callers", Purpose: "caller", Data: data("alice", "sk-alice\n", "bob", "sk-bob\r\n", "empty", "\n", "shared", "sk-shared")},
		{Namespace: "ml-team", Name: "another", Purpose: "caller", Data: data("carol", "sk-carol", "dave", "sk-shared")},
		{Namespace: "other-team", Name: "callers", Purpose: "caller", Data: data("erin", "sk-erin")},
		{Namespace: "modelplane-system", Name: "callers", Purpose: "caller", Data: data("operator", "sk-operator", "frank", "sk-alice")},
		{Namespace: "ml-team", Name: "openai", Purpose: "endpoint", Data: data("key", "sk-openai\n", "lines", "a\nb", "empty", "")},
		{Namespace: "ml-team", Name: "unrelated", Purpose: "", Data: data("key", "sk-unrelated")},
	} {
		k.Put(s)
	}
	return k
}

func data(pairs ...string) map[string][]byte {
	out := map[string][]byte{}
	for i := 0; i < len(pairs); i += 2 {
		out[pairs[i]] = []byte(pairs[i+1])
	}
	return out
}

func TestCaller(t *testing.T) {
	type want struct {
		name string
		ok   bool
	}
	cases := map[string]struct {
		reason    string
		changed   func(k *Keyring)
		namespace string
		key       string
		want      want
	}{
		"Own":            {reason: "A key should be good in its Secret's namespace, without the end of its line.", namespace: "ml-team", key: "sk-bob", want: want{name: "bob", ok: true}},
		"SecondSecret":   {reason: "A namespace may have more than one Secret.", namespace: "ml-team", key: "sk-carol", want: want{name: "carol", ok: true}},
		"System":         {reason: "A key of modelplane-system should be good everywhere.", namespace: "other-team", key: "sk-operator", want: want{name: "operator", ok: true}},
		"OwnFirst":       {reason: "A key that is in both should be the namespace's own.", namespace: "ml-team", key: "sk-alice", want: want{name: "alice", ok: true}},
		"FirstByName":    {reason: "Of two callers with one key it should be the one of the first Secret, always.", namespace: "ml-team", key: "sk-shared", want: want{name: "dave", ok: true}},
		"OtherNamespace": {reason: "A key should be good in no other namespace.", namespace: "ml-team", key: "sk-erin"},
		"NoSecrets":      {reason: "A namespace without Secrets should have no callers of its own.", namespace: "nobody", key: "sk-bob"},
		"Unknown":        {reason: "A key that is nobody's should not be good.", namespace: "ml-team", key: "sk-bo"},
		"Untrimmed":      {reason: "The end of a line is no part of a key.", namespace: "ml-team", key: "sk-bob\r\n"},
		"Empty":          {reason: "No key should never be good, not even where a Secret has an empty value.", namespace: "ml-team", key: ""},
		"Credential":     {reason: "What endpoints are called with is no caller's key.", namespace: "ml-team", key: "sk-openai"},
		"Unlabelled":     {reason: "A Secret without the label should not count.", namespace: "ml-team", key: "sk-unrelated"},
		"Removed": {
			reason:    "A key should be bad once its Secret is gone.",
			changed:   func(k *Keyring) { k.Remove("ml-team", "callers") },
			namespace: "ml-team", key: "sk-bob",
		},
		"Relabelled": {
			reason: "A key should be bad once its Secret is for something else.",
			changed: func(k *Keyring) {
				k.Put(Secret{Namespace: "ml-team", Name: "callers", Purpose: "endpoint", Data: data("bob", "sk-bob")})
			},
			namespace: "ml-team", key: "sk-bob",
		},
		"Rotated": {
			reason: "A key that was replaced should be bad.",
			changed: func(k *Keyring) {
				k.Put(Secret{Namespace: "ml-team", Name: "callers", Purpose: "caller", Data: data("bob", "sk-new")})
			},
			namespace: "ml-team", key: "sk-bob",
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			k := keyring()
			if tc.changed != nil {
				tc.changed(k)
			}
			got, ok := k.Caller(tc.namespace, tc.key)
			if diff := cmp.Diff(tc.want, want{name: got, ok: ok}, cmp.AllowUnexported(want{})); diff != "" {
				t.Errorf("\n%s\nCaller(%q, …): -want, +got:\n%s", tc.reason, tc.namespace, diff)
			}
		})
	}
}

func TestCredential(t *testing.T) {
	type want struct {
		credential string
		err        string
	}
	cases := map[string]struct {
		reason string
		use    Use
		want   want
	}{
		"Good": {
			reason: "A credential should come without the end of its line.",
			use:    Use{Namespace: "ml-team", Secret: "openai", Key: "key"},
			want:   want{credential: "sk-openai"},
		},
		"OtherNamespace": {
			reason: "A Secret of another namespace should be out of reach.",
			use:    Use{Namespace: "other-team", Secret: "openai", Key: "key"},
			want: want{err: "there is no Secret openai in namespace other-team that the gateway may use: create it, or label it with " +
				"kubectl label secret openai --namespace other-team modelplane.ai/gateway-secret=endpoint"},
		},
		"Caller": {
			reason: "Callers' keys should be sent nowhere.",
			use:    Use{Namespace: "ml-team", Secret: "callers", Key: "alice"},
			want: want{err: "there is no Secret callers in namespace ml-team that the gateway may use: create it, or label it with " +
				"kubectl label secret callers --namespace ml-team modelplane.ai/gateway-secret=endpoint"},
		},
		"NoKey": {
			reason: "A key that is not there should be named.",
			use:    Use{Namespace: "ml-team", Secret: "openai", Key: "token"},
			want:   want{err: "secret openai in namespace ml-team has nothing under key token: add it, or name another key"},
		},
		"Empty": {
			reason: "An empty value is as good as none.",
			use:    Use{Namespace: "ml-team", Secret: "openai", Key: "empty"},
			want:   want{err: "secret openai in namespace ml-team has nothing under key empty: add it, or name another key"},
		},
		"Lines": {
			reason: "A header cannot hold two lines, and the error should hold neither.",
			use:    Use{Namespace: "ml-team", Secret: "openai", Key: "lines"},
			want:   want{err: "secret openai in namespace ml-team has under key lines what no header can hold: it must be one line without control characters"},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got := want{}
			credential, err := keyring().Credential(tc.use)
			got.credential = credential
			if err != nil {
				got.err = err.Error()
			}
			if diff := cmp.Diff(tc.want, got, cmp.AllowUnexported(want{})); diff != "" {
				t.Errorf("\n%s\nCredential(%v): -want, +got:\n%s", tc.reason, tc.use, diff)
			}
		})
	}
}

func TestKey(t *testing.T) {
	cases := map[string]struct {
		reason                string
		authorization, apiKey string
		want                  string
	}{
		"OpenAI":    {reason: "OpenAI's clients send a bearer.", authorization: "Bearer sk-1", want: "sk-1"},
		"LowerCase": {reason: "A scheme has no case.", authorization: "bearer  sk-1 ", want: "sk-1"},
		"Anthropic": {reason: "Anthropic's clients send a header of their own.", apiKey: "sk-2", want: "sk-2"},
		"Both":      {reason: "A bearer should come first.", authorization: "Bearer sk-1", apiKey: "sk-2", want: "sk-1"},
		"Basic":     {reason: "Another scheme is no key.", authorization: "Basic c2stMQ==", apiKey: "sk-2", want: "sk-2"},
		"Bare":      {reason: "A scheme alone is no key.", authorization: "Bearer ", want: ""},
		"None":      {reason: "There may be none.", want: ""},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, Key(tc.authorization, tc.apiKey)); diff != "" {
				t.Errorf("\n%s\nKey(%q, %q): -want, +got:\n%s", tc.reason, tc.authorization, tc.apiKey, diff)
			}
		})
	}
}

// FuzzCaller: whatever Secrets hold, a key is good exactly if a labelled Secret of
// the namespace, or of modelplane-system, has it, and it is not empty.
func FuzzCaller(f *testing.F) {
	f.Add([]byte("sk-a"), []byte("sk-b\n"), "sk-b", "caller", "ml-team")
	f.Add([]byte(""), []byte("\r\n"), "", "caller", "modelplane-system")
	f.Add([]byte("sk-a\n\n"), []byte("sk"), "sk-a\n", "endpoint", "other")
	f.Fuzz(func(t *testing.T, a, b []byte, key, purpose, namespace string) {
		k := NewKeyring()
		k.Put(Secret{Namespace: namespace, Name: "s", Purpose: purpose, Data: map[string][]byte{"a": a, "b": b}})

		has := func(v []byte) bool {
			v = bytes.TrimSuffix(v, []byte("\n"))
			return string(bytes.TrimSuffix(v, []byte("\r"))) == key
		}
		reaches := namespace == "ml-team" || namespace == "modelplane-system"
		want := key != "" && purpose == "caller" && reaches && (has(a) || has(b))
		if name, got := k.Caller("ml-team", key); got != want || got != (name != "") {
			t.Errorf("%s: key %q of %q, %q, a Secret for %q in %q: want %t, got %t", name, key, a, b, purpose, namespace, want, got)
		}
	})
}

// FuzzCredential: no error says anything of what a Secret holds.
func FuzzCredential(f *testing.F) {
	f.Add("a\nb")
	f.Add("secret-value\x00")
	f.Fuzz(func(t *testing.T, value string) {
		value = fmt.Sprintf("%q%s", "begin", value)
		k := NewKeyring()
		k.Put(Secret{Namespace: "ns", Name: "s", Purpose: "endpoint", Data: data("k", value)})
		_, err := k.Credential(Use{Namespace: "ns", Secret: "s", Key: "k"})
		if err != nil && strings.Contains(err.Error(), "begin") {
			t.Errorf("the error shows the value: %v", err)
		}
	})
}
