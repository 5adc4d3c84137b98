package scheduling

import (
	"cmp"
	"fmt"
	"slices"
)

// update resolves the replicas that stay: those that take the deployment's
// engines now anew, on the pools they have. Replicas that need less than before
// come first and make room for those that need more.
func (d *decision) update(kept []Replica) {
	slices.SortStableFunc(kept, func(a, b Replica) int { return cmp.Compare(d.growth(a), d.growth(b)) })
	for _, r := range kept {
		st := d.byName[r.Cluster]
		if st == nil || !r.Update {
			d.keep(st, r, nil)
			continue
		}
		if !r.Outdated {
			d.compare(st, r)
			d.keep(st, r, nil)
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

// growth is how many more devices the replica needs on its pools than it has, as
// far as its pools are known.
func (d *decision) growth(r Replica) int {
	st := d.byName[r.Cluster]
	if st == nil || !r.Update || !r.Outdated {
		return 0
	}
	n := 0
	for _, e := range r.Engines {
		if at := st.at(e.Pool); at >= 0 {
			n -= max(1, e.Group.Copies) * st.stocks[at].node.load(e.Group.Pods).devices()
		}
	}
	for i, e := range d.deployment.Engines {
		pin, ok := r.on(e.Name)
		if !ok {
			continue
		}
		if os := d.match(st, i).on(pin.Pool); len(os) > 0 {
			n += os[0].order.copies * os[0].order.load.devices()
		}
	}
	return n
}

// compare a replica whose engines did not change with what its pools would give
// it now. If that is something else they changed under it: a drift, and it stays
// exactly as it is.
func (d *decision) compare(st *site, r Replica) {
	if len(r.Engines) != len(d.deployment.Engines) {
		d.drift(r, NoMatchingDevice, "its engines are not the deployment's")
		return
	}
	for i, e := range d.deployment.Engines {
		pin, ok := r.on(e.Name)
		if !ok {
			d.drift(r, NoMatchingDevice, fmt.Sprintf("it has no engine %q", e.Name))
			return
		}
		os := d.match(st, i).on(pin.Pool)
		if len(os) == 0 {
			why := d.match(st, i).why(pin.Pool)
			d.drift(r, why.Reason, fmt.Sprintf("engine %q on pool %q: %s", e.Name, pin.Pool, why.Detail))
			return
		}
		if !slices.ContainsFunc(os, func(o option) bool { return o.order == st.had(pin) }) {
			d.drift(r, NotEnoughDevices, fmt.Sprintf("engine %q on pool %q would take other devices today", e.Name, pin.Pool))
			return
		}
	}
}

// had is what an engine is charged for on its pool, which is there.
func (st *site) had(e PlacedEngine) order {
	return order{load: st.stocks[st.at(e.Pool)].node.load(e.Group.Pods), copies: max(1, e.Group.Copies)}
}

// renew resolves a replica that takes changed engines. It may keep what it has
// however full its pools are; one that needs more than is free goes. While
// something it depends on is not known it stays exactly as it is.
func (d *decision) renew(st *site, r Replica) {
	options, unknown := d.renewals(st, r)
	if unknown != "" {
		d.drift(r, PoolUnknown, fmt.Sprintf("not updated: the devices of pool %q are not published", unknown))
		d.keep(st, r, nil)
		return
	}

	st.credit(r.Engines)
	if chosen, _, ok := pack(options, 1, st, maxPackSteps); ok {
		st.take(chosen)
		engines := make([]EnginePlacement, 0, len(chosen))
		for _, o := range chosen {
			engines = append(engines, d.deployment.place(o))
		}
		d.keep(st, r, engines)
		return
	}

	reason, detail := d.misfit(st, options)
	if d.hold {
		st.charge(r.Engines)
		d.drift(r, reason, "not updated: "+detail)
		d.keep(st, r, nil)
		return
	}
	d.drop(r, DropNoLongerFit, detail)
	d.host(st, -1)
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
		if !st.pool(pin.Pool).Known {
			return nil, pin.Pool
		}
		for _, o := range m.on(pin.Pool) {
			had := st.had(pin)
			o.covered = had.copies >= o.order.copies && had.load.covers(o.order.load)
			out[i] = append(out[i], o)
		}
	}
	return out, ""
}

// misfit says why a replica's engines do not fit where it is, with what it has
// given back.
func (d *decision) misfit(st *site, options [][]option) (Reason, string) {
	for i, os := range options {
		e := d.deployment.Engines[i].Name
		if len(os) == 0 {
			return NoMatchingDevice, fmt.Sprintf("no pool for engine %q", e)
		}
		o := os[0]
		if room := st.stocks[st.at(o.pool)].room(o.order); len(os) == 1 && room < o.order.pods() {
			return NotEnoughRoom, fmt.Sprintf("engine %q has %d pods, and pool %q has room for %d", e, o.order.pods(), o.pool, room)
		}
	}
	return NotEnoughRoom, "its engines need more together than is free"
}
