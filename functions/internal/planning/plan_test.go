package planning

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/modelplane-go/modelplane/functions/internal/names"
	"github.com/modelplane-go/modelplane/functions/internal/scheduling"
	"github.com/modelplane-go/modelplane/schemas/modelplane/v1alpha1"
)

func class(name string, gpus int) *v1alpha1.InferenceClass {
	out := &v1alpha1.InferenceClass{ObjectMeta: metav1.ObjectMeta{Name: name}}
	out.Spec.Devices = []v1alpha1.Device{{Name: "gpu", Driver: "gpu.example.com", DeviceClassName: "gpu.example.com", Count: int32(gpus)}}
	return out
}

func newCluster(name string, pools ...v1alpha1.NodePool) *v1alpha1.InferenceCluster {
	out := &v1alpha1.InferenceCluster{ObjectMeta: metav1.ObjectMeta{Name: name}}
	out.Spec.Cluster.Existing = &v1alpha1.ExistingCluster{Gateway: v1alpha1.ExistingGateway{Address: "192.0.2.1"}}
	out.Spec.NodePools = pools
	return out
}

func pool(name, class string, nodes int32) v1alpha1.NodePool {
	return v1alpha1.NodePool{Name: name, ClassName: class, NodeCount: &nodes}
}

func replica(name, deployment, cluster, pool string, gpus int) *v1alpha1.ModelReplica {
	out := &v1alpha1.ModelReplica{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: "team", Labels: map[string]string{
		names.LabelDeployment: deployment, names.LabelCluster: cluster, names.LabelReplicaIndex: "0",
	}}}
	out.Spec.ClusterName = cluster
	out.Spec.Engines = []v1alpha1.ReplicaEngine{{Name: "e", Members: []v1alpha1.ReplicaMember{{
		NodePoolName:   pool,
		DeviceRequests: []v1alpha1.ResolvedDeviceRequest{{Name: "gpu", DeviceClassName: "gpu.example.com", Count: int32(gpus)}},
		Devices:        v1alpha1.NodeDevices{"gpu": int32(gpus)},
	}}}}
	return out
}

func deployment(replicas int32, engines ...v1alpha1.Engine) *v1alpha1.ModelDeployment {
	out := &v1alpha1.ModelDeployment{ObjectMeta: metav1.ObjectMeta{Name: "own", Namespace: "team"}}
	out.Spec.Replicas = &replicas
	out.Spec.Engines = engines
	return out
}

// engine of so many pods: one, or a gang.
func engine(name string, copies, pods, gpus int) v1alpha1.Engine {
	asks := &v1alpha1.NodeSelector{Devices: []v1alpha1.DeviceRequest{{
		Name: "gpu", Count: int32(gpus), Selectors: []v1alpha1.DeviceSelector{{CEL: `device.driver == "gpu.example.com"`}},
	}}}
	out := v1alpha1.Engine{Name: name, Copies: int32(copies), Members: []v1alpha1.Member{{Role: v1alpha1.RoleStandalone, NodeSelector: asks}}}
	if pods > 1 {
		out.Members = []v1alpha1.Member{
			{Role: v1alpha1.RoleLeader, NodeSelector: asks},
			{Role: v1alpha1.RoleWorker, NodeSelector: asks, Worker: &v1alpha1.Worker{Nodes: int32(pods - 1)}},
		}
	}
	return out
}

// A world of chance, and what is to be placed on it.
func world(r *rand.Rand) (Fleet, *v1alpha1.ModelDeployment) {
	f := Fleet{Files: true, Classes: []*v1alpha1.InferenceClass{class("2", 2), class("4", 4), class("8", 8)}}
	for i := range 1 + r.IntN(3) {
		c := newCluster(fmt.Sprintf("c%d", i))
		for j := range 1 + r.IntN(2) {
			c.Spec.NodePools = append(c.Spec.NodePools, pool(fmt.Sprintf("p%d", j), []string{"2", "4", "8"}[r.IntN(3)], int32(r.IntN(4))))
		}
		f.Clusters = append(f.Clusters, c)
		for j := range r.IntN(3) {
			f.Replicas = append(f.Replicas, replica(fmt.Sprintf("r%d-%d", i, j), fmt.Sprintf("other%d", j), c.Name, "p0", 1+r.IntN(2)))
		}
	}
	var engines []v1alpha1.Engine
	for i := range 1 + r.IntN(2) {
		engines = append(engines, engine(fmt.Sprintf("e%d", i), 1+r.IntN(2), 1+r.IntN(3), 1+r.IntN(8)))
	}
	return f, deployment(int32(1+r.IntN(5)), engines...)
}

