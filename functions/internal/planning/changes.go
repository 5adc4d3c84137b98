package planning

import (
	"fmt"
	"maps"
	"slices"

	"github.com/modelplane-go/modelplane/functions/internal/scheduling"
)

// A Change is something that would have to be different for a cluster to take
// another replica: all that is said of the cluster, and of one of its pools.
type Change struct {
	Cluster string            `json:"cluster"`
	Engine  string            `json:"engine,omitempty"` // Which finds no pool, where there are several and not only all together do not.
	Pool    string            `json:"pool,omitempty"`   // Empty if it is about the cluster.
	Reason  scheduling.Reason `json:"reason"`
	Change  string            `json:"change"`

	// Nodes more the pool would need for another replica, and for all that are
	// missing. None if nodes of this pool alone would not do.
	Nodes       int `json:"nodes,omitempty"`
	NodesForAll int `json:"nodesForAll,omitempty"`

	// Short is by how much a device misses what is demanded of it, if that is
	// an amount.
	Short string `json:"short,omitempty"`
}

// rest is the name of a cluster that stands for all others. No object has it.
const rest = "."

// changes that would let another replica onto the clusters, and mistakes of the
// deployment that no change of a cluster makes up for.
func (p *planner) changes(r scheduling.Result) (mistakes []string, changes []Change) {
	typos := map[string]bool{}
	others := p.others()
	for _, first := range r.Rejections {
		t := p.trial(r, first.Cluster, others)
		for _, rej := range t.obstacles(first) {
			for _, typo := range t.typos(rej) {
				typos[typo] = true
			}
		}
		changes = append(changes, t.changes...)
	}
	return slices.Sorted(maps.Keys(typos)), changes
}

// others is a cluster that has what the pools of the fleet have, and takes
// nothing. With it beside, a cluster on its own is told the same of what no
// class in the fleet has.
func (p *planner) others() scheduling.Cluster {
	out := scheduling.Cluster{Name: rest}
	seen := map[string]bool{}
	for _, c := range p.clusters {
		for i, np := range c.Spec.NodePools {
			if pool := c.now.Pools[i]; pool.Known && !seen[np.ClassName] {
				seen[np.ClassName] = true
				out.Pools = append(out.Pools, scheduling.Pool{Name: np.ClassName, Known: true, Devices: pool.Devices})
			}
		}
	}
	return out
}

// alone is a snapshot of one cluster.
func (p *planner) alone(c *cluster, others scheduling.Cluster) scheduling.Snapshot {
	s := p.snapshot(0)
	s.Clusters = []scheduling.Cluster{c.now, others}
	s.Replicas = slices.DeleteFunc(s.Replicas, func(r scheduling.Replica) bool { return r.Cluster != c.GetName() })
	return s
}

// A trial looks for what keeps another replica off a cluster, by taking away one
// obstacle after the other.
type trial struct {
	*planner

	cluster  *cluster
	snapshot scheduling.Snapshot // Of the cluster alone, without the obstacles found so far.
	there    int                 // Replicas the cluster would have.
	missing  int                 // Replicas that would have no place.
	changes  []Change
}

func (p *planner) trial(r scheduling.Result, name string, others scheduling.Cluster) *trial {
	t := &trial{planner: p, cluster: p.find(name), missing: r.Unplaced}
	t.snapshot = p.alone(t.cluster, others)
	kept := map[string]bool{}
	for _, pl := range r.Placements {
		if pl.Cluster == name {
			t.there++
			kept[pl.Replica] = true
		}
	}
	t.snapshot.Replicas = slices.DeleteFunc(t.snapshot.Replicas, func(r scheduling.Replica) bool { return !kept[r.Name] })
	return t
}

// obstacles are the first, and what is found behind it. What would take each
// away is kept as a change.
func (t *trial) obstacles(first scheduling.Rejection) []scheduling.Rejection {
	out := []scheduling.Rejection{first}
	for {
		last := out[len(out)-1]
		t.changes = append(t.changes, t.change(last)...)
		if !t.lift(last) {
			return out
		}
		next, ok := t.reject(t.snapshot, 1)
		if !ok || next.Why == last.Why {
			return out
		}
		out = append(out, next)
	}
}

// reject says why so many more replicas do not fit on the cluster, if they do
// not.
func (t *trial) reject(s scheduling.Snapshot, more int) (scheduling.Rejection, bool) {
	s.Deployment.Replicas = t.there + more
	return rejection(scheduling.Schedule(s), t.cluster.GetName())
}

