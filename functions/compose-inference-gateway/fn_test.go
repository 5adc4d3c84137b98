package main

import (
	"fmt"
	"maps"
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
  address: http://203.0.113.1
  authentication: None
  conditions:
  - {type: ControllerReady, status: "True", reason: ControllerHealthy}
  - {type: GatewayReady, status: "True", reason: Programmed}
  - {type: AuthenticationReady, status: "True", reason: InForce}
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
      deployment:
        replicas: 2
        terminationGracePeriodSeconds: 630
        additionalContainers:
        - name: authorizer
          image: registry.example.com/function:v1
          args: [authorize]
          resources: {requests: {cpu: 10m, memory: 32Mi}, limits: {memory: 256Mi}}
          securityContext:
            runAsNonRoot: true
            readOnlyRootFilesystem: true
            allowPrivilegeEscalation: false
            capabilities: {drop: [ALL]}
            seccompProfile: {type: RuntimeDefault}
      podDisruptionBudget: {enabled: true, minAvailable: 1}
      additionalArguments:
      - --global.checkNewVersion=false
      - --global.sendAnonymousUsage=false
      - --providers.providersThrottleDuration=200ms
      - --serversTransport.forwardingTimeouts.dialTimeout=3s
      - --entryPoints.web.transport.respondingTimeouts.readTimeout=0
      - --entryPoints.web.transport.lifeCycle.requestAcceptGraceTimeout=10s
      - --entryPoints.web.transport.lifeCycle.graceTimeOut=600s
      - --entryPoints.websecure.transport.respondingTimeouts.readTimeout=0
      - --entryPoints.websecure.transport.lifeCycle.requestAcceptGraceTimeout=10s
      - --entryPoints.websecure.transport.lifeCycle.graceTimeOut=600s
      providers:
        kubernetesCRD: {enabled: true, allowCrossNamespace: false}
        kubernetesGateway:
          enabled: true
          statusAddress: {service: {namespace: traefik-system, name: traefik}}
        kubernetesIngress: {enabled: false}
      service: {nameOverride: traefik}
      gateway: {enabled: false}
      gatewayClass: {enabled: false}
`
	// bare is a release that Crossplane has, and no authorizer.
	bare = `
apiVersion: helm.m.crossplane.io/v1beta1
kind: Release
metadata: {name: traefik, namespace: modelplane-system}
spec: {forProvider: {values: {deployment: {replicas: 2}}}}
`
	ownFunction = `
apiVersion: pkg.crossplane.io/v1
kind: Function
metadata: {name: modelplane-go-compose-inference-gateway}
spec: {package: "registry.example.com/function:v0"}
status: {resolvedPackage: "registry.example.com/function:v1"}
`
	usageByGateway = `
apiVersion: protection.crossplane.io/v1beta1
kind: Usage
metadata: {name: default-usage-release-by-gateway-0e577901, namespace: modelplane-system}
spec:
  of: {apiVersion: helm.m.crossplane.io/v1beta1, kind: Release, resourceRef: {name: traefik}}
  by: {apiVersion: gateway.networking.k8s.io/v1, kind: Gateway, resourceRef: {name: modelplane}}
  replayDeletion: true
`
	usageByClass = `
apiVersion: protection.crossplane.io/v1beta1
kind: Usage
metadata: {name: default-usage-release-by-gatewayclass-73fa68ca, namespace: modelplane-system}
spec:
  of: {apiVersion: helm.m.crossplane.io/v1beta1, kind: Release, resourceRef: {name: traefik}}
  by: {apiVersion: gateway.networking.k8s.io/v1, kind: GatewayClass, resourceRef: {name: traefik}}
  replayDeletion: true
`
	usageByServices = `
apiVersion: protection.crossplane.io/v1beta1
kind: ClusterUsage
metadata: {name: default-clusterusage-services-a061007b}
spec:
  of: {apiVersion: modelplane.ai/v1alpha1, kind: InferenceGateway, resourceRef: {name: default}}
  reason: "ModelServices are reached through it: delete them first"
`
	redirect = `
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: {name: modelplane-redirect, namespace: modelplane-system}
spec:
  parentRefs:
  - {name: modelplane, namespace: modelplane-system, sectionName: web}
  rules:
  - matches:
    - path: {type: PathPrefix, value: /}
    filters:
    - type: RequestRedirect
      requestRedirect: {scheme: https, port: 443, statusCode: 301}
`
	service = `{apiVersion: modelplane.ai/v1alpha1, kind: ModelService, metadata: {name: qwen, namespace: ml-team}}`
	class   = `
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
	secureFront = `
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: {name: modelplane, namespace: modelplane-system}
spec:
  gatewayClassName: traefik
  listeners:
  - name: web
    hostname: models.example.com
    protocol: HTTP
    port: 8000
    allowedRoutes: {namespaces: {from: All}}
  - name: websecure
    hostname: models.example.com
    protocol: HTTPS
    port: 8443
    tls: {mode: Terminate, certificateRefs: [{name: front-door-tls}]}
    allowedRoutes: {namespaces: {from: All}}
`
	isReady    = "\nstatus: {conditions: [{type: Synced, status: \"True\"}, {type: Ready, status: \"True\"}]}"
	isAccepted = "\nstatus: {conditions: [{type: Accepted, status: \"True\"}]}"
	isFailing  = "\nstatus: {conditions: [{type: Synced, status: \"False\", message: chart not found}, {type: Ready, status: \"False\"}]}"
	isRefused  = "\nstatus: {conditions: [{type: Accepted, status: \"False\", message: At least one Listener must be valid}]}"
	isAtIP     = "\nstatus: {addresses: [{type: IPAddress, value: 203.0.113.1}], conditions: [{type: Accepted, status: \"True\"}]}"
)

