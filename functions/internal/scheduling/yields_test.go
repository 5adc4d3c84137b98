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

// contender takes so many whole nodes of pool p.
func contender(name string, nodes int) contenderBuilder {
	c := Contender{Namespace: "ns", Deployment: name, Ready: true}
	if nodes > 0 {
		c.Engines = []PlacedEngine{on("e", "p", nodes)}
	}
	return contenderBuilder{c}
}

// takes groups of pods of a pool instead.
func (b contenderBuilder) takes(pool string, gs ...Group) contenderBuilder {
	b.c.Engines = slices.Clone(b.c.Engines)
	for _, g := range gs {
		b.c.Engines = append(b.c.Engines, PlacedEngine{Pool: pool, Group: g})
	}
	return b
}

func (b contenderBuilder) notReady() contenderBuilder        { b.c.Ready = false; return b }
func (b contenderBuilder) priority(p int) contenderBuilder   { b.c.Priority = p; return b }
func (b contenderBuilder) created(at int64) contenderBuilder { b.c.Created = at; return b }
func (b contenderBuilder) index(i int) contenderBuilder      { b.c.Index = i; return b }

func contenders(bs ...contenderBuilder) []Contender {
	out := make([]Contender, 0, len(bs))
	for _, b := range bs {
		out = append(out, b.c)
	}
	return out
}

func pools(bs ...poolBuilder) []Pool {
	out := make([]Pool, 0, len(bs))
	for _, b := range bs {
		out = append(out, b.p)
	}
	return out
}

