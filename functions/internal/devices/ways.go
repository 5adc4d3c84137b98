package devices

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Bounds on how many ways of meeting a pod's requests are listed, and on how
// many distributions of devices are looked at for them.
const (
	maxWays      = 128
	maxWaysTried = 20000
)

// A waySearch lists ways to give devices of some kinds to demands, each of which
// may be met by several.
type waySearch struct {
	requests []Request
	demands  []demand
	kinds    []*kind
	free     []int
	given    [][]int // By demand, then kind.
	tried    int
	seen     map[string]bool
	out      []Assignment
}

// ways lists the first and then all others, with more of earlier DeviceClasses
// and kinds first.
func ways(requests []Request, demands []demand, kinds []*kind, first Assignment) []Assignment {
	if !slices.ContainsFunc(demands, func(d demand) bool { return len(d.kinds) > 1 }) {
		return []Assignment{first}
	}
	s := &waySearch{
		requests: requests,
		demands:  demands,
		kinds:    kinds,
		free:     available(kinds),
		given:    make([][]int, len(demands)),
		seen:     map[string]bool{first.key(): true},
		out:      []Assignment{first},
	}
	for i := range demands {
		s.given[i] = make([]int, len(kinds))
	}
	s.give(0, 0, demands[0].count)
	return s.out
}

// give the rest of a demand from its kinds, from one on, and then the demands
// after it.
func (s *waySearch) give(i, from, rest int) {
	s.tried++
	if s.tried > maxWaysTried || len(s.out) >= maxWays {
		return
	}
	if rest == 0 {
		s.next(i + 1)
		return
	}
	if from == len(s.demands[i].kinds) {
		return
	}
	k := s.demands[i].kinds[from]
	for n := min(rest, s.free[k]); n >= 0; n-- {
		s.free[k] -= n
		s.given[i][k] += n
		s.give(i, from+1, rest-n)
		s.free[k] += n
		s.given[i][k] -= n
	}
}

func (s *waySearch) next(i int) {
	if i < len(s.demands) {
		s.give(i, 0, s.demands[i].count)
		return
	}
	a := s.assignment()
	if key := a.key(); !s.seen[key] {
		s.seen[key] = true
		s.out = append(s.out, a)
	}
}

// assignment that is given out now.
func (s *waySearch) assignment() Assignment {
	var parts []demand
	takes := map[string]int{}
	for i, d := range s.demands {
		for _, group := range byClass(d.kinds, s.kinds) {
			part := demand{request: d.request, kinds: group}
			for _, k := range group {
				part.count += s.given[i][k]
				if s.given[i][k] > 0 {
					takes[s.kinds[k].Name] += s.given[i][k]
				}
			}
			if part.count > 0 {
				parts = append(parts, part)
			}
		}
	}
	return Assignment{OK: true, Claims: resolve(s.requests, parts, s.kinds), Takes: takes}
}

// key is equal for assignments that claim and take the same.
func (a Assignment) key() string {
	var b strings.Builder
	for _, c := range a.Claims {
		write(&b, c.Name, c.DeviceClassName, strconv.Itoa(c.Count))
	}
	b.WriteByte('|')
	for _, name := range slices.Sorted(maps.Keys(a.Takes)) {
		write(&b, name, strconv.Itoa(a.Takes[name]))
	}
	return b.String()
}
