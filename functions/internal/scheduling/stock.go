package scheduling

import (
	"maps"
	"slices"
)

// An order is a number of copies of a load.
type order struct {
	load   load
	copies int
}

// pods of all copies.
func (o order) pods() int { return o.copies * o.load.pods() }

// A stock is a pool's nodes and what is charged to them. It is the one place
// that knows what is free.
type stock struct {
	node  *nodeType
	nodes int
	loads map[load]int // Copies.

	packed  *packed           // As it is. Nil if it has changed.
	weighed map[order]weighed // By what was weighed since.
}

// A weighed order is what it would strand, and whether there is room for it.
type weighed struct {
	weight weight
	ok     bool
}

// A packed is whether a pool's pods find room on its nodes together, and what is
// left if they do.
type packed struct {
	verdict verdict
	shelves shelves
}

func newStock(n *nodeType, nodes int) *stock {
	return &stock{node: n, nodes: max(0, nodes), loads: map[load]int{}}
}

// charge copies of a load. A negative number gives back.
func (s *stock) charge(l load, copies int) {
	if copies == 0 || l.pods() == 0 {
		return
	}
	s.loads[l] += copies
	if s.loads[l] == 0 {
		delete(s.loads, l)
	}
	s.packed, s.weighed = nil, nil
}

func (s *stock) chargeGroup(g Group) { s.charge(s.node.load(g.Pods), max(1, g.Copies)) }

func (s *stock) creditGroup(g Group) { s.charge(s.node.load(g.Pods), -max(1, g.Copies)) }

// now is the pool as it is charged.
func (s *stock) now() packed {
	if s.packed == nil {
		p := packNodes(s.node, s.nodes, s.orders(nil), placeSteps)
		s.packed = &p
	}
	return *s.packed
}

// with is the pool as it would be with more orders. Where they find room beside
// what is there, that stays as it is.
func (s *stock) with(more []order) packed {
	now := s.now()
	if now.verdict != fits {
		return now
	}
	slices.SortFunc(more, s.compareOrders)
	sh, ok := slices.Clone(now.shelves), true
	for _, o := range more {
		var put int
		sh, put = sh.put(o.load, o.copies)
		ok = ok && put == o.pods()
	}
	if ok {
		return packed{verdict: fits, shelves: sh}
	}
	return packNodes(s.node, s.nodes, s.orders(more), placeSteps)
}

// orders of the stock and more, the hardest to place first.
func (s *stock) orders(more []order) []order {
	out := make([]order, 0, len(s.loads)+len(more))
	for l, copies := range s.loads {
		out = append(out, order{l, copies})
	}
	slices.SortFunc(out, s.compareOrders)
	for _, o := range more {
		i, found := slices.BinarySearchFunc(out, o, s.compareOrders)
		if found {
			out[i].copies += o.copies
			continue
		}
		out = slices.Insert(out, i, o)
	}
	return out
}

func (s *stock) compareOrders(a, b order) int { return s.node.compareLoads(a.load, b.load) }

func (s *stock) clone() *stock {
	return &stock{node: s.node, nodes: s.nodes, loads: maps.Clone(s.loads)}
}

// weigh what an order would strand. It returns false if the pool has no room.
func (s *stock) weigh(o order) (weight, bool) {
	w, ok := s.weighed[o]
	if !ok {
		w = s.newWeighed(o)
		if s.weighed == nil {
			s.weighed = map[order]weighed{}
		}
		s.weighed[o] = w
	}
	return w.weight, w.ok
}

func (s *stock) newWeighed(o order) weighed {
	before, after := s.now(), s.with([]order{o})
	if before.verdict != fits || after.verdict != fits {
		return weighed{}
	}
	return weighed{ok: true, weight: weight{
		idle: after.idle(s.node) - before.idle(s.node),
		left: after.free(s.node),
	}}
}

// idle counts the devices left on nodes that pods are on.
func (p packed) idle(n *nodeType) int {
	sum := 0
	for _, sh := range p.shelves {
		if sh.left != n.has {
			sum += sh.nodes * n.idle(sh.left)
		}
	}
	return sum
}

// free counts the nodes that no pod is on.
func (p packed) free(n *nodeType) int {
	sum := 0
	for _, sh := range p.shelves {
		if sh.left == n.has {
			sum += sh.nodes
		}
	}
	return sum
}

// room is how many pods of an order find room.
func (s *stock) room(o order) int {
	now := s.now()
	if now.verdict != fits {
		return 0
	}
	_, put := slices.Clone(now.shelves).put(o.load, o.copies)
	return put
}

// taken is how many nodes the orders take when packed one after the other, be
// there as many or not.
func (s *stock) taken(more []order) int {
	orders := s.orders(more)
	enough := 0
	for _, o := range orders {
		enough += o.pods()
	}
	sh := shelves{{left: s.node.has, nodes: enough}}
	for _, o := range orders {
		sh, _ = sh.put(o.load, o.copies)
	}
	return enough - packed{shelves: sh}.free(s.node)
}

// short is how many nodes more than it has the pool would need for an order.
func (s *stock) short(o order) int {
	return max(1, s.taken([]order{o})-s.nodes)
}

// NodesTaken is how many of a pool's nodes its charges take, some only in part.
// It is more than there are where no way was found for the charges to share
// them.
func NodesTaken(p Pool) int {
	s := newStock(newNodeType(p.Devices), p.Nodes)
	for _, c := range p.Charges {
		for _, g := range c.Groups {
			s.chargeGroup(g)
		}
	}
	if now := s.now(); now.verdict == fits {
		return s.nodes - now.free(s.node)
	}
	return max(s.taken(nil), s.nodes+1)
}
