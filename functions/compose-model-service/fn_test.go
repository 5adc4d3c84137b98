package main

import (
	"fmt"
	"strings"
	"testing"

	fnv1 "github.com/crossplane/function-sdk-go/proto/v1"
	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/testing/protocmp"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/modelplane-go/modelplane/functions/internal/names"
	"github.com/modelplane-go/modelplane/functions/internal/xfn"
	"github.com/modelplane-go/modelplane/functions/internal/xfntest"
	"github.com/modelplane-go/modelplane/schemas/modelplane/v1alpha1"
)

// service selects two deployments: one by matchLabels, one by matchExpressions.
const service = `
apiVersion: modelplane.ai/v1alpha1
kind: ModelService
metadata: {name: qwen, namespace: ml-team}
spec:
  endpoints:
  - selector: {matchLabels: {modelplane.ai/deployment: fp8}}
    weight: 3
  - selector: {matchExpressions: [{key: modelplane.ai/deployment, operator: In, values: [bf16, fp8]}]}
    weight: 1
`

// served is the service once it is settled.
const served = service + `
status:
  address: http://203.0.113.1/ml-team/qwen
  summary: {endpoints: 3/3}
  endpoints:
  - {name: bf16-1, weight: 1, ready: true}
  - {name: fp8-1, weight: 3, ready: true}
  conditions:
  - {type: EndpointsResolved, status: "True", reason: Resolved}
  - {type: RoutingReady, status: "True", reason: RouteConfigured}
  - {type: Ready, status: "True", reason: Available}
`

const gateway = `
apiVersion: modelplane.ai/v1alpha1
kind: InferenceGateway
metadata: {name: default}
status: {address: "http://203.0.113.1"}
`

// endpoint is a replica's ModelEndpoint.
func endpoint(name, ready string) string {
	deployment, _, _ := strings.Cut(name, "-")
	return fmt.Sprintf(`
apiVersion: modelplane.ai/v1alpha1
kind: ModelEndpoint
metadata: {name: %[1]s, namespace: ml-team, labels: {modelplane.ai/deployment: %[2]s}}
spec: {url: "http://203.0.113.7:8000", rewritePath: /ml-team/%[1]s/}
status:
  conditions: [{type: Ready, status: "%[3]s", reason: Available}]
`, name, deployment, ready)
}

// external is a ModelEndpoint that no deployment made.
const external = `
apiVersion: modelplane.ai/v1alpha1
kind: ModelEndpoint
metadata: {name: openai, namespace: ml-team, labels: {modelplane.ai/deployment: bf16}}
spec:
  url: https://api.example.com/v1
  tls: {caConfigMapRef: {name: private-ca}}
  auth: {secretRef: {name: openai, key: apiKey}}
status:
  conditions: [{type: Ready, status: "True", reason: Available}]
`

// tiered prefers one deployment to the other.
const tiered = `
apiVersion: modelplane.ai/v1alpha1
kind: ModelService
metadata: {name: qwen, namespace: ml-team}
spec:
  endpoints:
  - selector: {matchLabels: {modelplane.ai/deployment: bf16}}
    priority: 1
  - selector: {matchLabels: {modelplane.ai/deployment: fp8}}
status:
  conditions:
  - {type: EndpointsResolved, status: "True", reason: Resolved}
  - {type: RoutingReady, status: "True", reason: RouteConfigured}
`