// serves is the status of a Gateway at an address, with a listener for HTTPS that
// is programmed or not, and the reason its certificate is refused for.
func serves(programmed, refused string) string {
	refs := ""
	if refused != "" {
		refs = fmt.Sprintf("{type: ResolvedRefs, status: \"False\", reason: InvalidCertificateRef, message: %q},", refused)
	}
	return fmt.Sprintf(`
status:
  addresses: [{type: IPAddress, value: 203.0.113.1}]
  conditions: [{type: Accepted, status: "True"}]
  listeners:
  - {name: web, conditions: [{type: Programmed, status: "True"}]}
  - {name: websecure, conditions: [%s {type: Programmed, status: %q}]}
`, refs, programmed)
}

// world that is settled.
func world() xfntest.World {
	return xfntest.World{
		Composite: settled,
		Observed: map[string]any{
			"providerconfig-helm":           providerConfig,
			"release-traefik":               traefik + isReady,
			"gatewayclass":                  class + isAccepted,
			"gateway":                       front + isAtIP,
			"usage-release-by-gateway":      usageByGateway,
			"usage-release-by-gatewayclass": usageByClass,
			"clusterusage-services":         usageByServices,
		},
		Required: known(),
	}
}

// known is what a settled gateway's function is told.
func known() map[string][]any {
	return map[string][]any{"function": {ownFunction}, "services": {service}}
}

func requirements() map[string]*fnv1.ResourceSelector {
	return map[string]*fnv1.ResourceSelector{
		"function": {ApiVersion: "pkg.crossplane.io/v1", Kind: "Function", Match: &fnv1.ResourceSelector_MatchName{MatchName: "modelplane-go-compose-inference-gateway"}},
		"services": {ApiVersion: "modelplane.ai/v1alpha1", Kind: "ModelService"},
	}
}

// controller is what is desired of it.
func controller(ready bool) map[string]xfntest.Resource {
	return map[string]xfntest.Resource{
		"providerconfig-helm": {Object: providerConfig, Ready: ready},
		"release-traefik":     {Object: traefik, Ready: ready},
	}
}

func with(m map[string]xfntest.Resource, more map[string]xfntest.Resource) map[string]xfntest.Resource {
	maps.Copy(m, more)
	return m
}

