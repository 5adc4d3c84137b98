package scheduling

import (
	"cmp"
	"fmt"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
)

func TestPreempt(t *testing.T) {
	e := small("e")
	low := func(index int) Charge { return theirs(index, 1) }
	one := func(cs ...Charge) poolBuilder { return pool("p", 1, gpus(1, "80Gi")).charged(cs...) }
	eight := func(nodes int, cs ...Charge) poolBuilder { return pool("p", nodes, gpus(8, "80Gi")).charged(cs...) }
	gpuPods := func(index, n, gpus int) Charge { return theirs(index, 0).taking(pods(n, gpus)) }
	placed := fresh("a", 0, at("e", "p"))
	on8 := func(n int) EnginePlacement {
		if n == 8 {
			return placedOn("p", takes(8, anyGPU))
		}
		return placedOn("p", shares(n, anyGPU))
	}

	runSchedule(t, map[string]scheduleCase{
		"HigherTakesTheRoom": {
			reason: "The cluster will tell the other one to go, and the placement says whom.",
			in:     deploy(1, e).priority(1).onto(cluster("a", one(low(0)))),
			want:   Result{Placements: []Placement{placed.evicting(low(0))}},
		},
		"EqualDoesNot": {
			reason: "An equal was there first.",
			in:     deploy(1, e).priority(1).onto(cluster("a", one(low(0).priority(1)))),
			want:   Result{Unplaced: 1},
		},
		"LowerDoesNot": {
			reason: "Nor is one of higher priority in the way.",
			in:     deploy(1, e).onto(cluster("a", one(low(0).priority(1)))),
			want:   Result{Unplaced: 1},
		},
		"NegativePriority": {
			reason: "Less than nothing is less.",
			in:     deploy(1, e).onto(cluster("a", one(low(0).priority(-1)))),
			want:   Result{Placements: []Placement{placed.evicting(low(0).priority(-1))}},
		},
		"OwnAreNotEvicted": {
			reason: "A deployment does not make room for itself.",
			in:     deploy(2, e).priority(1).onto(cluster("a", one(ours(0, 1)))).has(replica("a", 0, on("e", "p", 1))),
			want:   Result{Placements: []Placement{kept(replica("a", 0))}, Unplaced: 1},
		},
		"RoomFirst": {
			reason: "b has room, and has a replica already. Nobody has to go.",
			in: deploy(2, e).priority(1).onto(cluster("a", one(low(0))), simple("b", 2)).
				has(replica("b", 0, on("e", "p", 1))),
			want: Result{Placements: []Placement{kept(replica("b", 0)), fresh("b", 1, at("e", "p"))}},
		},
		"RoomOnAnotherPool": {
			reason: "As little on another pool of the cluster.",
			in:     deploy(1, e).priority(1).onto(cluster("a", one(low(0)), pool("q", 3, gpus(8, "80Gi")))),
			want:   Result{Placements: []Placement{fresh("a", 0, EnginePlacement{Engine: "e", Pool: "q", Members: []MemberPlacement{shares(1, anyGPU)}})}},
		},
		"LowestFirst": {
			reason: "b's replica is of the lowest priority, though a hosts none of ours.",
			in: deploy(2, e).priority(5).onto(
				cluster("a", one(low(0).priority(3))),
				cluster("b", pool("p", 2, gpus(1, "80Gi")).charged(low(0).priority(2))),
			).has(replica("b", 0, on("e", "p", 1))),
			want: Result{Placements: []Placement{kept(replica("b", 0)), fresh("b", 1, at("e", "p")).evicting(low(0).priority(2))}},
		},
		"FewestNext": {
			reason: "On a two of them would have to go, on b one.",
			in: deploy(1, needs(request(8, anyGPU))).priority(1).onto(
				cluster("a", eight(1, gpuPods(0, 4, 1), gpuPods(1, 4, 1))),
				cluster("b", eight(1, gpuPods(0, 8, 1))),
			),
			want: Result{Placements: []Placement{fresh("b", 0, on8(8)).evicting(low(0))}},
		},
		"LowestBeforeFewest": {
			reason: "Two of priority 0 count less than one of priority 1.",
			in: deploy(1, needs(request(8, anyGPU))).priority(2).onto(
				cluster("a", eight(1, gpuPods(0, 4, 1), gpuPods(1, 4, 1))),
				cluster("b", eight(1, gpuPods(0, 8, 1).priority(1))),
			),
			want: Result{Placements: []Placement{fresh("a", 0, on8(8)).evicting(low(1), low(0))}},
		},
		"NoMoreThanNeeded": {
			reason: "Of three with two GPUs, one is enough. The last by name goes.",
			in:     deploy(1, needs(request(4, anyGPU))).priority(1).onto(cluster("a", eight(1, gpuPods(0, 1, 2), gpuPods(1, 1, 2), gpuPods(2, 1, 2)))),
			want:   Result{Placements: []Placement{fresh("a", 0, on8(4)).evicting(low(2))}},
		},
		"WhoDoesNotHelpStays": {
			reason: "The small one goes before the large one, and would not be enough. With the large one gone it may stay.",
			in:     deploy(1, needs(request(6, anyGPU))).priority(2).onto(cluster("a", eight(1, gpuPods(0, 1, 6).priority(1), gpuPods(1, 1, 2)))),
			want:   Result{Placements: []Placement{fresh("a", 0, on8(6)).evicting(low(0).priority(1))}},
		},
		"NotEnough": {
			reason: "Without the lower one there is no room either: it stays.",
			in:     deploy(1, needs(request(8, anyGPU))).priority(1).onto(cluster("a", eight(1, gpuPods(0, 1, 4), gpuPods(1, 1, 4).priority(1)))),
			want:   Result{Unplaced: 1},
		},
		"GangTakesNodes": {
			reason: "Two nodes have to be cleared in part for a gang of two.",
			in: deploy(1, gang("e", 2)).priority(1).onto(cluster("a", pool("p", 2, gpus(2, "80Gi")).
				charged(gpuPods(0, 2, 1).priority(1), gpuPods(1, 1, 1), gpuPods(2, 1, 1)))),
			want: Result{Placements: []Placement{
				fresh("a", 0, EnginePlacement{Engine: "e", Pool: "p", Members: []MemberPlacement{shares(1, anyGPU), shares(1, anyGPU)}}).evicting(low(2), low(1)),
			}},
		},
		"OneAfterTheOther": {
			reason: "Two replicas take the room of two, each says of whom.",
			in:     deploy(2, e).priority(1).onto(cluster("a", pool("p", 3, gpus(1, "80Gi")).charged(low(0), low(1), low(2)))),
			want: Result{Placements: []Placement{
				fresh("a", 0, at("e", "p")).evicting(low(2)),
				fresh("a", 1, at("e", "p")).evicting(low(1)),
			}},
		},
		"AndThenNoMore": {
			reason: "The third finds nobody to evict.",
			in:     deploy(3, e).priority(1).onto(cluster("a", pool("p", 2, gpus(1, "80Gi")).charged(low(0), low(1)))),
			want: Result{Placements: []Placement{
				fresh("a", 0, at("e", "p")).evicting(low(1)),
				fresh("a", 1, at("e", "p")).evicting(low(0)),
			}, Unplaced: 1},
		},
		"WhoIsLeavingCounts": {
			reason: "One is told to go already and is still there. It is the one.",
			in:     deploy(1, e).priority(1).onto(cluster("a", one(low(0), low(1).yielding()))),
			want:   Result{Placements: []Placement{placed.evicting(low(1), low(0))}},
		},
		"Settled": {
			reason: "Ours is placed, and the other one has not gone yet. Nothing more happens.",
			in:     deploy(1, e).priority(1).onto(cluster("a", one(low(0), ours(0, 1)))).has(replica("a", 0, on("e", "p", 1))),
			want:   Result{Placements: []Placement{kept(replica("a", 0))}},
		},
		"NotOnAClosedPool": {
			reason: "The pool told ours to yield. It takes no more, whoever would have to go.",
			in:     deploy(1, e).priority(1).onto(cluster("a", one(low(0), ours(3, 1).yielding()))),
			want:   Result{Unplaced: 1},
		},
		"NotWhereNothingNewMayGo": {
			reason: "Priority does not open a cluster.",
			in: deploy(1, e).priority(1).onto(
				cluster("a", one(low(0))).taint("t", "", NoSchedule),
				cluster("b", one(low(0))).notReady(),
				cluster("c", one(low(0))).noAddress(),
			),
			want: Result{Unplaced: 1},
		},
		"NotAgainstASpread": {
			reason: "Nor does it bend a required spread.",
			in: deploy(2, e).priority(1).spreading(Spread{TopologyKey: "zone", MaxSkew: 1, Required: true}).onto(
				cluster("a", pool("p", 2, gpus(1, "80Gi")).charged(low(0))).label("zone", "x"),
				cluster("b", one(low(0).priority(1))).label("zone", "y"),
			),
			want: Result{Placements: []Placement{placed}, Unplaced: 1},
		},
		"NotOnHold": {
			reason: "Nothing is placed, so nobody goes.",
			in:     deploy(1, e).priority(1).onto(cluster("a", one(low(0)))).hold(),
			want:   Result{Unplaced: 1, Held: true},
		},
		"GrowthDoesNotEvict": {
			reason: "What grows beyond its pool is a new placement, and that one may.",
			in:     deploy(1, gang("e", 2)).priority(1).onto(cluster("a", pool("p", 2, gpus(1, "80Gi")).charged(low(0)))).has(replica("a", 0, on("e", "p", 1)).outdated()),
			want: Result{
				Placements: []Placement{fresh("a", 1, gangAt("e", "p")).evicting(low(0))},
				Drops:      []Drop{dropped(replica("a", 0), DropNoLongerFit)},
			},
		},
		"FewestOfSeveralWays": {
			reason: "The GPUs are one replica's and the others are two's. One has to go.",
			in: deploy(1, needs(request(2, anyGPU))).priority(1).onto(cluster("a",
				pool("p", 1, gpus(2, "80Gi"), other(2, "80Gi", "alt")).
					charged(theirs(0, 0).taking(two(1, 2, 0)), theirs(1, 0).taking(two(1, 0, 1)), theirs(2, 0).taking(two(1, 0, 1))))),
			want: Result{Placements: []Placement{fresh("a", 0, placedOn("p", shares(2, anyGPU))).evicting(low(0))}},
		},
		"OnTwoPools": {
			reason: "One replica is on both pools. It goes once, and makes room for both engines.",
			in: deploy(1, e, engine("f", 1, member("m", 1, request(1, huge)))).priority(1).onto(cluster("a",
				one(low(9)),
				pool("q", 1, gpus(1, "141Gi")).charged(low(9)),
			)),
			want: Result{Placements: []Placement{
				fresh("a", 0, at("e", "p"), EnginePlacement{Engine: "f", Pool: "q", Members: []MemberPlacement{takes(1, huge)}}).evicting(low(9)),
			}},
		},
		"WhoIsElsewhereStays": {
			reason: "q is over-committed by others. That is q's ledger to settle: nobody there makes room on p.",
			in: deploy(1, needs(request(1, huge))).priority(1).onto(cluster("a",
				pool("p", 1, gpus(1, "141Gi")).charged(low(0)),
				pool("q", 1, gpus(1, "80Gi")).charged(low(1), low(2)),
			)),
			want: Result{Placements: []Placement{fresh("a", 0, placedOn("p", takes(1, huge))).evicting(low(0))}},
		},
	})
}

