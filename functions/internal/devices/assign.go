package devices

import (
	"cmp"
	"slices"
)

// A demand is a number of devices wanted from any of some kinds of a node.
type demand struct {
	request int
	count   int
	kinds   []int // Positions among the node's kinds, ascending.
}

// assign meets the requests in the way the package prefers, or not at all. It
// also returns what each request may be met by.
func (m *Matcher) assign(requests []Request, kinds []*kind) (Assignment, []demand) {
	counts := available(kinds)
	chosen, ok := choose(m.options(requests, kinds), counts)
	if !ok {
		return Assignment{}, nil
	}

	demands := slices.Clone(chosen)
	for i := range requests {
		demands = narrow(demands, i, kinds, counts)
	}
	return assignment(requests, demands, kinds, counts), chosen
}

// assignment of demands that fit.
func assignment(requests []Request, demands []demand, kinds []*kind, counts []int) Assignment {
	f := newFlow(demands, counts)
	for i, d := range demands {
		f.place(i, d.count)
	}
	takes := map[string]int{}
	for _, given := range f.given {
		for k, n := range given {
			if n > 0 {
				takes[kinds[k].Name] += n
			}
		}
	}
	return Assignment{OK: true, Claims: resolve(requests, demands, kinds), Takes: takes}
}

// available is how many of each kind a node can give.
func available(kinds []*kind) []int {
	out := make([]int, len(kinds))
	for i, k := range kinds {
		out[i] = k.available()
	}
	return out
}

// options are, for every request, the ways to meet it: by devices that can be
// claimed, or by Synthetic ones.
func (m *Matcher) options(requests []Request, kinds []*kind) [][]demand {
	out := make([][]demand, len(requests))
	for i, r := range requests {
		claimed := demand{request: i, count: r.wanted()}
		synthetic := claimed
		for j, k := range kinds {
			if k.available() == 0 || !m.satisfies(k, r) {
				continue
			}
			if k.claimable() {
				claimed.kinds = append(claimed.kinds, j)
				continue
			}
			synthetic.kinds = append(synthetic.kinds, j)
		}
		for _, d := range []demand{claimed, synthetic} {
			if len(d.kinds) > 0 {
				out[i] = append(out[i], d)
			}
		}
	}
	return out
}

// choose picks one way for every request such that all are met together,
// earlier ways first.
func choose(options [][]demand, counts []int) ([]demand, bool) {
	if slices.ContainsFunc(options, func(o []demand) bool { return len(o) == 0 }) {
		return nil, false
	}
	return chooseFrom(options, 0, make([]demand, 0, len(options)), counts)
}

func chooseFrom(options [][]demand, i int, chosen []demand, counts []int) ([]demand, bool) {
	if !fits(append(slices.Clone(chosen), relaxed(options[i:])...), counts) {
		return nil, false
	}
	if i == len(options) {
		return chosen, true
	}
	for _, d := range options[i] {
		if out, ok := chooseFrom(options, i+1, append(slices.Clone(chosen), d), counts); ok {
			return out, true
		}
	}
	return nil, false
}

// relaxed lets every request mix its ways. If that does not fit, nothing does.
func relaxed(options [][]demand) []demand {
	out := make([]demand, 0, len(options))
	for _, ways := range options {
		d := ways[0]
		for _, w := range ways[1:] {
			d.kinds = slices.Sorted(slices.Values(append(slices.Clone(d.kinds), w.kinds...)))
		}
		out = append(out, d)
	}
	return out
}

// narrow restricts a request that can be claimed to one DeviceClass if one can
// give it all, and otherwise divides it among as many as it takes. The demands
// fit before and after.
func narrow(demands []demand, request int, kinds []*kind, counts []int) []demand {
	at := slices.IndexFunc(demands, func(d demand) bool { return d.request == request })
	whole := demands[at]
	groups := byClass(whole.kinds, kinds)
	if len(groups) == 1 {
		return demands
	}

	for _, g := range groups {
		trial := slices.Clone(demands)
		trial[at].kinds = g
		if fits(trial, counts) {
			return trial
		}
	}

	others := slices.Delete(slices.Clone(demands), at, at+1)
	return append(others, divide(whole, groups, others, counts)...)
}

// divide gives the first DeviceClass as much as leaves the rest possible, then
// the next.
func divide(whole demand, groups [][]int, others []demand, counts []int) []demand {
	var parts []demand
	left := whole.count
	for i, g := range groups {
		rest := slices.Concat(groups[i+1:]...)
		for n := left; n >= 0; n-- {
			part := demand{request: whole.request, count: n, kinds: g}
			remainder := demand{request: whole.request, count: left - n, kinds: rest}
			if !fits(slices.Concat(others, parts, []demand{part, remainder}), counts) {
				continue
			}
			parts = append(parts, part)
			left -= n
			break
		}
	}
	return slices.DeleteFunc(parts, func(d demand) bool { return d.count == 0 })
}

// byClass groups kinds by what claims them, DeviceClasses by name. Synthetic
// kinds are one group.
func byClass(members []int, kinds []*kind) [][]int {
	groups := map[string][]int{}
	for _, i := range members {
		name := kinds[i].class()
		groups[name] = append(groups[name], i)
	}
	out := make([][]int, 0, len(groups))
	for _, name := range sortedKeys(groups) {
		out = append(out, groups[name])
	}
	return out
}

// class is the DeviceClass a claim for the kind names. Empty if none is made.
func (k *kind) class() string {
	if !k.claimable() {
		return ""
	}
	return k.DeviceClassName
}

// resolve turns demands into claims, in the order of the requests.
func resolve(requests []Request, demands []demand, kinds []*kind) []Claim {
	taken := map[string]bool{}
	for _, r := range requests {
		taken[r.Name] = true
	}
	slices.SortStableFunc(demands, func(a, b demand) int { return cmp.Compare(a.request, b.request) })

	var claims []Claim
	for i, r := range requests {
		var parts []Claim
		for _, d := range demands {
			if d.request != i || kinds[d.kinds[0]].class() == "" {
				continue
			}
			parts = append(parts, Claim{
				Name:            r.Name,
				DeviceClassName: kinds[d.kinds[0]].class(),
				Count:           d.count,
				Selectors:       slices.Clone(r.Selectors),
			})
		}
		if len(parts) > 1 {
			number(parts, taken)
		}
		claims = append(claims, parts...)
	}
	return claims
}
