package scheduling

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A contenderBuilder makes contenders.
type contenderBuilder struct{ c Contender }

func contender(name string, nodes int) contenderBuilder {
	return contenderBuilder{Contender{Charge: Charge{Namespace: "ns", Deployment: name, Nodes: nodes}, Ready: true}}
}

func (b contenderBuilder) notReady() contenderBuilder        { b.c.Ready = false; return b }
func (b contenderBuilder) priority(p int) contenderBuilder   { b.c.Priority = p; return b }
func (b contenderBuilder) created(at int64) contenderBuilder { b.c.Created = at; return b }
func (b contenderBuilder) index(i int) contenderBuilder      { b.c.Index = i; return b }

func TestYields(t *testing.T) {
	cases := map[string]struct {
		reason     string
		nodes      int
		contenders []contenderBuilder
		want       []int
	}{
		"NoContenders":  {reason: "Nobody.", nodes: 1},
		"Fits":          {reason: "Everyone has a place.", nodes: 2, contenders: []contenderBuilder{contender("a", 1), contender("b", 1)}},
		"LowerPriority": {reason: "Priority counts first, whoever is Ready.", nodes: 1, contenders: []contenderBuilder{contender("a", 1).priority(1).notReady(), contender("b", 1)}, want: []int{1}},
		"NotReady":      {reason: "Among equals the one that does not serve.", nodes: 1, contenders: []contenderBuilder{contender("a", 1).notReady(), contender("b", 1).created(9)}, want: []int{0}},
		"Younger":       {reason: "Then the younger.", nodes: 1, contenders: []contenderBuilder{contender("a", 1).created(2), contender("b", 1).created(1)}, want: []int{0}},
		"LaterName":     {reason: "Then the later name.", nodes: 1, contenders: []contenderBuilder{contender("b", 1), contender("a", 1)}, want: []int{0}},
		"HigherIndex":   {reason: "Then the higher index.", nodes: 1, contenders: []contenderBuilder{contender("a", 1), contender("a", 1).index(1)}, want: []int{1}},
		"Several":       {reason: "As many as must.", nodes: 1, contenders: []contenderBuilder{contender("a", 1), contender("b", 1), contender("c", 1)}, want: []int{1, 2}},
		"NoNodes":       {reason: "The pool shrank to nothing.", nodes: 0, contenders: []contenderBuilder{contender("a", 1), contender("b", 1)}, want: []int{0, 1}},
		"NothingCharged": {
			reason: "Who has no nodes gives none.", nodes: 1,
			contenders: []contenderBuilder{contender("a", 1), contender("b", 1).created(1), contender("c", 0).notReady().priority(-1)}, want: []int{1},
		},
		"BigEnoughAlone": {
			reason: "The last one must go anyway, and then the first ones need not.", nodes: 4,
			contenders: []contenderBuilder{contender("a", 1).notReady(), contender("b", 1).notReady(), contender("c", 4), contender("d", 2).priority(1)}, want: []int{2},
		},
		"NotMoreThanNeeded": {
			reason: "The youngest alone is not enough, and with the next it is not needed.", nodes: 4,
			contenders: []contenderBuilder{contender("a", 3).created(1), contender("b", 2).created(2), contender("c", 1).created(3)}, want: []int{1},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			var cs []Contender
			for _, b := range tc.contenders {
				cs = append(cs, b.c)
			}
			if diff := cmp.Diff(tc.want, Yields(tc.nodes, cs)); diff != "" {
				t.Errorf("\n%s\nYields(...): -want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}

// TestYieldsProperties checks the rule on random pools.
func TestYieldsProperties(t *testing.T) {
	for seed := range uint64(5000) {
		rng := rand.New(rand.NewPCG(seed, 3))
		nodes := rng.IntN(10)
		var cs []Contender
		for i := range rng.IntN(8) {
			cs = append(cs, Contender{
				Charge:  Charge{Deployment: fmt.Sprint(i), Nodes: rng.IntN(4), Priority: rng.IntN(2)},
				Ready:   rng.IntN(2) == 0,
				Created: rng.Int64N(3),
			})
		}
		victims := Yields(nodes, cs)

		left := -nodes
		for i, c := range cs {
			if !slices.Contains(victims, i) {
				left += c.Nodes
			}
		}
		if left > 0 {
			t.Fatalf("seed %d: still over-committed by %d: %v of %+v", seed, left, victims, cs)
		}
		for _, v := range victims {
			if left+cs[v].Nodes <= 0 {
				t.Fatalf("seed %d: %d need not yield: %v of %+v, %d nodes", seed, v, victims, cs, nodes)
			}
			needed := -nodes
			for _, c := range cs {
				if c.compareYield(cs[v]) >= 0 {
					needed += c.Nodes
				}
			}
			if needed <= 0 {
				t.Fatalf("seed %d: %d makes way for one that goes before it: %v of %+v, %d nodes", seed, v, victims, cs, nodes)
			}
		}
		shuffled(t, rng, cs, func(cs []Contender) []string { return deployments(cs, Yields(nodes, cs)) })
	}
}

func deployments(cs []Contender, at []int) []string {
	var out []string
	for _, i := range at {
		out = append(out, cs[i].Deployment)
	}
	slices.Sort(out)
	return out
}

// shuffled checks that an answer does not depend on the order of what is asked.
func shuffled[E, A any](t *testing.T, rng *rand.Rand, in []E, ask func([]E) A) {
	t.Helper()
	want := ask(in)
	for range 3 {
		in = slices.Clone(in)
		rng.Shuffle(len(in), func(i, j int) { in[i], in[j] = in[j], in[i] })
		if diff := cmp.Diff(want, ask(in)); diff != "" {
			t.Fatalf("shuffled: -want, +got:\n%s", diff)
		}
	}
}
