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

const standalone = `
apiVersion: modelplane.ai/v1alpha1
kind: ModelReplica
metadata:
  name: qwen-0a1b2c3d
  namespace: ml-team
  labels: {modelplane.ai/deployment: qwen, modelplane.ai/cluster: prod-eu, modelplane.ai/replica-index: "1", modelplane.ai/revision: 0a0b0c0d}
spec:
  clusterName: prod-eu
  providerConfigRef: {name: prod-eu-config}
  gateway: {name: inference-gateway, namespace: modelplane-system}
  engines:
  - name: main
    members:
    - role: Standalone
      nodePoolName: h100
      deviceRequests: [{name: gpu, deviceClassName: gpu.nvidia.com, count: 1}]
      template: {spec: {containers: [{name: engine, image: "engine:v1"}]}}
`

// The manifests of that replica on its cluster. Those of its engine have tests
// of their own in package workload.
const (
	namespaceManifest = `{apiVersion: v1, kind: Namespace, metadata: {name: ml-team}}`

	claimKey      = "resourceclaimtemplate-main-standalone-c2edac14"
	claimManifest = `
      apiVersion: resource.k8s.io/v1
      kind: ResourceClaimTemplate
      metadata: {name: qwen-0a1b2c3d-main-standalone-d328f3b7, namespace: ml-team}
      spec: {spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu.nvidia.com, count: 1}}]}}}`

	deploymentManifest = `
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: qwen-0a1b2c3d-main-a43d591a, namespace: ml-team}
      spec:
        replicas: 1
        selector: {matchLabels: {modelplane.ai/workload: qwen-0a1b2c3d-main-a43d591a}}
        strategy: {type: RollingUpdate, rollingUpdate: {maxSurge: 0, maxUnavailable: 1}}
        template:
          metadata: {labels: {modelplane.ai/serving: qwen-0a1b2c3d-15cae102, modelplane.ai/workload: qwen-0a1b2c3d-main-a43d591a}}
          spec:
            nodeSelector: {modelplane.ai/pool: h100}
            tolerations: [{key: nvidia.com/gpu, operator: Exists, effect: NoSchedule}]
            resourceClaims: [{name: devices, resourceClaimTemplateName: qwen-0a1b2c3d-main-standalone-d328f3b7}]
            volumes: [{name: dshm, emptyDir: {medium: Memory}}]
            containers:
            - name: engine
              image: engine:v1
              ports: [{name: http, containerPort: 8000}]
              readinessProbe: {httpGet: {path: /health, port: 8000}, initialDelaySeconds: 30, periodSeconds: 10, timeoutSeconds: 5}
              resources: {claims: [{name: devices}]}
              volumeMounts: [{name: dshm, mountPath: /dev/shm}]`

	serviceManifest = `
      apiVersion: v1
      kind: Service
      metadata: {name: qwen-0a1b2c3d, namespace: ml-team}
      spec:
        selector: {modelplane.ai/serving: qwen-0a1b2c3d-15cae102}
        ports: [{name: http, protocol: TCP, port: 8000, targetPort: 8000}]`

	routeManifest = `
      apiVersion: gateway.networking.k8s.io/v1
      kind: HTTPRoute
      metadata: {name: qwen-0a1b2c3d, namespace: ml-team}
      spec:
        parentRefs: [{namespace: modelplane-system, name: inference-gateway}]
        rules:
        - matches: [{path: {type: PathPrefix, value: /ml-team/qwen-0a1b2c3d/}}]
          filters: [{type: URLRewrite, urlRewrite: {path: {type: ReplacePrefixMatch, replacePrefixMatch: /}}}]
          backendRefs: [{name: qwen-0a1b2c3d, port: 8000}]
          timeouts: {request: 0s}`
)

