package routing

import (
	"encoding/json"
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"

	"github.com/modelplane-go/modelplane/functions/internal/names"
)

// TestLeads says that what a route refers to is what it was meant to: what goes
// because nothing refers to it any more is found by that.
func TestLeads(t *testing.T) {
	plain := Backend{Endpoint: "a", Target: Target{Scheme: "http", Host: "203.0.113.7", Port: 80, Type: "IPv4"}, Weight: 2, Rewrite: "/"}
	secret := Backend{Endpoint: "b", Target: plain.Target, Weight: 3, Rewrite: "/", Credential: &Credential{Secret: "b", Key: "apiKey"}}

	cases := map[string]struct {
		reason  string
		service Service
		weights []int32
	}{
		"Plain":      {reason: "A backend is one thing.", service: Service{Backends: []Backend{plain}}, weights: []int32{0, 2}},
		"Credential": {reason: "A backend with a credential is two, of the same name.", service: Service{Backends: []Backend{secret}}, weights: []int32{0, 0, 3}},
		"Callers":    {reason: "Callers are asked for by one more.", service: Service{Callers: true, Backends: []Backend{plain, secret}}, weights: []int32{0, 0, 0, 2, 3}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			tc.service.Namespace, tc.service.Name = "ml-team", "qwen"
			j, err := json.Marshal(ServiceRoute(tc.service))
			if err != nil {
				t.Fatal(err)
			}
			route := &gatewayv1.HTTPRoute{}
			if err := json.Unmarshal(j, route); err != nil {
				t.Fatal(err)
			}
			got := Leads(route)
			if diff := cmp.Diff(tc.weights, slices.Sorted(maps.Values(got))); diff != "" {
				t.Errorf("\n%s\nweights: -want, +got:\n%s", tc.reason, diff)
			}
			want := map[Ref]bool{}
			for _, r := range Refs(tc.service) {
				want[r] = true
			}
			delete(want, Ref{Middleware: true, Name: names.ServiceUnavailable("ml-team", "qwen")}) // Of a route without backends.
			have := map[Ref]bool{}
			for r := range got {
				have[r] = true
			}
			if diff := cmp.Diff(want, have); diff != "" {
				t.Errorf("\n%s\nRefs: -want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}
