package scheduling

import (
	"cmp"
	"fmt"
	"slices"
)

// update resolves the replicas that stay: those that take the deployment's
// engines now anew, on the pools they have. Replicas that need fewer nodes than
// before come first and make room for those that need more.
func (d *decision) update(kept []Replica) {
	slices.SortStableFunc(kept, func(a, b Replica) int { return cmp.Compare(d.growth(a), d.growth(b)) })
	for _, r := range kept {
		st := d.byName[r.Cluster]
		if st == nil || !r.Update {
			d.keep(st, r, nil)
			continue
		}
		if !r.Outdated {
			d.keep(st, r, d.settled(st, r))
			continue
		}
		d.renew(st, r)
	}
}

// keep places a replica where it is. Without engines it stays exactly as it is.
func (d *decision) keep(st *site, r Replica, engines []EnginePlacement) {
	d.result.Placements = append(d.result.Placements, Placement{
		Cluster: r.Cluster,
		Index:   r.Index,
		Replica: r.Name,
		Engines: engines,
	})
	if st != nil && st.refused != nil {
		d.drift(r, st.refused.Reason, st.refused.Why)
	}
}

func (d *decision) drift(r Replica, reason Reason, detail string) {
	d.result.Drifts = append(d.result.Drifts, Drift{
		Replica: r.Name,
		Cluster: r.Cluster,
		Reason:  reason,
		Detail:  bounded(detail, maxDetail),
	})
}

// growth is how many more nodes the replica needs on its pools than it has, as
// far as its pools are known.
func (d *decision) growth(r Replica) int {
	st := d.byName[r.Cluster]
	if st == nil || !r.Update || !r.Outdated {
		return 0
	}
	n := 0
	for _, e := range r.Engines {
		n -= e.Nodes
	}
	for i, e := range d.deployment.Engines {
		pin, ok := r.on(e.Name)
		if !ok {
			continue
		}
		if o, ok := d.match(st, i).on(pin.Pool); ok {
			n += o.nodes
		}
	}
	return n
}

// settled resolves a replica whose engines did not change. If its pools no
// longer give what it has, they changed under it: a drift, and it stays exactly
// as it is.
func (d *decision) settled(st *site, r Replica) []EnginePlacement {
	if len(r.Engines) != len(d.deployment.Engines) {
		d.drift(r, NoMatchingDevice, "its engines are not the deployment's")
		return nil
	}
	out := make([]EnginePlacement, 0, len(r.Engines))
	for i, e := range d.deployment.Engines {
		pin, ok := r.on(e.Name)
		if !ok {
			d.drift(r, NoMatchingDevice, fmt.Sprintf("it has no engine %q", e.Name))
			return nil
		}
		o, ok := d.match(st, i).on(pin.Pool)
		if !ok {
			why := d.match(st, i).why(pin.Pool)
			d.drift(r, why.Reason, fmt.Sprintf("engine %q on pool %q: %s", e.Name, pin.Pool, why.Detail))
			return nil
		}
		if o.nodes > pin.Nodes {
			d.drift(r, NotEnoughNodes, fmt.Sprintf("engine %q on pool %q has %d nodes and would need %d", e.Name, pin.Pool, pin.Nodes, o.nodes))
			return nil
		}
		out = append(out, d.deployment.place(o))
	}
	d.recharge(st, r, out)
	return out
}

// renew resolves a replica that takes changed engines. It may keep every node it
// has; one that needs more than are free goes. While something it depends on is
// not known it stays exactly as it is.
func (d *decision) renew(st *site, r Replica) {
	options, unknown := d.renewals(st, r)
	if unknown != "" {
		d.drift(r, PoolUnknown, fmt.Sprintf("not updated: the devices of pool %q are not published", unknown))
		d.keep(st, r, nil)
		return
	}

	chosen, _, ok := pack(options, 1, d.room(st, r), -1)
	if ok {
		engines := make([]EnginePlacement, 0, len(chosen))
		for _, o := range chosen {
			engines = append(engines, d.deployment.place(o))
		}
		d.recharge(st, r, engines)
		d.keep(st, r, engines)
		return
	}

	reason, detail := d.misfit(st, r, options)
	if d.hold {
		d.drift(r, reason, "not updated: "+detail)
		d.keep(st, r, nil)
		return
	}
	d.drop(r, DropNoLongerFit, detail)
	d.host(st, -1)
	d.ledger.credit(st.Name, r.Engines)
}

// renewals are, by engine, where the replica's engines may be: those it has on
// their pools, new ones anywhere on the cluster. It names a pool that would have
// to be known to tell.
func (d *decision) renewals(st *site, r Replica) ([][]option, string) {
	out := make([][]option, len(d.deployment.Engines))
	for i, e := range d.deployment.Engines {
		m := d.match(st, i)
		pin, pinned := r.on(e.Name)
		if !pinned {
			out[i] = st.open(m.fresh())
			if m.unknown && len(out[i]) == 0 {
				return nil, m.firstUnknown()
			}
			continue
		}
		if p, _ := st.pool(pin.Pool); !p.Known {
			return nil, pin.Pool
		}
		if o, ok := m.on(pin.Pool); ok {
			out[i] = []option{o}
		}
	}
	return out, ""
}

// room is what a replica may use of its cluster's pools: what is free with its
// own given back, and never less than it has.
func (d *decision) room(st *site, r Replica) map[string]int {
	had := map[string]int{}
	for _, e := range r.Engines {
		had[e.Pool] += e.Nodes
	}
	free := d.ledger.free(st)
	for pool := range free {
		free[pool] = max(free[pool]+had[pool], had[pool])
	}
	return free
}

// misfit says why a replica's engines do not fit where it is.
func (d *decision) misfit(st *site, r Replica, options [][]option) (Reason, string) {
	need := map[string]int{}
	for i, os := range options {
		if len(os) == 0 {
			return NoMatchingDevice, fmt.Sprintf("no pool for engine %q", d.deployment.Engines[i].Name)
		}
		if len(os) == 1 {
			need[os[0].pool] += os[0].nodes
		}
	}
	room := d.room(st, r)
	for _, pool := range sortedKeys(need) {
		if need[pool] > room[pool] {
			return NotEnoughNodes, fmt.Sprintf("needs %d nodes of pool %q, %d free", need[pool], pool, max(0, room[pool]))
		}
	}
	return NotEnoughNodes, "its engines need more nodes together than are free"
}

// recharge replaces what a replica is charged for.
func (d *decision) recharge(st *site, r Replica, engines []EnginePlacement) {
	d.ledger.credit(st.Name, r.Engines)
	for _, e := range engines {
		d.ledger.take(spot{st.Name, e.Pool}, e.Nodes)
	}
}

// place makes a placement of an option.
func (d Deployment) place(o option) EnginePlacement {
	return EnginePlacement{Engine: d.Engines[o.engine].Name, Pool: o.pool, Nodes: o.nodes, Claims: o.claims}
}
