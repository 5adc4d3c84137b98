package scheduling

import "testing"

func TestUpdate(t *testing.T) {
	e := small("e")
	r := replica("a", 0, on("e", "p", 1)).outdated()
	hugeAt := func(pool string) EnginePlacement {
		return EnginePlacement{Engine: "e", Pool: pool, Members: []MemberPlacement{takes(1, huge)}}
	}
	two := cluster("a", pool("p", 1, gpus(1, "80Gi")), pool("q", 1, gpus(1, "141Gi")))

	runSchedule(t, map[string]scheduleCase{
		"SelectorStillMatches": {
			reason: "The claims are resolved anew, the pool stays.",
			in:     deploy(1, needs(request(1, big))).onto(simple("a", 1)).has(replica("a", 0, on("e", "p", 1)).outdated()),
			want:   Result{Placements: []Placement{kept(r, placedOn("p", takes(1, big)))}},
		},
		"SelectorNoLongerMatches": {
			reason: "Upstream: in place, under the same name. It is a new replica, under a new index.",
			in:     deploy(1, needs(request(1, huge))).onto(two).has(r),
			want:   Result{Placements: []Placement{fresh("a", 1, hugeAt("q"))}, Drops: []Drop{dropped(r, DropNoLongerFit)}},
		},
		"SelectorNoLongerMatchesNowhereToGo": {
			reason: "What was asked for does not exist.",
			in:     deploy(1, needs(request(1, huge))).onto(simple("a", 1)).has(r),
			want:   Result{Unplaced: 1, Drops: []Drop{dropped(r, DropNoLongerFit)}},
		},
		"SelectorNoLongerMatchesOnHold": {
			reason: "While nothing can be placed, what serves is kept as it is.",
			in:     deploy(1, needs(request(1, huge))).onto(two).has(r).hold(),
			want:   Result{Placements: []Placement{kept(r)}, Drifts: []Drift{drifted(r, NoMatchingDevice)}},
		},
		"SelectorNoLongerMatchesNotNow": {
			reason: "The rollout has not come to it yet.",
			in:     deploy(1, needs(request(1, huge))).onto(two).has(r.waiting()),
			want:   Result{Placements: []Placement{kept(r)}},
		},
		"PoolUnknown": {
			reason: "Whether the pool still matches is not known, so it is not updated.",
			in:     deploy(1, needs(request(1, huge))).onto(cluster("a", pool("p", 1).unknown())).has(r),
			want:   Result{Placements: []Placement{kept(r)}, Drifts: []Drift{drifted(r, PoolUnknown)}},
		},
		"GrowsInPlace": {
			reason: "Two more nodes are free beside its own.",
			in:     deploy(1, gang("e", 3)).onto(simple("a", 3)).has(r),
			want:   Result{Placements: []Placement{kept(r, gangAt("e", "p"))}},
		},
		"GrowthDoesNotFit": {
			reason: "Upstream: over-committed. It is a new placement, and the old node is free for it.",
			in:     deploy(1, gang("e", 3)).onto(cluster("a", pool("p", 2, gpus(1, "80Gi")), pool("q", 3, gpus(1, "80Gi")))).has(r),
			want:   Result{Placements: []Placement{fresh("a", 1, gangAt("e", "q"))}, Drops: []Drop{dropped(r, DropNoLongerFit)}},
		},
		"GrowthDoesNotFitBesideOthers": {
			reason: "Another has the node.",
			in:     deploy(1, gang("e", 2)).onto(cluster("a", pool("p", 2, gpus(1, "80Gi")).charged(theirs(0, 1), ours(0, 1)))).has(r),
			want:   Result{Unplaced: 1, Drops: []Drop{dropped(r, DropNoLongerFit)}},
		},
		"GrowthOnHold": {
			reason: "It is not updated and not lost.",
			in:     deploy(1, gang("e", 3)).onto(simple("a", 2)).has(r).hold(),
			want:   Result{Placements: []Placement{kept(r)}, Drifts: []Drift{drifted(r, NotEnoughRoom)}},
		},
		"GrowthOnHoldKeepsItsCharge": {
			reason: "What the first one has is not free for the second, though it wanted more and did not get it.",
			in: deploy(2, gang("e", 4)).onto(simple("a", 4)).hold().
				has(replica("a", 0, gangOn("e", "p", 2)).outdated(), replica("a", 1, on("e", "p", 1)).outdated()),
			want: Result{
				Placements: []Placement{kept(r), kept(replica("a", 1))},
				Drifts:     []Drift{drifted(r, NotEnoughRoom), drifted(replica("a", 1), NotEnoughRoom)},
			},
		},
		"GrowthTogether": {
			reason: "Each would fit alone. The second is placed elsewhere.",
			in:     deploy(2, gang("e", 2)).onto(simple("a", 3), simple("b", 2)).has(r, replica("a", 1, on("e", "p", 1)).outdated()),
			want: Result{
				Placements: []Placement{kept(r, gangAt("e", "p")), fresh("b", 0, gangAt("e", "p"))},
				Drops:      []Drop{dropped(replica("a", 1), DropNoLongerFit)},
			},
		},
		"ShrinkingMakesRoom": {
			reason: "The second gives two nodes back, which the first needs.",
			in:     deploy(2, gang("e", 2)).onto(simple("a", 4)).has(r, replica("a", 1, on("e", "p", 3)).outdated()),
			want:   Result{Placements: []Placement{kept(r, gangAt("e", "p")), kept(replica("a", 1), gangAt("e", "p"))}},
		},
		"ShrinksOnAnOverCommittedPool": {
			reason: "It takes less than it has, so nothing is worse.",
			in:     deploy(1, gang("e", 2)).onto(cluster("a", pool("p", 2, gpus(1, "80Gi")).charged(theirs(0, 2)))).has(replica("a", 0, gangOn("e", "p", 3)).outdated()),
			want:   Result{Placements: []Placement{kept(r, gangAt("e", "p"))}},
		},
		"WaitingReplicaIsChargedAsItIs": {
			reason: "The new shape is not its yet, so it has one node and the other is free.",
			in:     deploy(2, gang("e", 2)).onto(simple("a", 3)).has(r.waiting()),
			want:   Result{Placements: []Placement{kept(r), fresh("a", 1, gangAt("e", "p"))}},
		},
		"EngineAdded": {
			reason: "The new engine may be on any pool of the cluster.",
			in:     deploy(1, e, engine("f", 1, member("m", 1, request(1, huge)))).onto(two).has(r),
			want: Result{Placements: []Placement{kept(r, at("e", "p"),
				EnginePlacement{Engine: "f", Pool: "q", Members: []MemberPlacement{takes(1, huge)}})}},
		},
		"EngineAddedNoRoom": {
			reason: "No room on this cluster. The whole replica is placed anew.",
			in:     deploy(1, e, small("f")).onto(simple("a", 1), simple("b", 2)).has(r),
			want:   Result{Placements: []Placement{fresh("b", 0, at("e", "p"), at("f", "p"))}, Drops: []Drop{dropped(r, DropNoLongerFit)}},
		},
		"EngineAddedNoSuchDevice": {
			reason: "Nor are there such devices.",
			in:     deploy(1, e, engine("f", 1, member("m", 1, request(1, huge)))).onto(simple("a", 9)).has(r),
			want:   Result{Unplaced: 1, Drops: []Drop{dropped(r, DropNoLongerFit)}},
		},
		"EngineAddedUnknown": {
			reason: "A pool that might do is not known.",
			in:     deploy(1, e, engine("f", 1, member("m", 1, request(1, huge)))).onto(cluster("a", pool("p", 1, gpus(1, "80Gi")), pool("q", 1).unknown())).has(r),
			want:   Result{Placements: []Placement{kept(r)}, Drifts: []Drift{drifted(r, PoolUnknown)}},
		},
		"EngineRemoved": {
			reason: "Its node is given back at once.",
			in:     deploy(2, e).onto(simple("a", 2)).has(replica("a", 0, on("e", "p", 1), on("f", "p", 1)).outdated()),
			want:   Result{Placements: []Placement{kept(r, at("e", "p")), fresh("a", 1, at("e", "p"))}},
		},
		"EngineRenamed": {
			reason: "One goes and another comes, in its place.",
			in:     deploy(1, small("f")).onto(simple("a", 1)).has(r),
			want:   Result{Placements: []Placement{kept(r, at("f", "p"))}},
		},
		"MemberShapeChanged": {
			reason: "Upstream: dropped. A pod that becomes a gang of one node more stays where it fits.",
			in:     deploy(1, gang("e", 2)).onto(simple("a", 2)).has(r),
			want:   Result{Placements: []Placement{kept(r, gangAt("e", "p"))}},
		},
		"UpdatedWhereNothingNewMayGo": {
			reason: "A cluster that takes nothing new updates what it has.",
			in:     deploy(1, needs(request(1, big))).onto(simple("a", 1).notReady().taint("t", "", NoSchedule)).has(r),
			want:   Result{Placements: []Placement{kept(r, placedOn("p", takes(1, big)))}, Drifts: []Drift{drifted(r, NotReady)}},
		},
		"SyntheticNow": {
			reason: "Nothing the new selectors match can be claimed.",
			in:     deploy(1, needs(request(1, huge))).onto(cluster("a", pool("p", 1, gpus(1, "80Gi"), fake(1, "141Gi")))).has(r),
			want:   Result{Unplaced: 1, Drops: []Drop{dropped(r, DropNoLongerFit)}},
		},
	})
}

