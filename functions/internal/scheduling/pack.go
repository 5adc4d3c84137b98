package scheduling

import (
	"cmp"
	"encoding/binary"
	"slices"
)

// maxPackSteps is how many steps are spent on finding any way to put engines on
// pools together.
const maxPackSteps = 100000

// A packing puts engines on pools: branch and bound over the ways each engine
// may run, exact unless it runs out of steps. There are at most eight engines
// and eight pools, and where room is not short the first descent is the answer.
type packing struct {
	seats  []seat
	floor  []weight // The least the seats from each on can weigh.
	stocks []*stock
	steps  int // Left before giving up.

	loads     []load
	added     [][]int // By pool, then load, the copies put there.
	uncovered []int   // By pool, the seats put there that are not covered.
	fit       map[string]bool

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

// A choice is an option with the positions of its pool and load, and its weight.
type choice struct {
	option

	at, load int
	weight   weight
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
// engine. What an option weighs is measured by itself. Between equal ways it
// takes the earlier options. It gives up after so many steps.
func pack(options [][]option, replicas int, st *site, steps int) ([]option, weight, bool) {
	p := newPacking(options, replicas, st, steps)
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

// newPacking is nil if there are no engines, or some engine has no option with
// room.
func newPacking(options [][]option, replicas int, st *site, steps int) *packing {
	p := &packing{
		stocks:    st.stocks,
		steps:     steps,
		uncovered: make([]int, len(st.stocks)),
		fit:       map[string]bool{},
		seen:      map[string]weight{},
	}
	for engine, os := range options {
		s := seat{engine: engine, options: p.choices(os, st)}
		if len(s.options) == 0 {
			return nil
		}
		for i := range replicas {
			s.again = i > 0
			p.seats = append(p.seats, s)
		}
	}
	if len(p.seats) == 0 {
		return nil
	}
	p.added = make([][]int, len(p.stocks))
	for i := range p.added {
		p.added[i] = make([]int, len(p.loads))
	}
	p.order()
	return p
}

// choices are the options whose pool has room for them, the lightest first.
func (p *packing) choices(options []option, st *site) []choice {
	out := make([]choice, 0, len(options))
	for _, o := range options {
		at := st.at(o.pool)
		w, ok := p.stocks[at].weigh(o.order)
		if !ok && !o.covered {
			continue
		}
		id := slices.Index(p.loads, o.order.load)
		if id < 0 {
			id = len(p.loads)
			p.loads = append(p.loads, o.order.load)
		}
		out = append(out, choice{option: o, at: at, load: id, weight: w})
	}
	slices.SortStableFunc(out, func(a, b choice) int {
		return cmp.Or(a.weight.compare(b.weight), cmp.Compare(a.pool, b.pool))
	})
	return out
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
		c := p.seats[i].options[j]
		p.put(c, 1)
		if p.fits(c.at) {
			p.chosen[i] = j
			p.search(i+1, sum.plus(c.weight))
		}
		p.put(c, -1)
	}
}

// put an option on its pool, or take it away.
func (p *packing) put(c choice, by int) {
	p.added[c.at][c.load] += by * c.order.copies
	if !c.covered {
		p.uncovered[c.at] += by
	}
}

// fits says whether what was put on a pool finds room there. What was there
// before may stay however full the pool is.
func (p *packing) fits(at int) bool {
	if p.uncovered[at] == 0 {
		return true
	}
	key := p.state(binary.AppendUvarint(nil, uint64(at)), at) //nolint:gosec // A position.
	ok, known := p.fit[string(key)]
	if known {
		return ok
	}
	var more []order
	for id, copies := range p.added[at] {
		if copies > 0 {
			more = append(more, order{p.loads[id], copies})
		}
	}
	ok = p.stocks[at].with(more).verdict == fits
	p.fit[string(key)] = ok
	return ok
}

// state appends what was put on a pool to a key.
func (p *packing) state(key []byte, at int) []byte {
	for _, copies := range p.added[at] {
		key = binary.AppendUvarint(key, uint64(copies)) //nolint:gosec // At least none.
	}
	return key
}

// dominated says whether the same seats were tried with the same room before,
// at no greater weight.
func (p *packing) dominated(i int, sum weight) bool {
	if len(p.seats) < 3 {
		return false
	}
	key := binary.AppendUvarint(nil, uint64(i)) //nolint:gosec // A position.
	if p.seats[i].again {
		key = binary.AppendUvarint(key, uint64(p.chosen[i-1])) //nolint:gosec // A position.
	}
	for at := range p.stocks {
		key = p.state(key, at)
	}
	if before, ok := p.seen[string(key)]; ok && before.compare(sum) <= 0 {
		return true
	}
	p.seen[string(key)] = sum
	return false
}
