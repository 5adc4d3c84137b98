package scheduling

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/modelplane-go/modelplane/functions/internal/devices"
)

// reject says why each cluster cannot host another replica, by cluster.
func (d *decision) reject() []Rejection {
	out := make([]Rejection, 0, len(d.sites))
	for _, st := range d.sites {
		out = append(out, *d.rejection(st))
	}
	return out
}

func (d *decision) rejection(st *site) *Rejection {
	if st.refused != nil {
		return st.refused
	}
	if r := d.violated(st); r != nil {
		return r
	}
	if len(st.Pools) == 0 {
		return refuse(st.Name, NoMatchingDevice, "without node pools", "")
	}
	for i := range d.deployment.Engines {
		if r := d.engineRejection(st, i); r != nil {
			return r
		}
	}
	return d.together(st)
}

// engineRejection is why no pool takes an engine, by the pool that comes
// closest. Nil if one does.
func (d *decision) engineRejection(st *site, engine int) *Rejection {
	pools := d.poolRejections(st, engine)
	if pools == nil {
		return nil
	}
	nearest := nearest(pools)
	why := bounded(d.why(engine, nearest), maxWhy)
	return &Rejection{
		Cluster: st.Name,
		Reason:  nearest.Reason,
		Engine:  d.deployment.Engines[engine].Name,
		Why:     why,
		Detail:  annotate(why, nearest.note(nearest.Pool)),
		Pools:   pools,
	}
}

// poolRejections says why each pool does not take an engine, by pool. Nil if one
// does.
func (d *decision) poolRejections(st *site, engine int) []PoolRejection {
	m := d.match(st, engine)
	out := make([]PoolRejection, 0, len(st.Pools))
	for _, p := range st.Pools {
		o, ok := m.on(p.Name)
		if !ok {
			out = append(out, m.why(p.Name))
			continue
		}
		r := d.full(st, o)
		if r == nil {
			return nil
		}
		out = append(out, *r)
	}
	return out
}

// full says why a pool that has the devices does not take an engine. Nil if it
// does.
func (d *decision) full(st *site, o option) *PoolRejection {
	if o.stranded {
		return &PoolRejection{Pool: o.pool, Reason: NothingToClaim, Detail: "a member would claim nothing here and could elsewhere on the cluster"}
	}
	free := max(0, d.ledger[spot{st.Name, o.pool}])
	r := &PoolRejection{Pool: o.pool, Reason: NotEnoughNodes, Need: o.nodes, Free: free}
	if st.closed[o.pool] {
		r.Free = 0
		r.Detail = "it told a replica of the deployment to yield"
		return r
	}
	if fits(o.nodes, free) {
		return nil
	}
	r.Detail = fmt.Sprintf("needs %d free nodes, has %d", o.nodes, free)
	return r
}

// together rejects a cluster on which every engine finds a pool, and all of them
// do not.
func (d *decision) together(st *site) *Rejection {
	used := map[string]int{}
	need := 0
	for i := range d.deployment.Engines {
		least := 0
		for _, o := range st.open(d.match(st, i).fresh()) {
			used[o.pool] = max(0, d.ledger[spot{st.Name, o.pool}])
			if least == 0 || o.nodes < least {
				least = o.nodes
			}
		}
		need += least
	}
	free := 0
	for _, pool := range slices.Sorted(maps.Keys(used)) {
		free += used[pool]
	}
	why := fmt.Sprintf("not enough nodes (all engines together need %d)", need)
	r := refuse(st.Name, NotEnoughNodes, why, fmt.Sprintf("%d free", free))
	r.Pools = make([]PoolRejection, 0, len(used))
	for _, pool := range slices.Sorted(maps.Keys(used)) {
		r.Pools = append(r.Pools, PoolRejection{
			Pool:   pool,
			Reason: NotEnoughNodes,
			Detail: fmt.Sprintf("%d free nodes, not enough for all engines together", used[pool]),
			Need:   need,
			Free:   used[pool],
		})
	}
	return r
}

// why a cluster takes no engine, for people, without the cluster's numbers.
func (d *decision) why(engine int, r PoolRejection) string {
	e := d.deployment.Engines[engine]
	of := ""
	if len(d.deployment.Engines) > 1 {
		of = fmt.Sprintf(" for engine %q", e.Name)
	}
	switch r.Reason {
	case NoMatchingDevice, NotEnoughDevices:
		return "no pool has " + r.Miss.Lack() + of
	case NothingToClaim:
		return "no pool has devices to claim" + of
	case NotEnoughNodes:
		return fmt.Sprintf("not enough nodes%s (need %d free nodes%s)", of, r.Need, shape(e))
	case PoolUnknown:
		return "the devices of no pool are known yet" + of
	case NotSelected, NotReady, NoGatewayAddress, Tainted, SpreadViolated:
	}
	return string(r.Reason)
}

// shape is what an engine asks of a node: of 8 gpu.
func shape(e Engine) string {
	var out []string
	for _, m := range e.Members {
		if s := asks(m.Requests); s != "" && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	if len(out) == 0 {
		return ""
	}
	return " of " + strings.Join(out, " and ")
}

func asks(requests []devices.Request) string {
	out := make([]string, 0, len(requests))
	for _, r := range requests {
		out = append(out, strconv.Itoa(max(1, r.Count))+" "+r.Name)
	}
	return strings.Join(out, ", ")
}
