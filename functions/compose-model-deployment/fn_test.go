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

const (
	deployment = `
apiVersion: modelplane.ai/v1alpha1
kind: ModelDeployment
metadata: {name: qwen, namespace: ml-team}
spec:
  replicas: 1
  priority: 3
  clusterSelector: {matchExpressions: [{key: tier, operator: In, values: [prod]}]}
  replicaMetadata: {labels: {team: a}, annotations: {note: hello}}
  engines:
  - name: main
    copies: 1
    members:
    - role: Standalone
      nodeSelector:
        devices:
        - name: gpu
          count: 1
          selectors: [{cel: 'device.capacity["gpu.nvidia.com"].memory.compareTo(quantity("40Gi")) >= 0'}]
      template: {spec: {containers: [{name: engine, image: "engine:v1"}]}}
`

	// The hash of the engines above, and the name of the first replica on a.
	revisionV1 = "8887010d"
	nameA0     = "qwen-0ec154f2"
)

// inferenceCluster that is ready, with one pool of so many nodes with 80Gi GPUs.
func inferenceCluster(name, spec, conditions string) string {
	return `
apiVersion: modelplane.ai/v1alpha1
kind: InferenceCluster
metadata: {name: ` + name + `, labels: {tier: prod}}
spec:
  cluster: {source: Existing, existing: {secretRef: {name: s}, gateway: {address: 192.0.2.1}}}
  nodePools: [{name: h100, className: h100, nodeCount: 2}]
  ` + spec + `
status:
  providerConfigRef: {name: ` + name + `-config}
  gateway: {address: 192.0.2.1, parentRef: {name: inference-gateway, namespace: modelplane-system}}
  gpuPools:
  - {name: h100, className: h100, nodes: 2, nodesCharged: 0, devices: [{name: gpu, claim: DRA, driver: gpu.nvidia.com, deviceClassName: gpu.nvidia.com, count: 8, capacity: {memory: {value: 80Gi}}}]}
  conditions: [` + conditions + `]
`
}

const isReady = `{type: Ready, status: "True"}`

// modelReplica is the deployment's first replica on cluster a.
const modelReplica = `
apiVersion: modelplane.ai/v1alpha1
kind: ModelReplica
metadata:
  name: ` + nameA0 + `
  namespace: ml-team
  labels: {team: a, modelplane.ai/deployment: qwen, modelplane.ai/cluster: a, modelplane.ai/replica-index: "0", modelplane.ai/revision: ` + revisionV1 + `}
  annotations: {note: hello}
spec:
  clusterName: a
  providerConfigRef: {name: a-config}
  gateway: {name: inference-gateway, namespace: modelplane-system}
  priority: 3
  engines:
  - name: main
    copies: 1
    members:
    - role: Standalone
      nodePoolName: h100
      deviceRequests:
      - name: gpu
        deviceClassName: gpu.nvidia.com
        count: 1
        selectors: [{cel: 'device.capacity["gpu.nvidia.com"].memory.compareTo(quantity("40Gi")) >= 0'}]
      devices: {gpu: 1}
      sharesNode: true
      template: {spec: {containers: [{name: engine, image: "engine:v1"}]}}
`

const serves = `
status: {revision: ` + revisionV1 + `, conditions: [{type: Ready, status: "True"}]}
`

const modelEndpoint = `
apiVersion: modelplane.ai/v1alpha1
kind: ModelEndpoint
metadata:
  name: ` + nameA0 + `
  namespace: ml-team
  labels: {team: a, modelplane.ai/deployment: qwen, modelplane.ai/cluster: a, modelplane.ai/replica-index: "0"}
  annotations: {note: hello}
spec:
  url: http://192.0.2.1/ml-team/` + nameA0 + `/v1
  rewritePath: /ml-team/` + nameA0 + `/
`

func fleetRequirement() map[string]*fnv1.ResourceSelector {
	return required("clusters", &fnv1.ResourceSelector{ApiVersion: "modelplane.ai/v1alpha1", Kind: "InferenceCluster"})
}

func ownRequirement() map[string]*fnv1.ResourceSelector {
	return required("cluster-a", &fnv1.ResourceSelector{
		ApiVersion: "modelplane.ai/v1alpha1", Kind: "InferenceCluster", Match: &fnv1.ResourceSelector_MatchName{MatchName: "a"},
	})
}

// required are some resources, and the ModelServices that may lead to replicas.
func required(key string, s *fnv1.ResourceSelector) map[string]*fnv1.ResourceSelector {
	namespace := "ml-team"
	return map[string]*fnv1.ResourceSelector{
		key:        s,
		"services": {ApiVersion: "modelplane.ai/v1alpha1", Kind: "ModelService", Namespace: &namespace},
	}
}

// leads is a ModelService whose route leads to an endpoint, or to none if its
// weight is 0.
func leads(endpoint string, weight int) string {
	return fmt.Sprintf(`
apiVersion: modelplane.ai/v1alpha1
kind: ModelService
metadata: {name: qwen, namespace: ml-team}
status: {endpoints: [{name: other, weight: 1, ready: true}, {name: %s, weight: %d, ready: false}]}
`, endpoint, weight)
}

