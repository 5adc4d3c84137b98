package scheduling

import (
	"encoding/binary"
	"slices"
)

// A verdict says whether pods find room on a pool's nodes together.
type verdict int

// Whether pods find room. Unsure is neither proved: it places nothing, and takes
// nothing away.
const (
	exceeds verdict = iota
	unsure
	fits
)

// How many steps are spent on pods that do not find room when put one after the
// other, the largest first, and are not too many by any bound: when something is
// to be placed, and when somebody may have to yield.
const (
	placeSteps = 500
	yieldSteps = 20000
)

// packNodes packs orders, the hardest to place first, onto so many like nodes.
func packNodes(n *nodeType, nodes int, orders []order, steps int) packed {
	sh, ok := shelves(nil).add(shelf{left: n.has, nodes: nodes}), true
	for _, o := range orders {
		var put int
		sh, put = sh.put(o.load, o.copies)
		if ok = put == o.pods(); !ok {
			break
		}
	}
	if ok {
		return packed{verdict: fits, shelves: sh}
	}
	if tooMany(n, nodes, orders) {
		return packed{verdict: exceeds}
	}
	return searchNodes(n, nodes, orders, steps)
}

// tooMany says whether the orders are provably more than the nodes have: more
// pods in a group than there are nodes, or too many devices of one kind.
func tooMany(n *nodeType, nodes int, orders []order) bool {
	for _, o := range orders {
		if o.load.pods() > nodes {
			return true
		}
	}
	for kind := range n.kinds {
		if nodesAtLeast(int(n.has[kind]), kind, orders) > nodes {
			return true
		}
	}
	return false
}

// nodesAtLeast is a lower bound on the nodes that pods need for their devices of
// one kind: L2 of Martello and Toth, "Lower bounds and reduction procedures for
// the bin packing problem" (1990), and how many there are of those of which only
// so many fit on a node.
func nodesAtLeast(has, kind int, orders []order) int {
	if has == 0 {
		return 0
	}
	pods := make([]int, has+1) // By how many devices they take.
	for _, o := range orders {
		for _, p := range o.load {
			pods[p.takes[kind]] += p.pods * o.copies
		}
	}

	best := 0
	for small := 1; small <= has/2+1; small++ {
		best = max(best, nodesWithout(has, small, pods))
	}
	count := 0
	for size := has; size >= 1; size-- {
		count += pods[size]
		each := has / size // As many as of this size, or fewer, are on a node.
		best = max(best, (count+each-1)/each)
	}
	return best
}

// nodesWithout bounds the nodes that pods need, but for those that take less
// than a small number of devices. Pods with more than half of a node take one
// each; the others may go beside them if they are small enough.
func nodesWithout(has, small int, pods []int) int {
	large, beside, others := 0, 0, 0
	for size := small; size <= has; size++ {
		switch {
		case 2*size <= has:
			others += pods[size] * size
		case size <= has-small:
			large += pods[size]
			beside += pods[size] * (has - size)
		default:
			large += pods[size]
		}
	}
	return large + max(0, (others-beside+has-1)/has)
}

// A nodeSearch tries every way to put groups of pods onto nodes.
type nodeSearch struct {
	groups []load
	steps  int
	failed map[string]bool // States from which there is no way.
	found  shelves
}

// searchNodes is exact, unless it runs out of steps.
func searchNodes(n *nodeType, nodes int, orders []order, steps int) packed {
	s := &nodeSearch{steps: steps, failed: map[string]bool{}}
	for _, o := range orders {
		if len(s.groups)+o.copies > steps {
			return packed{verdict: unsure}
		}
		for range o.copies {
			s.groups = append(s.groups, o.load)
		}
	}
	v := s.group(0, shelves(nil).add(shelf{left: n.has, nodes: nodes}))
	return packed{verdict: v, shelves: s.found}
}

// group puts the groups from one on.
func (s *nodeSearch) group(i int, sh shelves) verdict {
	if i == len(s.groups) {
		s.found = sh
		return fits
	}
	key := sh.key(i)
	if s.failed[key] {
		return exceeds
	}
	v := s.pods(i, 0, s.groups[i][0].pods, 0, sh, nil)
	if v == exceeds {
		s.failed[key] = true
	}
	return v
}

// pods puts what is left of a group's pods: so many of the member at a position,
// on shelves from one on, since like pods may be put in order.
func (s *nodeSearch) pods(group, member, left, from int, sh, aside shelves) verdict {
	if left == 0 {
		if member++; member == maxClaiming || s.groups[group][member].pods == 0 {
			return s.group(group+1, merged(sh, aside))
		}
		left, from = s.groups[group][member].pods, 0
	}
	if s.steps == 0 {
		return unsure
	}
	s.steps--

	worst := exceeds
	takes := s.groups[group][member].takes
	for i := from; i < len(sh); i++ {
		if sh[i].nodes == 0 || !takes.in(sh[i].left) {
			continue
		}
		sh[i].nodes--
		next := append(slices.Clone(aside), shelf{left: sh[i].left.minus(takes, 1), nodes: 1})
		v := s.pods(group, member, left-1, i, sh, next)
		sh[i].nodes++
		if v == fits {
			return fits
		}
		worst = max(worst, v)
	}
	return worst
}

// merged are shelves and others, none of them empty, on their own.
func merged(sh, aside shelves) shelves {
	out := make(shelves, 0, len(sh)+len(aside))
	for _, s := range sh {
		if s.nodes > 0 {
			out = append(out, s)
		}
	}
	return out.merge(aside)
}

// key is equal for equal shelves and numbers.
func (s shelves) key(n int) string {
	out := make([]byte, 0, (len(s)+1)*(maxKinds+2))
	out = binary.AppendUvarint(out, uint64(n)) //nolint:gosec // A position.
	for _, sh := range s {
		out = append(out, sh.left[:]...)
		out = binary.AppendUvarint(out, uint64(sh.nodes)) //nolint:gosec // A number of nodes.
	}
	return string(out)
}
