package main

import (
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
	cluster = `
apiVersion: modelplane.ai/v1alpha1
kind: InferenceCluster
metadata: {name: prod-eu}
spec:
  cluster:
    source: Existing
    existing:
      secretRef: {name: prod-eu}
      identitySecretRef: {name: prod-eu-identity, type: AWSWebIdentityCredentials}
      gateway: {address: 192.0.2.1}
  nodePools:
  - {name: h100, className: h100-8x, nodeCount: 4}
`
	class = `
apiVersion: modelplane.ai/v1alpha1
kind: InferenceClass
metadata: {name: h100-8x}
spec:
  devices:
  - {name: gpu, claim: DRA, driver: gpu.nvidia.com, deviceClassName: gpu.nvidia.com, count: 8, capacity: {memory: {value: 80Gi}}}
`
	providerConfig = `
apiVersion: kubernetes.m.crossplane.io/v1alpha1
kind: ClusterProviderConfig
metadata: {name: prod-eu-043c3c3f}
spec:
  credentials: {source: Secret, secretRef: {namespace: modelplane-system, name: prod-eu, key: kubeconfig}}
  identity: {type: AWSWebIdentityCredentials, source: Secret, secretRef: {namespace: modelplane-system, name: prod-eu-identity, key: private_key}}
`
	// inUse is what provider-kubernetes says of a provider config that only the
	// connection uses.
	inUse = `
status: {users: 1}
`
	connectionObject = `
apiVersion: kubernetes.m.crossplane.io/v1alpha1
kind: Object
metadata: {name: prod-eu-connection-d661e2d9, namespace: modelplane-system}
spec:
  managementPolicies: [Observe]
  providerConfigRef: {kind: ClusterProviderConfig, name: prod-eu-043c3c3f}
  watch: true
  readiness: {policy: SuccessfulCreate}
  forProvider: {manifest: {apiVersion: v1, kind: Namespace, metadata: {name: kube-system}}}
`
	reached = connectionObject + `
status: {conditions: [{type: Ready, status: "True"}, {type: Synced, status: "True"}]}
`
	classUsage = `
apiVersion: protection.crossplane.io/v1beta1
kind: ClusterUsage
metadata: {name: prod-eu-clusterusage-inferenceclass-h100-8x-86122b30}
spec:
  of: {apiVersion: modelplane.ai/v1alpha1, kind: InferenceClass, resourceRef: {name: h100-8x}}
  reason: "InferenceCluster prod-eu has nodes of it in pool h100"
`
	replicasUsage = `
apiVersion: protection.crossplane.io/v1beta1
kind: ClusterUsage
metadata: {name: prod-eu-clusterusage-replicas-98eff787}
spec:
  of: {apiVersion: modelplane.ai/v1alpha1, kind: InferenceCluster, resourceRef: {name: prod-eu}}
  reason: "ModelReplicas are on it, or not all of them are gone from it yet: drain it with a NoExecute taint, or delete their ModelDeployments"
`
	kubeconfigUsage = `
apiVersion: protection.crossplane.io/v1beta1
kind: Usage
metadata: {name: prod-eu-usage-secret-prod-eu-59c67c6b, namespace: modelplane-system}
spec:
  of: {apiVersion: v1, kind: Secret, resourceRef: {name: prod-eu}}
  reason: "InferenceCluster prod-eu is reached with it: name another in spec.cluster.existing.secretRef, or delete the InferenceCluster first"
`
	identityUsage = `
apiVersion: protection.crossplane.io/v1beta1
kind: Usage
metadata: {name: prod-eu-usage-secret-prod-eu-identity-1640279a, namespace: modelplane-system}
spec:
  of: {apiVersion: v1, kind: Secret, resourceRef: {name: prod-eu-identity}}
  reason: "InferenceCluster prod-eu is reached with it: name another in spec.cluster.existing.identitySecretRef, or delete the InferenceCluster first"
`
	pool = `{name: h100, className: h100-8x, nodes: 4, nodesCharged: 0, devices: [{name: gpu, claim: DRA, driver: gpu.nvidia.com, deviceClassName: gpu.nvidia.com, count: 8, capacity: {memory: {value: 80Gi}}}]}`

	reach = `providerConfigRef: {name: prod-eu-043c3c3f}, gateway: {address: 192.0.2.1, parentRef: {name: inference-gateway, namespace: modelplane-system}}`
)

