package scheduling

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// thrown dice are bytes, one for each throw. When there are no more, they are
// zero: the least there can be of everything.
type thrown struct{ bytes []byte }

func (t *thrown) IntN(n int) int {
	if len(t.bytes) == 0 {
		return 0
	}
	b := t.bytes[0]
	t.bytes = t.bytes[1:]
	return int(b) % n
}

// FuzzSchedule makes a small fleet of bytes. The corpus has one of each kind of
// decision there is.
func FuzzSchedule(f *testing.F) {
	checks := slices.Concat(cheap, []property{{"WithinCapacity", withinCapacity}, {"Settled", settled}})
	f.Fuzz(func(t *testing.T, data []byte) {
		w := randomWorld(&thrown{data})
		r := Schedule(w.s)
		for _, p := range checks {
			if err := p.holds(w.s, r); err != nil {
				t.Errorf("%s: %v\n%+v\n%+v", p.name, err, w.s, r)
			}
		}
		if diff := cmp.Diff(r, Schedule(shuffle(seeded(uint64(len(data))), w.s))); diff != "" {
			t.Errorf("shuffled: -want, +got:\n%s", diff)
		}
	})
}

// FuzzYields makes a small cluster that may be too full of bytes.
func FuzzYields(f *testing.F) {
	f.Fuzz(func(t *testing.T, data []byte) {
		ps, cs := randomContest(&thrown{data})
		victims := Yields(ps, cs)
		if err := yieldsRightly(ps, cs, victims); err != nil {
			t.Errorf("%v: %v\n%+v\n%+v", err, victims, ps, cs)
		}
		rng := seeded(uint64(len(data)))
		shuffled := permute(rng, cs)
		if diff := cmp.Diff(deployments(cs, victims), deployments(shuffled, Yields(shufflePools(rng, ps), shuffled))); diff != "" {
			t.Errorf("shuffled: -want, +got:\n%s", diff)
		}
	})
}
