package scheduling

import "cmp"

// A pool is chosen so that the next few replicas still fit. How many are looked
// at, and for how many steps.
const (
	lookahead      = 4
	lookaheadSteps = 10000
)

// A plan is where the next replica's engines would go on a cluster.
type plan struct {
	options []option // By engine.
	weight  weight
	evicts  []Evicted
}

// fill places the replicas that are missing, one by one. Where there is room for
// none, one of higher priority than others' takes theirs.
func (d *decision) fill() {
	if d.hold {
		return
	}
	for len(d.result.Placements) < d.deployment.Replicas {
		st := d.choose()
		if st == nil {
			st = d.preempt()
		}
		if st == nil {
			return
		}
		d.place(st)
	}
}

// choose is the best cluster for the next replica, or nil if none can host it.
func (d *decision) choose() *site {
	var best *site
	for _, st := range d.sites {
		if !d.hosts(st) {
			continue
		}
		if best == nil || d.compareSites(st, best, st.plan, best.plan) < 0 {
			best = st
		}
	}
	return best
}

// hosts says whether a cluster can host another replica. It is the predicate;
// place is what commits it.
func (d *decision) hosts(st *site) bool {
	if st.refused != nil || d.violated(st) != nil {
		return false
	}
	if !st.planned {
		st.plan = d.newPlan(st)
		st.planned = true
	}
	return st.plan != nil
}

// compareSites orders clusters that can host a replica as planned.
func (d *decision) compareSites(a, b *site, planA, planB *plan) int {
	return cmp.Or(
		cmp.Compare(d.uneven(a), d.uneven(b)),
		cmp.Compare(a.hosted, b.hosted),
		planA.weight.compare(planB.weight),
		cmp.Compare(a.Name, b.Name),
	)
}

// newPlan packs the engines onto the cluster's pools, looking ahead to the
// replicas after this one where they could be in each other's way.
func (d *decision) newPlan(st *site) *plan {
	options := d.freshOptions(st)
	if entangled(options) {
		for n := min(lookahead, d.deployment.Replicas-len(d.result.Placements)); n > 1; n-- {
			if chosen, w, ok := pack(options, n, st, lookaheadSteps); ok {
				return &plan{options: chosen, weight: w}
			}
		}
	}
	chosen, w, ok := pack(options, 1, st, maxPackSteps)
	if !ok {
		return nil
	}
	return &plan{options: chosen, weight: w}
}

// entangled says whether it matters to later replicas which option is taken:
// where there are several engines, or several ways on one pool.
func entangled(options [][]option) bool {
	if len(options) != 1 {
		return len(options) > 1
	}
	for i, o := range options[0] {
		if i > 0 && o.pool == options[0][i-1].pool {
			return true
		}
	}
	return false
}

// freshOptions are, by engine, where a new replica's engines could go.
func (d *decision) freshOptions(st *site) [][]option {
	out := make([][]option, len(d.deployment.Engines))
	for i := range out {
		out[i] = st.open(d.match(st, i).fresh())
	}
	return out
}

// place puts a replica on a cluster as planned.
func (d *decision) place(st *site) {
	p := Placement{Cluster: st.Name, Index: st.lowestFree(), Evicts: st.plan.evicts}
	for _, o := range st.plan.options {
		p.Engines = append(p.Engines, d.deployment.place(o))
	}
	st.take(st.plan.options)
	st.evict(st.plan.evicts)
	d.result.Placements = append(d.result.Placements, p)
	st.taken[p.Index] = true
	st.plan, st.planned = nil, false
	st.preemption, st.preempted = nil, false
	d.host(st, 1)
}

func (st *site) lowestFree() int {
	i := 0
	for st.taken[i] {
		i++
	}
	return i
}

// fresh are the options of an engine that is not on the cluster yet.
func (m *match) fresh() []option {
	out := make([]option, 0, len(m.options))
	for _, o := range m.options {
		if !o.stranded {
			out = append(out, o)
		}
	}
	return out
}

// open leaves out the pools that take no new replica of the deployment.
func (st *site) open(options []option) []option {
	out := make([]option, 0, len(options))
	for _, o := range options {
		if !st.closed[o.pool] {
			out = append(out, o)
		}
	}
	return out
}

// firstUnknown is the first pool whose devices are not published.
func (m *match) firstUnknown() string {
	for _, r := range m.missed {
		if r.Reason == PoolUnknown {
			return r.Pool
		}
	}
	return ""
}
