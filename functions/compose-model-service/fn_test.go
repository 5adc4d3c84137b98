package main

import (
	"fmt"
	"strings"
	"testing"

	fnv1 "github.com/crossplane/function-sdk-go/proto/v1"
	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/testing/protocmp"

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
  routing: {backendName: %[1]s-backend, port: 8000}
  conditions: [{type: Ready, status: "%[3]s", reason: Available}]
`, name, deployment, ready)
}

// external is a ModelEndpoint that no deployment made.
const external = `
apiVersion: modelplane.ai/v1alpha1
kind: ModelEndpoint
metadata: {name: openai, namespace: ml-team, labels: {modelplane.ai/deployment: bf16}}
spec: {url: "https://api.example.com/v1"}
status:
  routing: {backendName: openai-backend, port: 443}
  conditions: [{type: Ready, status: "True", reason: Available}]
`

// route is the service's HTTPRoute with what comes after its timeouts.
func route(rest string) string {
	return `
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: {name: qwen-12181a30, namespace: ml-team}
spec:
  parentRefs:
  - {name: modelplane, namespace: modelplane-system}
  rules:
  - matches:
    - path: {type: PathPrefix, value: /ml-team/qwen/}
    timeouts: {request: 0s}
` + rest
}

func backendRef(name string, weight int) string {
	return fmt.Sprintf(`
    - name: %[1]s-backend
      port: 8000
      weight: %[2]d
      filters:
      - type: URLRewrite
        urlRewrite: {path: {type: ReplacePrefixMatch, replacePrefixMatch: /ml-team/%[1]s/}}
`, name, weight)
}

// unavailable is the route of a service that does not serve.
func unavailable() string {
	return route("    filters: [{type: URLRewrite, urlRewrite: {path: {type: ReplacePrefixMatch, replacePrefixMatch: /}}}]")
}

// both deployments are served, the first at three times the weight.
func both() string {
	return route("    backendRefs:" + backendRef("bf16-1", 2) + backendRef("fp8-1", 3) + backendRef("fp8-2", 3))
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
	cases := map[string]struct {
		reason string
		world  xfntest.World
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
			reason: "The first route should wait for the gateway, which brings the kind.",
			world:  xfntest.World{Composite: service, Required: map[string][]any{"gateway": {}, "endpoints": {endpoint("fp8-1", "True")}}},
			want: xfntest.Answer{
				Status: `{summary: {endpoints: 1/1}, endpoints: [{name: fp8-1, weight: 1, ready: true}]}`,
				Conditions: []v1alpha1.Condition{
					v1alpha1.EndpointsResolved("1 of 1 selected ModelEndpoints get requests"),
					v1alpha1.RouteWaitingForGateway(noGateway),
				},
				Events: []xfntest.Event{{Reason: "Resolved", Message: "EndpointsResolved: 1 of 1 selected ModelEndpoints get requests"}},
			},
		},
		"First": {
			reason: "The weights of groups should be split over their endpoints exactly, and an endpoint of two groups belong to the first.",
			world:  xfntest.World{Composite: service, Required: fleet(endpoint("fp8-2", "True"), endpoint("bf16-1", "True"), endpoint("fp8-1", "True"))},
			want: xfntest.Answer{
				Desired: map[string]xfntest.Resource{"httproute": {Object: both()}},
				Status: known + `
summary: {endpoints: 3/3}
endpoints:
- {name: bf16-1, weight: 2, ready: true}
- {name: fp8-1, weight: 3, ready: true}
- {name: fp8-2, weight: 3, ready: true}
`,
				Conditions: []v1alpha1.Condition{
					v1alpha1.EndpointsResolved("3 of 3 selected ModelEndpoints get requests"),
					v1alpha1.RouteConfiguring(accepting),
				},
				Events: []xfntest.Event{{Reason: "Resolved", Message: "EndpointsResolved: 3 of 3 selected ModelEndpoints get requests"}},
			},
		},
		"Settled": {
			reason: "A service should be ready once a gateway has its route, and some endpoints are.",
			world: xfntest.World{
				Composite: served,
				Observed:  map[string]any{"httproute": taken(both())},
				Required: fleet(endpoint("bf16-1", "False"), endpoint("fp8-1", "True"), strings.Replace(endpoint("fp8-2", "True"), "routing:", "other:", 1),
					strings.Replace(endpoint("fp8-3", "True"), "name: fp8-3,", `name: fp8-3, deletionTimestamp: "2026-01-01T00:00:00Z",`, 1),
					endpoint("unrelated-1", "True")),
			},
			want: xfntest.Answer{
				Desired: map[string]xfntest.Resource{"httproute": {Ready: true, Object: route("    backendRefs:" + backendRef("fp8-1", 1))}},
				Ready:   true,
				Status: known + `
summary: {endpoints: 1/4}
endpoints:
- {name: bf16-1, weight: 0, ready: false}
- {name: fp8-1, weight: 1, ready: true}
- {name: fp8-2, weight: 0, ready: false}
- {name: fp8-3, weight: 0, ready: false}
`,
				Conditions: []v1alpha1.Condition{
					v1alpha1.EndpointsResolved("1 of 4 selected ModelEndpoints get requests; not ready: bf16-1, fp8-2, fp8-3"),
					v1alpha1.RouteConfigured(),
				},
			},
		},
		"External": {
			reason: "An external endpoint should see its own name, and none of the service's path.",
			world:  xfntest.World{Composite: served, Observed: map[string]any{"httproute": taken(both())}, Required: fleet(external)},
			want: xfntest.Answer{
				Desired: map[string]xfntest.Resource{"httproute": {Ready: true, Object: route(`
    backendRefs:
    - name: openai-backend
      port: 443
      weight: 1
      filters:
      - type: URLRewrite
        urlRewrite: {hostname: api.example.com, path: {type: ReplacePrefixMatch, replacePrefixMatch: /}}
`)}},
				Ready:  true,
				Status: known + "summary: {endpoints: 1/1}\nendpoints: [{name: openai, weight: 1, ready: true}]",
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
				Observed:  map[string]any{"httproute": taken(both())},
				Required:  fleet(endpoint("fp8-1", "False")),
			},
			want: xfntest.Answer{
				Desired: map[string]xfntest.Resource{"httproute": {Ready: true, Object: unavailable()}},
				Status:  known + "summary: {endpoints: 0/1}\nendpoints: [{name: fp8-1, weight: 0, ready: false}]",
				Conditions: []v1alpha1.Condition{
					v1alpha1.EndpointsResolved("0 of 1 selected ModelEndpoints get requests; not ready: fp8-1"),
					v1alpha1.RouteConfiguring(noneReady),
				},
			},
		},
		"NoneSelected": {
			reason: "A service that selects no endpoint should keep its route, say so, and not be ready.",
			world:  xfntest.World{Composite: served, Observed: map[string]any{"httproute": taken(both())}, Required: fleet()},
			want: xfntest.Answer{
				Desired: map[string]xfntest.Resource{"httproute": {Ready: true, Object: unavailable()}},
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
				Observed:  map[string]any{"httproute": taken(both())},
				Required:  fleet(endpoint("unrelated-1", "True")),
			},
			want: xfntest.Answer{
				Desired: map[string]xfntest.Resource{"httproute": {Ready: true, Object: unavailable()}},
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
			got := xfn.Run(compose, tc.world.Request(t))
			if diff := cmp.Diff(tc.want.Response(t), got, protocmp.Transform()); diff != "" {
				t.Errorf("\n%s\n-want, +got:\n%s", tc.reason, diff)
			}
			if got := xfntest.Unmeant(got); len(got) > 0 {
				t.Errorf("\n%s\ndesired objects say what they should not: %v", tc.reason, got)
			}
		})
	}
}
