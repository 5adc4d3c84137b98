package routing

import (
	"math"
)

// The Gateway API's bounds of a rule.
const (
	// MaxBackends is how many backends a rule may have.
	MaxBackends = 16

	// MaxWeight is the largest weight a backend may have.
	MaxWeight = 1_000_000
)

// A Group of endpoints shares a weight.
type Group struct {
	Weight    int32
	Endpoints int
}

// A Share is what each endpoint of a group gets.
type Share struct {
	// Routed is how many of the group's endpoints the rule has room for.
	Routed int

	// Weight of each of them.
	Weight int32
}

// Split the weights of groups over their endpoints, in the order of the groups.
//
// Endpoints of a group weigh exactly the same. Groups weigh to each other what
// they should, exactly, with one exception: where that takes a weight beyond
// MaxWeight all are scaled down and rounded, and none to nothing. The weight of a
// group without endpoints falls to the others in proportion.
//
// With a weight w and n endpoints in every group, the least common multiple of
// the ns makes every w/n a whole number, and the greatest common divisor of those
// makes them small: 3 over 2 endpoints and 1 over 1 is 3 3 2, and not 2 1 1.
func Split(groups []Group) []Share {
	out := make([]Share, len(groups))
	for i, n := range room(groups) {
		out[i].Routed = n
	}

	multiple := int64(1)
	for _, s := range out {
		if s.Routed > 0 {
			multiple = multiple / gcd(multiple, int64(s.Routed)) * int64(s.Routed)
		}
	}

	// At most MaxBackends numbers that add up to at most MaxBackends have a
	// least common multiple of 140 or less, so nothing here overflows.
	exact := make([]int64, len(groups))
	divisor, largest := int64(0), int64(0)
	for i, s := range out {
		if s.Routed > 0 {
			exact[i] = weight(groups[i]) * multiple / int64(s.Routed)
			divisor = gcd(divisor, exact[i])
			largest = max(largest, exact[i])
		}
	}
	for i, s := range out {
		if s.Routed > 0 {
			out[i].Weight = scale(exact[i]/divisor, largest/divisor)
		}
	}
	return out
}

// room says how many endpoints of each group a rule has room for. Every group
// gets one before any gets two; after that the next goes where an endpoint would
// otherwise bear the most.
func room(groups []Group) []int {
	out := make([]int, len(groups))
	for range MaxBackends {
		next := -1
		for i, g := range groups {
			if out[i] < g.Endpoints && (next < 0 || bears(groups, out, i, next)) {
				next = i
			}
		}
		if next < 0 {
			break
		}
		out[next]++
	}
	return out
}

// bears says whether an endpoint of group a bears more than one of group b.
func bears(groups []Group, routed []int, a, b int) bool {
	if routed[a] == 0 || routed[b] == 0 {
		return routed[a] == 0 && routed[b] > 0
	}
	return weight(groups[a])*int64(routed[b]) > weight(groups[b])*int64(routed[a])
}

// weight of a group. The API's least is 1.
func weight(g Group) int64 { return int64(max(1, g.Weight)) }

func scale(n, largest int64) int32 {
	if largest <= MaxWeight {
		return int32(n) //nolint:gosec // At most MaxWeight.
	}
	scaled := math.Round(float64(n) / float64(largest) * MaxWeight)
	return int32(max(1, scaled))
}

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