// externally is a settled route to the external endpoint.
func externally() map[string]any {
	return map[string]any{
		"middleware-retry":       retry,
		"middleware-unavailable": nobody,
		"httproute": taken(route(again + `
    - name: openai-f396575a
      port: 443
      weight: 1
      filters:
      - {type: ExtensionRef, extensionRef: {group: traefik.io, kind: Middleware, name: openai-f396575a}}
      - type: URLRewrite
        urlRewrite: {hostname: api.example.com, path: {type: ReplacePrefixMatch, replacePrefixMatch: /}}
`)),
		"service-openai": `
apiVersion: v1
kind: Service
metadata: {name: openai-f396575a, namespace: ml-team}
spec: {ports: [{name: https, protocol: TCP, appProtocol: https, port: 443}]}
`,
		"endpointslice-fqdn-openai": `
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: {name: openai-fqdn-f6f55c4d, namespace: ml-team, labels: {kubernetes.io/service-name: openai-f396575a}}
addressType: FQDN
endpoints: [{addresses: [api.example.com], conditions: {ready: true}}]
ports: [{name: https, protocol: TCP, port: 443}]
`,
		"backendtlspolicy-openai": `
apiVersion: gateway.networking.k8s.io/v1
kind: BackendTLSPolicy
metadata: {name: openai-f396575a, namespace: ml-team}
spec:
  targetRefs: [{group: "", kind: Service, name: openai-f396575a}]
  validation:
    hostname: api.example.com
    caCertificateRefs: [{group: "", kind: ConfigMap, name: private-ca}]
`,
		"middleware-auth-openai": `
apiVersion: traefik.io/v1alpha1
kind: Middleware
metadata: {name: openai-f396575a, namespace: ml-team}
spec:
  forwardAuth:
    address: http://127.0.0.1:9099/endpoints?key=apiKey&namespace=ml-team&secret=openai
    authRequestHeaders: [Authorization, X-Api-Key]
    authResponseHeaders: [Authorization, X-Api-Key]
    trustForwardHeader: false
    maxResponseBodySize: 65536
`,
	}
}

// existing objects, as they are desired again.
func existing(observed map[string]any) map[string]xfntest.Resource {
	out := map[string]xfntest.Resource{}
	for key, o := range observed {
		y, _, _ := strings.Cut(fmt.Sprint(o), "\nstatus:")
		out[key] = xfntest.Resource{Object: y, Ready: true}
	}
	return out
}

// route is the service's HTTPRoute with what comes after its timeouts.
func route(rest string) string {
	return `
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: {name: qwen-12181a30, namespace: ml-team}
spec:
  parentRefs:
  - {name: modelplane, namespace: modelplane-system, sectionName: web}
  rules:
  - matches:
    - path: {type: PathPrefix, value: /ml-team/qwen/}
    timeouts: {request: 0s}
` + rest
}

const again = `
    filters:
    - {type: ExtensionRef, extensionRef: {group: traefik.io, kind: Middleware, name: qwen-retry-b6098c65}}
    backendRefs:`

const retry = `
apiVersion: traefik.io/v1alpha1
kind: Middleware
metadata: {name: qwen-retry-b6098c65, namespace: ml-team}
spec:
  retry: {attempts: 10, initialInterval: 100ms, status: ["502", "503"], retryNonIdempotentMethod: true, maxRequestBodyBytes: 524288}
`

const nobody = `
apiVersion: traefik.io/v1alpha1
kind: Middleware
metadata: {name: qwen-unavailable-1bad33fb, namespace: ml-team}
spec:
  forwardAuth:
    address: http://127.0.0.1:9099/unavailable?namespace=ml-team&service=qwen
    authRequestHeaders: [Authorization, X-Api-Key]
    trustForwardHeader: false
    maxResponseBodySize: 65536
`

func backendRef(name string, weight int) string {
	return fmt.Sprintf(`
    - name: %[1]s
      port: 8000
      weight: %[2]d
      filters:
      - type: URLRewrite
        urlRewrite: {path: {type: ReplacePrefixMatch, replacePrefixMatch: /ml-team/%[3]s/}}
`, names.Backend("ml-team", "qwen", name), weight, name)
}

