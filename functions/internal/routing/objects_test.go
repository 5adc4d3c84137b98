package routing

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"
)

// TestObjects compares everything an object says to YAML. What is not there is
// not said.
func TestObjects(t *testing.T) {
	replica := Replica{
		Namespace:  "ml-team",
		Name:       "qwen-12345678",
		Serving:    "qwen-12345678-0a1b2c3d",
		TargetPort: 8080,
		Gateway:    Gateway{Namespace: "gateways", Name: "inference-gateway"},
	}
	endpoint := Endpoint{
		Namespace: "ml-team",
		Name:      "openai",
		Target:    Target{Scheme: "https", Host: "api.example.com", Port: 8443, Type: "FQDN"},
	}

	cases := map[string]struct {
		reason string
		object any
		want   string
	}{
		"ReplicaService": {
			reason: "A replica should be reached by its serving pods on the port its engine listens on.",
			object: ReplicaService(replica),
			want: `
apiVersion: v1
kind: Service
metadata: {name: qwen-12345678, namespace: ml-team}
spec:
  selector: {modelplane.ai/serving: qwen-12345678-0a1b2c3d}
  ports:
  - {name: http, protocol: TCP, port: 8000, targetPort: 8080}
`,
		},
		"ReplicaRoute": {
			reason: "A replica's route should take its prefix off, and set no time limit.",
			object: ReplicaRoute(replica),
			want: `
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: {name: qwen-12345678, namespace: ml-team}
spec:
  parentRefs:
  - {name: inference-gateway, namespace: gateways}
  rules:
  - matches:
    - path: {type: PathPrefix, value: /ml-team/qwen-12345678/}
    filters:
    - type: URLRewrite
      urlRewrite: {path: {type: ReplacePrefixMatch, replacePrefixMatch: /}}
    timeouts: {request: 0s}
    backendRefs:
    - {name: qwen-12345678, port: 8000}
`,
		},
		"BackendService": {
			reason: "A Service should say that its port speaks TLS, whatever its number.",
			object: BackendService(endpoint),
			want: `
apiVersion: v1
kind: Service
metadata: {name: openai-a64b3c27, namespace: ml-team}
spec:
  ports:
  - {name: https, protocol: TCP, appProtocol: https, port: 8443}
`,
		},
		"BackendSlice": {
			reason: "A slice should be of its Service, and its endpoint say that it is ready.",
			object: BackendSlice(endpoint),
			want: `
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata:
  name: openai-fqdn-617383c0
  namespace: ml-team
  labels: {kubernetes.io/service-name: openai-a64b3c27}
addressType: FQDN
endpoints:
- addresses: [api.example.com]
  conditions: {ready: true}
ports:
- {name: https, protocol: TCP, port: 8443}
`,
		},
		"ServiceRoute": {
			reason: "A service's route should rewrite requests for each backend, and list them sorted.",
			object: ServiceRoute(Service{Namespace: "ml-team", Name: "qwen", Backends: []Backend{
				{Service: "b", Port: 443, Weight: 3, Rewrite: "/", Hostname: "api.example.com"},
				{Service: "a", Port: 80, Weight: 2, Rewrite: "/ml-team/qwen-12345678/"},
			}}),
			want: `
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
    backendRefs:
    - name: a
      port: 80
      weight: 2
      filters:
      - type: URLRewrite
        urlRewrite: {path: {type: ReplacePrefixMatch, replacePrefixMatch: /ml-team/qwen-12345678/}}
    - name: b
      port: 443
      weight: 3
      filters:
      - type: URLRewrite
        urlRewrite: {hostname: api.example.com, path: {type: ReplacePrefixMatch, replacePrefixMatch: /}}
`,
		},
		"ServiceRouteWithoutBackends": {
			reason: "A route without backends should stay a route.",
			object: ServiceRoute(Service{Namespace: "ml-team", Name: "qwen"}),
			want: `
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: {name: qwen-12181a30, namespace: ml-team}
spec:
  parentRefs:
  - {name: modelplane, namespace: modelplane-system}
  rules:
  - matches:
    - path: {type: PathPrefix, value: /ml-team/qwen/}
    filters:
    - type: URLRewrite
      urlRewrite: {path: {type: ReplacePrefixMatch, replacePrefixMatch: /}}
    timeouts: {request: 0s}
`,
		},
		"FrontGatewayClass": {
			reason: "The class should be Traefik's.",
			object: FrontGatewayClass(),
			want: `
apiVersion: gateway.networking.k8s.io/v1
kind: GatewayClass
metadata: {name: traefik}
spec: {controllerName: traefik.io/gateway-controller}
`,
		},
		"FrontGateway": {
			reason: "The gateway should listen on Traefik's entry point, for routes of all namespaces.",
			object: FrontGateway(Front{}),
			want: `
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
`,
		},
		"SecureFrontGateway": {
			reason: "A gateway with a certificate should listen on both of Traefik's entry points, at its hostname.",
			object: FrontGateway(Front{Hostname: "models.example.com", Certificate: "front-door-tls"}),
			want: `
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
`,
		},
		"RedirectRoute": {
			reason: "All that comes by HTTP should be redirected to HTTPS, at the port callers know.",
			object: RedirectRoute(),
			want: `
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
`,
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			var want, got any
			if err := yaml.Unmarshal([]byte(tc.want), &want); err != nil {
				t.Fatal(err)
			}
			j, err := json.Marshal(tc.object)
			if err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(j, &got); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("\n%s\n-want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}