// modelReplica on the cluster's pool h100, a gang of so many nodes.
func modelReplica(name, index, ready, created, priority string) string {
	return `
apiVersion: modelplane.ai/v1alpha1
kind: ModelReplica
metadata:
  name: ` + name + `
  namespace: ml-team
  creationTimestamp: "` + created + `"
  labels: {modelplane.ai/deployment: qwen, modelplane.ai/cluster: prod-eu, modelplane.ai/replica-index: "` + index + `"}
spec:
  clusterName: prod-eu
  priority: ` + priority + `
  engines:
  - name: main
    members:
    - {role: Leader, nodePoolName: h100, template: {spec: {containers: [{name: engine, image: i}]}}}
    - {role: Worker, worker: {nodes: 2}, nodePoolName: h100, deviceRequests: [{name: gpu, deviceClassName: gpu.nvidia.com, count: 8}], devices: {gpu: 8}, template: {spec: {containers: [{name: engine, image: i}]}}}
status: {conditions: [{type: Ready, status: "` + ready + `"}]}
`
}

func requirements() map[string]*fnv1.ResourceSelector {
	return map[string]*fnv1.ResourceSelector{
		"class-h100-8x": {ApiVersion: "modelplane.ai/v1alpha1", Kind: "InferenceClass", Match: &fnv1.ResourceSelector_MatchName{MatchName: "h100-8x"}},
		"replicas": {ApiVersion: "modelplane.ai/v1alpha1", Kind: "ModelReplica", Match: &fnv1.ResourceSelector_MatchLabels{
			MatchLabels: &fnv1.MatchLabels{Labels: map[string]string{"modelplane.ai/cluster": "prod-eu"}},
		}},
	}
}

func desired(ready bool) map[string]xfntest.Resource {
	return map[string]xfntest.Resource{
		"clusterproviderconfig":         {Object: providerConfig, Ready: ready},
		"connection":                    {Object: connectionObject, Ready: ready},
		"usage-secret-prod-eu":          {Object: kubeconfigUsage, Ready: ready},
		"usage-secret-prod-eu-identity": {Object: identityUsage, Ready: ready},
	}
}

// protected is what is desired once the class was read, and more beside it.
func protected(more map[string]xfntest.Resource) map[string]xfntest.Resource {
	out := desired(true)
	out["clusterusage-inferenceclass-h100-8x"] = xfntest.Resource{Object: classUsage, Ready: true}
	maps.Copy(out, more)
	return out
}

// occupied is what is desired while replicas are on the cluster.
func occupied(ready bool) map[string]xfntest.Resource {
	return protected(map[string]xfntest.Resource{"clusterusage-replicas": {Object: replicasUsage, Ready: ready}})
}

func settled() xfntest.World {
	return xfntest.World{
		Composite: cluster + `
status: {` + reach + `, gpuPools: [` + pool + `]}
`,
		Observed: map[string]any{
			"clusterproviderconfig":               providerConfig + inUse,
			"connection":                          reached,
			"usage-secret-prod-eu":                kubeconfigUsage,
			"usage-secret-prod-eu-identity":       identityUsage,
			"clusterusage-inferenceclass-h100-8x": classUsage,
		},
		Required: map[string][]any{"class-h100-8x": {class}, "replicas": {}},
	}
}

