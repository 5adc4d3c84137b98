package scheduling

import (
	"fmt"

	"github.com/modelplane-go/modelplane/functions/internal/devices"
)

// A match is which pools of a cluster have the devices an engine needs, whether
// or not they have room.
type match struct {
	options []option        // By pool name.
	missed  []PoolRejection // The other pools, by name.
	unknown bool            // The devices of some pool are not published.
}

// An option is a pool an engine could run on.
type option struct {
	engine int
	pool   string
	nodes  int // What the engine would be charged for.
	claims [][]devices.Claim
	idle   int // Devices that would be left unclaimed on those nodes.

	// stranded says that a member would claim nothing here and could elsewhere
	// on the cluster. An engine that is there already may stay.
	stranded bool
}

// match of an engine with a cluster's pools, worked out once.
func (d *decision) match(st *site, engine int) *match {
	if st.matches[engine] == nil {
		st.matches[engine] = d.matchPools(st, engine)
	}
	return st.matches[engine]
}

func (d *decision) matchPools(st *site, engine int) *match {
	e := d.deployment.Engines[engine]
	can := d.claimants(st, e)
	m := &match{}
	for _, p := range st.Pools {
		o, missed := d.matchPool(p, e, can)
		if missed != nil {
			m.missed = append(m.missed, *missed)
			m.unknown = m.unknown || !p.Known
			continue
		}
		o.engine = engine
		m.options = append(m.options, *o)
	}
	return m
}

// claimants says, by member, whether any pool of the cluster has devices for it
// to claim.
func (d *decision) claimants(st *site, e Engine) []bool {
	out := make([]bool, len(e.Members))
	for i, m := range e.Members {
		for _, p := range st.Pools {
			out[i] = out[i] || p.Known && len(d.matcher.Assign(m.Requests, p.Devices).Claims) > 0
		}
	}
	return out
}

func (d *decision) matchPool(p Pool, e Engine, can []bool) (*option, *PoolRejection) {
	if !p.Known {
		return nil, &PoolRejection{Pool: p.Name, Reason: PoolUnknown, Detail: "its devices are not published"}
	}
	o := &option{pool: p.Name, claims: make([][]devices.Claim, len(e.Members))}
	for i, m := range e.Members {
		a := d.matcher.Assign(m.Requests, p.Devices)
		if !a.OK {
			return nil, d.missed(p, m)
		}
		if len(a.Claims) == 0 {
			o.stranded = o.stranded || can[i]
			continue
		}
		n := nodes(e, m)
		o.claims[i] = a.Claims
		o.nodes += n
		o.idle += n * a.Idle
	}
	if o.nodes == 0 {
		return nil, &PoolRejection{Pool: p.Name, Reason: NothingToClaim, Detail: "no member would claim a device"}
	}
	return o, nil
}

// missed explains why a pool has no devices for a member.
func (d *decision) missed(p Pool, m Member) *PoolRejection {
	miss := d.matcher.Explain(m.Requests, p.Devices)
	r := &PoolRejection{Pool: p.Name, Reason: NoMatchingDevice, Miss: &miss}
	if miss.TooFew {
		r.Reason = NotEnoughDevices
	}
	r.Detail = "no " + miss.Lack()
	if have := miss.Closest(); have != "" {
		r.Detail += " (has " + have + ")"
	}
	r.Detail = bounded(r.Detail, maxWhy)
	return r
}

// on is the option a pool is.
func (m *match) on(pool string) (option, bool) {
	for _, o := range m.options {
		if o.pool == pool {
			return o, true
		}
	}
	return option{}, false
}

// why says why a pool is no option.
func (m *match) why(pool string) PoolRejection {
	for _, r := range m.missed {
		if r.Pool == pool {
			return r
		}
	}
	return PoolRejection{Pool: pool, Reason: PoolUnknown, Detail: fmt.Sprintf("pool %q is not known", pool)}
}
