package e2e

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/modelplane-go/modelplane/tests/controlplane"
)

// TestExternalEndpoint sends requests to a provider outside the fleet, whose
// certificate is of a CA of its own, and which wants a key.
func TestExternalEndpoint(t *testing.T) {
	t.Parallel()
	needsGateways(t)
	ns := inNamespace(t, "external")
	provider, err := fleet.External(t.Context(), "api.external.test")
	if err != nil {
		t.Fatal(err)
	}
	trust(t, ns, "provider-ca")
	key(t, ns, "provider", "endpoint", "apiKey", "sk-sentinel-1")
	apply(t, ns, `
apiVersion: modelplane.ai/v1alpha1
kind: ModelEndpoint
metadata: {name: provider, namespace: NAMESPACE, labels: {provider: bearer}}
spec:
  url: https://api.external.test/openai/v1
  tls: {caConfigMapRef: {name: provider-ca}}
  auth: {secretRef: {name: provider}}
---
apiVersion: modelplane.ai/v1alpha1
kind: ModelEndpoint
metadata: {name: plain, namespace: NAMESPACE, labels: {provider: plain}}
spec: {url: "https://api.external.test/openai/v1"}
---
apiVersion: modelplane.ai/v1alpha1
kind: ModelEndpoint
metadata: {name: header, namespace: NAMESPACE, labels: {provider: header}}
spec:
  url: https://`+provider.Address+`/v1
  tls: {serverName: api.external.test, caConfigMapRef: {name: provider-ca}}
  auth: {secretRef: {name: provider}, header: api-key}
`)
	for _, name := range []string{"bearer", "header", "plain"} {
		apply(t, ns, over(name, "{selector: {matchLabels: {provider: "+name+"}}}"))
	}
	mine := []string{"Authorization", "Bearer sk-the-callers-own", "X-Api-Key", "sk-the-callers-own"}
	asked := func(name string) func(ctx context.Context) error {
		return func(ctx context.Context) error {
			server, err := call{url: url(ns, name), header: mine}.make(ctx, http.DefaultClient)
			if err == nil && server != provider.Name {
				err = fmt.Errorf("%s answers, want %s", server, provider.Name)
			}
			return err
		}
	}

	t.Run("Bearer", func(t *testing.T) {
		eventually(t, soon, asked("bearer"))
		sees(t, provider, "/openai/v1/chat/completions", "Authorization", "Bearer sk-sentinel-1")
	})
	t.Run("Header", func(t *testing.T) {
		eventually(t, soon, asked("header"))
		sees(t, provider, "/v1/chat/completions", "Api-Key", "sk-sentinel-1")
	})
	t.Run("Rotated", func(t *testing.T) {
		key(t, ns, "provider", "endpoint", "apiKey", "sk-sentinel-2")
		eventually(t, takesEffect, func(ctx context.Context) error {
			if err := asked("bearer")(ctx); err != nil {
				return err
			}
			if got := last(provider).Get("Authorization"); got != "Bearer sk-sentinel-2" {
				return fmt.Errorf("the provider is sent %q", got)
			}
			return nil
		})
	})
	t.Run("NotAllowed", func(t *testing.T) {
		kubectl(t, "label", "secret/provider", "--namespace="+ns, "modelplane.ai/gateway-secret-", "--overwrite")
		eventually(t, soon, refuses(call{url: url(ns, "bearer")}, "503", "there is no Secret provider in namespace "+ns+" that the gateway may use"))
		key(t, ns, "provider", "endpoint", "apiKey", "sk-sentinel-2")
		eventually(t, soon, asked("bearer"))
	})
	t.Run("Unverified", func(t *testing.T) {
		before := len(provider.Requests())
		if err := refuses(call{url: url(ns, "plain")}, "50", "")(t.Context()); err != nil {
			t.Error(err)
		}
		if after := len(provider.Requests()); after != before {
			t.Errorf("a provider whose certificate nobody vouches for was sent %d requests", after-before)
		}
	})
	t.Run("Nowhere", func(t *testing.T) {
		nowhere(t, "sk-sentinel")
	})
}

// trust the authority of the providers outside the fleet, in a namespace.
func trust(t *testing.T, namespace, name string) {
	t.Helper()
	err := fleet.ControlPlane.Apply(t.Context(), &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name},
		Data:       map[string]string{"ca.crt": string(fleet.PublicCA())},
	})
	if err != nil {
		t.Fatal(err)
	}
}

// key in a Secret that the gateway may use for something.
func key(t *testing.T, namespace, name, purpose, key, value string) {
	t.Helper()
	err := fleet.ControlPlane.Apply(t.Context(), &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name, Labels: map[string]string{"modelplane.ai/gateway-secret": purpose}},
		Data:       map[string][]byte{key: []byte(value)},
	})
	if err != nil {
		t.Fatal(err)
	}
}

// last headers that a provider was sent.
func last(e *controlplane.External) http.Header {
	all := e.Requests()
	if len(all) == 0 {
		return http.Header{}
	}
	return all[len(all)-1].Header
}

// sees that the provider was last asked for a path, at its own name, with a
// credential, and with none of the caller's.
func sees(t *testing.T, e *controlplane.External, path, header, value string) {
	t.Helper()
	all := e.Requests()
	q := all[len(all)-1]
	if q.Host != e.Name || q.Path != path || q.Header.Get(header) != value {
		t.Errorf("want %s with %s: %s at %s, got %s at %s with %v", path, header, value, e.Name, q.Path, q.Host, q.Header)
	}
	for name, values := range q.Header {
		if slices.ContainsFunc(values, func(v string) bool { return strings.Contains(v, "the-callers-own") }) {
			t.Errorf("the provider is sent the caller's %s", name)
		}
	}
}

// refuses checks that a call fails with a status, and says why.
func refuses(c call, status, why string) func(ctx context.Context) error {
	return func(ctx context.Context) error {
		server, err := c.make(ctx, http.DefaultClient)
		switch {
		case err == nil:
			return fmt.Errorf("%s answers, want %s", server, status)
		case !strings.HasPrefix(err.Error(), status) || !strings.Contains(err.Error(), why):
			return fmt.Errorf("want %s that says %q, got %w", status, why, err)
		}
		return nil
	}
}

// nowhere checks that something is in no object of the control plane but Secrets,
// and in nothing that the gateway prints.
func nowhere(t *testing.T, sentinel string) {
	t.Helper()
	kinds := kubectl(t, "api-resources", "--verbs=list", "--output=name")
	var listed []string
	for kind := range strings.FieldsSeq(kinds) {
		if kind != "secrets" {
			listed = append(listed, kind)
		}
	}
	dump := kubectl(t, "get", strings.Join(listed, ","), "--all-namespaces", "--output=yaml", "--show-managed-fields")
	if len(dump) < 10_000 {
		t.Fatalf("want everything there is, got %d bytes", len(dump))
	}
	if i := strings.Index(dump, sentinel); i >= 0 {
		t.Errorf("a Secret is in an object:\n%s", dump[max(0, i-500):min(len(dump), i+100)])
	}
	time.Sleep(time.Second) // Traefik writes its access log in its own time.
	logs, err := filepath.Glob(filepath.Join(fleet.Logs(), "*"))
	if err != nil || len(logs) == 0 {
		t.Fatal(errors.Join(err, errors.New("want logs")))
	}
	for _, path := range logs {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Error(err)
		}
		if strings.Contains(string(b), sentinel) {
			t.Errorf("a Secret is in %s", filepath.Base(path))
		}
	}
}