// grow a pool of a cluster.
func grow(f Fleet, change Change, nodes int) Fleet {
	f.Clusters = slices.Clone(f.Clusters)
	for i, c := range f.Clusters {
		if c.Name != change.Cluster {
			continue
		}
		c = c.DeepCopy()
		for j, p := range c.Spec.NodePools {
			if p.Name == change.Pool {
				n := *p.NodeCount + int32(nodes)
				c.Spec.NodePools[j].NodeCount = &n
			}
		}
		f.Clusters[i] = c
	}
	return f
}

// TestChangesSuffice makes the changes that plans ask for, and plans anew.
func TestChangesSuffice(t *testing.T) {
	another, all := 0, 0
	for seed := range uint64(150) {
		f, md := world(rand.New(rand.NewPCG(seed, 1)))
		before := NewWorld(f).Plan(md)
		if before.Fits() != (len(before.Changes) == 0) {
			t.Fatalf("seed %d: %d of %d replicas placed, with changes %v", seed, before.Placed, before.Wanted, before.Changes)
		}
		for _, c := range before.Changes {
			if c.Nodes == 0 || lacksMore(before.Changes, c) {
				continue
			}
			another++
			if after := NewWorld(grow(f, c, c.Nodes)).Plan(md); after.Placed <= before.Placed {
				t.Errorf("seed %d: %s of %s does not let another replica in: %s", seed, c.Pool, c.Cluster, c.Change)
			}
			if after := NewWorld(grow(f, c, c.Nodes-1)).Plan(md); after.Placed > before.Placed {
				t.Errorf("seed %d: %s of %s lets another replica in with a node less: %s", seed, c.Pool, c.Cluster, c.Change)
			}
			if c.NodesForAll == 0 {
				continue
			}
			all++
			if after := NewWorld(grow(f, c, c.NodesForAll)).Plan(md); !after.Fits() {
				t.Errorf("seed %d: %s of %s does not let all replicas in: %s", seed, c.Pool, c.Cluster, c.Change)
			}
		}
	}
	if another < 100 || all < 50 {
		t.Errorf("%d changes for another replica and %d for all: the worlds of chance are too roomy", another, all)
	}
}

// lacksMore says whether a change is one of several that a cluster needs.
func lacksMore(all []Change, c Change) bool {
	return slices.ContainsFunc(all, func(o Change) bool { return o.Cluster == c.Cluster && (o.Pool == "" || o.Engine != c.Engine) })
}

// TestOrder plans on the same fleet in another order.
func TestOrder(t *testing.T) {
	for seed := range uint64(100) {
		r := rand.New(rand.NewPCG(seed, 2))
		f, md := world(r)
		want := NewWorld(f)
		r.Shuffle(len(f.Clusters), func(i, j int) { f.Clusters[i], f.Clusters[j] = f.Clusters[j], f.Clusters[i] })
		r.Shuffle(len(f.Replicas), func(i, j int) { f.Replicas[i], f.Replicas[j] = f.Replicas[j], f.Replicas[i] })
		r.Shuffle(len(f.Classes), func(i, j int) { f.Classes[i], f.Classes[j] = f.Classes[j], f.Classes[i] })
		got := NewWorld(f)
		if diff := cmp.Diff(want.Plan(md), got.Plan(md)); diff != "" {
			t.Fatalf("seed %d: -want, +got:\n%s", seed, diff)
		}
		if diff := cmp.Diff(want.Notes, got.Notes); diff != "" {
			t.Fatalf("seed %d: -want, +got:\n%s", seed, diff)
		}
	}
}

