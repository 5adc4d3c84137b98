package scheduling

import (
	"cmp"
	"maps"
	"slices"
)

// A Contender is a replica charged to a cluster's pools and what decides whether
// it must yield.
type Contender struct {
	Namespace, Deployment string
	Index                 int
	Priority              int
	Ready                 bool
	Created               int64 // When, on any clock all contenders share. Greater is younger.
	Engines               []PlacedEngine
}

// Yields returns the positions, ascending, of the contenders that must yield on
// a cluster with the pools: those of lower priority first, among equals those
// that are not Ready, then the younger, then the later name.
//
// A contender yields only if a pool it is on would be over-committed even if
// everyone who goes before it went. So a Ready replica never makes way for an
// equal that is not Ready. Whoever need not go once the others have stays, and
// nobody goes unless it is proved that the pods do not fit.
func Yields(pools []Pool, contenders []Contender) []int {
	stocks := map[string]*stock{}
	for _, p := range pools {
		stocks[p.Name] = newStock(newNodeType(p.Devices), p.Nodes)
	}
	for _, c := range contenders {
		for _, e := range c.Engines {
			if s, ok := stocks[e.Pool]; ok {
				s.chargeGroup(e.Group)
			}
		}
	}
	return newContest(stocks, contenders).yield()
}

// A contest is the pools of a cluster and those charged to them who may have to
// yield.
type contest struct {
	contenders []Contender
	stocks     map[string]*stock
	over       map[string]bool // Pools that are charged more than they have.
}

func newContest(stocks map[string]*stock, contenders []Contender) *contest {
	c := &contest{contenders: contenders, stocks: stocks, over: map[string]bool{}}
	for name, s := range stocks {
		if s.exceeded() {
			c.over[name] = true
		}
	}
	return c
}

// yield says who must, by position.
func (c *contest) yield() []int {
	var victims []int
	for _, i := range c.order() {
		if len(c.over) == 0 {
			break
		}
		if c.contested(i) {
			c.leave(i)
			victims = append(victims, i)
		}
	}

	for v, i := range slices.Backward(victims) {
		if c.enter(i) {
			victims = slices.Delete(victims, v, v+1)
		}
	}
	slices.Sort(victims)
	return victims
}

// exceeded says whether more is charged than there is room for, if that can be
// proved.
func (s *stock) exceeded() bool {
	return packNodes(s.node, s.nodes, s.orders(nil), yieldSteps).verdict == exceeds
}

// order of those who are charged for something, by who yields first.
func (c *contest) order() []int {
	var out []int
	for i := range c.contenders {
		if len(c.pools(i)) > 0 {
			out = append(out, i)
		}
	}
	slices.SortStableFunc(out, func(a, b int) int { return c.contenders[a].compareYield(c.contenders[b]) })
	return out
}

// pools a contender is charged to, sorted.
func (c *contest) pools(i int) []string {
	out := map[string]bool{}
	for _, e := range c.contenders[i].Engines {
		if s, ok := c.stocks[e.Pool]; ok && s.node.load(e.Group.Pods).pods() > 0 {
			out[e.Pool] = true
		}
	}
	return slices.Sorted(maps.Keys(out))
}

// contested says whether a contender is charged to a pool that is charged more
// than it has.
func (c *contest) contested(i int) bool {
	return slices.ContainsFunc(c.pools(i), func(p string) bool { return c.over[p] })
}

func (c *contest) charge(i, by int) {
	for _, e := range c.contenders[i].Engines {
		if s, ok := c.stocks[e.Pool]; ok {
			s.charge(s.node.load(e.Group.Pods), by*max(1, e.Group.Copies))
		}
	}
}

// leave takes a contender off its pools.
func (c *contest) leave(i int) {
	c.charge(i, -1)
	for _, p := range c.pools(i) {
		if c.over[p] && !c.stocks[p].exceeded() {
			delete(c.over, p)
		}
	}
}

// enter puts a contender back on its pools, unless that is too much for one.
func (c *contest) enter(i int) bool {
	c.charge(i, 1)
	for _, p := range c.pools(i) {
		if c.stocks[p].exceeded() {
			c.charge(i, -1)
			return false
		}
	}
	return true
}

// compareYield orders contenders by who yields first.
func (c Contender) compareYield(o Contender) int {
	return cmp.Or(
		cmp.Compare(c.Priority, o.Priority),
		before(!c.Ready, !o.Ready),
		cmp.Compare(o.Created, c.Created),
		cmp.Compare(o.Namespace, c.Namespace),
		cmp.Compare(o.Deployment, c.Deployment),
		cmp.Compare(o.Index, c.Index),
	)
}
