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
	openai := Backend{
		Endpoint:   "openai",
		Target:     Target{Scheme: "https", Host: "api.example.com", Port: 8443, Type: "FQDN"},
		Weight:     3,
		Rewrite:    "/",
		TLS:        &TLS{CAConfigMap: "private-ca"},
		Credential: &Credential{Secret: "openai", Key: "apiKey"},
	}
	proxy := Backend{
		Endpoint:   "proxy",
		Target:     Target{Scheme: "https", Host: "203.0.113.9", Port: 443, Type: "IPv4"},
		Weight:     1,
		Rewrite:    "/openai",
		TLS:        &TLS{ServerName: "proxy.example.com"},
		Credential: &Credential{Secret: "proxy", Key: "key", Header: "api-key"},
	}
	local := Backend{
		Endpoint: "qwen-12345678",
		Target:   Target{Scheme: "http", Host: "203.0.113.7", Port: 80, Type: "IPv4"},
		Weight:   2,
		Rewrite:  "/ml-team/qwen-12345678/",
	}
	service := Service{Namespace: "ml-team", Name: "qwen", Listener: "web"}
	everything := Service{Namespace: "ml-team", Name: "qwen", Listener: "websecure", Callers: true, Backends: []Backend{proxy, local, openai}}

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
			object: BackendService(service, openai),
			want: `
apiVersion: v1
kind: Service
metadata: {name: openai-f396575a, namespace: ml-team}
spec:
  ports:
  - {name: https, protocol: TCP, appProtocol: https, port: 8443}
`,
		},
		"BackendSlice": {
			reason: "A slice should be of its Service, and its endpoint say that it is ready.",
			object: BackendSlice(service, openai),
			want: `
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata:
  name: openai-fqdn-f6f55c4d
  namespace: ml-team
  labels: {kubernetes.io/service-name: openai-f396575a}
addressType: FQDN
endpoints:
- addresses: [api.example.com]
  conditions: {ready: true}
ports:
- {name: https, protocol: TCP, port: 8443}
`,
		},
		"BackendTLSPolicyOfCA": {
			reason: "An endpoint with a CA of its own should be verified by it, for the host of its URL.",
			object: BackendTLSPolicy(service, openai),
			want: `
apiVersion: gateway.networking.k8s.io/v1
kind: BackendTLSPolicy
metadata: {name: openai-f396575a, namespace: ml-team}
spec:
  targetRefs: [{group: "", kind: Service, name: openai-f396575a}]
  validation:
    hostname: api.example.com
    caCertificateRefs: [{group: "", kind: ConfigMap, name: private-ca}]
`,
		},
		"BackendTLSPolicyOfName": {
			reason: "An endpoint at an address should be verified for its name, by the system's CAs.",
			object: BackendTLSPolicy(service, proxy),
			want: `
apiVersion: gateway.networking.k8s.io/v1
kind: BackendTLSPolicy
metadata: {name: proxy-be5b7e35, namespace: ml-team}
spec:
  targetRefs: [{group: "", kind: Service, name: proxy-be5b7e35}]
  validation: {hostname: proxy.example.com, wellKnownCACertificates: System}
`,
		},
		"BackendAuth": {
			reason: "The authorizer should be told which Secret, and the caller's own keys go nowhere.",
			object: BackendAuth(service, openai),
			want: `
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
		},
		"BackendAuthInHeader": {
			reason: "A credential may be sent in a header of another name.",
			object: BackendAuth(service, proxy),
			want: `
apiVersion: traefik.io/v1alpha1
kind: Middleware
metadata: {name: proxy-be5b7e35, namespace: ml-team}
spec:
  forwardAuth:
    address: http://127.0.0.1:9099/endpoints?header=api-key&key=key&namespace=ml-team&secret=proxy
    authRequestHeaders: [Authorization, X-Api-Key]
    authResponseHeaders: [Authorization, X-Api-Key, api-key]
    trustForwardHeader: false
    maxResponseBodySize: 65536
`,
		},
		"ServiceRetry": {
			reason: "A request that no endpoint answered should be sent again, a POST too.",
			object: ServiceRetry(service),
			want: `
apiVersion: traefik.io/v1alpha1
kind: Middleware
metadata: {name: qwen-retry-b6098c65, namespace: ml-team}
spec:
  retry:
    attempts: 10
    initialInterval: 100ms
    status: ["502", "503"]
    retryNonIdempotentMethod: true
    maxRequestBodyBytes: 524288
`,
		},
		"ServiceUnavailable": {
			reason: "A service without endpoints should have somebody say so.",
			object: ServiceUnavailable(service),
			want: `
apiVersion: traefik.io/v1alpha1
kind: Middleware
metadata: {name: qwen-unavailable-1bad33fb, namespace: ml-team}
spec:
  forwardAuth:
    address: http://127.0.0.1:9099/unavailable?namespace=ml-team&service=qwen
    authRequestHeaders: [Authorization, X-Api-Key]
    trustForwardHeader: false
    maxResponseBodySize: 65536
`,
		},
		"ServiceCallers": {
			reason: "The caller's key should go no further, and the caller's name should.",
			object: ServiceCallers(service),
			want: `
apiVersion: traefik.io/v1alpha1
kind: Middleware
metadata: {name: qwen-callers-2f0f0b1d, namespace: ml-team}
spec:
  forwardAuth:
    address: http://127.0.0.1:9099/callers?namespace=ml-team
    authRequestHeaders: [Authorization, X-Api-Key]
    authResponseHeaders: [Authorization, X-Api-Key, X-Modelplane-Caller]
    trustForwardHeader: false
    maxResponseBodySize: 65536
`,
		},
		"ServiceRoute": {
			reason: "A service's route should ask who calls before it sends anything, rewrite requests for each backend, and list them sorted.",
			object: ServiceRoute(everything),
			want: `
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: {name: qwen-12181a30, namespace: ml-team}
spec:
  parentRefs:
  - {name: modelplane, namespace: modelplane-system, sectionName: websecure}
  rules:
  - matches:
    - path: {type: PathPrefix, value: /ml-team/qwen/}
    timeouts: {request: 0s}
    filters:
    - {type: ExtensionRef, extensionRef: {group: traefik.io, kind: Middleware, name: qwen-callers-2f0f0b1d}}
    - {type: ExtensionRef, extensionRef: {group: traefik.io, kind: Middleware, name: qwen-retry-b6098c65}}
    backendRefs:
    - name: openai-f396575a
      port: 8443
      weight: 3
      filters:
      - {type: ExtensionRef, extensionRef: {group: traefik.io, kind: Middleware, name: openai-f396575a}}
      - type: URLRewrite
        urlRewrite: {hostname: api.example.com, path: {type: ReplacePrefixMatch, replacePrefixMatch: /}}
    - name: proxy-be5b7e35
      port: 443
      weight: 1
      filters:
      - {type: ExtensionRef, extensionRef: {group: traefik.io, kind: Middleware, name: proxy-be5b7e35}}
      - type: URLRewrite
        urlRewrite: {hostname: proxy.example.com, path: {type: ReplacePrefixMatch, replacePrefixMatch: /openai}}
    - name: qwen-12345678-255141cd
      port: 80
      weight: 2
      filters:
      - type: URLRewrite
        urlRewrite: {path: {type: ReplacePrefixMatch, replacePrefixMatch: /ml-team/qwen-12345678/}}
`,
		},
		"ServiceRouteWithoutBackends": {
			reason: "A route without backends should stay a route, and send nothing again.",
			object: ServiceRoute(service),
			want: `
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: {name: qwen-12181a30, namespace: ml-team}
spec:
  parentRefs:
  - {name: modelplane, namespace: modelplane-system, sectionName: web}
  rules:
  - matches:
    - path: {type: PathPrefix, value: /ml-team/qwen/}
    filters:
    - {type: ExtensionRef, extensionRef: {group: traefik.io, kind: Middleware, name: qwen-unavailable-1bad33fb}}
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
