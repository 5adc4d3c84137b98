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

const (
	gateway = `
apiVersion: modelplane.ai/v1alpha1
kind: InferenceGateway
metadata: {name: default}
spec:
  backend: Traefik
`
	settled = gateway + `
status:
  address: 203.0.113.1
  conditions:
  - {type: ControllerReady, status: "True", reason: ControllerHealthy}
  - {type: GatewayReady, status: "True", reason: Programmed}
`
	providerConfig = `
apiVersion: helm.m.crossplane.io/v1beta1
kind: ProviderConfig
metadata: {name: modelplane-in-cluster, namespace: modelplane-system}
spec: {credentials: {source: InjectedIdentity}}
`
	traefik = `
apiVersion: helm.m.crossplane.io/v1beta1
kind: Release
metadata: {name: traefik, namespace: modelplane-system}
spec:
  providerConfigRef: {kind: ProviderConfig, name: modelplane-in-cluster}
  forProvider:
    chart: {name: traefik, repository: "https://traefik.github.io/charts", version: 40.1.0}
    namespace: traefik-system
    values:
      providers:
        kubernetesGateway:
          enabled: true
          statusAddress: {service: {namespace: traefik-system, name: traefik}}
        kubernetesIngress: {enabled: false}
      service: {nameOverride: traefik}
      gateway: {enabled: false}
      gatewayClass: {enabled: false}
`
	class = `
apiVersion: gateway.networking.k8s.io/v1
kind: GatewayClass
metadata: {name: traefik}
spec: {controllerName: traefik.io/gateway-controller}
`
	front = `
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: {name: modelplane, namespace: modelplane-system}
spec:
  gatewayClassName: traefik
  listeners:
  - name: web
    protocol: HTTP
    port: 8000
    allowedRoutes: {namespaces: {from: All}}
`
	isReady    = "\nstatus: {conditions: [{type: Synced, status: \"True\"}, {type: Ready, status: \"True\"}]}"
	isAccepted = "\nstatus: {conditions: [{type: Accepted, status: \"True\"}]}"
	isFailing  = "\nstatus: {conditions: [{type: Synced, status: \"False\", message: chart not found}, {type: Ready, status: \"False\"}]}"
	isRefused  = "\nstatus: {conditions: [{type: Accepted, status: \"False\", message: At least one Listener must be valid}]}"
	isAtIP     = "\nstatus: {addresses: [{type: IPAddress, value: 203.0.113.1}], conditions: [{type: Accepted, status: \"True\"}]}"
)

// world that is settled.
func world() xfntest.World {
	return xfntest.World{Composite: settled, Observed: map[string]any{
		"providerconfig-helm": providerConfig,
		"release-traefik":     traefik + isReady,
		"gatewayclass":        class + isAccepted,
		"gateway":             front + isAtIP,
	}}
}