// TestPreemptProperties compares with trying everything: whoever is evicted has
// to be, is of the lowest priorities, and is whom the cluster will name.
func TestPreemptProperties(t *testing.T) {
	const cases = 2000
	evicting, several := 0, 0
	for seed := range uint64(cases) {
		rng := seeded(seed)
		w := deploy(1).priority(1 + rng.IntN(2))
		for i := range 1 + rng.IntN(4)/3 {
			w.s.Deployment.Engines = append(w.s.Deployment.Engines, randomEngine(rng, fmt.Sprintf("e%d", i)))
		}
		for i := range 1 + rng.IntN(2) {
			w = w.onto(crowdedCluster(rng, fmt.Sprintf("c%d", i)))
		}
		r := Schedule(w.s)
		if err := evictsRightly(w.s, r); err != nil {
			t.Fatalf("seed %d: %v\n%+v\n%+v", seed, err, w.s, r)
		}
		if len(r.Placements) == 1 && len(r.Placements[0].Evicts) > 0 {
			evicting++
			if len(r.Placements[0].Evicts) > 1 {
				several++
			}
		}
	}
	if evicting < cases/8 || several < cases/20 {
		t.Errorf("%d of %d evict, %d of them several: the cases are not interesting", evicting, cases, several)
	}
}