// object is the Object that carries a manifest.
func object(name, policies, readiness, manifest string) string {
	return `
apiVersion: kubernetes.m.crossplane.io/v1alpha1
kind: Object
metadata: {name: ` + name + `}
spec:
  providerConfigRef: {kind: ClusterProviderConfig, name: prod-eu-config}
  ` + policies + `
  watch: true
  readiness: ` + readiness + `
  forProvider:
    manifest: ` + manifest + "\n"
}

const (
	onceCreated = `{policy: SuccessfulCreate}`

	deploymentReady = `{policy: DeriveFromCelQuery, celQuery: 'has(object.status) && (!has(object.status.observedGeneration) || object.status.observedGeneration >= object.metadata.generation) && has(object.status.availableReplicas) && object.status.availableReplicas > 0'}`
	routeReady      = `{policy: DeriveFromCelQuery, celQuery: 'has(object.status) && has(object.status.parents) && object.status.parents.exists(p, has(p.conditions) && p.conditions.exists(c, c.type == "Accepted" && c.status == "True"))'}`
)

// objects the replica composes, by key.
func objects() map[string]string {
	return map[string]string{
		"namespace":       object("qwen-0a1b2c3d-namespace-afe7c119", "managementPolicies: [Observe, Create, Update]", onceCreated, namespaceManifest),
		claimKey:          object("qwen-0a1b2c3d-resourceclaimtemplate-main-standalone-c2-7464227b", "", onceCreated, claimManifest),
		"deployment-main": object("qwen-0a1b2c3d-deployment-main-15cae102", "", deploymentReady, deploymentManifest),
		"service":         object("qwen-0a1b2c3d-service-244cfaee", "", onceCreated, serviceManifest),
		"httproute":       object("qwen-0a1b2c3d-httproute-806b445f", "", routeReady, routeManifest),
	}
}

func desired(ready bool) map[string]xfntest.Resource {
	out := map[string]xfntest.Resource{}
	for key, o := range objects() {
		out[key] = xfntest.Resource{Object: o, Ready: ready}
	}
	return out
}

const (
	healthy = `
status:
  conditions: [{type: Ready, status: "True"}, {type: Synced, status: "True"}]
`
	waiting = `
status:
  conditions: [{type: Ready, status: "False"}, {type: Synced, status: "True"}]
`
	serves = healthy + `
  atProvider: {manifest: {metadata: {generation: 1}, status: {observedGeneration: 1, availableReplicas: 1, updatedReplicas: 1}}}
`
	// rolls says that a copy of the older kind serves.
	rolls = healthy + `
  atProvider: {manifest: {metadata: {generation: 2}, status: {observedGeneration: 2, availableReplicas: 1, updatedReplicas: 0}}}
`
)

// settled is a world in which the replica serves.
func settled() xfntest.World {
	w := xfntest.World{Composite: standalone, Observed: map[string]any{}}
	for key, o := range objects() {
		w.Observed[key] = o + healthy
	}
	w.Observed["deployment-main"] = objects()["deployment-main"] + serves
	return w
}

// charged is a world in which the replica is new, and its cluster's ledger has
// the charges.
func charged(charges string) xfntest.World {
	return xfntest.World{Composite: standalone, Required: map[string][]any{"cluster": {`
apiVersion: modelplane.ai/v1alpha1
kind: InferenceCluster
metadata: {name: prod-eu}
status: {gpuPools: [{name: l4, nodes: 1, nodesCharged: 0}, {name: h100, nodes: 1, nodesCharged: 1, charges: [` + charges + `]}]}
`}}}
}

func clusterRequirement() map[string]*fnv1.ResourceSelector {
	return map[string]*fnv1.ResourceSelector{"cluster": {
		ApiVersion: "modelplane.ai/v1alpha1", Kind: "InferenceCluster", Match: &fnv1.ResourceSelector_MatchName{MatchName: "prod-eu"},
	}}
}

// pendingFor is the answer of a replica that may not start yet.
func pendingFor(why string) xfntest.Answer {
	return xfntest.Answer{
		Requirements: clusterRequirement(),
		Conditions:   []v1alpha1.Condition{v1alpha1.ModelPending(why), v1alpha1.ModelWaiting()},
	}
}