// lift an obstacle. It returns false if nothing is left to look at behind it.
func (t *trial) lift(r scheduling.Rejection) bool {
	d, c := &t.snapshot.Deployment, &t.snapshot.Clusters[0]
	switch r.Reason {
	case scheduling.NotSelected:
		d.Selector = nil
	case scheduling.NotReady:
		c.Ready = true
	case scheduling.NoGatewayAddress:
		c.Address = rest
	case scheduling.Tainted:
		c.Taints = slices.DeleteFunc(slices.Clone(c.Taints), func(t scheduling.Taint) bool { return taints(r, t) })
	case scheduling.SpreadViolated:
		d.Spread = nil
	case scheduling.Failing, scheduling.PoolRemoved:
		return false
	case scheduling.PoolUnknown, scheduling.NoMatchingDevice, scheduling.NotEnoughDevices, scheduling.NothingToClaim, scheduling.NotEnoughRoom:
		// The other engines may lack something too.
		d.Engines = slices.DeleteFunc(slices.Clone(d.Engines), func(e scheduling.Engine) bool { return e.Name == r.Engine })
		return r.Engine != "" && len(d.Engines) > 0
	}
	return true
}

// typos are what a rejection says of the deployment rather than of a pool.
func (t *trial) typos(r scheduling.Rejection) []string {
	of := ""
	if engine := t.engine(r); engine != "" {
		of = fmt.Sprintf("engine %q, ", engine)
	}
	var out []string
	for _, pool := range r.Pools {
		if isTypo(pool) {
			out = append(out, fmt.Sprintf("%sdevice %q: %s", of, pool.Miss.Request, pool.Miss.Unknown))
		}
	}
	return out
}

// engine that was rejected, where there are several.
func (t *trial) engine(r scheduling.Rejection) string {
	if len(t.object.Spec.Engines) == 1 {
		return ""
	}
	return r.Engine
}

func isTypo(r scheduling.PoolRejection) bool { return r.Miss != nil && r.Miss.Unknown != "" }

// change that makes up for a rejection.
func (t *trial) change(r scheduling.Rejection) []Change {
	if len(r.Pools) == 0 {
		return []Change{{Cluster: r.Cluster, Reason: r.Reason, Change: t.words(r)}}
	}
	var out []Change
	for _, pool := range r.Pools {
		if isTypo(pool) {
			continue
		}
		c := Change{Cluster: r.Cluster, Engine: t.engine(r), Pool: pool.Pool, Reason: pool.Reason}
		switch {
		case pool.Miss != nil:
			c.Change, c.Short = pool.Miss.Gap(), pool.Miss.Short()
		case pool.Reason == scheduling.PoolUnknown:
			c.Change = t.unknownPool(pool.Pool)
		case pool.Reason == scheduling.NotEnoughRoom:
			c.Nodes, c.NodesForAll = t.nodes(pool)
			c.Change = t.room(c, pool)
		default:
			c.Change = pool.Detail
		}
		out = append(out, c)
	}
	return out
}

// maxSought bounds for how many replicas together nodes are sought.
const maxSought = 100

// nodes a pool lacks for another replica, and for all that are missing.
func (t *trial) nodes(r scheduling.PoolRejection) (another, all int) {
	another = t.seek(r, 1)
	if another > 0 && t.missing > 1 && t.missing <= maxSought {
		all = t.seek(r, t.missing)
	}
	return another, all
}

// seek the fewest nodes with which a pool, all else as it is, would let so many
// replicas onto the cluster. None if nodes alone do not.
func (t *trial) seek(r scheduling.PoolRejection, replicas int) int {
	enough := t.pods() * replicas
	if !t.fitsWith(r.Pool, enough, replicas) {
		return 0
	}
	few, many := 0, enough // Too few, and enough.
	for many-few > 1 {
		n := (few + many) / 2
		if t.fitsWith(r.Pool, n, replicas) {
			many = n
			continue
		}
		few = n
	}
	return many
}

// pods of a replica. Each on a node of its own has room for all.
func (t *trial) pods() int {
	n := 0
	for _, e := range t.snapshot.Deployment.Engines {
		for _, m := range e.Members {
			n += e.Copies * m.Pods
		}
	}
	return n
}

func (t *trial) fitsWith(pool string, nodes, replicas int) bool {
	s := t.snapshot
	c := s.Clusters[0]
	c.Pools = slices.Clone(c.Pools)
	for i := range c.Pools {
		if c.Pools[i].Name == pool {
			c.Pools[i].Nodes += nodes
		}
	}
	s.Clusters = []scheduling.Cluster{c, s.Clusters[1]}
	_, rejected := t.reject(s, replicas)
	return !rejected
}
