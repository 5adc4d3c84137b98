package main

import (
	"testing"

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
metadata: {name: qwen-12345678, namespace: ml-team}
spec: {url: "` + url + `", rewritePath: /ml-team/qwen-12345678/, fieldOfALaterVersion: {}}
`
}

// settled is a ModelEndpoint that is routed to.
func settled(url string) string {
	return endpoint(url) + `
status:
  routing: {backendName: qwen-12345678-6b8f1496, port: 80}
  conditions:
  - {type: RoutingReady, status: "True", reason: BackendConfigured}
  - {type: Ready, status: "True", reason: Available}
`
}

const (
	service = `
apiVersion: v1
kind: Service
metadata: {name: qwen-12345678-6b8f1496, namespace: ml-team}
spec:
  ports:
  - {name: http, protocol: TCP, appProtocol: http, port: 80}
`
	ipv4 = `
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata:
  name: qwen-12345678-ipv4-e77ebea9
  namespace: ml-team
  labels: {kubernetes.io/service-name: qwen-12345678-6b8f1496}
addressType: IPv4
endpoints:
- addresses: [203.0.113.7]
  conditions: {ready: true}
ports:
- {name: http, protocol: TCP, port: 80}
`
	httpsService = `
apiVersion: v1
kind: Service
metadata: {name: qwen-12345678-6b8f1496, namespace: ml-team}
spec:
  ports:
  - {name: https, protocol: TCP, appProtocol: https, port: 8443}
`
	ipv6 = `
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata:
  name: qwen-12345678-ipv6-64ceb20c
  namespace: ml-team
  labels: {kubernetes.io/service-name: qwen-12345678-6b8f1496}
addressType: IPv6
endpoints:
- addresses: ["2001:db8::7"]
  conditions: {ready: true}
ports:
- {name: https, protocol: TCP, port: 8443}
`
	fqdn = `
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata:
  name: qwen-12345678-fqdn-4b5956df
  namespace: ml-team
  labels: {kubernetes.io/service-name: qwen-12345678-6b8f1496}
addressType: FQDN
endpoints:
- addresses: [api.example.com]
  conditions: {ready: true}
ports:
- {name: https, protocol: TCP, port: 8443}
`
	routing80   = `{routing: {backendName: qwen-12345678-6b8f1496, port: 80}}`
	routing8443 = `{routing: {backendName: qwen-12345678-6b8f1496, port: 8443}}`
)

func TestCompose(t *testing.T) {
	badURL := v1alpha1.URLInvalid(`spec.url "htp://203.0.113.7" must begin with http:// or https://`)
	cases := map[string]struct {
		reason string
		world  xfntest.World
		want   xfntest.Answer
	}{
		"First": {
			reason: "The Service and the slice should be made at once, for neither needs the other.",
			world:  xfntest.World{Composite: endpoint("http://203.0.113.7")},
			want: xfntest.Answer{
				Desired:    map[string]xfntest.Resource{"service": {Object: service}, "endpointslice-ipv4": {Object: ipv4}},
				Status:     routing80,
				Conditions: []v1alpha1.Condition{v1alpha1.BackendWaiting("waiting for the Service that stands for the endpoint")},
			},
		},
		"ServiceOnly": {
			reason: "Half of what is needed should not be ready.",
			world:  xfntest.World{Composite: endpoint("http://203.0.113.7"), Observed: map[string]any{"service": service}},
			want: xfntest.Answer{
				Desired:    map[string]xfntest.Resource{"service": {Object: service, Ready: true}, "endpointslice-ipv4": {Object: ipv4}},
				Status:     routing80,
				Conditions: []v1alpha1.Condition{v1alpha1.BackendWaiting("waiting for the EndpointSlice that leads to the endpoint")},
			},
		},
		"Settled": {
			reason: "An endpoint should be ready once both exist, and say so once.",
			world: xfntest.World{
				Composite: endpoint("http://203.0.113.7"),
				Observed:  map[string]any{"service": service, "endpointslice-ipv4": ipv4},
			},
			want: xfntest.Answer{
				Desired:    map[string]xfntest.Resource{"service": {Object: service, Ready: true}, "endpointslice-ipv4": {Object: ipv4, Ready: true}},
				Ready:      true,
				Status:     routing80,
				Conditions: []v1alpha1.Condition{v1alpha1.BackendConfigured()},
				Events:     []xfntest.Event{{Reason: "BackendConfigured", Message: "RoutingReady: BackendConfigured"}},
			},
		},
		"IPv6": {
			reason: "An IPv6 address should make a slice of that type, and https a port that says so.",
			world: xfntest.World{
				Composite: settled("https://[2001:db8::7]:8443"),
				Observed:  map[string]any{"service": httpsService, "endpointslice-ipv6": ipv6},
			},
			want: xfntest.Answer{
				Desired:    map[string]xfntest.Resource{"service": {Object: httpsService, Ready: true}, "endpointslice-ipv6": {Object: ipv6, Ready: true}},
				Ready:      true,
				Status:     routing8443,
				Conditions: []v1alpha1.Condition{v1alpha1.BackendConfigured()},
			},
		},
		"TypeChanges": {
			reason: "A slice of another type of address should stay until its successor exists.",
			world: xfntest.World{
				Composite: settled("https://api.example.com:8443"),
				Observed:  map[string]any{"service": service, "endpointslice-ipv4": ipv4},
			},
			want: xfntest.Answer{
				Desired: map[string]xfntest.Resource{
					"service":            {Object: httpsService, Ready: true},
					"endpointslice-ipv4": {Object: ipv4},
					"endpointslice-fqdn": {Object: fqdn},
				},
				Status:     routing8443,
				Conditions: []v1alpha1.Condition{v1alpha1.BackendWaiting("waiting for the EndpointSlice that leads to the endpoint")},
			},
		},
		"TypeChanged": {
			reason: "A slice of another type of address should go once its successor exists.",
			world: xfntest.World{
				Composite: settled("https://api.example.com:8443"),
				Observed:  map[string]any{"service": httpsService, "endpointslice-ipv4": ipv4, "endpointslice-fqdn": fqdn},
			},
			want: xfntest.Answer{
				Desired:    map[string]xfntest.Resource{"service": {Object: httpsService, Ready: true}, "endpointslice-fqdn": {Object: fqdn, Ready: true}},
				Ready:      true,
				Status:     routing8443,
				Conditions: []v1alpha1.Condition{v1alpha1.BackendConfigured()},
			},
		},
		"InvalidAtFirst": {
			reason: "A URL that cannot be understood should make nothing, and not be ready.",
			world:  xfntest.World{Composite: endpoint("htp://203.0.113.7")},
			want: xfntest.Answer{
				Status:     `{}`,
				Conditions: []v1alpha1.Condition{badURL},
				Events:     []xfntest.Event{{Warning: true, Reason: "InvalidURL", Message: "RoutingReady: " + badURL.Message}},
			},
		},
		"InvalidLater": {
			reason: "A URL that cannot be understood should leave what there is, in the status too, and not be ready.",
			world: xfntest.World{
				Composite: settled("htp://203.0.113.7"),
				Observed:  map[string]any{"service": service, "endpointslice-ipv4": ipv4},
			},
			want: xfntest.Answer{
				Desired:    map[string]xfntest.Resource{"service": {Object: service}, "endpointslice-ipv4": {Object: ipv4}},
				Status:     routing80,
				Conditions: []v1alpha1.Condition{badURL},
				Events:     []xfntest.Event{{Warning: true, Reason: "InvalidURL", Message: "RoutingReady: " + badURL.Message}},
			},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
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

// TestNothingIsLost breaks what a settled endpoint rests on.
func TestNothingIsLost(t *testing.T) {
	cases := map[string]struct {
		reason string
		url    string
		gone   string // The key of what someone deleted.
		ready  bool
	}{
		"Settled":        {reason: "A settled endpoint should be ready.", url: "http://203.0.113.7", ready: true},
		"Emptied":        {reason: "No URL should not be ready.", url: ""},
		"SchemeTypo":     {reason: "A scheme that is none should not be ready.", url: "htp://203.0.113.7"},
		"HostGone":       {reason: "No host should not be ready.", url: "http://:80"},
		"HostTypo":       {reason: "A mistyped address should not be ready.", url: "http://203.0.113.777"},
		"PortTypo":       {reason: "A port that is none should not be ready.", url: "http://203.0.113.7:80o0"},
		"NotAURL":        {reason: "Something else should not be ready.", url: "http://[203.0.113.7"},
		"Unreachable":    {reason: "An address that leads nowhere should not be ready.", url: "http://127.0.0.1"},
		"ServiceGone":    {reason: "A Service that is gone should be made again, and not be ready before.", url: "http://203.0.113.7", gone: "service"},
		"SliceGone":      {reason: "A slice that is gone should be made again, and not be ready before.", url: "http://203.0.113.7", gone: "endpointslice-ipv4"},
		"SliceGoneToo":   {reason: "What is left should stay under a URL that is none.", url: "htp://203.0.113.7", gone: "endpointslice-ipv4"},
		"OtherAddresses": {reason: "A new type of address should not be ready before its slice exists.", url: "http://[2001:db8::7]"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			w := xfntest.World{
				Composite: settled(tc.url),
				Observed:  map[string]any{"service": service, "endpointslice-ipv4": ipv4},
			}
			delete(w.Observed, tc.gone)
			req := w.Request(t)
			rsp := xfn.Run(compose, req)
			if got := xfntest.Dropped(req, rsp); len(got) > 0 {
				t.Errorf("\n%s\ndropped %v", tc.reason, got)
			}
			if got := rsp.GetDesired().GetComposite().GetReady().String() == "READY_TRUE"; got != tc.ready {
				t.Errorf("\n%s\nready: want %t, got %t", tc.reason, tc.ready, got)
			}
			if rsp.GetDesired().GetComposite().GetResource().GetFields()["status"].GetStructValue().GetFields()["routing"] == nil {
				t.Errorf("\n%s\nstatus.routing is lost", tc.reason)
			}
		})
	}
}
