package scheduling

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
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

// corpora are what the files of the fuzz targets' corpora are, by name.
var corpora = map[string]func(dice) bool{
	"FuzzSchedule/places-a-few": decides(func(s Snapshot, r Result, _ map[string]bool) bool {
		return len(r.Placements) == 3 && len(s.Replicas) == 0
	}),
	"FuzzSchedule/evicts": decides(func(_ Snapshot, _ Result, is map[string]bool) bool { return is["evicted"] }),
	"FuzzSchedule/evicts-several": decides(func(_ Snapshot, r Result, _ map[string]bool) bool {
		return slices.ContainsFunc(r.Placements, func(p Placement) bool { return len(p.Evicts) > 1 })
	}),
	"FuzzSchedule/renews": decides(func(_ Snapshot, _ Result, is map[string]bool) bool {
		return is["renewed"] && is["placed"]
	}),
	"FuzzSchedule/outgrown": decides(func(_ Snapshot, _ Result, is map[string]bool) bool {
		return is[string(DropNoLongerFit)] && is["placed"]
	}),
	"FuzzSchedule/yields": decides(func(_ Snapshot, _ Result, is map[string]bool) bool {
		return is[string(DropYielded)] && is["placed"]
	}),
	"FuzzSchedule/scales-down": decides(func(_ Snapshot, r Result, is map[string]bool) bool {
		return is[string(DropScaledDown)] && len(r.Placements) > 1
	}),
	"FuzzSchedule/on-hold": decides(func(_ Snapshot, r Result, is map[string]bool) bool {
		return r.Held && is["drifted"]
	}),
	"FuzzSchedule/spread-required": decides(func(_ Snapshot, _ Result, is map[string]bool) bool {
		return is[string(SpreadViolated)] && is["placed"]
	}),
	"FuzzSchedule/gang-whole-nodes": decides(func(_ Snapshot, r Result, _ map[string]bool) bool {
		return slices.ContainsFunc(r.Placements, takesNodes)
	}),
	"FuzzYields/nobody":        rules(func(_ []Pool, cs []Contender, v []int) bool { return len(v) == 0 && len(cs) > 3 }),
	"FuzzYields/one-of-many":   rules(func(_ []Pool, cs []Contender, v []int) bool { return len(v) == 1 && len(cs) > 4 }),
	"FuzzYields/several-pools": rules(func(ps []Pool, _ []Contender, v []int) bool { return len(v) > 2 && len(ps) > 2 }),
	"FuzzYields/a-ready-one":   rules(func(_ []Pool, cs []Contender, v []int) bool { return len(v) == 1 && cs[v[0]].Ready && len(cs) > 2 }),
	"FuzzYields/all":           rules(func(_ []Pool, cs []Contender, v []int) bool { return len(v) == len(cs) && len(cs) > 2 }),
}

func decides(is func(Snapshot, Result, map[string]bool) bool) func(dice) bool {
	return func(d dice) bool {
		w := randomWorld(d)
		r := Schedule(w.s)
		return is(w.s, r, happened(r))
	}
}

func rules(is func([]Pool, []Contender, []int) bool) func(dice) bool {
	return func(d dice) bool {
		ps, cs := randomContest(d)
		return is(ps, cs, Yields(ps, cs))
	}
}

// takesNodes says whether a gang takes whole nodes.
func takesNodes(p Placement) bool {
	return slices.ContainsFunc(p.Engines, func(e EnginePlacement) bool {
		return len(e.Members) > 1 && len(e.Members[0].Claims) > 0 && e.Members[0].Devices == nil
	})
}

var update = flag.Bool("update", false, "make the corpora of the fuzz targets anew")

// TestCorpora keeps the corpora what their names say. Where the random cases
// change, the corpora are made anew: go test -run TestCorpora -update.
func TestCorpora(t *testing.T) {
	for name, is := range corpora {
		path := filepath.Join("testdata", "fuzz", filepath.FromSlash(name))
		if *update {
			text := fmt.Sprintf("go test fuzz v1\n[]byte(%q)\n", shortest(is))
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		file, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		_, line, _ := strings.Cut(strings.TrimSpace(string(file)), "\n")
		data, err := strconv.Unquote(strings.TrimSuffix(strings.TrimPrefix(line, "[]byte("), ")"))
		if err != nil || !is(&thrown{[]byte(data)}) {
			t.Errorf("%s is not what it says: %v", name, err)
		}
	}
}

// recorded dice remember what was thrown.
type recorded struct {
	dice
	bytes []byte
}

func (r *recorded) IntN(n int) int {
	v := r.dice.IntN(n)
	r.bytes = append(r.bytes, byte(v))
	return v
}

// shortest of many random cases that are something.
func shortest(is func(dice) bool) []byte {
	var best []byte
	for seed := range uint64(20000) {
		r := &recorded{dice: seeded(seed)}
		if is(r) && (best == nil || len(r.bytes) < len(best)) {
			best = r.bytes
		}
	}
	return best
}
