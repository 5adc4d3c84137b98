package main

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	fnv1 "github.com/crossplane/function-sdk-go/proto/v1"

	"github.com/modelplane-go/modelplane/functions/internal/xfn"
	"github.com/modelplane-go/modelplane/functions/internal/xfntest"
)

// TestNothingIsLost breaks each thing that a settled service rests on.
func TestNothingIsLost(t *testing.T) {
	all := []any{endpoint("bf16-1", "True"), endpoint("fp8-1", "True"), endpoint("fp8-2", "True")}

	cases := map[string]struct {
		reason    string
		composite string
		required  map[string][]any
		ready     bool
		same      bool // The route leads where it did.
	}{
		"Settled": {
			reason:    "A settled service should be ready.",
			composite: served,
			required:  fleet(all...),
			ready:     true,
			same:      true,
		},
		"NothingRead": {
			reason:    "What was not read yet should leave everything as it was.",
			composite: served,
			same:      true,
		},
		"EndpointsUnresolved": {
			reason:    "Endpoints that were not read yet should leave everything as it was.",
			composite: served,
			required:  map[string][]any{"gateway": {gateway}},
			same:      true,
		},
		"GatewayUnresolved": {
			reason:    "A gateway that was not read yet should leave everything as it was.",
			composite: served,
			required:  map[string][]any{"endpoints": all},
			same:      true,
		},
		"GatewayGone": {
			reason:    "A route should outlive its gateway.",
			composite: served,
			required:  map[string][]any{"gateway": {}, "endpoints": all},
			same:      true,
		},
		"GatewayWithoutAddress": {
			reason:    "An address that was known should outlive the gateway's.",
			composite: served,
			required:  map[string][]any{"gateway": {strings.Replace(gateway, "http://203.0.113.1", "", 1)}, "endpoints": all},
			same:      true,
		},
		"GatewayMoved": {
			reason:    "A gateway of another address should move the service, and not its route.",
			composite: served,
			required:  map[string][]any{"gateway": {strings.Replace(gateway, "http://203.0.113.1", "http://[2001:db8::1]", 1)}, "endpoints": all},
			ready:     true,
			same:      true,
		},
		"SelectorInvalid": {
			reason:    "A selector that cannot be understood should leave everything as it was.",
			composite: strings.Replace(served, "operator: In", "operator: Matches", 1),
			required:  fleet(all...),
			same:      true,
		},
		"SelectorTypo": {
			reason:    "A selector that selects nothing should keep the route, and lead nowhere.",
			composite: strings.ReplaceAll(served, "modelplane.ai/deployment", "modelplane.ai/deploiment"),
			required:  fleet(all...),
		},
		"EndpointsGone": {
			reason:    "A service without endpoints should keep its route, and lead nowhere.",
			composite: served,
			required:  fleet(),
		},
		"EndpointsNotReady": {
			reason:    "A service whose endpoints are not ready should keep its route, and lead nowhere.",
			composite: served,
			required:  fleet(endpoint("bf16-1", "False"), endpoint("fp8-1", "False"), endpoint("fp8-2", "Unknown")),
		},
		"EndpointsOfLaterVersion": {
			reason:    "Endpoints with a URL that cannot be read should keep the route, and lead nowhere.",
			composite: served,
			required:  fleet(strings.Replace(endpoint("fp8-1", "True"), "http:", "grpc:", 1)),
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			req := xfntest.World{
				Composite: tc.composite,
				Observed:  world(both(), "bf16-1", "fp8-1", "fp8-2"),
				Required:  tc.required,
			}.Request(t)
			rsp := xfn.Run(compose, req)

			if got := xfntest.Dropped(req, rsp); len(got) > 0 {
				t.Errorf("\n%s\ndropped %v", tc.reason, got)
			}
			if got := rsp.GetDesired().GetComposite().GetReady() == fnv1.Ready_READY_TRUE; got != tc.ready {
				t.Errorf("\n%s\nready: want %t, got %t", tc.reason, tc.ready, got)
			}
			if got := rules(rsp.GetDesired()) == rules(req.GetObserved()); got != tc.same {
				t.Errorf("\n%s\nroute leads where it did: want %t, got %t", tc.reason, tc.same, got)
			}
			if rsp.GetDesired().GetComposite().GetResource().GetFields()["status"].GetStructValue().GetFields()["address"].GetStringValue() == "" {
				t.Errorf("\n%s\nstatus.address is lost", tc.reason)
			}
			if len(rsp.GetConditions()) != 2 {
				t.Errorf("\n%s\nwant both conditions, got %v", tc.reason, rsp.GetConditions())
			}
		})
	}
}

