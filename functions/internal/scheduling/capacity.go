package scheduling

// This file is the one place that knows what an engine costs and what is free.
// Capacity is whole nodes for now.

// A spot is a node pool of a cluster.
type spot struct{ cluster, pool string }

// A ledger is how many nodes are free while a decision is made. A pool that is
// charged beyond its nodes has fewer than none.
type ledger map[spot]int

// newLedger charges what others have. The deployment's own replicas are charged
// as they are retained.
func newLedger(d Deployment, clusters []Cluster) ledger {
	l := ledger{}
	for _, c := range clusters {
		for _, p := range c.Pools {
			free := max(0, p.Nodes)
			for _, ch := range p.Charges {
				if !d.owns(ch) {
					free -= ch.Nodes
				}
			}
			l[spot{c.Name, p.Name}] = free
		}
	}
	return l
}

// charge takes what a replica's engines cost.
func (l ledger) charge(cluster string, engines []PlacedEngine) {
	for _, e := range engines {
		l.take(spot{cluster, e.Pool}, e.Nodes)
	}
}

// credit gives it back.
func (l ledger) credit(cluster string, engines []PlacedEngine) {
	for _, e := range engines {
		l.take(spot{cluster, e.Pool}, -e.Nodes)
	}
}

// take charges a pool. One that is not in the ledger is gone and has nothing to
// be charged for.
func (l ledger) take(at spot, nodes int) {
	if _, ok := l[at]; ok {
		l[at] -= nodes
	}
}

// free is what the pools of a cluster have left.
func (l ledger) free(st *site) map[string]int {
	out := make(map[string]int, len(st.Pools))
	for _, p := range st.Pools {
		out[p.Name] = l[spot{st.Name, p.Name}]
	}
	return out
}

// nodes is how many nodes a member's pods take, in all copies of its engine, if
// they claim anything. Those that claim nothing run beside the ones that do.
func nodes(e Engine, m Member) int {
	return max(1, e.Copies) * max(1, m.Pods)
}

// fits says whether an engine that needs so many nodes fits a pool that has so
// many free.
func fits(need, free int) bool { return need <= free }