// crowdedCluster has pools that are about full.
func crowdedCluster(d dice, name string) clusterBuilder {
	c := cluster(name)
	for i := range 1 + d.IntN(2) {
		p := pool(fmt.Sprintf("p%d", i), 1+d.IntN(3), randomNode(d)...)
		for j := range 1 + d.IntN(4) {
			priority := d.IntN(3)
			p = p.charged(theirs(j, 0).by(fmt.Sprintf("m%d", priority)).priority(priority).taking(randomGroup(d)))
		}
		c.c.Pools = append(c.c.Pools, p.p)
	}
	return c
}

func evictsRightly(s Snapshot, r Result) error {
	room, lowest := false, maxPriority
	for _, c := range s.Clusters {
		room = room || most(s.Deployment, c, 1) > 0
		lowest = min(lowest, lowestToGo(s.Deployment, c))
	}
	if placed := len(r.Placements) > 0; placed != (room || lowest < maxPriority) {
		return fmt.Errorf("placed %v, and there is room: %v, or with those of priority %d gone", placed, room, lowest)
	}
	if len(r.Placements) == 0 {
		return nil
	}
	p := r.Placements[0]
	if room || len(p.Evicts) == 0 {
		if room != (len(p.Evicts) == 0) {
			return fmt.Errorf("there is room: %v, and %d have to go", room, len(p.Evicts))
		}
		return nil
	}
	if err := evictions(s, r); err != nil {
		return err
	}
	if err := withinCapacity(s, r); err != nil {
		return err
	}
	highest := slices.MaxFunc(p.Evicts, func(a, b Evicted) int { return cmp.Compare(a.Priority, b.Priority) })
	if highest.Priority != lowest {
		return fmt.Errorf("%v goes, and priority %d would do", highest, lowest)
	}

	c, _ := s.cluster(p.Cluster)
	want := namedByYields(s.Deployment, c, s.engines(p))
	if diff := gocmp.Diff(want, p.Evicts); diff != "" {
		return fmt.Errorf("-named by the cluster, +evicted:\n%s", diff)
	}
	if fewest := fewestToGo(s, lowest); len(s.Deployment.Engines) == 1 && len(p.Evicts) != fewest {
		return fmt.Errorf("%d go, and %d would do", len(p.Evicts), fewest)
	}
	return nil
}

