package fleet

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"

	"github.com/modelplane-go/modelplane/functions/internal/scheduling"
	"github.com/modelplane-go/modelplane/schemas/modelplane/v1alpha1"
)

func parse[T any](t *testing.T, y string) T {
	t.Helper()
	var out T
	if err := yaml.UnmarshalStrict([]byte(y), &out); err != nil {
		t.Fatal(err)
	}
	return out
}

func TestPlaced(t *testing.T) {
	cases := map[string]struct {
		reason  string
		engines string // Of a ModelReplica.
		want    []scheduling.PlacedEngine
	}{
		"Standalone": {
			reason:  "Copies of one pod.",
			engines: `[{name: a, copies: 3, members: [{nodePoolName: p, deviceRequests: [{name: gpu, deviceClassName: c}], devices: {gpu: 2}, template: {spec: {containers: []}}}]}]`,
			want:    []scheduling.PlacedEngine{{Name: "a", Pool: "p", Group: scheduling.Group{Copies: 3, Pods: []scheduling.Pod{{Count: 1, Devices: map[string]int{"gpu": 2}}}}}},
		},
		"Gang": {
			reason:  "A leader, and a worker for each node.",
			engines: `[{name: a, members: [{role: Leader, nodePoolName: p, deviceRequests: [{name: gpu, deviceClassName: c}], devices: {gpu: 8}, template: {spec: {containers: []}}}, {role: Worker, worker: {nodes: 3}, nodePoolName: p, deviceRequests: [{name: gpu, deviceClassName: c}], devices: {gpu: 8, nic: 1}, template: {spec: {containers: []}}}]}]`,
			want: []scheduling.PlacedEngine{{Name: "a", Pool: "p", Group: scheduling.Group{Copies: 1, Pods: []scheduling.Pod{
				{Count: 1, Devices: map[string]int{"gpu": 8}}, {Count: 3, Devices: map[string]int{"gpu": 8, "nic": 1}},
			}}}},
		},
		"ClaimsNothing": {
			reason:  "A leader that claims nothing is charged for nothing.",
			engines: `[{name: a, members: [{role: Leader, nodePoolName: p, template: {spec: {containers: []}}}, {role: Worker, nodePoolName: p, deviceRequests: [{name: gpu, deviceClassName: c}], devices: {gpu: 8}, template: {spec: {containers: []}}}]}]`,
			want:    []scheduling.PlacedEngine{{Name: "a", Pool: "p", Group: scheduling.Group{Copies: 1, Pods: []scheduling.Pod{{Count: 1, Devices: map[string]int{"gpu": 8}}}}}},
		},
		"WholeNode": {
			reason:  "A pod that claims devices and does not say which is charged for all of its node.",
			engines: `[{name: a, members: [{nodePoolName: p, deviceRequests: [{name: gpu, deviceClassName: c}], template: {spec: {containers: []}}}]}]`,
			want:    []scheduling.PlacedEngine{{Name: "a", Pool: "p", Group: scheduling.Group{Copies: 1, Pods: []scheduling.Pod{{Count: 1}}}}},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got := Placed(Engines(parse[[]v1alpha1.ReplicaEngine](t, tc.engines)))
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("\n%s\nPlaced(...): -want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}

const (
	twoPools = `
metadata: {name: prod-eu, labels: {tier: prod}}
spec:
  cluster: {source: Existing}
  taints: [{key: k, value: v, effect: NoSchedule}]
  nodePools:
  - {name: a, className: gpu-8x, nodeCount: 2, sharing: Node}
  - {name: b, className: gpu-8x, nodeCount: 1}
status:
  providerConfigRef: {name: c}
  gateway: {address: 192.0.2.1}
  conditions: [{type: Ready, status: "True", lastTransitionTime: null, reason: "", message: ""}]
`
	eight = `{metadata: {name: gpu-8x}, spec: {devices: [{name: gpu, driver: d, deviceClassName: c, count: 8}]}}`
)

// replicaOn takes so many GPUs of pool b, and whole nodes of pool a.
func replicaOn(deployment, index, created, ready string) string {
	return `
metadata: {name: r-` + deployment + `, namespace: ns, creationTimestamp: "` + created + `", labels: {modelplane.ai/deployment: ` + deployment + `, modelplane.ai/replica-index: "` + index + `"}}
spec:
  clusterName: prod-eu
  priority: 1
  engines:
  - {name: x, copies: 2, members: [{nodePoolName: a, deviceRequests: [{}]}]}
  - {name: y, members: [{nodePoolName: b, deviceRequests: [{}], devices: {gpu: 3}}]}
status: {conditions: [{type: Ready, status: "` + ready + `", lastTransitionTime: null, reason: "", message: ""}]}
`
}

// TestKeep keeps a ledger from replicas, and reads it back as the scheduler sees
// it.
func TestKeep(t *testing.T) {
	ic := parse[v1alpha1.InferenceCluster](t, twoPools)
	class := parse[v1alpha1.InferenceClass](t, eight)
	replicas := []Replica{
		parse[Replica](t, replicaOn("late", "1", "2026-01-02T00:00:00Z", "True")),
		parse[Replica](t, replicaOn("early", "0", "2026-01-01T00:00:00Z", "True")),
	}
	l := Keep(Sources{Cluster: &ic, Classes: map[string]*v1alpha1.InferenceClass{"gpu-8x": &class}, Replicas: replicas})

	charge := func(deployment string, index int32, yield bool, g v1alpha1.PodGroup) v1alpha1.Charge {
		return v1alpha1.Charge{Namespace: "ns", Deployment: deployment, Index: index, Priority: 1, Yield: yield, Groups: []v1alpha1.PodGroup{g}}
	}
	whole := v1alpha1.PodGroup{Copies: 2, Pods: []v1alpha1.PodCharge{{}}}
	three := v1alpha1.PodGroup{Pods: []v1alpha1.PodCharge{{Devices: v1alpha1.NodeDevices{"gpu": 3}}}}
	want := &Ledger{
		Pools: []v1alpha1.GPUPool{
			{Name: "a", ClassName: "gpu-8x", Nodes: 2, NodesCharged: 4, Charges: []v1alpha1.Charge{charge("early", 0, false, whole), charge("late", 1, true, whole)}},
			{Name: "b", ClassName: "gpu-8x", Nodes: 1, NodesCharged: 1, Charges: []v1alpha1.Charge{charge("early", 0, false, three), charge("late", 1, true, three)}},
		},
		Overdrawn: []Overdrawn{
			{Pool: "a", Nodes: 2, Charged: 4, Yield: []string{"ns/late/1"}},
			{Pool: "b", Nodes: 1, Charged: 1, Yield: []string{"ns/late/1"}},
		},
	}
	if diff := cmp.Diff(want, l, cmpopts.IgnoreFields(v1alpha1.GPUPool{}, "Devices")); diff != "" {
		t.Errorf("Keep(...): -want, +got:\n%s", diff)
	}

	ic.Status.GPUPools = l.Pools
	sees := func(deployment string, index int, yield bool, g scheduling.Group) scheduling.Charge {
		return scheduling.Charge{Namespace: "ns", Deployment: deployment, Index: index, Priority: 1, Yield: yield, Groups: []scheduling.Group{g}}
	}
	wholeNodes := scheduling.Group{Copies: 2, Pods: []scheduling.Pod{{Count: 1}}}
	threeGPUs := scheduling.Group{Copies: 1, Pods: []scheduling.Pod{{Count: 1, Devices: map[string]int{"gpu": 3}}}}
	seen := scheduling.Cluster{
		Name:    "prod-eu",
		Labels:  map[string]string{"tier": "prod"},
		Ready:   true,
		Address: "192.0.2.1",
		Taints:  []scheduling.Taint{{Key: "k", Value: "v", Effect: scheduling.NoSchedule}},
		Pools: []scheduling.Pool{
			{Name: "a", Known: true, Nodes: 2, WholeNodes: true, Charges: []scheduling.Charge{sees("early", 0, false, wholeNodes), sees("late", 1, true, wholeNodes)}},
			{Name: "b", Known: true, Nodes: 1, Charges: []scheduling.Charge{sees("early", 0, false, threeGPUs), sees("late", 1, true, threeGPUs)}},
		},
	}
	if diff := cmp.Diff(seen, Cluster(&ic), cmpopts.IgnoreFields(scheduling.Pool{}, "Devices")); diff != "" {
		t.Errorf("Cluster(...): -want, +got:\n%s", diff)
	}
}

// TestKeepUnread: what was not read stays as it was published, and what never was
// known is not in the ledger.
func TestKeepUnread(t *testing.T) {
	ic := parse[v1alpha1.InferenceCluster](t, twoPools)
	devices := parse[v1alpha1.InferenceClass](t, eight).Spec.Devices
	known := v1alpha1.GPUPool{Name: "a", ClassName: "old", Nodes: 9, Devices: devices, Charges: []v1alpha1.Charge{{Namespace: "ns", Deployment: "d", Groups: []v1alpha1.PodGroup{{Pods: []v1alpha1.PodCharge{{}}}}}}}
	ic.Status.GPUPools = []v1alpha1.GPUPool{known}

	want := known
	want.Nodes, want.NodesCharged = 2, 1 // The spec says how many nodes there are.
	if diff := cmp.Diff(&Ledger{Pools: []v1alpha1.GPUPool{want}, Waiting: []string{"gpu-8x"}, Unknown: true}, Keep(Sources{Cluster: &ic, Unread: true})); diff != "" {
		t.Errorf("Keep(...): -want, +got:\n%s", diff)
	}
}

func TestStandingOf(t *testing.T) {
	mr := &v1alpha1.ModelReplica{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Labels: map[string]string{"modelplane.ai/deployment": "d", "modelplane.ai/replica-index": "1"}}}
	own := v1alpha1.Charge{Namespace: "ns", Deployment: "d", Index: 1}
	yields := own
	yields.Yield = true

	cases := map[string]struct {
		reason string
		pools  [][]v1alpha1.Charge
		want   Standing
	}{
		"NoLedger":       {reason: "A cluster that has published nothing has charged nobody.", want: Uncharged},
		"OtherNamespace": {reason: "A namesake is another.", pools: [][]v1alpha1.Charge{{{Namespace: "other", Deployment: "d", Index: 1}}}, want: Uncharged},
		"OtherIndex":     {reason: "So is a sibling.", pools: [][]v1alpha1.Charge{{{Namespace: "ns", Deployment: "d"}}}, want: Uncharged},
		"Charged":        {reason: "One that is charged has its place.", pools: [][]v1alpha1.Charge{{}, {own}}, want: Charged},
		"Yields":         {reason: "One that must go from one pool must go.", pools: [][]v1alpha1.Charge{{own}, {yields}}, want: Yields},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			ic := &v1alpha1.InferenceCluster{}
			for _, charges := range tc.pools {
				ic.Status.GPUPools = append(ic.Status.GPUPools, v1alpha1.GPUPool{Charges: charges})
			}
			if got := StandingOf(ic, mr); got != tc.want {
				t.Errorf("\n%s\nStandingOf(...): got %v, want %v", tc.reason, got, tc.want)
			}
		})
	}
}