func TestCompose(t *testing.T) {
	waiting := v1alpha1.ClusterConnecting("waiting for the first connection")
	running := xfntest.Event{Reason: v1alpha1.ReasonClusterRunning, Message: "ClusterReady: ClusterRunning"}
	resolved := xfntest.Event{Reason: v1alpha1.ReasonPoolsResolved, Message: "PoolsResolved: PoolsResolved"}
	within := xfntest.Event{Reason: v1alpha1.ReasonWithinCapacity, Message: "CapacityCharged: WithinCapacity"}

	charged := settled()
	charged.Required["replicas"] = []any{
		modelReplica("a", "1", "True", "2026-01-01T00:00:00Z", "0"),
		modelReplica("b", "0", "False", "2026-01-01T00:00:00Z", "7"),
	}
	leaving := settled()
	leaving.Observed["clusterusage-replicas"] = replicasUsage
	leaving.Observed["clusterproviderconfig"] = providerConfig + strings.Replace(inUse, "1", "3", 1)
	left := settled()
	left.Observed["clusterusage-replicas"] = replicasUsage
	overdrawn := settled()
	overdrawn.Required["replicas"] = []any{
		modelReplica("a", "0", "True", "2026-01-02T00:00:00Z", "0"),
		modelReplica("b", "1", "False", "2026-01-01T00:00:00Z", "0"),
		modelReplica("c", "2", "True", "2026-01-01T00:00:00Z", "0"),
	}

	cases := map[string]struct {
		reason string
		world  xfntest.World
		want   xfntest.Answer
	}{
		"FirstPass": {
			reason: "Before anything was read, the cluster is made reachable, and nothing is said of pools.",
			world:  xfntest.World{Composite: cluster},
			want: xfntest.Answer{
				Desired:      desired(false),
				Status:       `{summary: {nodes: 0/0}, ` + reach + `}`,
				Requirements: requirements(),
				Conditions:   []v1alpha1.Condition{v1alpha1.PoolsWaiting("waiting to read h100-8x"), v1alpha1.LedgerWaiting(), waiting},
			},
		},
		"Settled": {
			reason: "A cluster that is reached, whose class is known, publishes its pools.",
			world:  settled(),
			want: xfntest.Answer{
				Desired:      protected(nil),
				Ready:        true,
				Status:       `{summary: {nodes: 0/4}, ` + reach + `, gpuPools: [` + pool + `]}`,
				Requirements: requirements(),
				Conditions:   []v1alpha1.Condition{v1alpha1.PoolsResolved(), v1alpha1.WithinCapacity(), v1alpha1.ClusterRunning()},
				Events:       []xfntest.Event{resolved, within, running},
			},
		},
		"Leaving": {
			reason: "A cluster that Objects of replicas are still to be deleted from stays protected: they need its credentials.",
			world:  leaving,
			want: xfntest.Answer{
				Desired:      occupied(true),
				Ready:        true,
				Status:       `{summary: {nodes: 0/4}, ` + reach + `, gpuPools: [` + pool + `]}`,
				Requirements: requirements(),
				Conditions:   []v1alpha1.Condition{v1alpha1.PoolsResolved(), v1alpha1.WithinCapacity(), v1alpha1.ClusterRunning()},
				Events:       []xfntest.Event{resolved, within, running},
			},
		},
		"Left": {
			reason: "A cluster that nothing of any replica is left on may be deleted.",
			world:  left,
			want: xfntest.Answer{
				Desired:      protected(nil),
				Ready:        true,
				Status:       `{summary: {nodes: 0/4}, ` + reach + `, gpuPools: [` + pool + `]}`,
				Requirements: requirements(),
				Conditions:   []v1alpha1.Condition{v1alpha1.PoolsResolved(), v1alpha1.WithinCapacity(), v1alpha1.ClusterRunning()},
				Events:       []xfntest.Event{resolved, within, running},
			},
		},
		"Charged": {
			reason: "Replicas are charged for the pods of their members that claim, by namespace, deployment and index.",
			world:  charged,
			want: xfntest.Answer{
				Desired: occupied(false),
				Ready:   true,
				Status: `{summary: {nodes: 4/4}, ` + reach + `, gpuPools: [` + strings.Replace(pool, "nodesCharged: 0", "nodesCharged: 4", 1)[:len(pool)-1] + `, charges: [
					{namespace: ml-team, deployment: qwen, index: 0, groups: [{pods: [{count: 2, devices: {gpu: 8}}]}], priority: 7},
					{namespace: ml-team, deployment: qwen, index: 1, groups: [{pods: [{count: 2, devices: {gpu: 8}}]}]}]}]}`,
				Requirements: requirements(),
				Conditions:   []v1alpha1.Condition{v1alpha1.PoolsResolved(), v1alpha1.WithinCapacity(), v1alpha1.ClusterRunning()},
				Events:       []xfntest.Event{resolved, within, running},
			},
		},
		"OverCommitted": {
			reason: "Of equals, the one that does not serve yields, though it is older.",
			world:  overdrawn,
			want: xfntest.Answer{
				Desired: occupied(false),
				Ready:   true,
				Status: `{summary: {nodes: 6/4}, ` + reach + `, gpuPools: [` + strings.Replace(pool, "nodesCharged: 0", "nodesCharged: 6", 1)[:len(pool)-1] + `, charges: [
					{namespace: ml-team, deployment: qwen, index: 0, groups: [{pods: [{count: 2, devices: {gpu: 8}}]}]},
					{namespace: ml-team, deployment: qwen, index: 1, groups: [{pods: [{count: 2, devices: {gpu: 8}}]}], yield: true},
					{namespace: ml-team, deployment: qwen, index: 2, groups: [{pods: [{count: 2, devices: {gpu: 8}}]}]}]}]}`,
				Requirements: requirements(),
				Conditions: []v1alpha1.Condition{
					v1alpha1.PoolsResolved(),
					v1alpha1.OverCommitted("pool h100: what is charged takes 6 nodes and it has 4; to yield: ml-team/qwen/1"),
					v1alpha1.ClusterRunning(),
				},
				Events: []xfntest.Event{
					resolved,
					{Warning: true, Reason: v1alpha1.ReasonOverCommitted, Message: "CapacityCharged: pool h100: what is charged takes 6 nodes and it has 4; to yield: ml-team/qwen/1"},
					running,
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
