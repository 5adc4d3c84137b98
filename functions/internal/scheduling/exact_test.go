package scheduling

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/modelplane-go/modelplane/functions/internal/devices"
)

// TestNeverRefusesWhatFits compares with trying everything: as many replicas are
// placed on a small fleet as can be.
func TestNeverRefusesWhatFits(t *testing.T) {
	short := 0
	for seed := range uint64(3000) {
		rng := rand.New(rand.NewPCG(seed, 5))
		w := deploy(1 + rng.IntN(3))
		for i := range 1 + rng.IntN(3) {
			w.s.Deployment.Engines = append(w.s.Deployment.Engines, randomEngine(rng, fmt.Sprintf("e%d", i)))
		}
		for i := range 1 + rng.IntN(2) {
			w = w.onto(randomCluster(rng, fmt.Sprintf("c%d", i)))
		}

		want := 0
		for _, c := range w.s.Clusters {
			want += most(w.s.Deployment, c, w.s.Deployment.Replicas)
		}
		want = min(want, w.s.Deployment.Replicas)
		r := Schedule(w.s)
		if len(r.Placements) != want {
			t.Fatalf("seed %d: %d placed, %d fit\n%+v\n%+v", seed, len(r.Placements), want, w.s, r)
		}
		if r.Unplaced > 0 && want > 0 {
			short++
		}
	}
	if short < 100 {
		t.Errorf("only %d of 3000 are short of room: the cases are not interesting", short)
	}
}

// most is how many replicas fit a cluster, by trying every pool for every engine
// of every replica.
func most(d Deployment, c Cluster, limit int) int {
	if refusal(d, c) != nil {
		return 0
	}
	free := map[string]int{}
	for name, n := range newLedger(d, []Cluster{c}) {
		free[name.pool] = n
	}
	costs := bruteCosts(d, c)
	for n := limit; n > 0; n-- {
		if bruteFits(costs, n*len(d.Engines), free) {
			return n
		}
	}
	return 0
}

// bruteCosts is what each engine costs on each pool it may be on.
func bruteCosts(d Deployment, c Cluster) []map[string]int {
	m := devices.NewMatcher(nil)
	out := make([]map[string]int, len(d.Engines))
	for i, e := range d.Engines {
		out[i] = map[string]int{}
		for _, p := range c.Pools {
			cost, ok := 0, p.Known
			for _, member := range e.Members {
				a := m.Assign(member.Requests, p.Devices)
				ok = ok && a.OK
				if len(a.Claims) > 0 {
					cost += e.Copies * member.Pods
				}
				for _, q := range c.Pools {
					elsewhere := q.Known && len(m.Assign(member.Requests, q.Devices).Claims) > 0
					ok = ok && (len(a.Claims) > 0 || !elsewhere)
				}
			}
			if ok && cost > 0 {
				out[i][p.Name] = cost
			}
		}
	}
	return out
}

func bruteFits(costs []map[string]int, seats int, free map[string]int) bool {
	if seats == 0 {
		return true
	}
	for pool, cost := range costs[seats%len(costs)] {
		if cost > free[pool] {
			continue
		}
		free[pool] -= cost
		ok := bruteFits(costs, seats-1, free)
		free[pool] += cost
		if ok {
			return true
		}
	}
	return false
}

// TestPackLarge keeps the worst case quick: eight engines that do not fit eight
// pools by one node, and as many as do.
func TestPackLarge(t *testing.T) {
	var w world
	for _, nodes := range []int{3, 4} {
		w = deploy(4)
		for i := range 8 {
			w.s.Deployment.Engines = append(w.s.Deployment.Engines, gang(fmt.Sprintf("e%d", i), 2+i%2))
		}
		c := cluster("a")
		for i := range 8 {
			c.c.Pools = append(c.c.Pools, pool(fmt.Sprintf("p%d", i), nodes-min(1, i), gpus(1+i%3, "80Gi")).p)
		}
		w = w.onto(c)
		r := Schedule(w.s)
		if want := nodes - 3; len(r.Placements) != want {
			t.Errorf("%d nodes: %d placed, want %d: %s", nodes, len(r.Placements), want, r.Message())
		}
	}
}