// stands are what stands for endpoints: a Service and a slice each.
func stands(endpoints ...string) map[string]any {
	out := map[string]any{"middleware-retry": retry, "middleware-unavailable": nobody}
	for _, name := range endpoints {
		backend := names.Backend("ml-team", "qwen", name)
		out["service-"+name] = fmt.Sprintf(`
apiVersion: v1
kind: Service
metadata: {name: %s, namespace: ml-team}
spec: {ports: [{name: http, protocol: TCP, appProtocol: http, port: 8000}]}
`, backend)
		out["endpointslice-ipv4-"+name] = fmt.Sprintf(`
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: {name: %s, namespace: ml-team, labels: {kubernetes.io/service-name: %s}}
addressType: IPv4
endpoints: [{addresses: [203.0.113.7], conditions: {ready: true}}]
ports: [{name: http, protocol: TCP, port: 8000}]
`, names.EndpointSlice("ml-team", "qwen", name, "IPv4"), backend)
	}
	return out
}

// world in which there is a route, and what stands for some endpoints.
func world(route string, endpoints ...string) map[string]any {
	out := stands(endpoints...)
	out["httproute"] = taken(route)
	return out
}

// desired are the route, and what stands for some endpoints. Those are ready which
// exist, and the route is if a gateway has taken it.
func desired(route string, accepted bool, exist []string, endpoints ...string) map[string]xfntest.Resource {
	out := map[string]xfntest.Resource{}
	existing := stands(exist...)
	for key, o := range stands(endpoints...) {
		_, ok := existing[key]
		out[key] = xfntest.Resource{Object: o, Ready: ok && exist != nil}
	}
	if route != "" {
		out["httproute"] = xfntest.Resource{Object: route, Ready: accepted}
	}
	return out
}

// unavailable is the route of a service that does not serve.
func unavailable() string {
	return route("    filters: [{type: ExtensionRef, extensionRef: {group: traefik.io, kind: Middleware, name: qwen-unavailable-1bad33fb}}]")
}

// both deployments are served, the first at three times the weight.
func both() string {
	return route(again + backendRef("bf16-1", 2) + backendRef("fp8-1", 3) + backendRef("fp8-2", 3))
}

// taken is a route that a gateway has accepted.
func taken(route string) string {
	return route + `
status:
  parents:
  - parentRef: {name: modelplane, namespace: modelplane-system}
    controllerName: traefik.io/gateway-controller
    conditions: [{type: Accepted, status: "True", reason: Accepted}]
`
}

func requirements() map[string]*fnv1.ResourceSelector {
	namespace := "ml-team"
	return map[string]*fnv1.ResourceSelector{
		"endpoints": {ApiVersion: "modelplane.ai/v1alpha1", Kind: "ModelEndpoint", Namespace: &namespace},
		"gateway":   {ApiVersion: "modelplane.ai/v1alpha1", Kind: "InferenceGateway", Match: &fnv1.ResourceSelector_MatchName{MatchName: "default"}},
	}
}

// fleet is a gateway and some endpoints.
func fleet(endpoints ...any) map[string][]any {
	return map[string][]any{"gateway": {gateway}, "endpoints": endpoints}
}

const (
	known       = "address: http://203.0.113.1/ml-team/qwen\n"
	accepting   = "waiting for the gateway to accept the HTTPRoute"
	noneReady   = "no selected ModelEndpoint is ready: requests are answered with 503"
	noGateway   = "there is no InferenceGateway named default: create one"
	noEndpoints = "spec.endpoints selects no ModelEndpoint of namespace ml-team: compare its selectors to the labels that kubectl get modelendpoints --show-labels shows"
)

