package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/modelplane-go/modelplane/functions/internal/names"
	"github.com/modelplane-go/modelplane/functions/internal/xfn"
	"github.com/modelplane-go/modelplane/functions/internal/xfntest"
	"github.com/modelplane-go/modelplane/schemas/modelplane/v1alpha1"
)

func TestAddress(t *testing.T) {
	serving, failing := listener{programmed: true}, listener{refused: "secret not found"}

	cases := map[string]struct {
		reason   string
		known    string
		observed string
		hostname string
		tls      bool
		listener listener
		want     string
	}{
		"None":             {reason: "A gateway without an address should have none."},
		"HostnameOnly":     {reason: "A hostname leads nowhere before the gateway has an address.", hostname: "models.example.com"},
		"IPv4":             {reason: "An address should be a URL.", observed: "203.0.113.1", want: "http://203.0.113.1"},
		"IPv6":             {reason: "An IPv6 address should be in brackets.", observed: "2001:db8::7", want: "http://[2001:db8::7]"},
		"Name":             {reason: "Some load balancers have a name.", observed: "lb.example.com", want: "http://lb.example.com"},
		"Hostname":         {reason: "A hostname should stand for the address.", observed: "203.0.113.1", hostname: "models.example.com", want: "http://models.example.com"},
		"Moved":            {reason: "A new address should stand for the known one.", known: "http://203.0.113.9", observed: "203.0.113.1", want: "http://203.0.113.1"},
		"Blip":             {reason: "A known address should stay while there is none.", known: "http://[2001:db8::7]", want: "http://[2001:db8::7]"},
		"FromEarlier":      {reason: "An address that is no URL, as earlier versions wrote it, should become one.", known: "203.0.113.1", want: "http://203.0.113.1"},
		"HTTPS":            {reason: "A gateway that serves HTTPS should say so.", observed: "203.0.113.1", tls: true, listener: serving, want: "https://203.0.113.1"},
		"HTTPSHostname":    {reason: "A certificate is of a hostname.", observed: "203.0.113.1", hostname: "models.example.com", tls: true, listener: serving, want: "https://models.example.com"},
		"NotYet":           {reason: "What served HTTP should until HTTPS is served.", known: "http://203.0.113.1", observed: "203.0.113.1", tls: true, want: "http://203.0.113.1"},
		"NoCertificate":    {reason: "What served HTTP should while there is no certificate.", known: "http://203.0.113.1", observed: "203.0.113.1", tls: true, listener: failing, want: "http://203.0.113.1"},
		"NewNotYet":        {reason: "A new gateway that is to serve HTTPS should not be called by HTTP.", observed: "203.0.113.1", tls: true},
		"CertificateGone":  {reason: "What served HTTPS should not fall back to HTTP.", known: "https://203.0.113.1", observed: "203.0.113.1", tls: true, listener: failing, want: "https://203.0.113.1"},
		"HTTPSBlip":        {reason: "What served HTTPS should keep its address while there is none.", known: "https://models.example.com", hostname: "models.example.com", tls: true, want: "https://models.example.com"},
		"TLSTakenAway":     {reason: "A gateway that is told not to serve HTTPS should not.", known: "https://203.0.113.1", observed: "203.0.113.1", want: "http://203.0.113.1"},
		"HostnameTakenOff": {reason: "A gateway without a hostname should be at its address.", known: "http://models.example.com", observed: "203.0.113.1", want: "http://203.0.113.1"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			g := &v1alpha1.InferenceGateway{Spec: v1alpha1.InferenceGatewaySpec{Hostname: tc.hostname}, Status: v1alpha1.InferenceGatewayStatus{Address: tc.known}}
			if tc.tls {
				g.Spec.TLS = &v1alpha1.GatewayTLS{SecretRef: v1alpha1.CertificateSecretReference{Name: "front-door-tls"}}
			}
			got := input{gateway: g, observed: tc.observed, listener: tc.listener}.address()
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("\n%s\n-want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}

// TestListener reads what Traefik says of the listener for HTTPS.
func TestListener(t *testing.T) {
	cases := map[string]struct {
		reason string
		status string
		want   listener
	}{
		"None":    {reason: "Nothing may be said of it yet."},
		"Serving": {reason: "One that is programmed serves.", status: serves("True", ""), want: listener{programmed: true}},
		"Refused": {reason: "One whose certificate is refused does not.", status: serves("False", "no such Secret"), want: listener{refused: "no such Secret"}},
		"Stale": {
			reason: "What was said of an earlier generation does not count.",
			status: `
status:
  listeners:
  - name: websecure
    conditions: [{type: Programmed, status: "True", observedGeneration: 1}, {type: ResolvedRefs, status: "False", observedGeneration: 1}]
`,
		},
		"Current": {
			reason: "What is said of this one does.",
			status: `
status:
  listeners:
  - name: websecure
    conditions: [{type: Programmed, status: "True", observedGeneration: 2}, {type: ResolvedRefs, status: "True", observedGeneration: 2}]
`,
			want: listener{programmed: true},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got := listener{}
			w := xfntest.World{Composite: gateway, Observed: map[string]any{
				names.KeyGateway: "{apiVersion: gateway.networking.k8s.io/v1, kind: Gateway, metadata: {name: modelplane, generation: 2}}",
			}}
			if tc.status != "" {
				w.Observed[names.KeyGateway] = "apiVersion: gateway.networking.k8s.io/v1\nkind: Gateway\nmetadata: {name: modelplane, generation: 2}" + tc.status
			}
			xfn.Run(func(c *xfn.Call) error {
				in, err := read(c)
				got = in.listener
				return err
			}, w.Request(t))
			if diff := cmp.Diff(tc.want, got, cmp.AllowUnexported(listener{})); diff != "" {
				t.Errorf("\n%s\n-want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}

// TestAuthentication says whether keys can be checked, and what becomes of callers
// if not.
func TestAuthentication(t *testing.T) {
	const function = "registry.example.com/function:v1"
	waiting := v1alpha1.AuthenticationWaitingForAuthorizer("all callers are refused until the authorizer is installed beside Traefik")
	cases := map[string]struct {
		reason    string
		asked     v1alpha1.GatewayAuthentication
		installed bool
		there     string // Image of the authorizer that is installed.
		image     string
		want      v1alpha1.Condition
	}{
		"Default":  {reason: "Nobody is asked for a key unless someone says so.", want: v1alpha1.AuthenticationInForce()},
		"NotYet":   {reason: "Before the authorizer is installed nobody is let in.", asked: "APIKeys", image: function, want: waiting},
		"NotReady": {reason: "An authorizer that is not installed does not count.", asked: "APIKeys", image: function, there: function, want: waiting},
		"Lost":     {reason: "An authorizer that is lost should not let everybody in.", asked: "APIKeys", image: function, installed: true, want: waiting},
		"NoImage": {
			reason: "Without an image there is no authorizer, and a person has to name one.",
			asked:  "APIKeys", installed: true,
			want: v1alpha1.AuthenticationWithoutAuthorizer("all callers are refused: there is no Function " +
				"modelplane-go-compose-inference-gateway whose image could check keys; name that image in spec.authorizer.image"),
		},
		"InForce": {
			reason: "Callers with a key are let in once the authorizer is installed.",
			asked:  "APIKeys", image: function, there: function, installed: true,
			want: v1alpha1.AuthenticationInForce(),
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got := authenticationReady(input{
				gateway:    &v1alpha1.InferenceGateway{Spec: v1alpha1.InferenceGatewaySpec{Authentication: tc.asked}},
				installed:  tc.installed,
				authorizer: tc.there,
				image:      tc.image,
			})
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("\n%s\n-want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}
