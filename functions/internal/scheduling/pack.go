package scheduling

import (
	"cmp"
	"slices"
	"strconv"
)

// A packing puts engines on pools: branch and bound, exact unless it runs out
// of steps. There are at most eight engines and eight pools, and where room is
// not short the first descent is the answer.
type packing struct {
	seats []seat
	floor []weight // The least the seats from each on can weigh.
	free  []int    // Nodes, by pool.
	steps int      // Left before giving up. Negative means never.

	chosen []int // By seat, the option tried.
	best   []int // By seat, the best found. Nil if none is.
	weighs weight
	seen   map[string]weight // The least by which each state was reached.
}

// A seat is an engine of one of the replicas that are packed.
type seat struct {
	engine  int
	again   bool // The seat before is of the same engine.
	options []choice
}

// A choice is an option with its pool's position and its weight.
type choice struct {
	option
	at int
	weight
}

// A weight is what a placement strands: devices on the nodes it takes, and then
// nodes in the pools it uses.
type weight struct{ idle, left int }

func (w weight) plus(o weight) weight { return weight{w.idle + o.idle, w.left + o.left} }

func (w weight) compare(o weight) int {
	return cmp.Or(cmp.Compare(w.idle, o.idle), cmp.Compare(w.left, o.left))
}

// pack finds the lightest way to put so many replicas' engines on pools with
// room for all of them together, and returns the first replica's options, by
// engine. Between equal ways it takes the earlier pools. It gives up after so
// many steps; a negative limit never does.
func pack(options [][]option, replicas int, free map[string]int, limit int) ([]option, weight, bool) {
	p := newPacking(options, replicas, free, limit)
	if p == nil {
		return nil, weight{}, false
	}
	p.search(0, weight{})
	if p.best == nil {
		return nil, weight{}, false
	}

	out := make([]option, len(options))
	var sum weight
	for i, s := range p.seats {
		if !s.again {
			out[s.engine] = s.options[p.best[i]].option
			sum = sum.plus(s.options[p.best[i]].weight)
		}
	}
	return out, sum, true
}

// newPacking is nil if some engine has no option with room.
func newPacking(options [][]option, replicas int, free map[string]int, limit int) *packing {
	p := &packing{steps: limit, seen: map[string]weight{}}
	at := map[string]int{}
	for _, name := range sortedKeys(free) {
		at[name] = len(p.free)
		p.free = append(p.free, free[name])
	}
	for engine, os := range options {
		s := seat{engine: engine}
		for _, o := range os {
			if left := free[o.pool] - o.nodes; left >= 0 {
				s.options = append(s.options, choice{option: o, at: at[o.pool], weight: weight{o.idle, left}})
			}
		}
		if len(s.options) == 0 {
			return nil
		}
		slices.SortStableFunc(s.options, func(a, b choice) int {
			return cmp.Or(a.compare(b.weight), cmp.Compare(a.pool, b.pool))
		})
		for i := range replicas {
			s.again = i > 0
			p.seats = append(p.seats, s)
		}
	}
	p.order()
	return p
}

// order puts the engines with the fewest options first, and prepares the bound.
func (p *packing) order() {
	slices.SortStableFunc(p.seats, func(a, b seat) int {
		return cmp.Or(cmp.Compare(len(a.options), len(b.options)), cmp.Compare(a.engine, b.engine))
	})
	p.chosen = make([]int, len(p.seats))
	p.floor = make([]weight, len(p.seats)+1)
	for i, s := range slices.Backward(p.seats) {
		p.floor[i] = p.floor[i+1].plus(s.options[0].weight)
	}
}

func (p *packing) search(i int, sum weight) {
	if p.best != nil && sum.plus(p.floor[i]).compare(p.weighs) >= 0 {
		return
	}
	if i == len(p.seats) {
		p.best = slices.Clone(p.chosen)
		p.weighs = sum
		return
	}
	if p.steps == 0 || p.dominated(i, sum) {
		return
	}
	p.steps--

	first := 0
	if p.seats[i].again {
		first = p.chosen[i-1] // Replicas are alike: one order of them is enough.
	}
	for j := first; j < len(p.seats[i].options); j++ {
		o := p.seats[i].options[j]
		if !fits(o.nodes, p.free[o.at]) {
			continue
		}
		p.free[o.at] -= o.nodes
		p.chosen[i] = j
		p.search(i+1, sum.plus(o.weight))
		p.free[o.at] += o.nodes
	}
}

// dominated says whether the same seats were tried with the same room before,
// at no greater weight.
func (p *packing) dominated(i int, sum weight) bool {
	if len(p.seats) < 3 {
		return false
	}
	key := strconv.AppendInt(nil, int64(i), 10)
	if p.seats[i].again {
		key = strconv.AppendInt(append(key, '/'), int64(p.chosen[i-1]), 10)
	}
	for _, n := range p.free {
		key = strconv.AppendInt(append(key, ' '), int64(n), 10)
	}
	if before, ok := p.seen[string(key)]; ok && before.compare(sum) <= 0 {
		return true
	}
	p.seen[string(key)] = sum
	return false
}