func TestYields(t *testing.T) {
	of := func(nodes int) []Pool { return pools(pool("p", nodes, gpus(1, "80Gi"))) }
	eights := func(nodes int) []Pool { return pools(pool("p", nodes, gpus(8, "80Gi"))) }
	nobody := func(name string) contenderBuilder { return contender(name, 0) }

	cases := map[string]struct {
		reason     string
		pools      []Pool
		contenders []Contender
		want       []int
	}{
		"NoContenders":  {reason: "Nobody.", pools: of(1)},
		"Fits":          {reason: "Everyone has a place.", pools: of(2), contenders: contenders(contender("a", 1), contender("b", 1))},
		"LowerPriority": {reason: "Priority counts first, whoever is Ready.", pools: of(1), contenders: contenders(contender("a", 1).priority(1).notReady(), contender("b", 1)), want: []int{1}},
		"NotReady":      {reason: "Among equals the one that does not serve.", pools: of(1), contenders: contenders(contender("a", 1).notReady(), contender("b", 1).created(9)), want: []int{0}},
		"Younger":       {reason: "Then the younger.", pools: of(1), contenders: contenders(contender("a", 1).created(2), contender("b", 1).created(1)), want: []int{0}},
		"LaterName":     {reason: "Then the later name.", pools: of(1), contenders: contenders(contender("b", 1), contender("a", 1)), want: []int{0}},
		"HigherIndex":   {reason: "Then the higher index.", pools: of(1), contenders: contenders(contender("a", 1), contender("a", 1).index(1)), want: []int{1}},
		"Several":       {reason: "As many as must.", pools: of(1), contenders: contenders(contender("a", 1), contender("b", 1), contender("c", 1)), want: []int{1, 2}},
		"NoNodes":       {reason: "The pool shrank to nothing.", pools: of(0), contenders: contenders(contender("a", 1), contender("b", 1)), want: []int{0, 1}},
		"NothingCharged": {
			reason: "Who has no nodes gives none.", pools: of(1),
			contenders: contenders(contender("a", 1), contender("b", 1).created(1), nobody("c").notReady().priority(-1)), want: []int{1},
		},
		"PoolGone": {
			reason: "Nor does who is on a pool that is gone.", pools: of(1),
			contenders: contenders(contender("a", 1), contender("b", 1), nobody("c").takes("gone", wholeNodes(9)...).priority(-1)), want: []int{1},
		},
		"BigEnoughAlone": {
			reason: "The last one must go anyway, and then the first ones need not.", pools: of(4),
			contenders: contenders(contender("a", 1).notReady(), contender("b", 1).notReady(), contender("c", 4), contender("d", 2).priority(1)), want: []int{2},
		},
		"NotMoreThanNeeded": {
			reason: "The youngest alone is not enough, and with the next it is not needed.", pools: of(4),
			contenders: contenders(contender("a", 3).created(1), contender("b", 2).created(2), contender("c", 1).created(3)), want: []int{1},
		},
		"SharedNode": {
			reason: "Nine GPUs of eight. One pod goes, not its node.", pools: eights(1),
			contenders: contenders(nobody("a").takes("p", pods(4, 1)), nobody("b").takes("p", pods(4, 1)), nobody("c").takes("p", pods(1, 1))), want: []int{2},
		},
		"Fragments": {
			reason: "Fifteen GPUs of sixteen, in threes. The fifth has no node.", pools: eights(2),
			contenders: contenders(nobody("a").takes("p", pods(4, 3)), nobody("b").takes("p", pods(1, 3))), want: []int{1},
		},
		"GangOfTooMany": {
			reason: "A node is gone and a gang of three has no place on two. Whoever is beside it stays.", pools: eights(2),
			contenders: contenders(nobody("a").takes("p", gangOf(1, 1, 1, 1)).priority(9), nobody("b").takes("p", pods(2, 1))), want: []int{0},
		},
		"TheSmallOneWouldNotHelp": {
			reason: "One GPU is not what the eight lack: the one with the eight goes, and the one stays.", pools: eights(1),
			contenders: contenders(nobody("a").takes("p", pods(1, 7)).priority(1), nobody("b").takes("p", pods(1, 8)), nobody("c").takes("p", pods(1, 1))), want: []int{1},
		},
		"EachPoolForItself": {
			reason: "Only p is too full. Who is on q stays, of whatever priority.",
			pools:  pools(pool("p", 1, gpus(1, "80Gi")), pool("q", 1, gpus(1, "80Gi"))),
			contenders: contenders(contender("a", 1).priority(1), contender("b", 1).priority(1).created(1),
				nobody("c").takes("q", wholeNodes(1)...)), want: []int{1},
		},
		"TwoPoolsOneGoes": {
			reason: "One replica is on both, and goes from both.",
			pools:  pools(pool("p", 1, gpus(1, "80Gi")), pool("q", 1, gpus(1, "80Gi"))),
			contenders: contenders(contender("a", 1), nobody("b").takes("q", wholeNodes(1)...),
				contender("c", 1).takes("q", wholeNodes(1)...).created(1)), want: []int{2},
		},
		"TwoPoolsMakeRoom": {
			reason: "The first to go leaves p and q. The one on q was to go before, and need not.",
			pools:  pools(pool("p", 1, gpus(1, "80Gi")), pool("q", 1, gpus(1, "80Gi"))),
			contenders: contenders(contender("a", 1).priority(2), nobody("b").takes("q", wholeNodes(1)...),
				contender("c", 1).takes("q", wholeNodes(1)...).priority(1)), want: []int{2},
		},
		"PriorityAcrossEngines": {
			reason: "A replica yields whole, though one of its engines has room.",
			pools:  pools(pool("p", 1, gpus(1, "80Gi")), pool("q", 9, gpus(1, "80Gi"))),
			contenders: contenders(contender("a", 1).priority(1),
				contender("b", 1).takes("q", wholeNodes(1)...)), want: []int{1},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, Yields(tc.pools, tc.contenders)); diff != "" {
				t.Errorf("\n%s\nYields(...): -want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}

// randomContest is one to three small pools and who is on them.
func randomContest(d dice) ([]Pool, []Contender) {
	var ps []Pool
	for i := range 1 + d.IntN(3) {
		ps = append(ps, pool(fmt.Sprintf("p%d", i), d.IntN(4), randomNode(d)...).p)
	}
	var cs []Contender
	for i := range d.IntN(8) {
		c := Contender{
			Deployment: fmt.Sprint(i),
			Priority:   d.IntN(3),
			Ready:      d.IntN(2) == 0,
			Created:    int64(d.IntN(3)),
		}
		for range 1 + d.IntN(2) {
			c.Engines = append(c.Engines, PlacedEngine{Pool: fmt.Sprintf("p%d", d.IntN(len(ps)+d.IntN(5)/4)), Group: randomGroup(d)})
		}
		cs = append(cs, c)
	}
	return ps, cs
}

// without is what is charged to a pool by the contenders that stay.
func without(pool string, cs []Contender, goes func(i int) bool) []Group {
	var out []Group
	for i, c := range cs {
		if goes(i) {
			continue
		}
		for _, e := range c.Engines {
			if e.Pool == pool {
				out = append(out, e.Group)
			}
		}
	}
	return out
}

// lacks says whether a pool a contender is on has no room for those who stay.
func lacks(ps []Pool, cs []Contender, at int, goes func(i int) bool) bool {
	return slices.ContainsFunc(ps, func(p Pool) bool {
		on := slices.ContainsFunc(cs[at].Engines, func(e PlacedEngine) bool { return e.Pool == p.Name })
		return on && !brutePacks(p, without(p.Name, cs, goes)...)
	})
}

// TestYieldsProperties checks the rule on random clusters, by trying everything.
func TestYieldsProperties(t *testing.T) {
	const cases = 4000
	several, spared := 0, 0
	for seed := range uint64(cases) {
		rng := seeded(seed)
		ps, cs := randomContest(rng)
		victims := Yields(ps, cs)
		if err := yieldsRightly(ps, cs, victims); err != nil {
			t.Fatalf("seed %d: %v: %v\n%+v\n%+v", seed, err, victims, ps, cs)
		}
		for range 3 {
			some, others := shufflePools(rng, ps), permute(rng, cs)
			for i := range others {
				others[i].Engines = shuffleEngines(rng, others[i].Engines)
			}
			if diff := cmp.Diff(deployments(cs, victims), deployments(others, Yields(some, others))); diff != "" {
				t.Fatalf("seed %d: shuffled: -want, +got:\n%s", seed, diff)
			}
		}
		if len(victims) > 1 {
			several++
		}
		if len(victims) > 0 && len(victims) < len(cs) {
			spared++
		}
	}
	if several < cases/10 || spared < cases/10 {
		t.Errorf("of %d, several must go in %d and some may stay in %d: the cases are not interesting", cases, several, spared)
	}
}

func yieldsRightly(ps []Pool, cs []Contender, victims []int) error {
	gone := func(i int) bool { return slices.Contains(victims, i) }
	for _, p := range ps {
		if left := without(p.Name, cs, gone); !brutePacks(p, left...) {
			return fmt.Errorf("pool %s has no room for those who stay", p.Name)
		}
	}
	for _, v := range victims {
		if !lacks(ps, cs, v, func(i int) bool { return gone(i) && i != v }) {
			return fmt.Errorf("%d need not go", v)
		}
		if !lacks(ps, cs, v, func(i int) bool { return cs[i].compareYield(cs[v]) < 0 }) {
			return fmt.Errorf("%d makes way for one that goes before it", v)
		}
		if cs[v].Ready && !lacks(ps, cs, v, func(i int) bool {
			return cs[i].Priority < cs[v].Priority || cs[i].Priority == cs[v].Priority && !cs[i].Ready
		}) {
			return fmt.Errorf("%d is Ready and makes way for an equal that is not", v)
		}
	}
	return nil
}

func deployments(cs []Contender, at []int) []string {
	out := []string{}
	for _, i := range at {
		out = append(out, cs[i].Deployment)
	}
	slices.Sort(out)
	return out
}

// TestYieldsLarge keeps a large cluster quick: a thousand replicas on pools that
// are a little too full, of sizes that do not go together well.
func TestYieldsLarge(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 4))
	ps := pools(pool("p", 200, gpus(8, "80Gi")), pool("q", 200, gpus(8, "80Gi"), nics(8)))
	var cs []Contender
	for i := range 1000 {
		c := contender(fmt.Sprint(i), 0).priority(rng.IntN(3)).created(int64(rng.IntN(50)))
		if rng.IntN(3) == 0 {
			c = c.notReady()
		}
		cs = append(cs, c.takes(one(rng, "p", "q"), one(rng, pods(1, 3), pods(1, 5), pods(2, 2), gangOf(1, 1, 3, 3), pods(1, 8))).c)
	}
	victims := Yields(ps, cs)
	if len(victims) == 0 {
		t.Fatal("nobody yields")
	}
	for _, p := range ps {
		s := stocked(p, without(p.Name, cs, func(i int) bool { return slices.Contains(victims, i) })...)
		if s.exceeded() {
			t.Errorf("pool %s is still too full", p.Name)
		}
	}
}
