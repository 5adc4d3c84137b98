package fleet

import (
	"fmt"
	"slices"

	"github.com/modelplane-go/modelplane/functions/internal/devices"
	"github.com/modelplane-go/modelplane/functions/internal/scheduling"
	"github.com/modelplane-go/modelplane/schemas/modelplane/v1alpha1"
)

// Sources are what a cluster's ledger is kept from.
type Sources struct {
	Cluster *v1alpha1.InferenceCluster // Its status is the ledger as it was published last.

	// Classes by name. One that was not read yet is not in it, one that does
	// not exist is nil.
	Classes map[string]*v1alpha1.InferenceClass

	// Replicas that name the cluster, unless Unread.
	Replicas []Replica
	Unread   bool
}

// A Ledger is what a cluster's pools have, what is charged to them, and what is
// not known of that.
type Ledger struct {
	Pools []v1alpha1.GPUPool

	Waiting   []string    // Classes that were not read yet, sorted.
	Missing   []string    // What to say of each pool whose class does not exist.
	Unknown   bool        // Some pool was never known.
	Overdrawn []Overdrawn // Pools that are charged more than they have.
}

// An Overdrawn pool is charged more than it has.
type Overdrawn struct {
	Pool           string
	Nodes, Charged int
	Yield          []string // Who must go, as namespace/deployment/index.
}

// Keep brings a ledger up to date. What was not read, or is gone, stays as it
// was published last.
func Keep(in Sources) *Ledger {
	out := &Ledger{}
	last := map[string]v1alpha1.GPUPool{}
	for _, p := range in.Cluster.Status.GPUPools {
		last[p.Name] = p
	}
	for _, np := range in.Cluster.Spec.NodePools {
		class, read := in.Classes[np.ClassName]
		pool, ok := out.stock(np, class, read, last)
		if !ok {
			out.Unknown = true
			continue
		}
		pool.Charges = last[np.Name].Charges
		out.Pools = append(out.Pools, pool)
	}
	slices.Sort(out.Waiting)
	out.Waiting = slices.Compact(out.Waiting)

	if !in.Unread {
		out.charge(contenders(in.Replicas))
	}
	for i := range out.Pools {
		out.settle(&out.Pools[i])
	}
	return out
}

// stock says what a pool has. It returns false if that was never known.
func (l *Ledger) stock(np v1alpha1.NodePool, class *v1alpha1.InferenceClass, read bool, last map[string]v1alpha1.GPUPool) (v1alpha1.GPUPool, bool) {
	pool, known := last[np.Name]
	pool.Name = np.Name
	pool.Nodes = 1
	if np.NodeCount != nil {
		pool.Nodes = *np.NodeCount
	}

	switch {
	case class != nil:
		pool.ClassName = np.ClassName
		pool.Devices = class.Spec.Devices
		return pool, true
	case !read:
		l.Waiting = append(l.Waiting, np.ClassName)
	default:
		l.Missing = append(l.Missing, missing(np, pool, known))
	}
	return pool, known
}

func missing(np v1alpha1.NodePool, pool v1alpha1.GPUPool, known bool) string {
	if !known {
		return fmt.Sprintf("pool %s: there is no InferenceClass %q; create it, or name another in spec.nodePools", np.Name, np.ClassName)
	}
	return fmt.Sprintf("pool %s: there is no InferenceClass %q; the pool keeps the devices of %q as last known", np.Name, np.ClassName, pool.ClassName)
}

// charge the pools for the replicas on them.
func (l *Ledger) charge(contenders []scheduling.Contender) {
	victims := scheduling.Yields(l.stocks(), contenders)
	for i := range l.Pools {
		l.Pools[i].Charges = []v1alpha1.Charge{}
		for j, c := range contenders {
			if ch, ok := charge(c, l.Pools[i].Name); ok {
				_, ch.Yield = slices.BinarySearch(victims, j)
				l.Pools[i].Charges = append(l.Pools[i].Charges, ch)
			}
		}
	}
}

// stocks are the pools without what is charged to them.
func (l *Ledger) stocks() []scheduling.Pool {
	out := make([]scheduling.Pool, len(l.Pools))
	for i, p := range l.Pools {
		out[i] = scheduling.Pool{Name: p.Name, Nodes: int(p.Nodes), Devices: devices.From(p.Devices)}
	}
	return out
}

// charge of a replica to a pool. It returns false if it takes nothing there.
func charge(c scheduling.Contender, pool string) (v1alpha1.Charge, bool) {
	out := v1alpha1.Charge{
		Namespace:  c.Namespace,
		Deployment: c.Deployment,
		Index:      int32(c.Index),    //nolint:gosec // Bounded by the replicas of a deployment.
		Priority:   int32(c.Priority), //nolint:gosec // It was one.
	}
	for _, e := range c.Engines {
		if e.Pool == pool && len(e.Group.Pods) > 0 {
			out.Groups = append(out.Groups, podGroup(e.Group))
		}
	}
	return out, len(out.Groups) > 0
}

// podGroup leaves out what stands for one.
func podGroup(g scheduling.Group) v1alpha1.PodGroup {
	out := v1alpha1.PodGroup{Copies: unlessOne(g.Copies)}
	for _, p := range g.Pods {
		out.Pods = append(out.Pods, v1alpha1.PodCharge{Count: unlessOne(p.Count), Devices: NodeDevices(p.Devices)})
	}
	return out
}

func unlessOne(n int) int32 {
	if n == 1 {
		return 0
	}
	return int32(n) //nolint:gosec // Bounded by the schema of a ModelReplica.
}

// settle adds up a pool's charges, and says so if they are more than it has.
func (l *Ledger) settle(p *v1alpha1.GPUPool) {
	charged := scheduling.NodesTaken(publishedPool(v1alpha1.NodePool{Name: p.Name}, p))
	p.NodesCharged = int32(charged) //nolint:gosec // At most the pods that are charged.

	yield := []string{}
	for _, c := range p.Charges {
		if c.Yield {
			yield = append(yield, fmt.Sprintf("%s/%s/%d", c.Namespace, c.Deployment, c.Index))
		}
	}
	if len(yield) > 0 {
		l.Overdrawn = append(l.Overdrawn, Overdrawn{Pool: p.Name, Nodes: int(p.Nodes), Charged: charged, Yield: yield})
	}
}