func TestPlan(t *testing.T) {
	one := engine("e", 1, 1, 2)
	ports := func(e v1alpha1.Engine, port int32) v1alpha1.Engine {
		e.Members[0].Template.Spec.Containers = []v1alpha1.Container{{Name: "engine", Ports: []corev1.ContainerPort{{ContainerPort: port}}}}
		return e
	}
	cases := map[string]struct {
		reason     string
		fleet      Fleet
		deployment *v1alpha1.ModelDeployment
		want       Plan
		notes      []string
	}{
		"Ports": {
			reason:     "Engines that the functions refuse are not planned. What exists stays.",
			fleet:      Fleet{Clusters: []*v1alpha1.InferenceCluster{newCluster("a")}, Replicas: []*v1alpha1.ModelReplica{replica("own-1", "own", "a", "p", 1)}},
			deployment: deployment(1, ports(engine("e", 1, 1, 1), 80), ports(engine("f", 1, 1, 1), 81)),
			want: Plan{
				Namespace: "team", Name: "own", Wanted: 1, Placed: 1, Kept: 1, Held: true,
				Mistakes:   []string{`spec.engines: engine "e" serves on port 80 and engine "f" on 81; give their engine containers the same first port`},
				Clusters:   []Verdict{},
				Placements: []Placement{{Cluster: "a", Replica: "own-1", Engines: []Engine{{Engine: "e", Pool: "p", Copies: 1, Members: []Member{{Pods: 1, Devices: map[string]int{"gpu": 1}}}}}}},
			},
		},
		"Overdrawn": {
			reason: "A fleet that is charged more than it has says so.",
			fleet: Fleet{
				Files:    true,
				Clusters: []*v1alpha1.InferenceCluster{newCluster("a", pool("p", "2", 1))},
				Classes:  []*v1alpha1.InferenceClass{class("2", 2)},
				Replicas: []*v1alpha1.ModelReplica{replica("r-1", "x", "a", "p", 2), replica("r-2", "y", "a", "p", 2)},
			},
			deployment: deployment(0, one),
			want: Plan{
				Namespace: "team", Name: "own", Message: "0 of 0 replicas scheduled", Placements: []Placement{},
				Clusters: []Verdict{{Cluster: "a", Reason: scheduling.NotEnoughRoom, Why: "not enough room (need 1 pod of 2 gpu)"}},
			},
			notes: []string{
				"Without a status, and so taken as Ready, with the gateway address and the taints of the spec: a",
				"InferenceCluster a, pool p: what is charged takes 2 nodes and it has 1; to yield: team/y/0",
			},
		},
		"Malformed": {
			reason: "A class whose devices no driver could publish says so, and a live cluster is not taken as Ready.",
			fleet: Fleet{
				Clusters: []*v1alpha1.InferenceCluster{newCluster("a", pool("p", "", 1))},
				Classes:  []*v1alpha1.InferenceClass{{Spec: v1alpha1.InferenceClassSpec{Devices: []v1alpha1.Device{{Name: "gpu", Driver: "gpu.example.com"}}}}},
			},
			deployment: deployment(0, one),
			want: Plan{
				Namespace: "team", Name: "own", Message: "0 of 0 replicas scheduled", Placements: []Placement{},
				Clusters: []Verdict{{Cluster: "a", Reason: scheduling.NotReady, Why: "not Ready"}},
			},
			notes: []string{`InferenceClass , device "gpu": deviceClassName: needed to claim the device by DRA`},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			w := NewWorld(tc.fleet)
			if diff := cmp.Diff(tc.want, w.Plan(tc.deployment)); diff != "" {
				t.Errorf("\n%s\n-want, +got:\n%s", tc.reason, diff)
			}
			if diff := cmp.Diff(tc.notes, w.Notes); diff != "" {
				t.Errorf("\n%s\n-want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}

func TestRelabel(t *testing.T) {
	has := labels.Set{"tier": "dev", "gpu": "old"}
	cases := map[string]struct {
		reason   string
		selector string
		want     string
	}{
		"Equal":  {reason: "One value.", selector: "tier=production", want: "label tier=production"},
		"In":     {reason: "One of several.", selector: "tier in (b, a)", want: "label tier=a or b"},
		"NotIn":  {reason: "None of several.", selector: "tier notin (dev, test)", want: "no label tier=dev or test"},
		"Exists": {reason: "Any value.", selector: "region", want: "label region"},
		"Absent": {reason: "No value.", selector: "!gpu", want: "no label gpu"},
		"Some":   {reason: "Only what is not met, by label.", selector: "tier=production, gpu=old, region", want: "label region, label tier=production"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			s, err := labels.Parse(tc.selector)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, relabel(s, has)); diff != "" {
				t.Errorf("\n%s\n-want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}

func TestListed(t *testing.T) {
	all := []string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"}
	if diff := cmp.Diff("a, b, c, d, e, f, g, h and 2 more", listed(all)); diff != "" {
		t.Errorf("-want, +got:\n%s", diff)
	}
}