// rules of a state's route.
func rules(s *fnv1.State) string {
	j, err := s.GetResources()["httproute"].GetResource().GetFields()["spec"].MarshalJSON()
	return fmt.Sprint(string(j), err)
}

// TestCallers says that callers are asked for a key as soon as the gateway wants
// one, and as long as nobody says otherwise.
func TestCallers(t *testing.T) {
	asks := gateway + "spec: {authentication: APIKeys}\n"
	asking := strings.Replace(both(), "    filters:\n", "    filters:\n    - {type: ExtensionRef, extensionRef: {group: traefik.io, kind: Middleware, name: qwen-callers-2f0f0b1d}}\n", 1)
	all := []any{endpoint("bf16-1", "True"), endpoint("fp8-1", "True"), endpoint("fp8-2", "True")}

	cases := map[string]struct {
		reason  string
		route   string
		made    bool // The Middleware is.
		gateway []any
		asks    bool
		keeps   bool // The Middleware.
	}{
		"Wanted":      {reason: "The Middleware should come first.", route: both(), gateway: []any{asks}, keeps: true},
		"Made":        {reason: "Then the route should ask.", route: both(), made: true, gateway: []any{asks}, asks: true, keeps: true},
		"GatewayGone": {reason: "Without a gateway the route should go on to ask.", route: asking, made: true, gateway: []any{}, asks: true, keeps: true},
		"NoLonger":    {reason: "The route should stop to ask before the Middleware goes.", route: asking, made: true, gateway: []any{gateway}, keeps: true},
		"Never":       {reason: "Then the Middleware should go.", route: both(), made: true, gateway: []any{gateway}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			observed := world(tc.route, "bf16-1", "fp8-1", "fp8-2")
			if tc.made {
				observed["middleware-callers"] = strings.NewReplacer("retry", "callers").Replace(retry)
			}
			rsp := xfn.Run(compose, xfntest.World{
				Composite: served,
				Observed:  observed,
				Required:  map[string][]any{"gateway": tc.gateway, "endpoints": all},
			}.Request(t))

			if got := strings.Contains(rules(rsp.GetDesired()), "qwen-callers"); got != tc.asks {
				t.Errorf("\n%s\nthe route asks: want %t, got %t", tc.reason, tc.asks, got)
			}
			if _, got := rsp.GetDesired().GetResources()["middleware-callers"]; got != tc.keeps {
				t.Errorf("\n%s\nthe Middleware is desired: want %t, got %t", tc.reason, tc.keeps, got)
			}
		})
	}
}

// TestTooMany says that a route has no more backends than it has room for, and
// that the service says so.
func TestTooMany(t *testing.T) {
	all := make([]any, 0, 21)
	for i := range 20 {
		all = append(all, endpoint(fmt.Sprintf("fp8-%02d", i), "True"))
	}
	observed := stands()
	for i := range 20 {
		maps.Copy(observed, stands(fmt.Sprintf("fp8-%02d", i)))
	}
	maps.Copy(observed, world(both(), "bf16-1"))
	req := xfntest.World{
		Composite: served,
		Observed:  observed,
		Required:  fleet(append(all, endpoint("bf16-1", "True"))...),
	}.Request(t)
	rsp := xfn.Run(compose, req)

	rule := rsp.GetDesired().GetResources()["httproute"].GetResource().GetFields()["spec"].GetStructValue().GetFields()["rules"].GetListValue().GetValues()[0]
	if got := len(rule.GetStructValue().GetFields()["backendRefs"].GetListValue().GetValues()); got != 16 {
		t.Errorf("want 16 backends, got %d", got)
	}
	want := "16 of 21 selected ModelEndpoints get requests; 5 more are ready and get none, because a route has room for 16: divide them among ModelServices"
	if got := rsp.GetConditions()[0]; got.GetMessage() != want || got.GetReason() != "TooManyEndpoints" || got.GetStatus() != fnv1.Status_STATUS_CONDITION_TRUE {
		t.Errorf("want message %q, got %v", want, got)
	}
	if rsp.GetDesired().GetComposite().GetReady() != fnv1.Ready_READY_TRUE {
		t.Errorf("want ready")
	}
}
