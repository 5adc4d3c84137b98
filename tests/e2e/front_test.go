package e2e

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/modelplane-go/modelplane/schemas/modelplane/v1alpha1"
	"github.com/modelplane-go/modelplane/tests/typed"
)

// TestCallersKeys asks callers for a key. Tests that run at the same time have
// none, so that it runs by itself, as TestHTTPS does.
func TestCallersKeys(t *testing.T) {
	needsGateways(t)
	ns, other := inNamespace(t, "keys"), inNamespace(t, "keys-other")
	apply(t, ns, model("qwen", 1))
	apply(t, ns, over("qwen", of("qwen", 1)))
	open := call{url: url(ns, "qwen")}
	eventually(t, soon, all(serves(ns, "qwen", 1), answers(open, "qwen")))
	key(t, ns, "callers", "caller", "alice", "sk-alice")
	key(t, other, "callers", "caller", "eve", "sk-eve")
	key(t, "modelplane-system", "callers", "caller", "operator", "sk-operator")

	door(t, `{"spec":{"authentication":"APIKeys"}}`, `{"spec":{"authentication":"None"}}`)
	eventually(t, soon, front(func(ig v1alpha1.InferenceGateway) string { return string(ig.Status.Authentication) }, "APIKeys"))
	eventually(t, soon, refuses(open, "401", "invalid_api_key"))

	cases := map[string]struct {
		reason string
		header []string
		caller string // Empty if refused.
	}{
		"Bearer":    {"A key of the namespace is good.", []string{"Authorization", "Bearer sk-alice"}, "alice"},
		"Anthropic": {"Clients of Anthropic's API send it in another header.", []string{"X-Api-Key", "sk-alice"}, "alice"},
		"System":    {"A key of modelplane-system is good everywhere.", []string{"Authorization", "Bearer sk-operator"}, "operator"},
		"Pretender": {"Who a caller is, is for his key to say.", []string{"Authorization", "Bearer sk-alice", "X-Modelplane-Caller", "root"}, "alice"},
		"Other":     {"A key of another namespace is not.", []string{"Authorization", "Bearer sk-eve"}, ""},
		"Wrong":     {"A wrong key is not.", []string{"Authorization", "Bearer sk-alic"}, ""},
		"Empty":     {"No key is none.", []string{"Authorization", "Bearer "}, ""},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			c := call{url: open.url, header: tc.header}
			if tc.caller == "" {
				if err := refuses(c, "401", "invalid_api_key")(t.Context()); err != nil {
					t.Errorf("%s: %v", tc.reason, err)
				}
				return
			}
			if err := answers(c, "qwen")(t.Context()); err != nil {
				t.Fatalf("%s: %v", tc.reason, err)
			}
			h := lastOf(ns)
			if h.Get("X-Modelplane-Caller") != tc.caller || strings.Contains(fmt.Sprint(h), "sk-") {
				t.Errorf("%s: the engine is sent %v", tc.reason, h)
			}
		})
	}

	t.Run("Revoked", func(t *testing.T) {
		kubectl(t, "delete", "secret/callers", "--namespace="+ns)
		eventually(t, takesEffect, refuses(call{url: open.url, header: []string{"Authorization", "Bearer sk-alice"}}, "401", ""))
	})
	nowhere(t, "sk-alice")
}

// lastOf headers that reached an engine of a namespace.
func lastOf(namespace string) http.Header {
	at, out := time.Time{}, http.Header{}
	for _, r := range fleet.Remotes {
		for _, q := range r.Requests(namespace) {
			if q.Time.After(at) {
				at, out = q.Time, q.Header
			}
		}
	}
	return out
}

// door patches the InferenceGateway, and again when the test ends.
func door(t *testing.T, patch, back string) {
	t.Helper()
	kubectl(t, "patch", "ig/default", "--type=merge", "--patch="+patch)
	t.Cleanup(func() {
		ctx := context.WithoutCancel(t.Context())
		if _, err := fleet.Kubectl(ctx, fleet.ControlPlane, "patch", "ig/default", "--type=merge", "--patch="+back); err != nil {
			t.Error(err)
		}
		for end := time.Now().Add(soon); time.Now().Before(end); time.Sleep(pace) {
			if front(func(ig v1alpha1.InferenceGateway) string { return ig.Status.Address + string(ig.Status.Authentication) }, fleet.FrontURL+"None")(ctx) == nil {
				return
			}
		}
		t.Error("the InferenceGateway is not what it was")
	})
}

// front checks something of the InferenceGateway.
func front(what func(v1alpha1.InferenceGateway) string, want string) func(ctx context.Context) error {
	return func(ctx context.Context) error {
		ig, err := typed.Get[v1alpha1.InferenceGateway](ctx, fleet.ControlPlane.Client, v1alpha1.KindInferenceGateway, client.ObjectKey{Name: "default"})
		if err == nil && what(ig) != want {
			err = fmt.Errorf("the InferenceGateway has %q, want %q\n%s", what(ig), want, list(ig.Status.Conditions))
		}
		return err
	}
}

