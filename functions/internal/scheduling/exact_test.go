package scheduling

import (
	"fmt"
	"maps"
	"slices"
	"testing"
)

// others' charges, and not the deployment's own.
func others(d Deployment) func(Charge) bool {
	return func(c Charge) bool { return !d.owns(c) }
}

// TestNeverRefusesWhatFits compares with trying everything: as many replicas are
// placed on a small fleet as can be.
func TestNeverRefusesWhatFits(t *testing.T) {
	const cases = 3000
	short, shared := 0, 0
	for seed := range uint64(cases) {
		rng := seeded(seed)
		w := deploy(1 + rng.IntN(3))
		for i := range 1 + rng.IntN(3) {
			w.s.Deployment.Engines = append(w.s.Deployment.Engines, randomEngine(rng, fmt.Sprintf("e%d", i)))
		}
		for i := range 1 + rng.IntN(2) {
			w = w.onto(roomyCluster(rng, fmt.Sprintf("c%d", i)))
		}

		want := 0
		for _, c := range w.s.Clusters {
			want += most(w.s.Deployment, c, w.s.Deployment.Replicas)
		}
		want = min(want, w.s.Deployment.Replicas)
		r := Schedule(w.s)
		if len(r.Placements) != want {
			t.Errorf("seed %d: %d placed, %d fit\n%+v\n%+v", seed, len(r.Placements), want, w.s, r)
		}
		if r.Unplaced > 0 && want > 0 {
			short++
		}
		if want > 1 {
			shared++
		}
	}
	if short < cases/50 || shared < cases/10 {
		t.Errorf("%d of %d are short of room and %d have it for several: the cases are not interesting", short, cases, shared)
	}
}

// roomyCluster has pools that are not full, and some that nothing is charged to.
func roomyCluster(d dice, name string) clusterBuilder {
	c := cluster(name)
	for i := range 1 + d.IntN(3) {
		p := pool(fmt.Sprintf("p%d", i), 1+d.IntN(3), randomNode(d)...)
		if d.IntN(6) == 0 {
			p = p.whole()
		}
		if g := randomGroup(d); d.IntN(2) == 0 && brutePacks(p.p, g) {
			p = p.charged(theirs(i, 0).taking(g))
		}
		c.c.Pools = append(c.c.Pools, p.p)
	}
	return c
}

// most is how many replicas a cluster has room for, by trying every way to run
// every engine of every one.
func most(d Deployment, c Cluster, limit int) int {
	if refusal(d, c) != nil {
		return 0
	}
	f := newBruteFleet(c, others(d))
	options := make([][]bruteOption, len(d.Engines))
	for i, e := range d.Engines {
		options[i] = bruteOptions(e, c)
	}
	for n := limit; n > 0; n-- {
		if f.hosts(options, n) {
			return n
		}
	}
	return 0
}

// TestNeverDropsWhatFits compares with trying everything: a replica that takes
// other engines stays if its pools have what they need, and goes if not.
func TestNeverDropsWhatFits(t *testing.T) {
	const cases = 3000
	stays, goes := 0, 0
	for seed := range uint64(cases) {
		rng := seeded(seed)
		w := deploy(1)
		for i := range 1 + rng.IntN(2) {
			w.s.Deployment.Engines = append(w.s.Deployment.Engines, randomEngine(rng, fmt.Sprintf("e%d", i)))
		}
		c := roomyCluster(rng, "c")
		w = w.onto(c)
		r := Replica{Name: "r", Cluster: "c", Update: true, Outdated: true}
		for i := range 1 + rng.IntN(3) {
			r.Engines = append(r.Engines, PlacedEngine{
				Name:  fmt.Sprintf("e%d", i),
				Pool:  fmt.Sprintf("p%d", rng.IntN(len(c.c.Pools))),
				Group: randomGroup(rng),
			})
		}
		w.s.Replicas = []Replica{r}

		got := Schedule(w.s)
		kept := slices.ContainsFunc(got.Placements, func(p Placement) bool { return p.Replica == "r" && p.Engines != nil })
		if want := mayStay(w.s.Deployment, c.c, r); kept != want {
			t.Fatalf("seed %d: stays %v, and it may: %v\n%+v\n%+v", seed, kept, want, w.s, got)
		}
		if kept {
			stays++
		} else {
			goes++
		}
	}
	if stays < cases/10 || goes < cases/10 {
		t.Errorf("of %d, %d stay and %d go: the cases are not interesting", cases, stays, goes)
	}
}

// mayStay says whether there is a way for a replica to take the deployment's
// engines where it is. An engine it has stays on its pool, and may take no more
// than it had there whatever else is on it.
func mayStay(d Deployment, c Cluster, r Replica) bool {
	f := newBruteFleet(c, others(d))
	var seat func(engine int, grown map[string]bool) bool
	seat = func(engine int, grown map[string]bool) bool {
		if engine == len(d.Engines) {
			return !slices.ContainsFunc(c.Pools, func(p Pool) bool { return grown[p.Name] && !f.fits(p.Name) })
		}
		had, pinned := r.on(d.Engines[engine].Name)
		options := bruteOptions(d.Engines[engine], c)
		if pinned {
			alone := c // Where it is, nobody asks what other pools have.
			alone.Pools = []Pool{f.pool(had.Pool)}
			options = bruteOptions(d.Engines[engine], alone)
		}
		for _, o := range options {
			next := maps.Clone(grown)
			next[o.pool] = next[o.pool] || !pinned || !covers(f.pool(o.pool), had, PlacedEngine{Pool: o.pool, Group: o.group})
			f.takes(o.pool, o.group)
			ok := seat(engine+1, next)
			f.release(o.pool)
			if ok {
				return true
			}
		}
		return false
	}
	return seat(0, map[string]bool{})
}

// TestPackLarge keeps the worst case quick: eight engines that do not fit eight
// pools by one node, and as many as do.
func TestPackLarge(t *testing.T) {
	for _, nodes := range []int{3, 4} {
		w := deploy(4)
		for i := range 8 {
			w.s.Deployment.Engines = append(w.s.Deployment.Engines, gang(fmt.Sprintf("e%d", i), 2+i%2))
		}
		c := cluster("a")
		for i := range 8 {
			c.c.Pools = append(c.c.Pools, pool(fmt.Sprintf("p%d", i), nodes-min(1, i), gpus(1, "80Gi")).p)
		}
		w = w.onto(c)
		r := Schedule(w.s)
		if want := nodes - 3; len(r.Placements) != want {
			t.Errorf("%d nodes: %d placed, want %d: %s", nodes, len(r.Placements), want, r.Message())
		}
	}
}