// TestGrowth: a replica that takes engines of another size stays where it is if
// there is room for what it takes more, and is a new placement if not.
func TestGrowth(t *testing.T) {
	copies := func(n, gpus int) Engine { return engine("e", n, member("m", 1, request(gpus, anyGPU))) }
	eights := func(nodes int, cs ...Charge) clusterBuilder {
		return cluster("a", pool("p", nodes, gpus(8, "80Gi")).charged(cs...))
	}
	// had is a replica of so many pods of so many GPUs.
	had := func(n, gpus int) replicaBuilder { return replica("a", 0, sharing("e", "p", n, gpus)).outdated() }
	others := func(n, gpus int) Charge { return theirs(0, 0).taking(pods(n, gpus)) }
	r := had(1, 1)
	stays := func(m MemberPlacement) Result {
		return Result{Placements: []Placement{kept(r, placedOn("p", m))}}
	}
	goes := Result{Unplaced: 1, Drops: []Drop{dropped(r, DropNoLongerFit)}}

	runSchedule(t, map[string]scheduleCase{
		"Copies": {
			reason: "Three copies of two GPUs are beside each other on the node.",
			in:     deploy(1, copies(3, 2)).onto(eights(1)).has(had(1, 2)),
			want:   stays(shares(2, anyGPU)),
		},
		"TooManyCopies": {
			reason: "Upstream: accepted, on a node that is full.",
			in:     deploy(1, copies(3, 4)).onto(eights(1)).has(had(1, 4)),
			want:   goes,
		},
		"TooManyCopiesBesideOthers": {
			reason: "Another's pods have the rest of the node.",
			in:     deploy(1, copies(3, 2)).onto(eights(1, others(3, 1))).has(had(1, 2)),
			want:   goes,
		},
		"Devices": {
			reason: "Four GPUs more are free on its node.",
			in:     deploy(1, copies(1, 8)).onto(eights(1)).has(had(1, 4)),
			want:   stays(takes(8, anyGPU)),
		},
		"DevicesOnAnotherNode": {
			reason: "They are free on another node of the pool, and the pod starts anew anyway.",
			in:     deploy(1, copies(1, 8)).onto(eights(2, others(1, 4))).has(had(1, 4)),
			want:   stays(takes(8, anyGPU)),
		},
		"TooManyDevices": {
			reason: "Another has one of them.",
			in:     deploy(1, copies(1, 8)).onto(eights(1, others(1, 1))).has(had(1, 4)),
			want:   goes,
		},
		"MoreDevicesThanANode": {
			reason: "No node of the pool has as many.",
			in:     deploy(1, copies(1, 16)).onto(eights(4)).has(had(1, 8)),
			want:   goes,
		},
		"GrowsElsewhere": {
			reason: "There is room on another pool. It is a new replica, of another index.",
			in: deploy(1, copies(1, 8)).onto(cluster("a", pool("p", 1, gpus(8, "80Gi")).charged(others(1, 1)), pool("q", 1, gpus(8, "80Gi")))).
				has(had(1, 4)),
			want: Result{Placements: []Placement{fresh("a", 1, placedOn("q", takes(8, anyGPU)))}, Drops: goes.Drops},
		},
		"WaitsToGrow": {
			reason: "The rollout has not come to it, and its charge is what it has. The rest is free.",
			in:     deploy(2, copies(1, 4)).onto(eights(1)).has(replica("a", 0, sharing("e", "p", 4, 1)).waiting()),
			want:   Result{Placements: []Placement{kept(r), fresh("a", 1, placedOn("p", shares(4, anyGPU)))}},
		},
		"FewerCopies": {
			reason: "Less than it has is always there.",
			in:     deploy(1, copies(1, 4)).onto(eights(1, others(8, 1))).has(had(2, 4)),
			want:   stays(shares(4, anyGPU)),
		},
		"FewerDevices": {
			reason: "So are fewer devices.",
			in:     deploy(1, copies(2, 2)).onto(eights(1, others(8, 1))).has(had(2, 4)),
			want:   stays(shares(2, anyGPU)),
		},
		"MoreAndLess": {
			reason: "Four pods of two are not less than two of four: they are more pods.",
			in:     deploy(1, copies(4, 2)).onto(eights(1, others(8, 1))).has(had(2, 4)),
			want:   goes,
		},
		"MoreAndLessWithRoom": {
			reason: "With room for them they stay.",
			in:     deploy(1, copies(4, 2)).onto(eights(1)).has(had(2, 4)),
			want:   stays(shares(2, anyGPU)),
		},
		"GangFromCopies": {
			reason: "Two pods that may be on one node become a gang that may not.",
			in:     deploy(1, wide(1, 2, 1)).onto(eights(1)).has(had(2, 1)),
			want:   goes,
		},
		"CopiesFromGang": {
			reason: "And the other way round.",
			in:     deploy(1, copies(2, 4)).onto(eights(2)).has(replica("a", 0, PlacedEngine{Name: "e", Pool: "p", Group: gangOf(1, 4, 4)}).outdated()),
			want:   stays(shares(4, anyGPU)),
		},
		"OtherDevices": {
			reason: "As many of another kind are another charge.",
			in: deploy(1, needs(request(1, huge))).onto(cluster("a", pool("p", 1, gpus(1, "80Gi"), other(1, "141Gi", "gpu.example.com")).
				charged(theirs(0, 0).taking(two(1, 0, 1))))).has(had(1, 1)),
			want: goes,
		},
		"KeepsItsDevices": {
			reason: "Where the new requests may be met by what it has, it keeps that, though the pool is too full.",
			in: deploy(1, needs(request(1, big))).onto(cluster("a", pool("p", 1, gpus(1, "80Gi"), other(1, "141Gi", "alt")).
				charged(theirs(0, 0).taking(two(1, 0, 1)), theirs(1, 0).taking(two(1, 0, 1))))).has(had(1, 1)),
			want: stays(shares(1, big)),
		},
		"WholeNodesNow": {
			reason: "The pool charges whole nodes since, and another is on its node.",
			in:     deploy(1, copies(1, 1)).onto(cluster("a", pool("p", 1, gpus(8, "80Gi")).whole().charged(others(1, 1)))).has(had(1, 1)),
			want:   goes,
		},
		"WholeNodesNowWithRoom": {
			reason: "With a node of its own it stays, and says that it has all of it.",
			in:     deploy(1, copies(1, 1)).onto(cluster("a", pool("p", 1, gpus(8, "80Gi")).whole())).has(had(1, 1)),
			want:   stays(shares(1, anyGPU).whole()),
		},
		"SharesNow": {
			reason: "The pool shares its nodes since. It gives back what it does not need.",
			in:     deploy(2, copies(1, 1)).onto(eights(1)).has(replica("a", 0, on("e", "p", 1)).outdated()),
			want:   Result{Placements: []Placement{kept(r, placedOn("p", shares(1, anyGPU))), fresh("a", 1, placedOn("p", shares(1, anyGPU)))}},
		},
		"StaysWholeUntilUpdated": {
			reason: "A replica whose engines did not change keeps what it has, and only says that it would be another thing today.",
			in:     deploy(2, copies(1, 1)).onto(eights(1)).has(replica("a", 0, on("e", "p", 1))),
			want:   Result{Placements: []Placement{kept(r)}, Unplaced: 1, Drifts: []Drift{drifted(r, NotEnoughDevices)}},
		},
	})
}
