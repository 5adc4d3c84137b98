package scheduling

import (
	"cmp"
	"slices"
)

// A Contender is a charge on a pool and what decides whether it must yield.
type Contender struct {
	Charge

	Ready   bool
	Created int64 // When, on any clock all contenders share. Greater is younger.
}

// Yields returns the positions, ascending, of the contenders that must yield on
// a pool of so many nodes: those of lower priority first, among equals those
// that are not Ready, then the younger, then the later name.
//
// A contender yields only if the pool would be over-committed even if everyone
// who goes before it went. So a Ready replica never makes way for an equal that
// is not Ready. Whoever need not go once the others have stays.
func Yields(nodes int, contenders []Contender) []int {
	excess := -max(0, nodes)
	order := make([]int, 0, len(contenders))
	for i, c := range contenders {
		excess += c.Nodes
		if c.Nodes > 0 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return contenders[a].compareYield(contenders[b]) })

	var victims []int
	for _, i := range order {
		if excess <= 0 {
			break
		}
		victims = append(victims, i)
		excess -= contenders[i].Nodes
	}

	for v, i := range slices.Backward(victims) {
		n := contenders[i].Nodes
		if excess+n > 0 {
			continue
		}
		excess += n
		victims = slices.Delete(victims, v, v+1)
	}
	slices.Sort(victims)
	return victims
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