const maxPriority = 1000

// lowestToGo is the priority up to which others would have to go for a replica to
// find room. It is the greatest if none is enough.
func lowestToGo(d Deployment, c Cluster) int {
	options := make([][]bruteOption, len(d.Engines))
	for i, e := range d.Engines {
		options[i] = bruteOptions(e, c)
	}
	for priority := range d.Priority {
		f := newBruteFleet(c, func(ch Charge) bool { return !d.owns(ch) && ch.Priority > priority })
		if f.hosts(options, 1) {
			return priority
		}
	}
	return maxPriority
}

// namedByYields are those who must go, on the pools a new replica uses, if
// everyone else is Ready.
func namedByYields(d Deployment, c Cluster, engines []PlacedEngine) []Evicted {
	var used []Pool
	for _, p := range c.Pools {
		if slices.ContainsFunc(engines, func(e PlacedEngine) bool { return e.Pool == p.Name }) {
			used = append(used, p)
		}
	}
	byID := map[Evicted]*Contender{}
	for _, p := range c.Pools {
		for _, ch := range p.Charges {
			id := evictionOf(ch)
			if byID[id] == nil {
				byID[id] = &Contender{Namespace: id.Namespace, Deployment: id.Deployment, Index: id.Index, Priority: id.Priority, Ready: true}
			}
			for _, g := range ch.Groups {
				byID[id].Engines = append(byID[id].Engines, PlacedEngine{Pool: p.Name, Group: g})
			}
		}
	}
	cs := []Contender{{Namespace: d.Namespace, Deployment: d.Name, Priority: d.Priority, Engines: engines}}
	for _, c := range byID {
		cs = append(cs, *c)
	}
	slices.SortFunc(cs, Contender.compareYield)
	var out []Evicted
	for _, i := range Yields(used, cs) {
		out = append(out, Evicted{Namespace: cs[i].Namespace, Deployment: cs[i].Deployment, Index: cs[i].Index, Priority: cs[i].Priority})
	}
	return out
}

// fewestToGo is the fewest replicas of a priority and below who would have to go
// for a replica of one engine.
func fewestToGo(s Snapshot, priority int) int {
	fewest := maxPriority
	for _, c := range s.Clusters {
		if refusal(s.Deployment, c) != nil {
			continue
		}
		for _, o := range bruteOptions(s.Deployment.Engines[0], c) {
			f := newBruteFleet(c, func(ch Charge) bool { return ch.Priority > priority })
			f.takes(o.pool, o.group)
			if f.fits(o.pool) {
				fewest = min(fewest, len(namedByYields(s.Deployment, c, []PlacedEngine{{Name: "e0", Pool: o.pool, Group: o.group}})))
			}
		}
	}
	return fewest
}
