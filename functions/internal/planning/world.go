package planning

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/modelplane-go/modelplane/functions/internal/devices"
	"github.com/modelplane-go/modelplane/functions/internal/fleet"
	"github.com/modelplane-go/modelplane/functions/internal/names"
	"github.com/modelplane-go/modelplane/functions/internal/scheduling"
	"github.com/modelplane-go/modelplane/schemas/modelplane/v1alpha1"
)

// maxNamed bounds how many objects a note names.
const maxNamed = 8

// A Fleet is the objects that deployments are planned on.
type Fleet struct {
	Clusters []*v1alpha1.InferenceCluster
	Classes  []*v1alpha1.InferenceClass
	Replicas []*v1alpha1.ModelReplica

	// Files says that the objects are from files, and need not be all that a
	// control plane would know: a cluster without a status is taken as Ready,
	// and without a ModelReplica what is charged is what statuses say.
	Files bool
}

// A World is a fleet and its ledgers, up to date.
type World struct {
	// Notes say what was assumed, and what is wrong with the fleet.
	Notes []string

	clusters []*cluster // By name.
	classes  map[string]*v1alpha1.InferenceClass
	replicas []*v1alpha1.ModelReplica
	unread   bool // There are ModelReplicas, but they were not read.
}

// A cluster as it was read, and as the scheduler sees it.
type cluster struct {
	*v1alpha1.InferenceCluster

	now scheduling.Cluster
}

// NewWorld keeps the ledgers of a fleet.
func NewWorld(f Fleet) *World {
	w := &World{
		classes:  map[string]*v1alpha1.InferenceClass{},
		replicas: slices.SortedFunc(slices.Values(f.Replicas), compareReplicas),
		unread:   f.Files && len(f.Replicas) == 0,
	}
	for _, c := range f.Classes {
		w.classes[c.GetName()] = c
	}

	clusters := make([]*v1alpha1.InferenceCluster, len(f.Clusters))
	for i, ic := range f.Clusters {
		clusters[i] = ic.DeepCopy()
	}
	slices.SortFunc(clusters, func(a, b *v1alpha1.InferenceCluster) int { return cmp.Compare(a.GetName(), b.GetName()) })
	if f.Files {
		w.assume(clusters)
	}
	for _, ic := range clusters {
		w.keep(ic)
	}
	w.checkReplicas()
	w.checkClasses()
	return w
}

// assume that clusters that nobody has looked at are as their specs say.
func (w *World) assume(clusters []*v1alpha1.InferenceCluster) {
	var assumed []string
	charged := false
	for _, ic := range clusters {
		for _, p := range ic.Status.GPUPools {
			charged = charged || len(p.Charges) > 0
		}
		if !equality.Semantic.DeepEqual(ic.Status, v1alpha1.InferenceClusterStatus{}) {
			continue
		}
		assumed = append(assumed, ic.GetName())
		ic.Status.Conditions = []metav1.Condition{{Type: "Ready", Status: metav1.ConditionTrue}}
		ic.Status.ProviderConfigRef = &v1alpha1.ProviderConfigReference{Name: names.ProviderConfig(ic.GetName())}
		if e := ic.Spec.Cluster.Existing; e != nil {
			ic.Status.Gateway = &v1alpha1.GatewayStatus{Address: e.Gateway.Address}
		}
	}
	if len(assumed) > 0 {
		w.notef("Without a status, and so taken as Ready, with the gateway address and the taints of the spec: %s", listed(assumed))
	}
	if w.unread && charged {
		w.notef("There are no ModelReplicas in the files: what is charged to pools is what the clusters' statuses say")
	}
}

// keep a cluster's ledger, as the cluster itself does.
func (w *World) keep(ic *v1alpha1.InferenceCluster) {
	in := fleet.Sources{Cluster: ic, Classes: map[string]*v1alpha1.InferenceClass{}, Unread: w.unread}
	for _, np := range ic.Spec.NodePools {
		in.Classes[np.ClassName] = w.classes[np.ClassName]
	}
	for _, r := range w.replicas {
		if r.GetLabels()[names.LabelCluster] == ic.GetName() {
			in.Replicas = append(in.Replicas, charged(r))
		}
	}

	l := fleet.Keep(in)
	ic.Status.GPUPools = l.Pools
	w.clusters = append(w.clusters, &cluster{InferenceCluster: ic, now: fleet.Cluster(ic)})
	for _, m := range l.Missing {
		w.notef("InferenceCluster %s, %s", ic.GetName(), m)
	}
	for _, o := range l.Overdrawn {
		w.notef("InferenceCluster %s, pool %s: what is charged takes %d nodes and it has %d; to yield: %s",
			ic.GetName(), o.Pool, o.Charged, o.Nodes, listed(o.Yield))
	}
}

// charged is the part of a replica that a ledger is kept from.
func charged(r *v1alpha1.ModelReplica) fleet.Replica {
	out := fleet.Replica{ObjectMeta: r.ObjectMeta}
	out.Spec.ClusterName = r.Spec.ClusterName
	out.Spec.Priority = r.Spec.Priority
	out.Spec.Engines = fleet.Engines(r.Spec.Engines)
	out.Status.Conditions = r.Status.Conditions
	return out
}

// checkReplicas notes those that no cluster is charged for, though they say that
// they are on one.
func (w *World) checkReplicas() {
	var lost []string
	for _, r := range w.replicas {
		name := r.GetLabels()[names.LabelCluster]
		if !slices.ContainsFunc(w.clusters, func(c *cluster) bool { return c.GetName() == name }) {
			lost = append(lost, r.GetNamespace()+"/"+r.GetName())
		}
	}
	if len(lost) > 0 {
		w.notef("ModelReplicas whose label %s names no InferenceCluster that there is, and so charged to none: %s", names.LabelCluster, listed(lost))
	}
}

// checkClasses notes devices that no selector can be true of.
func (w *World) checkClasses() {
	for _, name := range slices.Sorted(maps.Keys(w.classes)) {
		for _, problem := range devices.Validate(devices.From(w.classes[name].Spec.Devices)) {
			w.notef("InferenceClass %s, %s", name, problem)
		}
	}
}

func (w *World) notef(format string, args ...any) {
	w.Notes = append(w.Notes, fmt.Sprintf(format, args...))
}

// find a cluster by name.
func (w *World) find(name string) *cluster {
	i := slices.IndexFunc(w.clusters, func(c *cluster) bool { return c.GetName() == name })
	return w.clusters[i]
}

func compareReplicas(a, b *v1alpha1.ModelReplica) int {
	return cmp.Or(cmp.Compare(a.GetNamespace(), b.GetNamespace()), cmp.Compare(a.GetName(), b.GetName()))
}

// listed names the first few, and counts the others.
func listed(all []string) string {
	if len(all) <= maxNamed {
		return strings.Join(all, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(all[:maxNamed], ", "), len(all)-maxNamed)
}
