package scheduling

import (
	"cmp"
	"slices"
)

// A preemption is a plan that counts on others to yield.
type preemption struct {
	*plan

	highest int // Priority among those evicted.
}

// preempt finds the cluster on which the next replica takes the room of others
// of lower priority, as the cluster will rule: of the lowest, then the fewest.
// Nil if that makes no room anywhere.
func (d *decision) preempt() *site {
	var best *site
	for _, st := range d.sites {
		if st.refused != nil || d.violated(st) != nil {
			continue
		}
		if !st.preempted {
			st.preemption = d.newPreemption(st)
			st.preempted = true
		}
		if st.preemption == nil {
			continue
		}
		if best == nil || d.comparePreemptions(st, best) < 0 {
			best = st
		}
	}
	if best != nil {
		best.plan = best.preemption.plan
	}
	return best
}

func (d *decision) comparePreemptions(a, b *site) int {
	return cmp.Or(
		cmp.Compare(a.preemption.highest, b.preemption.highest),
		cmp.Compare(len(a.preemption.evicts), len(b.preemption.evicts)),
		d.compareSites(a, b, a.preemption.plan, b.preemption.plan),
	)
}

// newPreemption is where the next replica would go if those of a priority and
// below yielded, for the lowest priority that makes room.
func (d *decision) newPreemption(st *site) *preemption {
	for _, priority := range st.lowerPriorities(d.deployment) {
		if p := d.evicting(st, priority); p != nil {
			return &preemption{plan: p, highest: priority}
		}
	}
	return nil
}

// lowerPriorities of others' charges, ascending.
func (st *site) lowerPriorities(d Deployment) []int {
	var out []int
	for _, p := range st.Pools {
		for _, c := range p.Charges {
			if !d.owns(c) && c.Priority < d.Priority {
				out = append(out, c.Priority)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// evicting plans as if those of a priority and below were gone, and keeps of
// them whoever need not go.
func (d *decision) evicting(st *site, priority int) *plan {
	lower := st.contenders(d.deployment, priority)
	cleared := *st
	cleared.stocks = cloneStocks(st.stocks)
	for _, c := range lower {
		cleared.credit(c.Engines)
	}

	var best *plan
	for _, options := range alternatives(d.freshOptions(st)) {
		chosen, w, ok := pack(options, 1, &cleared, maxPackSteps)
		if !ok {
			continue
		}
		p := &plan{options: chosen, weight: w, evicts: st.evicted(chosen, lower)}
		if best == nil || len(p.evicts) < len(best.evicts) {
			best = p
		}
	}
	return best
}

// alternatives are an engine's options one by one, so that the one that evicts
// the fewest is found. Those of several engines are looked at together.
func alternatives(options [][]option) [][][]option {
	if len(options) != 1 {
		return [][][]option{options}
	}
	out := make([][][]option, 0, len(options[0]))
	for _, o := range options[0] {
		out = append(out, [][]option{{o}})
	}
	return out
}

// contenders are others' replicas of a priority and below. Whether they serve is
// not known here: it is for the cluster to prefer those that do not.
func (st *site) contenders(d Deployment, priority int) []Contender {
	byReplica := map[Evicted]*Contender{}
	var out []*Contender
	for _, p := range st.Pools {
		for _, ch := range p.Charges {
			if d.owns(ch) || ch.Priority > priority {
				continue
			}
			id := ch.evicted()
			c, ok := byReplica[id]
			if !ok {
				c = &Contender{Namespace: ch.Namespace, Deployment: ch.Deployment, Index: ch.Index, Priority: ch.Priority}
				byReplica[id] = c
				out = append(out, c)
			}
			for _, g := range ch.Groups {
				c.Engines = append(c.Engines, PlacedEngine{Pool: p.Name, Group: g})
			}
		}
	}

	sorted := make([]Contender, 0, len(out))
	for _, c := range out {
		sorted = append(sorted, *c)
	}
	slices.SortFunc(sorted, Contender.compareYield)
	return sorted
}

// evicted are those of the contenders who would have to yield to the options.
func (st *site) evicted(options []option, contenders []Contender) []Evicted {
	crowded := *st
	crowded.stocks = cloneStocks(st.stocks)
	crowded.take(options)

	stocks := map[string]*stock{}
	for _, o := range options {
		stocks[o.pool] = crowded.stocks[st.at(o.pool)]
	}
	var out []Evicted
	for _, i := range newContest(stocks, contenders).yield() {
		c := contenders[i]
		out = append(out, Evicted{Namespace: c.Namespace, Deployment: c.Deployment, Index: c.Index, Priority: c.Priority})
	}
	return out
}

// evicted is a charge's replica, were it to go.
func (c Charge) evicted() Evicted {
	return Evicted{Namespace: c.Namespace, Deployment: c.Deployment, Index: c.Index, Priority: c.Priority}
}

// evict takes those who yield off the ledger.
func (st *site) evict(gone []Evicted) {
	if len(gone) == 0 {
		return
	}
	for i := range st.Pools {
		p := &st.Pools[i]
		p.Charges = slices.DeleteFunc(slices.Clone(p.Charges), func(c Charge) bool {
			if !slices.Contains(gone, c.evicted()) {
				return false
			}
			for _, g := range c.Groups {
				st.stocks[i].creditGroup(g)
			}
			return true
		})
	}
}

func cloneStocks(in []*stock) []*stock {
	out := make([]*stock, len(in))
	for i, s := range in {
		out[i] = s.clone()
	}
	return out
}