func TestCompose(t *testing.T) {
	all := []string{"bf16-1", "fp8-1", "fp8-2"}
	ready := []any{endpoint("fp8-2", "True"), endpoint("bf16-1", "True"), endpoint("fp8-1", "True")}
	shared := `
summary: {endpoints: 3/3}
endpoints:
- {name: bf16-1, weight: 2, ready: true}
- {name: fp8-1, weight: 3, ready: true}
- {name: fp8-2, weight: 3, ready: true}
`
	resolved := func(message string) xfntest.Event {
		return xfntest.Event{Reason: "Resolved", Message: "EndpointsResolved: " + message}
	}

	cases := map[string]struct {
		reason string
		world  xfntest.World
		soon   bool // Crossplane is to call again at once.
		want   xfntest.Answer
	}{
		"Unresolved": {
			reason: "Nothing should be decided before the endpoints were read.",
			world:  xfntest.World{Composite: service},
			want: xfntest.Answer{
				Status: "{}",
				Conditions: []v1alpha1.Condition{
					v1alpha1.EndpointsResolving(),
					v1alpha1.RouteConfiguring("the route stays as it is: waiting to read the ModelEndpoints of the namespace"),
				},
			},
		},
		"WaitingForGateway": {
			reason: "The first route should wait for the gateway, which brings the kinds.",
			world:  xfntest.World{Composite: service, Required: map[string][]any{"gateway": {}, "endpoints": {endpoint("fp8-1", "True")}}},
			want: xfntest.Answer{
				Status: `{summary: {endpoints: 1/1}, endpoints: [{name: fp8-1, weight: 1, ready: true}]}`,
				Conditions: []v1alpha1.Condition{
					v1alpha1.EndpointsResolved("1 of 1 selected ModelEndpoints get requests"),
					v1alpha1.RouteWaitingForGateway(noGateway),
				},
				Events: []xfntest.Event{resolved("1 of 1 selected ModelEndpoints get requests")},
			},
		},
		"First": {
			reason: "What the route refers to should be made before the route.",
			world:  xfntest.World{Composite: service, Required: fleet(ready...)},
			soon:   true,
			want: xfntest.Answer{
				Desired: desired("", false, nil, all...),
				Status:  known + shared,
				Conditions: []v1alpha1.Condition{
					v1alpha1.EndpointsResolved("3 of 3 selected ModelEndpoints get requests"),
					v1alpha1.RouteConfiguring(accepting),
				},
				Events: []xfntest.Event{resolved("3 of 3 selected ModelEndpoints get requests")},
			},
		},
		"Second": {
			reason: "The weights of groups should be split over their endpoints exactly, and an endpoint of two groups belong to the first.",
			world:  xfntest.World{Composite: service, Observed: stands(all...), Required: fleet(ready...)},
			want: xfntest.Answer{
				Desired: desired(both(), false, all, all...),
				Status:  known + shared,
				Conditions: []v1alpha1.Condition{
					v1alpha1.EndpointsResolved("3 of 3 selected ModelEndpoints get requests"),
					v1alpha1.RouteConfiguring(accepting),
				},
				Events: []xfntest.Event{resolved("3 of 3 selected ModelEndpoints get requests")},
			},
		},
		"Settled": {
			reason: "A service should be ready once a gateway has its route, and some endpoints are.",
			world:  xfntest.World{Composite: served, Observed: world(both(), all...), Required: fleet(ready...)},
			want: xfntest.Answer{
				Desired: desired(both(), true, all, all...),
				Ready:   true,
				Status:  known + shared,
				Conditions: []v1alpha1.Condition{
					v1alpha1.EndpointsResolved("3 of 3 selected ModelEndpoints get requests"),
					v1alpha1.RouteConfigured(),
				},
			},
		},
		"Withdrawn": {
			reason: "The route should lead away from what is gone or not ready, and what stood for it stay until it does.",
			world: xfntest.World{
				Composite: served,
				Observed:  world(both(), all...),
				Required: fleet(endpoint("bf16-1", "False"), endpoint("fp8-1", "True"),
					strings.Replace(endpoint("fp8-3", "True"), "name: fp8-3,", `name: fp8-3, deletionTimestamp: "2026-01-01T00:00:00Z",`, 1),
					endpoint("unrelated-1", "True")),
			},
			soon: true,
			want: xfntest.Answer{
				Desired: desired(route(again+backendRef("fp8-1", 1)), true, []string{"fp8-1"}, all...),
				Ready:   true,
				Status: known + `
summary: {endpoints: 1/3}
endpoints:
- {name: bf16-1, weight: 2, ready: false}
- {name: fp8-1, weight: 1, ready: true}
- {name: fp8-2, weight: 3, ready: false}
- {name: fp8-3, weight: 0, ready: false}
`,
				Conditions: []v1alpha1.Condition{
					v1alpha1.EndpointsResolved("1 of 3 selected ModelEndpoints get requests; not ready: bf16-1, fp8-3"),
					v1alpha1.RouteConfigured(),
				},
			},
		},
		"LedAway": {
			reason: "What nothing leads to any more should go.",
			world: xfntest.World{
				Composite: served,
				Observed:  world(route(again+backendRef("fp8-1", 1)), all...),
				Required:  fleet(endpoint("bf16-1", "False"), endpoint("fp8-1", "True")),
			},
			want: xfntest.Answer{
				Desired: desired(route(again+backendRef("fp8-1", 1)), true, all, "fp8-1"),
				Ready:   true,
				Status: known + `
summary: {endpoints: 1/2}
endpoints:
- {name: bf16-1, weight: 0, ready: false}
- {name: fp8-1, weight: 1, ready: true}
`,
				Conditions: []v1alpha1.Condition{
					v1alpha1.EndpointsResolved("1 of 2 selected ModelEndpoints get requests; not ready: bf16-1"),
					v1alpha1.RouteConfigured(),
				},
			},
		},
		"Added": {
			reason: "The route should stay until what stands for another endpoint exists.",
			world: xfntest.World{
				Composite: served,
				Observed:  world(route(again+backendRef("fp8-1", 1)), "fp8-1"),
				Required:  fleet(endpoint("fp8-1", "True"), endpoint("fp8-2", "True")),
			},
			soon: true,
			want: xfntest.Answer{
				Desired: desired(route(again+backendRef("fp8-1", 1)), false, []string{"fp8-1"}, "fp8-1", "fp8-2"),
				Ready:   true,
				Status: known + `
summary: {endpoints: 2/2}
endpoints:
- {name: fp8-1, weight: 1, ready: true}
- {name: fp8-2, weight: 1, ready: true}
`,
				Conditions: []v1alpha1.Condition{
					v1alpha1.EndpointsResolved("2 of 2 selected ModelEndpoints get requests"),
					v1alpha1.RouteConfigured(),
				},
			},
		},
		"Tier": {
			reason: "While an endpoint of the first tier is ready, those of the next should stand by.",
			world: xfntest.World{
				Composite: tiered,
				Observed:  world(route(again+backendRef("fp8-1", 1)), "fp8-1"),
				Required:  fleet(endpoint("bf16-1", "True"), endpoint("fp8-1", "True"), endpoint("fp8-2", "False")),
			},
			want: xfntest.Answer{
				Desired: desired(route(again+backendRef("fp8-1", 1)), true, []string{"fp8-1"}, "fp8-1"),
				Ready:   true,
				Status: known + `
summary: {endpoints: 1/3}
endpoints:
- {name: bf16-1, weight: 0, ready: true}
- {name: fp8-1, weight: 1, ready: true}
- {name: fp8-2, weight: 0, ready: false}
`,
				Conditions: []v1alpha1.Condition{
					v1alpha1.EndpointsResolved("1 of 3 selected ModelEndpoints get requests; standing by: bf16-1; not ready: fp8-2"),
					v1alpha1.RouteConfigured(),
				},
			},
		},
		"NextTier": {
			reason: "The next tier should take over where the first has no ready endpoint.",
			world: xfntest.World{
				Composite: tiered,
				Observed:  world(route(again+backendRef("bf16-1", 1)), "bf16-1"),
				Required:  fleet(endpoint("bf16-1", "True"), endpoint("fp8-1", "False")),
			},
			want: xfntest.Answer{
				Desired: desired(route(again+backendRef("bf16-1", 1)), true, []string{"bf16-1"}, "bf16-1"),
				Ready:   true,
				Status: known + `
summary: {endpoints: 1/2}
endpoints:
- {name: bf16-1, weight: 1, ready: true}
- {name: fp8-1, weight: 0, ready: false}
`,
				Conditions: []v1alpha1.Condition{
					v1alpha1.EndpointsResolved("1 of 2 selected ModelEndpoints get requests; those of priority 1, for want of a ready one before them; not ready: fp8-1"),
					v1alpha1.RouteConfigured(),
				},
			},
		},
		"External": {
			reason: "An external endpoint should see its own name, its own credential and none of the service's path, and be verified by its own CA.",
			world:  xfntest.World{Composite: served, Observed: externally(), Required: fleet(external)},
			want: xfntest.Answer{
				Desired: existing(externally()),
				Ready:   true,
				Status:  known + "summary: {endpoints: 1/1}\nendpoints: [{name: openai, weight: 1, ready: true}]",
				Conditions: []v1alpha1.Condition{
					v1alpha1.EndpointsResolved("1 of 1 selected ModelEndpoints get requests"),
					v1alpha1.RouteConfigured(),
				},
			},
		},
		"NoneReady": {
			reason: "A service without a ready endpoint should keep its route, and not be ready.",
			world: xfntest.World{
				Composite: served,
				Observed:  world(unavailable()),
				Required:  fleet(endpoint("fp8-1", "False")),
			},
			want: xfntest.Answer{
				Desired: desired(unavailable(), true, []string{}),
				Status:  known + "summary: {endpoints: 0/1}\nendpoints: [{name: fp8-1, weight: 0, ready: false}]",
				Conditions: []v1alpha1.Condition{
					v1alpha1.EndpointsResolved("0 of 1 selected ModelEndpoints get requests; not ready: fp8-1"),
					v1alpha1.RouteConfiguring(noneReady),
				},
			},
		},
		"NoneSelected": {
			reason: "A service that selects no endpoint should keep its route, say so, and not be ready.",
			world:  xfntest.World{Composite: served, Observed: world(unavailable()), Required: fleet()},
			want: xfntest.Answer{
				Desired: desired(unavailable(), true, []string{}),
				Status:  known + "summary: {endpoints: 0/0}",
				Conditions: []v1alpha1.Condition{
					v1alpha1.EndpointsNone(noEndpoints),
					v1alpha1.RouteConfiguring(noneReady),
				},
				Events: []xfntest.Event{{Warning: true, Reason: "NoEndpoints", Message: "EndpointsResolved: " + noEndpoints}},
			},
		},
		"EmptySelector": {
			reason: "An empty selector, which the API refuses, should select nothing rather than everything.",
			world: xfntest.World{
				Composite: strings.Replace(served, "{matchLabels: {modelplane.ai/deployment: fp8}}", "{}", 1),
				Observed:  world(unavailable()),
				Required:  fleet(endpoint("unrelated-1", "True")),
			},
			want: xfntest.Answer{
				Desired: desired(unavailable(), true, []string{}),
				Status:  known + "summary: {endpoints: 0/0}",
				Conditions: []v1alpha1.Condition{
					v1alpha1.EndpointsNone(noEndpoints),
					v1alpha1.RouteConfiguring(noneReady),
				},
				Events: []xfntest.Event{{Warning: true, Reason: "NoEndpoints", Message: "EndpointsResolved: " + noEndpoints}},
			},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			tc.want.Requirements = requirements()
			want := tc.want.Response(t)
			if tc.soon {
				want.Meta.Ttl = durationpb.New(xfn.TTLGoing)
			}
			got := xfn.Run(compose, tc.world.Request(t))
			if diff := cmp.Diff(want, got, protocmp.Transform()); diff != "" {
				t.Errorf("\n%s\n-want, +got:\n%s", tc.reason, diff)
			}
			if got := xfntest.Unmeant(got); len(got) > 0 {
				t.Errorf("\n%s\ndesired objects say what they should not: %v", tc.reason, got)
			}
		})
	}
}
