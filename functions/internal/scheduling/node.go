package scheduling

import (
	"bytes"
	"cmp"
	"math"
	"slices"

	"github.com/modelplane-go/modelplane/functions/internal/devices"
)

const (
	// maxKinds of device a node has, as an InferenceClass bounds them.
	maxKinds = 16

	// maxClaiming members an engine has: one Standalone, or a Leader and a
	// Worker.
	maxClaiming = 2
)

// A vector is a number of each kind of device of a node, in the order of the
// node's kinds. An InferenceClass bounds a number to 64.
type vector [maxKinds]uint8

// in says whether a node with so much left has room for the vector.
func (v vector) in(left vector) bool {
	for i := range v {
		if v[i] > left[i] {
			return false
		}
	}
	return true
}

// minus n times another vector, of which there are as many.
func (v vector) minus(o vector, n int) vector {
	for i := range v {
		v[i] -= uint8(int(o[i]) * n) //nolint:gosec // o fits into v n times.
	}
	return v
}

// times is how many times the vector fits into what is left of a node.
func (v vector) times(left vector) int {
	n := math.MaxInt
	for i := range v {
		if v[i] > 0 {
			n = min(n, int(left[i]/v[i]))
		}
	}
	return n
}

func (v vector) sum() int {
	n := 0
	for _, x := range v {
		n += int(x)
	}
	return n
}

// A nodeType is what each node of a pool has.
type nodeType struct {
	kinds     int
	names     []namedKind // By name. Several, if a class lists like devices one by one.
	has       vector
	claimable [maxKinds]bool
}

// A namedKind is what an InferenceClass calls a kind of device, and its position.
type namedKind struct {
	name string
	kind int
}

// newNodeType of a pool's devices. Kinds and numbers beyond the bounds of an
// InferenceClass are not counted.
func newNodeType(ds []devices.Device) *nodeType {
	merged := devices.Merge(ds)
	n := &nodeType{kinds: min(len(merged), maxKinds)}
	for i, d := range merged[:n.kinds] {
		n.has[i] = uint8(min(max(0, d.Count), math.MaxUint8)) //nolint:gosec // Just bounded.
		n.claimable[i] = !d.Synthetic
		n.names = append(n.names, namedKind{d.Name, i})
	}
	if len(merged) < len(ds) {
		n.names = n.names[:0]
		for _, d := range ds {
			if i := slices.IndexFunc(merged[:n.kinds], func(m devices.Device) bool { return devices.Alike(m, d) }); i >= 0 {
				n.names = append(n.names, namedKind{d.Name, i})
			}
		}
	}
	return n
}

// vector of what a pod takes of a node. A pod that does not say, or that takes
// what a node is not known to have, takes all of it.
func (n *nodeType) vector(takes map[string]int) vector {
	var counts [maxKinds]int
	found := 0
	for _, named := range n.names {
		if count, ok := takes[named.name]; ok {
			found++
			counts[named.kind] += max(0, count)
		}
	}
	if found == 0 || found < len(takes) {
		return n.has
	}
	var v vector
	for i, count := range counts {
		if count > int(n.has[i]) {
			return n.has
		}
		v[i] = uint8(count) //nolint:gosec // Just bounded.
	}
	return v
}

// idle counts the devices a claim could have of what is left of a node.
func (n *nodeType) idle(left vector) int {
	sum := 0
	for i := range n.kinds {
		if n.claimable[i] {
			sum += int(left[i])
		}
	}
	return sum
}

// A load is the pods of a group that take something, the largest first and like
// ones together. No two of them share a node.
type load [maxClaiming]podLoad

// A podLoad is a number of like pods. None if the number is zero.
type podLoad struct {
	pods  int
	takes vector
}

// load of a group's pods on a node of the type.
func (n *nodeType) load(pods []Pod) load {
	var l load
	used := 0
	for _, p := range pods {
		v := n.vector(p.Devices)
		i := 0
		for i < used && l[i].takes != v {
			i++
		}
		if i == used && used < maxClaiming {
			used++
			l[i].takes = v
		}
		l[min(i, maxClaiming-1)].pods += max(1, p.Count)
	}
	if l[1].pods > 0 && n.compareVectors(l[0].takes, l[1].takes) > 0 {
		l[0], l[1] = l[1], l[0]
	}
	return l
}

// pods of one copy.
func (l load) pods() int {
	n := 0
	for _, p := range l {
		n += p.pods
	}
	return n
}

// devices of one copy, of all kinds together.
func (l load) devices() int {
	n := 0
	for _, p := range l {
		n += p.pods * p.takes.sum()
	}
	return n
}

// covers says whether each pod of another load could have the place of one of
// this load: whether any of its pods, and all together, have enough to choose
// from (Hall's theorem).
func (l load) covers(o load) bool {
	for _, some := range [...][maxClaiming]bool{{true, false}, {false, true}, {true, true}} {
		if o.some(some) > l.placesFor(o, some) {
			return false
		}
	}
	return true
}

// some of a load's pods, by position.
func (l load) some(which [maxClaiming]bool) int {
	n := 0
	for i, p := range l {
		if which[i] {
			n += p.pods
		}
	}
	return n
}

// placesFor counts the pods whose place some of another load's could have.
func (l load) placesFor(o load, which [maxClaiming]bool) int {
	n := 0
	for _, place := range l {
		for i, p := range o {
			if which[i] && p.pods > 0 && p.takes.in(place.takes) {
				n += place.pods
				break
			}
		}
	}
	return n
}

// compareVectors orders what pods take, the largest first: of which the fewest
// fit on a node, then by devices.
func (n *nodeType) compareVectors(a, b vector) int {
	return cmp.Or(
		cmp.Compare(a.times(n.has), b.times(n.has)),
		cmp.Compare(b.sum(), a.sum()),
		bytes.Compare(b[:], a[:]),
	)
}

// compareLoads orders loads, the hardest to place first.
func (n *nodeType) compareLoads(a, b load) int {
	return cmp.Or(
		n.compareVectors(a[0].takes, b[0].takes),
		cmp.Compare(b.pods(), a.pods()),
		n.compareVectors(a[1].takes, b[1].takes),
		cmp.Compare(b[0].pods, a[0].pods),
	)
}
