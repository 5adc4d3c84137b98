package scheduling

import (
	"bytes"
	"cmp"
	"slices"
)

// A shelf is the nodes of a pool of which as much is left.
type shelf struct {
	left  vector
	nodes int
}

// shelves are all nodes of a pool, those with the least left first. However many
// nodes there are, there are few shelves.
type shelves []shelf

func (s shelf) compare(o shelf) int {
	return cmp.Or(cmp.Compare(s.left.sum(), o.left.sum()), bytes.Compare(s.left[:], o.left[:]))
}

// add nodes of which so much is left.
func (s shelves) add(more shelf) shelves {
	if more.nodes == 0 {
		return s
	}
	i, found := slices.BinarySearchFunc(s, more, shelf.compare)
	if found {
		s[i].nodes += more.nodes
		return s
	}
	return slices.Insert(s, i, more)
}

// remove some nodes of a shelf.
func (s shelves) remove(i, nodes int) shelves {
	s[i].nodes -= nodes
	if s[i].nodes == 0 {
		return slices.Delete(s, i, i+1)
	}
	return s
}

// tightest is the shelf with the least left that has room for a pod, or -1.
func (s shelves) tightest(v vector) int {
	return slices.IndexFunc(s, func(sh shelf) bool { return v.in(sh.left) })
}

// put as many copies of a load as fit, each pod where the least is left, and
// return how many pods were put. A load of one pod may share nodes with itself.
func (s shelves) put(l load, copies int) (shelves, int) {
	if l.pods() == 1 {
		return s.putSingles(l[0].takes, copies)
	}
	put := 0
	for range copies {
		var n int
		if s, n = s.putGang(l); n < l.pods() {
			return s, put + n
		}
		put += n
	}
	return s, put
}

func (s shelves) putSingles(v vector, copies int) (shelves, int) {
	if v == (vector{}) {
		return s, copies
	}
	left := copies
	for left > 0 {
		i := s.tightest(v)
		if i < 0 {
			break
		}
		// A node that has taken one is the tightest for the next.
		sh := s[i]
		each := min(left, v.times(sh.left))
		nodes := min(left/each, sh.nodes)
		s = s.remove(i, nodes)
		s = s.add(shelf{left: sh.left.minus(v, each), nodes: nodes})
		left -= nodes * each
	}
	return s, copies - left
}

// putGang puts pods that take a node each.
func (s shelves) putGang(l load) (shelves, int) {
	var aside shelves
	put := 0
	for _, p := range l {
		for left := p.pods; left > 0; {
			i := s.tightest(p.takes)
			if i < 0 {
				return s.merge(aside), put
			}
			sh := s[i]
			nodes := min(left, sh.nodes)
			s = s.remove(i, nodes)
			aside = aside.add(shelf{left: sh.left.minus(p.takes, 1), nodes: nodes})
			left -= nodes
			put += nodes
		}
	}
	return s.merge(aside), put
}

func (s shelves) merge(aside shelves) shelves {
	for _, sh := range aside {
		s = s.add(sh)
	}
	return s
}
