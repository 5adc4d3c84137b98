package main

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"k8s.io/apimachinery/pkg/api/meta"

	"github.com/modelplane-go/modelplane/functions/internal/names"
	"github.com/modelplane-go/modelplane/functions/internal/scheduling"
	"github.com/modelplane-go/modelplane/functions/internal/xfn"
	"github.com/modelplane-go/modelplane/schemas/modelplane/v1alpha1"
)

// A ledger is what a cluster's pools have, what is charged to them, and what is
// not known of that.
type ledger struct {
	pools []v1alpha1.GPUPool

	waiting   []string // Classes that were not read yet, sorted.
	missing   []string // What to say of each pool whose class does not exist.
	unknown   bool     // Some pool was never known.
	unread    bool     // The replicas were not read yet.
	overdrawn []string // What to say of each pool that is charged more than it has.
}

// keepLedger brings the ledger up to date with what was read. What was not read,
// or is gone, stays as it was published last.
func keepLedger(in input) *ledger {
	out := &ledger{unread: in.replicas.State == xfn.Unresolved}
	last := map[string]v1alpha1.GPUPool{}
	for _, p := range in.cluster.Status.GPUPools {
		last[p.Name] = p
	}

	for _, np := range in.cluster.Spec.NodePools {
		pool, ok := out.stock(np, in.classes[np.ClassName], last)
		if !ok {
			out.unknown = true
			continue
		}
		pool.Charges = last[np.Name].Charges
		if !out.unread {
			pool.Charges = charge(pool, in.replicas.Items)
		}
		out.settle(&pool)
		out.pools = append(out.pools, pool)
	}
	slices.Sort(out.waiting)
	out.waiting = slices.Compact(out.waiting)
	return out
}

// stock says what a pool has. It returns false if that was never known.
func (l *ledger) stock(np v1alpha1.NodePool, class xfn.Answer[v1alpha1.InferenceClass], last map[string]v1alpha1.GPUPool) (v1alpha1.GPUPool, bool) {
	pool, known := last[np.Name]
	pool.Name = np.Name
	pool.Nodes = 1
	if np.NodeCount != nil {
		pool.Nodes = *np.NodeCount
	}

	switch class.State {
	case xfn.Present:
		pool.ClassName = np.ClassName
		pool.Devices = class.Items[0].Spec.Devices
		return pool, true
	case xfn.Unresolved:
		l.waiting = append(l.waiting, np.ClassName)
	case xfn.Absent:
		l.missing = append(l.missing, missing(np, pool, known))
	}
	return pool, known
}

func missing(np v1alpha1.NodePool, pool v1alpha1.GPUPool, known bool) string {
	if !known {
		return fmt.Sprintf("pool %s: there is no InferenceClass %q; create it, or name another in spec.nodePools", np.Name, np.ClassName)
	}
	return fmt.Sprintf("pool %s: there is no InferenceClass %q; the pool keeps the devices of %q as last known", np.Name, np.ClassName, pool.ClassName)
}

// charge the replicas that are on a pool, by namespace, deployment and index.
func charge(pool v1alpha1.GPUPool, replicas []replica) []v1alpha1.Charge {
	contenders := []scheduling.Contender{}
	for _, r := range replicas {
		n := r.nodesOn(pool.Name)
		if n == 0 {
			continue
		}
		contenders = append(contenders, scheduling.Contender{
			Charge: scheduling.Charge{
				Namespace:  r.GetNamespace(),
				Deployment: r.GetLabels()[names.LabelDeployment],
				Index:      r.index(),
				Nodes:      n,
				Priority:   int(r.Spec.Priority),
			},
			Ready:   meta.IsStatusConditionTrue(r.Status.Conditions, "Ready"),
			Created: r.GetCreationTimestamp().Unix(),
		})
	}
	slices.SortFunc(contenders, func(a, b scheduling.Contender) int {
		return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Deployment, b.Deployment), cmp.Compare(a.Index, b.Index))
	})

	out := make([]v1alpha1.Charge, len(contenders))
	for i, c := range contenders {
		out[i] = v1alpha1.Charge{
			Namespace:  c.Namespace,
			Deployment: c.Deployment,
			Index:      int32(c.Index),    //nolint:gosec // Bounded by the replicas of a deployment.
			Nodes:      int32(c.Nodes),    //nolint:gosec // Bounded by engines, copies and nodes.
			Priority:   int32(c.Priority), //nolint:gosec // It was one.
		}
	}
	for _, i := range scheduling.Yields(int(pool.Nodes), contenders) {
		out[i].Yield = true
	}
	return out
}

// settle adds up a pool's charges, and says so if they are more than it has.
func (l *ledger) settle(pool *v1alpha1.GPUPool) {
	pool.NodesCharged = 0
	yield := []string{}
	for _, c := range pool.Charges {
		pool.NodesCharged += c.Nodes
		if c.Yield {
			yield = append(yield, fmt.Sprintf("%s/%s/%d", c.Namespace, c.Deployment, c.Index))
		}
	}
	if pool.NodesCharged > pool.Nodes {
		l.overdrawn = append(l.overdrawn, fmt.Sprintf("pool %s: %d nodes are charged and it has %d; to yield: %s",
			pool.Name, pool.NodesCharged, pool.Nodes, xfn.Join(yield, ", ")))
	}
}

// nodesOn counts the nodes a replica takes of a pool. A member that claims
// nothing takes none.
func (r replica) nodesOn(pool string) int {
	n := 0
	for _, e := range r.Spec.Engines {
		for _, m := range e.Members {
			if m.NodePoolName != pool || len(m.DeviceRequests) == 0 {
				continue
			}
			pods := 1
			if m.Worker != nil {
				pods = max(1, int(m.Worker.Nodes))
			}
			n += pods * max(1, int(e.Copies))
		}
	}
	return n
}

// index of a replica among its deployment's on the cluster. One without is
// someone's own making, and is charged like any other.
func (r replica) index() int {
	i, err := strconv.Atoi(r.GetLabels()[names.LabelReplicaIndex])
	if err != nil {
		return 0
	}
	return i
}
