package scheduling

import (
	"fmt"
	"slices"

	"github.com/modelplane-go/modelplane/functions/internal/devices"
)

// maxOptions bounds in how many ways an engine's members may meet their requests
// on a pool.
const maxOptions = 128

// A match is which pools of a cluster have the devices an engine needs, whether
// or not they have room.
type match struct {
	options []option        // By pool name.
	missed  []PoolRejection // The other pools, by name.
	unknown bool            // The devices of some pool are not published.
}

// An option is a way for an engine to run on a pool.
type option struct {
	engine  int
	pool    string
	members []MemberPlacement
	order   order // What the engine would be charged for.

	// stranded says that a member would claim nothing here and could elsewhere
	// on the cluster. An engine that is there already may stay.
	stranded bool

	// covered says that the engine has as much on the pool already.
	covered bool
}

// A fitting is an engine's ways on one type of node, or why there is none.
type fitting struct {
	ways   [][]devices.Assignment // By member.
	missed *PoolRejection         // Without a pool's name.
}

// A fittingKey is an engine and a node's devices.
type fittingKey struct {
	engine int
	node   *devices.Node
}

// match of an engine with a cluster's pools, worked out once.
func (d *decision) match(st *site, engine int) *match {
	if st.matches[engine] == nil {
		st.matches[engine] = d.matchPools(st, engine)
	}
	return st.matches[engine]
}

func (d *decision) matchPools(st *site, engine int) *match {
	can := d.claimants(st, engine)
	m := &match{}
	for i, p := range st.Pools {
		if !p.Known {
			m.unknown = true
			m.missed = append(m.missed, PoolRejection{Pool: p.Name, Reason: PoolUnknown, Detail: "its devices are not published"})
			continue
		}
		f := d.fitting(engine, st.nodes[i])
		if f.missed != nil {
			missed := *f.missed
			missed.Pool = p.Name
			m.missed = append(m.missed, missed)
			continue
		}
		m.options = append(m.options, d.options(engine, p, st.stocks[i], f, can)...)
	}
	return m
}

// claimants says, by member, whether any pool of the cluster has devices for it
// to claim.
func (d *decision) claimants(st *site, engine int) []bool {
	out := make([]bool, len(d.deployment.Engines[engine].Members))
	for i, p := range st.Pools {
		if !p.Known {
			continue
		}
		for j, claims := range d.fitting(engine, st.nodes[i]).claims() {
			out[j] = out[j] || claims
		}
	}
	return out
}

// fitting of an engine on a node, worked out once for all nodes like it.
func (d *decision) fitting(engine int, n *devices.Node) *fitting {
	key := fittingKey{engine, n}
	f, ok := d.fittings[key]
	if !ok {
		f = d.newFitting(d.deployment.Engines[engine], n)
		d.fittings[key] = f
	}
	return f
}

func (d *decision) newFitting(e Engine, n *devices.Node) *fitting {
	f := &fitting{ways: make([][]devices.Assignment, len(e.Members))}
	claims := false
	for i, m := range e.Members {
		f.ways[i] = d.matcher.Ways(m.Requests, n)
		if len(f.ways[i]) == 0 && f.missed == nil {
			f.missed = d.missed(m, n)
		}
		claims = claims || len(f.ways[i]) > 0 && len(f.ways[i][0].Claims) > 0
	}
	if f.missed == nil && !claims {
		f.missed = &PoolRejection{Reason: NothingToClaim, Detail: "no member would claim a device"}
	}
	return f
}

// claims says, by member, whether it would claim anything.
func (f *fitting) claims() []bool {
	out := make([]bool, len(f.ways))
	for i, ways := range f.ways {
		out[i] = len(ways) > 0 && len(ways[0].Claims) > 0
	}
	return out
}

// options are the ways of an engine on a pool, those first that the devices are
// preferred by.
func (d *decision) options(engine int, p Pool, s *stock, f *fitting, can []bool) []option {
	e := d.deployment.Engines[engine]
	first := option{engine: engine, pool: p.Name}
	for i, claims := range f.claims() {
		first.stranded = first.stranded || can[i] && !claims
	}

	out := []option{first}
	for _, ways := range f.ways {
		var next []option
		for _, o := range out {
			for _, w := range ways {
				if len(next) == maxOptions {
					break
				}
				more := o
				more.members = append(slices.Clone(o.members), s.member(p, w))
				next = append(next, more)
			}
		}
		out = next
	}
	for i := range out {
		out[i].order = order{load: s.node.load(e.claiming(out[i].members).Pods), copies: max(1, e.Copies)}
	}
	return out
}

// member is what each pod of a member is charged for on a pool.
func (s *stock) member(p Pool, a devices.Assignment) MemberPlacement {
	if len(a.Claims) == 0 {
		return MemberPlacement{}
	}
	if p.WholeNodes {
		return MemberPlacement{Claims: a.Claims}
	}
	left := s.node.has.minus(s.node.vector(a.Takes), 1)
	return MemberPlacement{Claims: a.Claims, Devices: a.Takes, SharesNode: s.node.idle(left) > 0}
}

// claiming is the group of an engine's pods that claim something.
func (e Engine) claiming(members []MemberPlacement) Group {
	g := Group{Copies: max(1, e.Copies)}
	for i, m := range members {
		if len(m.Claims) > 0 {
			g.Pods = append(g.Pods, Pod{Count: max(1, e.Members[i].Pods), Devices: m.Devices})
		}
	}
	return g
}

// missed explains why a node has no devices for a member.
func (d *decision) missed(m Member, n *devices.Node) *PoolRejection {
	miss := d.matcher.Explain(m.Requests, n)
	r := &PoolRejection{Reason: NoMatchingDevice, Miss: &miss}
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

// on are the options a pool is.
func (m *match) on(pool string) []option {
	var out []option
	for _, o := range m.options {
		if o.pool == pool {
			out = append(out, o)
		}
	}
	return out
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

// place makes a placement of an option.
func (d Deployment) place(o option) EnginePlacement {
	return EnginePlacement{Engine: d.Engines[o.engine].Name, Pool: o.pool, Members: o.members}
}