func TestCompose(t *testing.T) {
	installing := v1alpha1.ControllerInstalling("installing chart traefik 40.1.0 from https://traefik.github.io/charts")
	healthy := xfntest.Event{Reason: "ControllerHealthy", Message: "ControllerReady: ControllerHealthy"}
	inForce := xfntest.Event{Reason: "InForce", Message: "AuthenticationReady: InForce"}
	none := map[string][]any{"function": {ownFunction}, "services": {}}

	cases := map[string]struct {
		reason string
		world  xfntest.World
		want   xfntest.Answer
	}{
		"First": {
			reason: "The controller should come first, because it brings the API of the rest.",
			world:  xfntest.World{Composite: gateway, Required: none},
			want: xfntest.Answer{
				Desired:    controller(false),
				Status:     "authentication: None",
				Conditions: []v1alpha1.Condition{installing, v1alpha1.GatewayWaitingForController(), v1alpha1.AuthenticationInForce()},
				Events:     []xfntest.Event{inForce},
			},
		},
		"Overridden": {
			reason: "The repository and the version of the chart, and its values, should be a person's to say.",
			world: xfntest.World{
				Composite: gateway + `
  replicas: 1
  authorizer: {image: "registry.example.com/copy:v1"}
  loadBalancer: {class: example.com/lb, annotations: {example.com/internal: "true"}}
  traefik:
    repository: https://charts.example.com
    version: 41.5.0
    values: {deployment: {replicas: 5}, nodeSelector: {front: door}}
`,
				Required: none,
			},
			want: xfntest.Answer{
				Desired: map[string]xfntest.Resource{
					"providerconfig-helm": {Object: providerConfig},
					"release-traefik": {Object: strings.NewReplacer(
						"https://traefik.github.io/charts", "https://charts.example.com",
						"40.1.0", "41.5.0",
						"registry.example.com/function:v1", "registry.example.com/copy:v1",
						"replicas: 2", "replicas: 5",
						"podDisruptionBudget: {enabled: true, minAvailable: 1}", "nodeSelector: {front: door}",
						"{nameOverride: traefik}", `{nameOverride: traefik, annotations: {example.com/internal: "true"}, spec: {loadBalancerClass: example.com/lb}}`,
					).Replace(traefik)},
				},
				Status: "authentication: None",
				Conditions: []v1alpha1.Condition{
					v1alpha1.ControllerInstalling("installing chart traefik 41.5.0 from https://charts.example.com"),
					v1alpha1.GatewayWaitingForController(),
					v1alpha1.AuthenticationInForce(),
				},
				Events: []xfntest.Event{inForce},
			},
		},
		"Installed": {
			reason: "The gateway should be made once its controller is installed.",
			world: xfntest.World{Composite: gateway, Required: none, Observed: map[string]any{
				"providerconfig-helm": providerConfig,
				"release-traefik":     traefik + isReady,
			}},
			want: xfntest.Answer{
				Desired: with(controller(true), map[string]xfntest.Resource{"gatewayclass": {Object: class}, "gateway": {Object: front}}),
				Status:  "authentication: None",
				Conditions: []v1alpha1.Condition{
					v1alpha1.ControllerHealthy(),
					v1alpha1.GatewayWaitingForAcceptance("Traefik has not accepted GatewayClass traefik"),
					v1alpha1.AuthenticationInForce(),
				},
				Events: []xfntest.Event{healthy, inForce},
			},
		},
		"WithoutAddress": {
			reason: "A gateway whose load balancer has no address should not be ready.",
			world: xfntest.World{Composite: gateway, Required: none, Observed: map[string]any{
				"providerconfig-helm": providerConfig,
				"release-traefik":     traefik + isReady,
				"gatewayclass":        class + isAccepted,
				"gateway":             front + isAccepted,
			}},
			want: xfntest.Answer{
				Desired: with(controller(true), map[string]xfntest.Resource{
					"gatewayclass":                  {Object: class, Ready: true},
					"gateway":                       {Object: front, Ready: true},
					"usage-release-by-gateway":      {Object: usageByGateway},
					"usage-release-by-gatewayclass": {Object: usageByClass},
				}),
				Status: "authentication: None",
				Conditions: []v1alpha1.Condition{
					v1alpha1.ControllerHealthy(),
					v1alpha1.GatewayWaitingForAddress("the load balancer of Service traefik-system/traefik has no address"),
					v1alpha1.AuthenticationInForce(),
				},
				Events: []xfntest.Event{healthy, inForce},
			},
		},
		"Settled": {
			reason: "A gateway that is accepted and has an address should be ready, and protected while services exist.",
			world:  world(),
			want: xfntest.Answer{
				Desired: with(controller(true), map[string]xfntest.Resource{
					"gatewayclass":                  {Object: class, Ready: true},
					"gateway":                       {Object: front, Ready: true},
					"usage-release-by-gateway":      {Object: usageByGateway, Ready: true},
					"usage-release-by-gatewayclass": {Object: usageByClass, Ready: true},
					"clusterusage-services":         {Object: usageByServices, Ready: true},
				}),
				Ready:      true,
				Status:     "{address: \"http://203.0.113.1\", authentication: None}",
				Conditions: []v1alpha1.Condition{v1alpha1.ControllerHealthy(), v1alpha1.GatewayProgrammed(), v1alpha1.AuthenticationInForce()},
			},
		},
		"Secure": {
			reason: "A gateway that serves HTTPS should say so, and redirect HTTP to it.",
			world: xfntest.World{
				Composite: strings.Replace(settled, "Traefik\n", "Traefik\n  hostname: models.example.com\n  tls: {secretRef: {name: front-door-tls}}\n", 1),
				Required:  none,
				Observed: map[string]any{
					"providerconfig-helm":   providerConfig,
					"release-traefik":       traefik + isReady,
					"gatewayclass":          class + isAccepted,
					"gateway":               secureFront + serves("True", ""),
					"clusterusage-services": usageByServices,
				},
			},
			want: xfntest.Answer{
				Desired: with(controller(true), map[string]xfntest.Resource{
					"gatewayclass":                  {Object: class, Ready: true},
					"gateway":                       {Object: secureFront, Ready: true},
					"httproute-redirect":            {Object: redirect},
					"usage-release-by-gateway":      {Object: usageByGateway},
					"usage-release-by-gatewayclass": {Object: usageByClass},
				}),
				Ready:      true,
				Status:     "{address: \"https://models.example.com\", authentication: None}",
				Conditions: []v1alpha1.Condition{v1alpha1.ControllerHealthy(), v1alpha1.GatewayProgrammed(), v1alpha1.AuthenticationInForce()},
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