func TestCompose(t *testing.T) {
	const (
		own    = `{namespace: ml-team, deployment: qwen, index: 1, groups: [{pods: [{devices: {gpu: 1}}]}]}`
		others = `{namespace: ml-team, deployment: qwen, index: 0, groups: [{pods: [{devices: {gpu: 1}}]}]}, {namespace: other, deployment: qwen, index: 1, groups: [{pods: [{devices: {gpu: 1}}]}]}`
	)
	cases := map[string]struct {
		reason string
		world  xfntest.World
		want   xfntest.Answer
	}{
		"FirstPass": {
			reason: "A new replica asks for its cluster's ledger, and desires nothing.",
			world:  xfntest.World{Composite: standalone},
			want:   pendingFor("waiting to read cluster prod-eu"),
		},
		"OwnMaking": {
			reason: "A replica in no ledger, which someone made, starts.",
			world:  xfntest.World{Composite: strings.Replace(standalone, "modelplane.ai/cluster", "some/cluster", 1)},
			want: xfntest.Answer{
				Desired: desired(false),
				Status:  `{engines: [{name: main, copies: 1, readyCopies: 0, updatedCopies: 0}]}`,
				Conditions: []v1alpha1.Condition{
					v1alpha1.ModelDeploying("waiting for namespace to be applied"),
					v1alpha1.ModelStarting("engine main: 0 of 1 copies serve"),
				},
			},
		},
		"ClusterGone": {
			reason: "A replica whose cluster is gone does not start.",
			world:  xfntest.World{Composite: standalone, Required: map[string][]any{"cluster": {}}},
			want:   pendingFor("cluster prod-eu is gone"),
		},
		"Uncharged": {
			reason: "A replica that its cluster's ledger does not have yet does not start, whoever else it has.",
			world:  charged(others),
			want:   pendingFor("waiting for cluster prod-eu to charge it"),
		},
		"Yields": {
			reason: "A replica that has to yield never starts.",
			world:  charged(others + ", " + strings.Replace(own, "index: 1", "index: 1, yield: true", 1)),
			want:   pendingFor("cluster prod-eu has no room for it and tells it to yield"),
		},
		"Charged": {
			reason: "A replica that has its place desires everything it has on its cluster, and is not ready.",
			world:  charged(others + ", " + own),
			want: xfntest.Answer{
				Requirements: clusterRequirement(),
				Desired:      desired(false),
				Status:       `{engines: [{name: main, copies: 1, readyCopies: 0, updatedCopies: 0}]}`,
				Conditions: []v1alpha1.Condition{
					v1alpha1.ModelDeploying("waiting for namespace to be applied"),
					v1alpha1.ModelStarting("engine main: 0 of 1 copies serve"),
				},
			},
		},
		"Settled": {
			reason: "A replica whose engines serve is ready.",
			world:  settled(),
			want: xfntest.Answer{
				Desired:    desired(true),
				Ready:      true,
				Status:     `{engines: [{name: main, copies: 1, readyCopies: 1, updatedCopies: 1}], revision: 0a0b0c0d}`,
				Conditions: []v1alpha1.Condition{v1alpha1.ModelAccepted(), v1alpha1.ModelServing()},
				Events: []xfntest.Event{
					{Reason: v1alpha1.ReasonAccepted, Message: "ModelAccepted: Accepted"},
					{Reason: v1alpha1.ReasonServing, Message: "ModelReady: Serving"},
				},
			},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got := xfn.Run(compose, tc.world.Request(t))
			if diff := cmp.Diff(tc.want.Response(t), got, protocmp.Transform()); diff != "" {
				t.Errorf("\n%s\nRun(...): -want, +got:\n%s", tc.reason, diff)
			}
			if unmeant := xfntest.Unmeant(got); len(unmeant) > 0 {
				t.Errorf("desired objects say what nobody means: %s", strings.Join(unmeant, ", "))
			}
		})
	}
}