// settled is a world in which the deployment's one replica serves.
func settled() xfntest.World {
	return xfntest.World{
		Composite: deployment,
		Observed: map[string]any{
			"replica-a-0":  modelReplica + serves,
			"endpoint-a-0": modelEndpoint + serves,
		},
		Required: map[string][]any{"cluster-a": {inferenceCluster("a", "", isReady)}, "services": {}},
	}
}

func TestCompose(t *testing.T) {
	placed := `{replica: ` + nameA0 + `, cluster: a, pools: [{engine: main, pool: h100}], revision: ` + revisionV1

	cases := map[string]struct {
		reason string
		world  xfntest.World
		want   xfntest.Answer
	}{
		"FirstPass": {
			reason: "A deployment with something to place asks for the fleet.",
			world:  xfntest.World{Composite: deployment},
			want: xfntest.Answer{
				Requirements: fleetRequirement(),
				Status:       `{replicas: {total: 0, ready: 0, updated: 0}, summary: {replicas: 0/1, updated: 0/0}}`,
				Conditions: []v1alpha1.Condition{
					v1alpha1.ReplicasScheduling(), v1alpha1.ReplicasUnscheduled(),
					v1alpha1.RollingOut("revision " + revisionV1 + ": 0 of 1 updated, waiting for 1 replica to be placed"), v1alpha1.PlacementsMatch(),
				},
			},
		},
		"Placed": {
			reason: "A deployment whose fleet was read is placed, on the pool that fits, and has no endpoint before it serves.",
			world: xfntest.World{Composite: deployment, Required: map[string][]any{"clusters": {
				inferenceCluster("a", "", isReady), inferenceCluster("b", "", isReady),
			}}},
			want: xfntest.Answer{
				Desired:      map[string]xfntest.Resource{"replica-a-0": {Object: modelReplica}},
				Requirements: fleetRequirement(),
				Status:       `{replicas: {total: 1, ready: 0, updated: 1}, summary: {replicas: 0/1, updated: 1/1, clusters: a}, placements: [` + placed + `, ready: false}]}`,
				Conditions: []v1alpha1.Condition{
					v1alpha1.ReplicasScheduled("1 of 1 replicas scheduled"), v1alpha1.ReplicasStarting("0 of 1 replicas serve"),
					v1alpha1.RollingOut("revision " + revisionV1 + ": 0 of 1 updated, waiting for 1 replica to be placed"), v1alpha1.PlacementsMatch(),
				},
			},
		},
		"NoClusters": {
			reason: "A fleet without clusters is not a fleet without room.",
			world:  xfntest.World{Composite: deployment, Required: map[string][]any{"clusters": {}}},
			want: xfntest.Answer{
				Requirements: fleetRequirement(),
				Status:       `{replicas: {total: 0, ready: 0, updated: 0}, summary: {replicas: 0/1, updated: 0/0}}`,
				Conditions: []v1alpha1.Condition{
					v1alpha1.ReplicasWithoutClusters("0 of 1 replicas scheduled: there is no InferenceCluster; ask the platform team for one"),
					v1alpha1.ReplicasUnscheduled(),
					v1alpha1.RollingOut("revision " + revisionV1 + ": 0 of 1 updated, waiting for 1 replica to be placed"), v1alpha1.PlacementsMatch(),
				},
			},
		},
		"Settled": {
			reason: "A settled deployment reads only the clusters its replicas are on, and changes nothing.",
			world:  settled(),
			want: xfntest.Answer{
				Desired: map[string]xfntest.Resource{
					"replica-a-0":  {Object: modelReplica, Ready: true},
					"endpoint-a-0": {Object: modelEndpoint, Ready: true},
				},
				Ready:        true,
				Requirements: ownRequirement(),
				Status:       `{replicas: {total: 1, ready: 1, updated: 1}, summary: {replicas: 1/1, updated: 1/1, clusters: a}, placements: [` + placed + `, ready: true}]}`,
				Conditions: []v1alpha1.Condition{
					v1alpha1.ReplicasScheduled("1 of 1 replicas scheduled"), v1alpha1.ReplicasReady("1 of 1 replicas serve"),
					v1alpha1.UpToDate("revision " + revisionV1 + ": 1 of 1 updated"), v1alpha1.PlacementsMatch(),
				},
			},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			want := tc.want.Response(t)
			got := xfn.Run(compose, tc.world.Request(t))
			got.Results = nil // Events have a test of their own in package xfn.
			if diff := cmp.Diff(want, got, protocmp.Transform()); diff != "" {
				t.Errorf("\n%s\nRun(...): -want, +got:\n%s", tc.reason, diff)
			}
			if unmeant := xfntest.Unmeant(got); len(unmeant) > 0 {
				t.Errorf("desired objects say what nobody means: %s", strings.Join(unmeant, ", "))
			}
		})
	}
}
