package scheduling

import (
	"cmp"
	"fmt"
	"slices"
)

// An identity is what tells a deployment's replicas apart.
type identity struct {
	cluster string
	index   int
}

// retain drops the replicas that cannot stay, charges those that do, and lodges
// those that are to be replaced first.
func (d *decision) retain() []Replica {
	var kept []Replica
	for _, r := range d.replicas {
		st := d.byName[r.Cluster]
		if reason, detail, must := d.leaves(st, r); must {
			d.drop(r, reason, detail)
			continue
		}
		if l, ok := d.leavers[r.Name]; ok {
			d.lodge(st, l)
			continue
		}
		kept = append(kept, r)
		if st == nil {
			continue
		}
		st.taken[r.Index] = true
		d.host(st, 1)
		st.charge(r.Engines)
	}
	return kept
}

// leaves says whether and why a replica cannot stay where it is, not even until
// it is replaced.
func (d *decision) leaves(st *site, r Replica) (DropReason, string, bool) {
	if d.duplicate(r) {
		return DropDuplicate, fmt.Sprintf("another replica is index %d on the cluster", r.Index), true
	}
	if st == nil {
		return DropClusterGone, fmt.Sprintf("cluster %q is gone", r.Cluster), !d.hold
	}
	if detail, ok := d.yields(st, r); ok {
		return DropYielded, detail, true
	}
	if _, ok := d.leavers[r.Name]; ok {
		return "", "", false
	}
	if detail, ok := d.outgrown(st, r); ok {
		return DropNoLongerFit, detail, true
	}
	return "", "", false
}

// duplicate says whether a replica of an earlier name has the identity. The
// first one has it, even if it goes for another reason.
func (d *decision) duplicate(r Replica) bool {
	id := identity{r.Cluster, r.Index}
	taken := d.identities[id]
	d.identities[id] = true
	return taken
}

// removed says whether a pool the replica is on is not in its cluster's spec. An
// engine that does not say which pool it is on is no evidence.
func (c *Cluster) removed(r Replica) (string, bool) {
	for _, e := range slices.SortedFunc(slices.Values(r.Engines), compareEngines) {
		if e.Pool != "" && !slices.ContainsFunc(c.Pools, func(p Pool) bool { return p.Name == e.Pool }) {
			return fmt.Sprintf("pool %q of engine %q was removed", e.Pool, e.Name), true
		}
	}
	return "", false
}

// yields says whether the ledger of a pool the replica is on tells it to go, and
// for whom.
func (d *decision) yields(st *site, r Replica) (string, bool) {
	for _, e := range r.Engines {
		p := st.pool(e.Pool)
		for _, c := range p.Charges {
			if c.Yield && c.Index == r.Index && d.deployment.owns(c) {
				return fmt.Sprintf("pool %q is charged more than it has: %s", p.Name, p.precedence(c)), true
			}
		}
	}
	return "", false
}

// precedence says who goes before a charge that is told to yield.
func (p Pool) precedence(c Charge) string {
	var first *Charge
	for i, o := range p.Charges {
		if o.Yield || o.Priority <= c.Priority {
			continue
		}
		if first == nil || o.compare(*first) < 0 {
			first = &p.Charges[i]
		}
	}
	if first == nil {
		return "others of its priority were there first, or serve"
	}
	return fmt.Sprintf("%s/%s of priority %d goes before priority %d", first.Namespace, first.Deployment, first.Priority, c.Priority)
}

// compare orders charges, those of the highest priority first.
func (c Charge) compare(o Charge) int {
	return cmp.Or(
		cmp.Compare(o.Priority, c.Priority),
		cmp.Compare(c.Namespace, o.Namespace),
		cmp.Compare(c.Deployment, o.Deployment),
		cmp.Compare(c.Index, o.Index),
	)
}

// outgrown says whether the replica's deployment changed so that the replica's
// pools no longer have the devices it needs. It does not look at how much
// is free, and what is not known is not held against the replica.
func (d *decision) outgrown(st *site, r Replica) (string, bool) {
	if !r.Outdated || !r.Update || d.hold {
		return "", false
	}
	for i, e := range d.deployment.Engines {
		m := d.match(st, i)
		pin, pinned := r.on(e.Name)
		if !pinned && len(m.fresh()) == 0 && !m.unknown {
			return fmt.Sprintf("no pool has the devices of new engine %q", e.Name), true
		}
		if !pinned {
			continue
		}
		if !st.pool(pin.Pool).Known {
			continue
		}
		if len(m.on(pin.Pool)) == 0 {
			return fmt.Sprintf("engine %q on pool %q: %s", e.Name, pin.Pool, m.why(pin.Pool).Detail), true
		}
	}
	return "", false
}

// on is where an engine of the replica is.
func (r Replica) on(engine string) (PlacedEngine, bool) {
	for _, e := range r.Engines {
		if e.Name == engine {
			return e, true
		}
	}
	return PlacedEngine{}, false
}
