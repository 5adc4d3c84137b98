package scheduling

import (
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

// TestCorpus keeps the corpora what their names say. Where the random cases
// change, so must the bytes.
func TestCorpus(t *testing.T) {
	for name, is := range map[string]func(Snapshot, Result, map[string]bool) bool{
		"places-a-few": func(s Snapshot, r Result, _ map[string]bool) bool {
			return len(r.Placements) == 3 && len(s.Replicas) == 0
		},
		"evicts": func(_ Snapshot, _ Result, is map[string]bool) bool { return is["evicted"] },
		"evicts-several": func(_ Snapshot, r Result, _ map[string]bool) bool {
			return slices.ContainsFunc(r.Placements, evictsSeveral)
		},
		"renews": func(_ Snapshot, _ Result, is map[string]bool) bool { return is["renewed"] && is["placed"] },
		"outgrown": func(_ Snapshot, _ Result, is map[string]bool) bool {
			return is[string(DropNoLongerFit)] && is["placed"]
		},
		"yields":          func(_ Snapshot, _ Result, is map[string]bool) bool { return is[string(DropYielded)] && is["placed"] },
		"scales-down":     func(_ Snapshot, _ Result, is map[string]bool) bool { return is[string(DropScaledDown)] },
		"on-hold":         func(_ Snapshot, r Result, is map[string]bool) bool { return r.Held && is["drifted"] },
		"spread-required": func(_ Snapshot, _ Result, is map[string]bool) bool { return is[string(SpreadViolated)] && is["placed"] },
		"gang-whole-nodes": func(_ Snapshot, r Result, _ map[string]bool) bool {
			return slices.ContainsFunc(r.Placements, takesNodes)
		},
	} {
		w := randomWorld(&thrown{corpus(t, "FuzzSchedule", name)})
		if r := Schedule(w.s); !is(w.s, r, happened(r)) {
			t.Errorf("FuzzSchedule/%s is not: %+v", name, r)
		}
	}
	for name, is := range map[string]func([]Pool, []Contender, []int) bool{
		"nobody":        func(_ []Pool, cs []Contender, v []int) bool { return len(v) == 0 && len(cs) > 3 },
		"one-of-many":   func(_ []Pool, cs []Contender, v []int) bool { return len(v) == 1 && len(cs) > 4 },
		"several-pools": func(ps []Pool, _ []Contender, v []int) bool { return len(v) > 1 && len(ps) > 2 },
		"a-ready-one":   func(_ []Pool, cs []Contender, v []int) bool { return len(v) > 0 && cs[v[0]].Ready },
		"all":           func(_ []Pool, cs []Contender, v []int) bool { return len(v) > 2 && len(cs) == len(v) },
	} {
		ps, cs := randomContest(&thrown{corpus(t, "FuzzYields", name)})
		if v := Yields(ps, cs); !is(ps, cs, v) {
			t.Errorf("FuzzYields/%s is not: %v of %+v", name, v, cs)
		}
	}
}

func evictsSeveral(p Placement) bool { return len(p.Evicts) > 1 }

// takesNodes says whether a gang takes whole nodes.
func takesNodes(p Placement) bool {
	return slices.ContainsFunc(p.Engines, func(e EnginePlacement) bool {
		return len(e.Members) > 1 && len(e.Members[0].Claims) > 0 && e.Members[0].Devices == nil
	})
}

// corpus is a file of a fuzz target's corpus.
func corpus(t *testing.T, target, name string) []byte {
	t.Helper()
	file, err := os.ReadFile(filepath.Join("testdata", "fuzz", target, name))
	if err != nil {
		t.Fatal(err)
	}
	_, line, _ := strings.Cut(strings.TrimSpace(string(file)), "\n")
	data, err := strconv.Unquote(strings.TrimSuffix(strings.TrimPrefix(line, "[]byte("), ")"))
	if err != nil {
		t.Fatalf("%s/%s: %v", target, name, err)
	}
	return []byte(data)
}
