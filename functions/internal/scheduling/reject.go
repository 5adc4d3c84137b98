package scheduling

import (
	"fmt"
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
		os := m.on(p.Name)
		if len(os) == 0 {
			out = append(out, m.why(p.Name))
			continue
		}
		for i, o := range os {
			r := d.full(st, o)
			if r == nil {
				return nil
			}
			if i == 0 {
				out = append(out, *r)
			}
		}
	}
	return out
}

// full says why a pool that has the devices does not take an engine. Nil if it
// does.
func (d *decision) full(st *site, o option) *PoolRejection {
	if o.stranded {
		return &PoolRejection{Pool: o.pool, Reason: NothingToClaim, Detail: "a member would claim nothing here and could elsewhere on the cluster"}
	}
	s := st.stocks[st.at(o.pool)]
	r := &PoolRejection{Pool: o.pool, Reason: NotEnoughRoom, Need: o.order.pods()}
	if st.closed[o.pool] {
		r.Detail = "it told a replica of the deployment to yield"
		return r
	}
	if _, ok := s.weigh(o.order); ok {
		return nil
	}
	r.Free = s.room(o.order)
	r.Short = s.short(o.order)
	r.Detail = fmt.Sprintf("room for %d of %s; %s would do", r.Free, count(r.Need, "pod"), count(r.Short, "more node"))
	return r
}

// together rejects a cluster on which every engine finds a pool, and all of them
// do not.
func (d *decision) together(st *site) *Rejection {
	wanted := map[string][]order{} // By pool.
	need := 0
	for i := range d.deployment.Engines {
		os := st.open(d.match(st, i).fresh())
		need += os[0].order.pods()
		for j, o := range os {
			if j == 0 || o.pool != os[j-1].pool {
				wanted[o.pool] = append(wanted[o.pool], o.order)
			}
		}
	}
	r := refuse(st.Name, NotEnoughRoom, fmt.Sprintf("not enough room (all engines together need %s)", count(need, "pod")), "")
	for _, pool := range sortedKeys(wanted) {
		r.Pools = append(r.Pools, st.stocks[st.at(pool)].crowded(pool, wanted[pool]))
	}
	return r
}

// crowded says how far a pool is from taking several orders.
func (s *stock) crowded(pool string, orders []order) PoolRejection {
	r := PoolRejection{Pool: pool, Reason: NotEnoughRoom, Short: max(0, s.taken(orders)-s.nodes)}
	sh := slices.Clone(s.now().shelves)
	for _, o := range orders {
		var put int
		sh, put = sh.put(o.load, o.copies)
		r.Need += o.pods()
		r.Free += put
	}
	r.Detail = fmt.Sprintf("room for %d of the %s of all engines it could take", r.Free, count(r.Need, "pod"))
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
	case NotEnoughRoom:
		return fmt.Sprintf("not enough room%s (need %s%s%s)", of, count(r.Need, "pod"), shape(e), apart(e, r.Need))
	case PoolUnknown:
		return "the devices of no pool are known yet" + of
	case NotSelected, NotReady, NoGatewayAddress, Tainted, Failing, SpreadViolated, PoolRemoved:
	}
	return string(r.Reason)
}

// apart says that the pods of a copy do not share nodes, if there are several
// among so many.
func apart(e Engine, pods int) string {
	if pods <= max(1, e.Copies) {
		return ""
	}
	if e.Copies > 1 {
		return ", those of a copy a node each"
	}
	return ", a node each"
}

// count of things, in words.
func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
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