// TestHTTPS gives the gateway a hostname and a certificate, while somebody calls.
func TestHTTPS(t *testing.T) {
	needsGateways(t)
	const host = "models.example.test"
	ns := inNamespace(t, "https")
	apply(t, ns, model("qwen", 1))
	apply(t, ns, over("qwen", of("qwen", 1)))
	eventually(t, soon, all(serves(ns, "qwen", 1), answers(call{url: url(ns, "qwen")}, "qwen")))
	ca := certify(t, "front-door-tls", host)

	door(t, `{"spec":{"hostname":"`+host+`","tls":{"secretRef":{"name":"front-door-tls"}}}}`, `{"spec":{"hostname":null,"tls":null}}`)
	eventually(t, soon, front(func(ig v1alpha1.InferenceGateway) string { return ig.Status.Address }, "https://"+host))
	eventually(t, soon, func(ctx context.Context) error {
		ms, err := typed.Get[v1alpha1.ModelService](ctx, fleet.ControlPlane.Client, v1alpha1.KindModelService, client.ObjectKey{Namespace: ns, Name: "qwen"})
		if want := "https://" + host + "/" + ns + "/qwen"; err == nil && ms.Status.Address != want {
			err = fmt.Errorf("the service is at %s, want %s", ms.Status.Address, want)
		}
		return err
	})

	// As a caller whose DNS leads there, and who does not follow redirects.
	caller := &http.Client{
		Transport: &http.Transport{
			DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
				_, port, _ := net.SplitHostPort(address)
				return (&net.Dialer{}).DialContext(ctx, network, net.JoinHostPort(strings.TrimPrefix(fleet.FrontURL, "http://"), port))
			},
			TLSClientConfig: &tls.Config{RootCAs: ca, MinVersion: tls.VersionTLS12},
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	eventually(t, soon, func(ctx context.Context) error {
		_, err := call{url: "https://" + host + "/" + ns + "/qwen"}.make(ctx, caller)
		return err
	})
	eventually(t, soon, func(ctx context.Context) error {
		resp, err := call{url: "http://" + host + "/" + ns + "/qwen"}.send(ctx, caller)
		if err != nil {
			return err
		}
		_ = resp.Body.Close()
		if want := "https://" + host + ":443/" + ns + "/qwen/v1/chat/completions"; resp.StatusCode != http.StatusMovedPermanently || resp.Header.Get("Location") != want {
			return fmt.Errorf("want 301 to %s, got %s to %s", want, resp.Status, resp.Header.Get("Location"))
		}
		return nil
	})
}

// certify a hostname, by a Secret of the gateway's. It returns who vouches for it.
func certify(t *testing.T, secret, host string) *x509.CertPool {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), DNSNames: []string{host}, IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, private.Public(), private)
	if err != nil {
		t.Fatal(err)
	}
	bytes, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	cert := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	err = fleet.ControlPlane.Apply(t.Context(), &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Namespace: "modelplane-system", Name: secret},
		Type:       corev1.SecretTypeTLS,
		Data:       map[string][]byte{"tls.crt": cert, "tls.key": pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: bytes})},
	})
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(cert)
	return pool
}

// TestGatewayGoes deletes the InferenceGateway: not while there are ModelServices,
// and then the gateway before what looks after it. The APIs it brought stay.
func TestGatewayGoes(t *testing.T) {
	needsGateways(t)
	ns := inNamespace(t, "gateway-goes")
	apply(t, ns, over("qwen", of("nobody", 1)))
	eventually(t, soon, refuses(call{url: url(ns, "qwen")}, "503", "has no ready endpoint"))

	if out, err := fleet.Kubectl(t.Context(), fleet.ControlPlane, "delete", "ig/default", "--wait=false"); err == nil || !strings.Contains(err.Error(), "ModelServices are reached through it") {
		t.Fatalf("want the deletion to be refused, got %s, %v", out, err)
	}
	kubectl(t, "delete", "ms", "--all", "--all-namespaces")
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), recovery)
		defer cancel()
		err := fleet.ControlPlane.Apply(ctx, fleet.InferenceGateway())
		for ; err == nil && ctx.Err() == nil; time.Sleep(pace) {
			if front(func(ig v1alpha1.InferenceGateway) string { return ig.Status.Address }, fleet.FrontURL)(ctx) == nil {
				return
			}
		}
		t.Errorf("the InferenceGateway is not back: %v", err)
	})
	ordered := throughout(t, func(ctx context.Context) error {
		out, err := fleet.Kubectl(ctx, fleet.ControlPlane, "get", "releases.helm.m.crossplane.io,gateways,gatewayclasses", "--namespace="+system, "--output=name")
		if strings.Contains(out, "gateway") && !strings.Contains(out, "release") {
			err = fmt.Errorf("the controller is gone before %s", strings.Join(strings.Fields(out), ", "))
		}
		return err
	})
	eventually(t, soon, func(ctx context.Context) error {
		_, err := fleet.Kubectl(ctx, fleet.ControlPlane, "delete", "ig/default", "--wait=false", "--ignore-not-found")
		return err
	})
	eventually(t, deletion, func(ctx context.Context) error {
		out, err := fleet.Kubectl(ctx, fleet.ControlPlane, "get", "ig,releases.helm.m.crossplane.io,gateways,gatewayclasses,usages,clusterusages", "--all-namespaces", "--output=name")
		for line := range strings.FieldsSeq(out) {
			if !strings.Contains(line, "usage") || strings.Contains(line, "default") {
				err = fmt.Errorf("%s is still there", line)
			}
		}
		return err
	})
	ordered()
	kubectl(t, "get", "crd/httproutes.gateway.networking.k8s.io", "crd/middlewares.traefik.io")
}
