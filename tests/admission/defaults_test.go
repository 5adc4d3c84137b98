package admission

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"
)

// TestDefaults says of what a user leaves out what the API server fills in, and
// by whole values that it fills in nothing else.
func TestDefaults(t *testing.T) {
	cases := map[string]struct {
		reason string
		kind   string
		object string
		want   string
	}{
		"ModelDeployment": {
			reason: "What is not asked for should have the default of the documentation, and a member no worker.",
			kind:   "ModelDeployment",
			object: `
apiVersion: modelplane.ai/v1alpha1
kind: ModelDeployment
metadata: {name: a, namespace: b}
spec:
  tolerations: [{key: a}]
  spread: [{topologyKey: region}]
  strategy: {rollingUpdate: {}}
  failover: {}
  serving: {}
  engines:
  - name: a
    members:
    - nodeSelector: {devices: [{name: gpu, selectors: [{cel: "true"}]}]}
      template: {spec: {containers: [{name: engine, image: a, ports: [{containerPort: 8000}]}]}}
`,
			want: `
apiVersion: modelplane.ai/v1alpha1
kind: ModelDeployment
metadata: {name: a, namespace: b}
spec:
  replicas: 1
  priority: 0
  failover: {afterSeconds: 600, maxConcurrent: 1}
  secrets: Existing
  tolerations: [{key: a, operator: Equal}]
  spread: [{topologyKey: region, maxSkew: 1, whenUnsatisfiable: DoNotSchedule}]
  strategy: {type: RollingUpdate, rollingUpdate: {maxUnavailable: 1, maxSurge: 0}}
  serving: {mode: Unified}
  engines:
  - name: a
    copies: 1
    members:
    - role: Standalone
      nodeSelector: {devices: [{name: gpu, count: 1, selectors: [{cel: "true"}]}]}
      template: {spec: {containers: [{name: engine, image: a, ports: [{containerPort: 8000, protocol: TCP}]}]}}
`,
		},
		"Gang": {
			reason: "A worker without a size should not be given one, nor a strategy where there is none.",
			kind:   "ModelDeployment",
			object: `
apiVersion: modelplane.ai/v1alpha1
kind: ModelDeployment
metadata: {name: a, namespace: b}
spec:
  engines:
  - name: a
    members:
    - {role: Leader, template: {spec: {containers: [{name: engine, image: a}]}}}
    - role: Worker
      worker: {}
      nodeSelector: {devices: [{name: gpu, selectors: [{cel: "true"}]}]}
      template: {spec: {containers: [{name: engine, image: a}]}}
`,
			want: `
apiVersion: modelplane.ai/v1alpha1
kind: ModelDeployment
metadata: {name: a, namespace: b}
spec:
  replicas: 1
  priority: 0
  secrets: Existing
  engines:
  - name: a
    copies: 1
    members:
    - {role: Leader, template: {spec: {containers: [{name: engine, image: a}]}}}
    - role: Worker
      worker: {}
      nodeSelector: {devices: [{name: gpu, count: 1, selectors: [{cel: "true"}]}]}
      template: {spec: {containers: [{name: engine, image: a}]}}
`,
		},
		"ModelReplica": {
			reason: "A replica should have the defaults of its deployment.",
			kind:   "ModelReplica",
			object: `
apiVersion: modelplane.ai/v1alpha1
kind: ModelReplica
metadata: {name: a, namespace: b}
spec:
  clusterName: c
  providerConfigRef: {name: c}
  gateway: {}
  engines:
  - name: a
    members:
    - nodePoolName: p
      deviceRequests: [{name: gpu, deviceClassName: gpu}]
      template: {spec: {containers: [{name: engine, image: a}]}}
`,
			want: `
apiVersion: modelplane.ai/v1alpha1
kind: ModelReplica
metadata: {name: a, namespace: b}
spec:
  clusterName: c
  providerConfigRef: {name: c}
  gateway: {name: inference-gateway, namespace: modelplane-system}
  priority: 0
  secrets: Existing
  engines:
  - name: a
    copies: 1
    members:
    - role: Standalone
      nodePoolName: p
      deviceRequests: [{name: gpu, deviceClassName: gpu, count: 1}]
      template: {spec: {containers: [{name: engine, image: a}]}}
`,
		},
		"ModelService": {
			reason: "Groups should share traffic evenly.",
			kind:   "ModelService",
			object: `
apiVersion: modelplane.ai/v1alpha1
kind: ModelService
metadata: {name: a, namespace: b}
spec: {endpoints: [{selector: {matchLabels: {a: b}}}]}
`,
			want: `
apiVersion: modelplane.ai/v1alpha1
kind: ModelService
metadata: {name: a, namespace: b}
spec: {endpoints: [{selector: {matchLabels: {a: b}}, weight: 1, priority: 0}]}
`,
		},
		"ModelEndpoint": {
			reason: "An endpoint that says all should have no defaults.",
			kind:   "ModelEndpoint",
			object: modelEndpoint,
			want:   modelEndpoint,
		},
		"ModelEndpointWithSecret": {
			reason: "A credential should be under the key apiKey.",
			kind:   "ModelEndpoint",
			object: with(modelEndpoint, "spec.auth", "{secretRef: {name: openai}}"),
			want:   with(modelEndpoint, "spec.auth", "{secretRef: {name: openai, key: apiKey}}"),
		},
		"InferenceClass": {
			reason: "A device should be one, and claimed by DRA.",
			kind:   "InferenceClass",
			object: `
apiVersion: modelplane.ai/v1alpha1
kind: InferenceClass
metadata: {name: a}
spec: {devices: [{name: gpu, driver: gpu.nvidia.com, deviceClassName: gpu}]}
`,
			want: `
apiVersion: modelplane.ai/v1alpha1
kind: InferenceClass
metadata: {name: a}
spec: {devices: [{name: gpu, claim: DRA, driver: gpu.nvidia.com, deviceClassName: gpu, count: 1}]}
`,
		},
		"InferenceCluster": {
			reason: "Only what is the same of most clusters should have a default.",
			kind:   "InferenceCluster",
			object: `
apiVersion: modelplane.ai/v1alpha1
kind: InferenceCluster
metadata: {name: a}
spec:
  cluster:
    source: Existing
    existing: {secretRef: {name: a}, identitySecretRef: {name: b}, gateway: {address: c}}
  nodePools: [{name: p, className: h100}]
`,
			want: `
apiVersion: modelplane.ai/v1alpha1
kind: InferenceCluster
metadata: {name: a}
spec:
  cluster:
    source: Existing
    existing:
      secretRef: {name: a, key: kubeconfig}
      identitySecretRef: {name: b, key: private_key, type: GoogleApplicationCredentials}
      gateway: {address: c, parentRef: {name: inference-gateway, namespace: modelplane-system}}
  nodePools: [{name: p, className: h100, nodeCount: 1, sharing: Device}]
`,
		},
		"InferenceGateway": {
			reason: "A gateway should have a backend, two pods to lose one, and be open until someone says otherwise.",
			kind:   "InferenceGateway",
			object: with(inferenceGateway, "spec", "{}"),
			want:   with(inferenceGateway, "spec", "{backend: Traefik, replicas: 2, authentication: None}"),
		},
	}
	servers := newServers(t)
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			u, err := servers.create(tc.kind, tc.object)
			if err != nil {
				t.Fatalf("\n%s\ncreate(...): %v", tc.reason, err)
			}
			if diff := cmp.Diff(plain(t, tc.want), plain(t, u.Object)); diff != "" {
				t.Errorf("\n%s\ncreate(...): -want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}

// plain returns an object, or the YAML of one, as plain values to compare.
func plain(t *testing.T, object any) any {
	t.Helper()
	y, ok := object.(string)
	if !ok {
		b, err := yaml.Marshal(object)
		if err != nil {
			t.Fatal(err)
		}
		y = string(b)
	}
	var out any
	if err := yaml.Unmarshal([]byte(y), &out); err != nil {
		t.Fatal(err)
	}
	return out
}
