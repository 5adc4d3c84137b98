package main

import (
	"strings"
	"testing"

	fnv1 "github.com/crossplane/function-sdk-go/proto/v1"
	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/testing/protocmp"

	"github.com/modelplane-go/modelplane/functions/internal/xfn"
	"github.com/modelplane-go/modelplane/functions/internal/xfntest"
	"github.com/modelplane-go/modelplane/schemas/modelplane/v1alpha1"
)

// endpoint is a ModelEndpoint of a URL.
func endpoint(url string) string {
	return `
apiVersion: modelplane.ai/v1alpha1
kind: ModelEndpoint
metadata: {name: openai, namespace: ml-team}
spec: {url: "` + url + `", rewritePath: /ml-team/qwen-12345678/, fieldOfALaterVersion: {}}
`
}

// private is a ModelEndpoint whose CA is its own.
const private = `
apiVersion: modelplane.ai/v1alpha1
kind: ModelEndpoint
metadata: {name: openai, namespace: ml-team}
spec:
  url: https://api.example.com
  tls: {caConfigMapRef: {name: private-ca}}
`

// ca is a ConfigMap that holds no certificate.
const ca = `
apiVersion: v1
kind: ConfigMap
metadata: {name: private-ca, namespace: ml-team}
data: {ca.crt: to be filled in}
`

func requiredCA() map[string]*fnv1.ResourceSelector {
	namespace := "ml-team"
	return map[string]*fnv1.ResourceSelector{
		"ca": {ApiVersion: "v1", Kind: "ConfigMap", Namespace: &namespace, Match: &fnv1.ResourceSelector_MatchName{MatchName: "private-ca"}},
	}
}

func TestCompose(t *testing.T) {
	settled := endpoint("http://203.0.113.7") + `
status:
  conditions:
  - {type: RoutingReady, status: "True", reason: Routable}
  - {type: Ready, status: "True", reason: Available}
`
	badURL := v1alpha1.URLInvalid(`spec.url "htp://203.0.113.7" must begin with http:// or https://`)
	where := "ConfigMap ml-team/private-ca, which spec.tls.caConfigMapRef refers to,"
	absent := v1alpha1.CAInvalid(where + " does not exist: create it")
	empty := v1alpha1.CAInvalid(where + " has no certificate in PEM in its key ca.crt: put the CA's there")
	routable := xfntest.Event{Reason: "Routable", Message: "RoutingReady: Routable"}

	cases := map[string]struct {
		reason string
		world  xfntest.World
		want   xfntest.Answer
	}{
		"First": {
			reason: "An endpoint with a good URL should be ready at once.",
			world:  xfntest.World{Composite: endpoint("http://203.0.113.7")},
			want: xfntest.Answer{
				Ready: true, Status: "{}",
				Conditions: []v1alpha1.Condition{v1alpha1.EndpointRoutable()},
				Events:     []xfntest.Event{routable},
			},
		},
		"Settled": {
			reason: "An endpoint should say so once.",
			world:  xfntest.World{Composite: settled},
			want:   xfntest.Answer{Ready: true, Status: "{}", Conditions: []v1alpha1.Condition{v1alpha1.EndpointRoutable()}},
		},
		"InvalidURL": {
			reason: "An endpoint whose URL is mistyped should say what is wrong.",
			world:  xfntest.World{Composite: strings.Replace(settled, "http:", "htp:", 1)},
			want: xfntest.Answer{
				Status:     "{}",
				Conditions: []v1alpha1.Condition{badURL},
				Events:     []xfntest.Event{{Warning: true, Reason: "InvalidURL", Message: "RoutingReady: " + badURL.Message}},
			},
		},
		"CAUnresolved": {
			reason: "Nothing should be said of a CA that was not read yet.",
			world:  xfntest.World{Composite: private},
			want: xfntest.Answer{
				Status:       "{}",
				Conditions:   []v1alpha1.Condition{v1alpha1.CAWaiting("waiting to read " + where)},
				Requirements: requiredCA(),
			},
		},
		"CAAbsent": {
			reason: "An endpoint whose CA is missing should name it, and get no requests, which would all fail.",
			world:  xfntest.World{Composite: private, Required: map[string][]any{"ca": {}}},
			want: xfntest.Answer{
				Status:       "{}",
				Conditions:   []v1alpha1.Condition{absent},
				Requirements: requiredCA(),
				Events:       []xfntest.Event{{Warning: true, Reason: "InvalidCA", Message: "RoutingReady: " + absent.Message}},
			},
		},
		"CAEmpty": {
			reason: "A ConfigMap without certificates should be no CA.",
			world:  xfntest.World{Composite: private, Required: map[string][]any{"ca": {ca}}},
			want: xfntest.Answer{
				Status:       "{}",
				Conditions:   []v1alpha1.Condition{empty},
				Requirements: requiredCA(),
				Events:       []xfntest.Event{{Warning: true, Reason: "InvalidCA", Message: "RoutingReady: " + empty.Message}},
			},
		},
		"CA": {
			reason: "An endpoint whose CA is there should be ready.",
			world: xfntest.World{Composite: private, Required: map[string][]any{"ca": {map[string]any{
				"apiVersion": "v1", "kind": "ConfigMap", "metadata": map[string]any{"name": "private-ca", "namespace": "ml-team"},
				"data": map[string]any{"ca.crt": certificate(t)},
			}}}},
			want: xfntest.Answer{
				Ready: true, Status: "{}",
				Conditions:   []v1alpha1.Condition{v1alpha1.EndpointRoutable()},
				Requirements: requiredCA(),
				Events:       []xfntest.Event{routable},
			},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got := xfn.Run(compose, tc.world.Request(t))
			if diff := cmp.Diff(tc.want.Response(t), got, protocmp.Transform()); diff != "" {
				t.Errorf("\n%s\n-want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}
