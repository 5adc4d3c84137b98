package xfntest

import (
	"fmt"
	"testing"
	"time"

	"google.golang.org/protobuf/types/known/structpb"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/modelplane-go/modelplane/schemas/modelplane/v1alpha1"
)

// A Fleet is InferenceClusters of four pools each, and replicas of other teams
// that are charged to them evenly.
type Fleet struct {
	Clusters int
	Charges  int
}

// Fleets that benchmarks measure.
func Fleets() []Fleet {
	return []Fleet{{Clusters: 10, Charges: 100}, {Clusters: 100, Charges: 1000}, {Clusters: 1000, Charges: 10000}}
}

// String says the fleet's size, such as 100x1000.
func (f Fleet) String() string { return fmt.Sprintf("%dx%d", f.Clusters, f.Charges) }

// A Pool of every cluster of a Fleet: nodes of eight GPUs each.
type Pool struct {
	Name         string
	Product      string
	Architecture string
	Compute      string // The CUDA compute capability.
	Memory       string
}

// nodesPerPool is how many nodes each pool has.
const nodesPerPool = 16

// Pools of every cluster of a Fleet.
func Pools() []Pool {
	return []Pool{
		{Name: "l4", Product: "NVIDIA L4", Architecture: "Ada Lovelace", Compute: "8.9.0", Memory: "23034Mi"},
		{Name: "l40s", Product: "NVIDIA L40S", Architecture: "Ada Lovelace", Compute: "8.9.0", Memory: "46068Mi"},
		{Name: "h100", Product: "NVIDIA H100 80GB HBM3", Architecture: "Hopper", Compute: "9.0.0", Memory: "81559Mi"},
		{Name: "h200", Product: "NVIDIA H200", Architecture: "Hopper", Compute: "9.0.0", Memory: "143771Mi"},
	}
}

// ClusterName of the cluster of an index.
func ClusterName(i int) string { return fmt.Sprintf("prod-%04d", i) }

// Cluster of an index, as Crossplane sends it.
func (f Fleet) Cluster(t testing.TB, i int) *structpb.Struct {
	t.Helper()
	return Stored{Object: f.InferenceCluster(i), Composes: 2}.Struct(t)
}

// InferenceCluster of an index.
func (f Fleet) InferenceCluster(i int) *v1alpha1.InferenceCluster {
	name := ClusterName(i)
	nodes := int32(nodesPerPool)
	parent := &v1alpha1.GatewayReference{Name: "inference-gateway", Namespace: "modelplane-system"}
	address := fmt.Sprintf("gateway.%s.example.com:8080", name)

	ic := &v1alpha1.InferenceCluster{
		TypeMeta: metav1.TypeMeta{APIVersion: v1alpha1.GroupVersion.String(), Kind: v1alpha1.KindInferenceCluster},
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{
			"modelplane.ai/tier": "production", "region": fmt.Sprintf("region-%d", i%7), "zone": fmt.Sprintf("zone-%d", i%21),
		}},
		Spec: v1alpha1.InferenceClusterSpec{Cluster: v1alpha1.ClusterSource{
			Source: v1alpha1.SourceExisting,
			Existing: &v1alpha1.ExistingCluster{
				SecretRef: v1alpha1.KubeconfigSecretReference{Name: name + "-kubeconfig", Key: "kubeconfig"},
				Gateway:   v1alpha1.ExistingGateway{Address: address, ParentRef: parent},
			},
		}},
		Status: v1alpha1.InferenceClusterStatus{
			Summary:           &v1alpha1.InferenceClusterSummary{Nodes: fmt.Sprintf("%d/%d", f.Charges/f.Clusters, 4*nodes)},
			ProviderConfigRef: &v1alpha1.ProviderConfigReference{Name: name + "-043c3c3f"},
			Gateway:           &v1alpha1.GatewayStatus{Address: address, ParentRef: parent},
			Conditions:        Conditions("PoolsResolved", "CapacityCharged", "ClusterReady"),
		},
	}
	for _, p := range Pools() {
		ic.Spec.NodePools = append(ic.Spec.NodePools, v1alpha1.NodePool{Name: p.Name, ClassName: p.Name + "-8x", NodeCount: &nodes, Sharing: v1alpha1.SharingDevice})
		ic.Status.GPUPools = append(ic.Status.GPUPools, v1alpha1.GPUPool{Name: p.Name, ClassName: p.Name + "-8x", Nodes: nodes, Devices: p.Devices()})
	}
	for k := range f.Charges / f.Clusters {
		pool := &ic.Status.GPUPools[k%len(ic.Status.GPUPools)]
		pool.Charges = append(pool.Charges, charge(k))
		pool.NodesCharged++
	}
	return ic
}

// Devices of a node of the pool.
func (p Pool) Devices() []v1alpha1.Device {
	text := func(s string) v1alpha1.DeviceAttribute { return v1alpha1.DeviceAttribute{String: &s} }
	version := func(s string) v1alpha1.DeviceAttribute { return v1alpha1.DeviceAttribute{Version: &s} }
	speed, rdma := int64(400), true
	return []v1alpha1.Device{
		{
			Name: "gpu", Claim: v1alpha1.ClaimDRA, Driver: "gpu.nvidia.com", DeviceClassName: "gpu.nvidia.com", Count: 8,
			Attributes: map[string]v1alpha1.DeviceAttribute{
				"type": text("gpu"), "brand": text("Nvidia"), "productName": text(p.Product), "architecture": text(p.Architecture),
				"cudaComputeCapability": version(p.Compute), "driverVersion": version("580.65.6"),
			},
			Capacity: map[string]v1alpha1.DeviceCapacity{"memory": {Value: resource.MustParse(p.Memory)}},
		},
		{
			Name: "nic", Claim: v1alpha1.ClaimSynthetic, Driver: "nic.example.com", Count: 8,
			Attributes: map[string]v1alpha1.DeviceAttribute{"kind": text("ethernet"), "gbps": {Int: &speed}, "rdma": {Bool: &rdma}},
		},
	}
}

// charge of another team's replica: a pod of a few GPUs, or now and then a gang of
// two nodes.
func charge(k int) v1alpha1.Charge {
	pod := v1alpha1.PodCharge{Count: 1, Devices: v1alpha1.NodeDevices{"gpu": 1 << (k % 3)}}
	if k%5 == 0 {
		pod = v1alpha1.PodCharge{Count: 2, Devices: v1alpha1.NodeDevices{"gpu": 8}}
	}
	return v1alpha1.Charge{
		Namespace:  fmt.Sprintf("team-%d", k%7),
		Deployment: fmt.Sprintf("model-%d", k),
		Groups:     []v1alpha1.PodGroup{{Copies: 1, Pods: []v1alpha1.PodCharge{pod}}},
	}
}

// Conditions that are True, and those that Crossplane adds to every composite
// resource, of its generation.
func Conditions(types ...string) []metav1.Condition {
	at := metav1.NewTime(time.Date(2026, time.January, 2, 3, 4, 5, 0, time.UTC))
	var out []metav1.Condition
	for _, typ := range types {
		out = append(out, metav1.Condition{Type: typ, Status: metav1.ConditionTrue, Reason: typ, LastTransitionTime: at})
	}
	for _, typ := range []string{"Synced", "Ready", "Responsive"} {
		out = append(out, metav1.Condition{Type: typ, Status: metav1.ConditionTrue, Reason: "Available", LastTransitionTime: at, ObservedGeneration: generation})
	}
	return out
}
