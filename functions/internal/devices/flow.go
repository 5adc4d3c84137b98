package devices

// fits says whether all demands can be met from the counts at once. It is the
// maximum flow of a transport problem, by augmenting paths: exact, and quick for
// the sixteen requests and sixteen kinds there may be.
func fits(demands []demand, counts []int) bool {
	f := newFlow(demands, counts)
	for i, d := range demands {
		if f.place(i, d.count) < d.count {
			return false
		}
	}
	return true
}

// A flow is how many devices of each kind each demand has.
type flow struct {
	demands []demand
	free    []int   // By kind.
	given   [][]int // By demand, then kind.
}

func newFlow(demands []demand, counts []int) *flow {
	f := &flow{demands: demands, free: make([]int, len(counts)), given: make([][]int, len(demands))}
	copy(f.free, counts)
	for i := range demands {
		f.given[i] = make([]int, len(counts))
	}
	return f
}

// place gives a demand up to n more devices, moving what other demands have
// between kinds where that makes room, and returns how many it gave.
func (f *flow) place(demand, n int) int {
	placed := 0
	for placed < n {
		got := f.augment(demand, n-placed, make([]bool, len(f.free)))
		if got == 0 {
			return placed
		}
		placed += got
	}
	return placed
}

func (f *flow) augment(demand, n int, seen []bool) int {
	for _, k := range f.demands[demand].kinds {
		if seen[k] {
			continue
		}
		seen[k] = true
		got := f.vacate(k, n, seen)
		if got == 0 {
			continue
		}
		f.free[k] -= got
		f.given[demand][k] += got
		return got
	}
	return 0
}

// vacate makes up to n devices of a kind free and returns how many are.
func (f *flow) vacate(k, n int, seen []bool) int {
	if f.free[k] > 0 {
		return min(n, f.free[k])
	}
	for other := range f.demands {
		if f.given[other][k] == 0 {
			continue
		}
		got := f.augment(other, min(n, f.given[other][k]), seen)
		if got == 0 {
			continue
		}
		f.given[other][k] -= got
		f.free[k] += got
		return got
	}
	return 0
}