func TestCompose(t *testing.T) {
	installing := v1alpha1.ControllerInstalling("installing chart traefik 40.1.0 from https://traefik.github.io/charts")
	healthy := xfntest.Event{Reason: "ControllerHealthy", Message: "ControllerReady: ControllerHealthy"}

	cases := map[string]struct {
		reason string
		world  xfntest.World
		want   xfntest.Answer
	}{
		"First": {
			reason: "The controller should come first, because it brings the API of the rest.",
			world:  xfntest.World{Composite: gateway},
			want: xfntest.Answer{
				Desired: map[string]xfntest.Resource{
					"providerconfig-helm": {Object: providerConfig},
					"release-traefik":     {Object: traefik},
				},
				Status:     "{}",
				Conditions: []v1alpha1.Condition{installing, v1alpha1.GatewayWaitingForController()},
			},
		},
		"Overridden": {
			reason: "The repository and the version of the chart should be a person's to say.",
			world:  xfntest.World{Composite: gateway + "  traefik: {repository: \"https://charts.example.com\", version: 41.5.0}\n"},
			want: xfntest.Answer{
				Desired: map[string]xfntest.Resource{
					"providerconfig-helm": {Object: providerConfig},
					"release-traefik": {Object: strings.NewReplacer("https://traefik.github.io/charts", "https://charts.example.com", "40.1.0", "41.5.0").
						Replace(traefik)},
				},
				Status: "{}",
				Conditions: []v1alpha1.Condition{
					v1alpha1.ControllerInstalling("installing chart traefik 41.5.0 from https://charts.example.com"),
					v1alpha1.GatewayWaitingForController(),
				},
			},
		},
		"Installed": {
			reason: "The gateway should be made once its controller is installed.",
			world: xfntest.World{Composite: gateway, Observed: map[string]any{
				"providerconfig-helm": providerConfig,
				"release-traefik":     traefik + isReady,
			}},
			want: xfntest.Answer{
				Desired: map[string]xfntest.Resource{
					"providerconfig-helm": {Object: providerConfig, Ready: true},
					"release-traefik":     {Object: traefik, Ready: true},
					"gatewayclass":        {Object: class},
					"gateway":             {Object: front},
				},
				Status: "{}",
				Conditions: []v1alpha1.Condition{
					v1alpha1.ControllerHealthy(),
					v1alpha1.GatewayWaitingForAcceptance("Traefik has not accepted GatewayClass traefik"),
				},
				Events: []xfntest.Event{healthy},
			},
		},
		"WithoutAddress": {
			reason: "A gateway whose load balancer has no address should not be ready.",
			world: xfntest.World{Composite: gateway, Observed: map[string]any{
				"providerconfig-helm": providerConfig,
				"release-traefik":     traefik + isReady,
				"gatewayclass":        class + isAccepted,
				"gateway":             front + isAccepted,
			}},
			want: xfntest.Answer{
				Desired: map[string]xfntest.Resource{
					"providerconfig-helm": {Object: providerConfig, Ready: true},
					"release-traefik":     {Object: traefik, Ready: true},
					"gatewayclass":        {Object: class, Ready: true},
					"gateway":             {Object: front, Ready: true},
				},
				Status: "{}",
				Conditions: []v1alpha1.Condition{
					v1alpha1.ControllerHealthy(),
					v1alpha1.GatewayWaitingForAddress("the load balancer of Service traefik-system/traefik has no address"),
				},
				Events: []xfntest.Event{healthy},
			},
		},
		"Settled": {
			reason: "A gateway that is accepted and has an address should be ready.",
			world:  world(),
			want: xfntest.Answer{
				Desired: map[string]xfntest.Resource{
					"providerconfig-helm": {Object: providerConfig, Ready: true},
					"release-traefik":     {Object: traefik, Ready: true},
					"gatewayclass":        {Object: class, Ready: true},
					"gateway":             {Object: front, Ready: true},
				},
				Ready:      true,
				Status:     "address: 203.0.113.1",
				Conditions: []v1alpha1.Condition{v1alpha1.ControllerHealthy(), v1alpha1.GatewayProgrammed()},
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

// TestNothingIsLost breaks each thing that a settled gateway rests on.
func TestNothingIsLost(t *testing.T) {
	cases := map[string]struct {
		reason string
		broken func(w *xfntest.World)
		ready  bool
		why    string // Part of the condition that says so.
	}{
		"Settled": {
			reason: "A settled gateway should be ready.",
			broken: func(*xfntest.World) {},
			ready:  true,
		},
		"ProviderConfigGone": {
			reason: "A ProviderConfig that is gone should be made again, and take nothing with it.",
			broken: func(w *xfntest.World) { delete(w.Observed, "providerconfig-helm") },
			ready:  true,
		},
		"ReleaseFails": {
			reason: "A chart that cannot be installed should leave the gateway, and say so.",
			broken: func(w *xfntest.World) { w.Observed["release-traefik"] = traefik + isFailing },
			why:    "installing chart traefik 40.1.0 from https://traefik.github.io/charts: chart not found",
		},
		"ReleaseBlank": {
			reason: "A release that nothing is said of should leave the gateway, which is not ready.",
			broken: func(w *xfntest.World) { w.Observed["release-traefik"] = traefik },
			why:    "installing chart traefik",
		},
		"ChartMistyped": {
			reason: "Another chart should leave the gateway, which is ready as long as its controller is.",
			broken: func(w *xfntest.World) {
				w.Composite = strings.Replace(settled, "Traefik\n", "Traefik\n  traefik: {version: 404.0.0}\n", 1)
			},
			ready: true,
		},
		"StatusBlank": {
			reason: "A status that someone emptied should be made anew of what is observed.",
			broken: func(w *xfntest.World) { w.Composite = gateway },
			ready:  true,
		},
		"ReleaseGone": {
			reason: "A release that is gone should leave the gateway.",
			broken: func(w *xfntest.World) { delete(w.Observed, "release-traefik") },
			why:    "installing chart traefik",
		},
		"ClassRefused": {
			reason: "A class that is not accepted should stay.",
			broken: func(w *xfntest.World) { w.Observed["gatewayclass"] = class },
			why:    "Traefik has not accepted GatewayClass traefik",
		},
		"ClassGone": {
			reason: "A class that is gone should be made again, and leave the gateway.",
			broken: func(w *xfntest.World) { delete(w.Observed, "gatewayclass") },
			why:    "Traefik has not accepted GatewayClass traefik",
		},
		"GatewayRefused": {
			reason: "A gateway that is not accepted should stay, and say why it is not.",
			broken: func(w *xfntest.World) { w.Observed["gateway"] = front + isRefused },
			why:    "Traefik has not accepted Gateway modelplane-system/modelplane: At least one Listener must be valid",
		},
		"GatewayGone": {
			reason: "A gateway that is gone should be made again, at the address that was known.",
			broken: func(w *xfntest.World) { delete(w.Observed, "gateway") },
			why:    "Traefik has not accepted Gateway",
		},
		"AddressGone": {
			reason: "An address that was known should stay while the gateway has none.",
			broken: func(w *xfntest.World) { w.Observed["gateway"] = front + isAccepted },
			ready:  true,
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			w := world()
			tc.broken(&w)
			req := w.Request(t)
			rsp := xfn.Run(compose, req)

			if got := xfntest.Dropped(req, rsp); len(got) > 0 {
				t.Errorf("\n%s\ndropped %v", tc.reason, got)
			}
			if len(rsp.GetDesired().GetResources()) != 4 {
				t.Errorf("\n%s\nwant all four desired, got %d", tc.reason, len(rsp.GetDesired().GetResources()))
			}
			if got := rsp.GetDesired().GetComposite().GetReady() == fnv1.Ready_READY_TRUE; got != tc.ready {
				t.Errorf("\n%s\nready: want %t, got %t", tc.reason, tc.ready, got)
			}
			if got := rsp.GetDesired().GetComposite().GetResource().GetFields()["status"].GetStructValue().GetFields()["address"].GetStringValue(); got != "203.0.113.1" {
				t.Errorf("\n%s\nstatus.address is %q", tc.reason, got)
			}
			if !says(rsp, tc.why) {
				t.Errorf("\n%s\nwant a condition that says %q, got %v", tc.reason, tc.why, rsp.GetConditions())
			}
		})
	}
}

// says whether a condition that is False says why. Nothing is said by none.
func says(rsp *fnv1.RunFunctionResponse, why string) bool {
	for _, c := range rsp.GetConditions() {
		if c.GetStatus() == fnv1.Status_STATUS_CONDITION_FALSE {
			return why != "" && strings.Contains(c.GetMessage(), why)
		}
	}
	return why == ""
}
