package scheduling

import "testing"

// The scenarios of the Python implementation's test_scheduling.py are in this
// file and those beside it. "Upstream:" marks where our answer differs.

func TestPlacement(t *testing.T) {
	e := small("e")
	wide := cluster("wide", pool("p", 2, gpus(8, "80Gi")))

	runSchedule(t, map[string]scheduleCase{
		"NoClusters": {
			reason: "Nowhere to go.",
			in:     deploy(1, e),
			want:   Result{Unplaced: 1},
		},
		"SingleCluster": {
			reason: "The pool, the charge and the claims are recorded.",
			in:     deploy(1, e).onto(simple("a", 1)),
			want:   Result{Placements: []Placement{fresh("a", 0, at("e", "p"))}},
		},
		"NotReadySkipped": {
			reason: "A cluster that is not Ready takes nothing new.",
			in:     deploy(1, e).onto(simple("a", 1).notReady(), simple("b", 1)),
			want:   Result{Placements: []Placement{fresh("b", 0, at("e", "p"))}},
		},
		"NoAddressSkipped": {
			reason: "A cluster that cannot be reached takes nothing new.",
			in:     deploy(1, e).onto(simple("a", 1).noAddress(), simple("b", 1)),
			want:   Result{Placements: []Placement{fresh("b", 0, at("e", "p"))}},
		},
		"NotSelectedSkipped": {
			reason: "Only selected clusters take anything new.",
			in:     deploy(1, e).selecting("tier in (prod)").onto(simple("a", 1), simple("b", 1).label("tier", "prod")),
			want:   Result{Placements: []Placement{fresh("b", 0, at("e", "p"))}},
		},
		"GangTooBig": {
			reason: "No pool has three nodes, and an engine is never split over pools.",
			in:     deploy(1, gang("e", 3)).onto(cluster("a", pool("p", 2, gpus(1, "80Gi")), pool("q", 2, gpus(1, "80Gi")))),
			want:   Result{Unplaced: 1},
		},
		"NoNodes": {
			reason: "A pool of no nodes takes nothing.",
			in:     deploy(1, e).onto(simple("a", 0)),
			want:   Result{Unplaced: 1},
		},
		"ZeroReplicas": {
			reason: "Nothing is wanted.",
			in:     deploy(0, e).onto(simple("a", 1)),
			want:   Result{},
		},
		"PacksTheOnlyCluster": {
			reason: "Two replicas on one cluster have indexes 0 and 1.",
			in:     deploy(2, e).onto(simple("a", 2)),
			want:   Result{Placements: []Placement{fresh("a", 0, at("e", "p")), fresh("a", 1, at("e", "p"))}},
		},
		"SpreadsBeforePacking": {
			reason: "A cluster without a replica comes before one with.",
			in:     deploy(2, e).onto(simple("a", 2), simple("b", 2)),
			want:   Result{Placements: []Placement{fresh("a", 0, at("e", "p")), fresh("b", 0, at("e", "p"))}},
		},
		"ThirdPacksByName": {
			reason: "Both have one. The names decide.",
			in:     deploy(3, e).onto(simple("b", 2), simple("a", 2)),
			want:   Result{Placements: []Placement{fresh("a", 0, at("e", "p")), fresh("a", 1, at("e", "p")), fresh("b", 0, at("e", "p"))}},
		},
		"CapacityForcesPacking": {
			reason: "b is full after one.",
			in:     deploy(3, e).onto(simple("a", 4), simple("b", 1)),
			want:   Result{Placements: []Placement{fresh("a", 0, at("e", "p")), fresh("a", 1, at("e", "p")), fresh("b", 0, at("e", "p"))}},
		},
		"Shortfall": {
			reason: "What fits is placed, the rest is counted.",
			in:     deploy(3, e).onto(simple("a", 2)),
			want:   Result{Placements: []Placement{fresh("a", 0, at("e", "p")), fresh("a", 1, at("e", "p"))}, Unplaced: 1},
		},
		"ScaleUpWithoutRoom": {
			reason: "What is there is kept, and nothing else is placed.",
			in:     deploy(3, e).onto(simple("a", 1)).has(replica("a", 0, on("e", "p", 1))),
			want:   Result{Placements: []Placement{kept(replica("a", 0))}, Unplaced: 2},
		},
		"ScaleUpOntoOthers": {
			reason: "More of them go onto the other clusters, one each.",
			in:     deploy(3, e).onto(simple("a", 3), simple("b", 3), simple("c", 3)).has(replica("b", 0, on("e", "p", 1))),
			want:   Result{Placements: []Placement{fresh("a", 0, at("e", "p")), kept(replica("b", 0)), fresh("c", 0, at("e", "p"))}},
		},
		"MoreThanTen": {
			reason: "Upstream: at most ten.",
			in:     deploy(12, e).onto(simple("a", 6), simple("b", 6)),
			want: Result{Placements: append(
				freshOnes("a", 6, at("e", "p")), freshOnes("b", 6, at("e", "p"))...)},
		},
		"NewReplicaPrefersTheEmptyCluster": {
			reason: "a has one already.",
			in:     deploy(2, e).onto(simple("a", 2), simple("b", 2)).has(replica("a", 0, on("e", "p", 1))),
			want:   Result{Placements: []Placement{kept(replica("a", 0)), fresh("b", 0, at("e", "p"))}},
		},
		"LowestFreeIndex": {
			reason: "0 and 2 are taken.",
			in:     deploy(3, e).onto(simple("a", 3)).has(replica("a", 0, on("e", "p", 1)), replica("a", 2, on("e", "p", 1))),
			want:   Result{Placements: []Placement{kept(replica("a", 0)), fresh("a", 1, at("e", "p")), kept(replica("a", 2))}},
		},
		"TightestNodes": {
			reason: "Upstream: by name, a. The pool of b is used up and that of a left whole for a gang.",
			in:     deploy(1, e).onto(simple("a", 8), simple("b", 1)),
			want:   Result{Placements: []Placement{fresh("b", 0, at("e", "p"))}},
		},
		"TightestDevices": {
			reason: "Upstream: by name. One GPU of eight would strand seven, though fewer nodes are left.",
			in:     deploy(1, e).onto(wide, simple("z", 8)),
			want:   Result{Placements: []Placement{fresh("z", 0, at("e", "p"))}},
		},
		"TightestPoolOfACluster": {
			reason: "Upstream: first published. The same within a cluster.",
			in:     deploy(1, e).onto(cluster("a", pool("a", 1, gpus(8, "80Gi")), pool("z", 8, gpus(1, "80Gi")))),
			want:   Result{Placements: []Placement{fresh("a", 0, at("e", "z"))}},
		},
		"Hold": {
			reason: "Nothing new is placed and the shortfall is counted. What is kept is kept.",
			in:     deploy(2, e).onto(simple("a", 4)).has(replica("a", 0, on("e", "p", 1))).hold(),
			want:   Result{Placements: []Placement{kept(replica("a", 0))}, Unplaced: 1, Held: true},
		},
		"UnknownPoolTakesNothing": {
			reason: "What a pool has is not known.",
			in:     deploy(1, e).onto(cluster("a", pool("p", 1).unknown())),
			want:   Result{Unplaced: 1},
		},
		"NoEngines": {
			reason: "A deployment without engines has nothing to place.",
			in:     deploy(1).onto(simple("a", 1)),
			want:   Result{Unplaced: 1},
		},
	})
}

func TestLedger(t *testing.T) {
	e := small("e")
	full := func(cs ...Charge) clusterBuilder {
		return cluster("a", pool("p", 2, gpus(1, "80Gi")).charged(cs...))
	}
	runSchedule(t, map[string]scheduleCase{
		"OthersConsumeCapacity": {
			reason: "One of two nodes is taken.",
			in:     deploy(2, e).onto(full(theirs(0, 1))),
			want:   Result{Placements: []Placement{fresh("a", 0, at("e", "p"))}, Unplaced: 1},
		},
		"SameNameOtherNamespace": {
			reason: "Upstream: a namesake's replicas are taken for ours. They are charged as others'.",
			in:     deploy(1, e).onto(full(theirs(0, 2))),
			want:   Result{Unplaced: 1},
		},
		"OwnAreNotCountedTwice": {
			reason: "The ledger has our replica too.",
			in:     deploy(2, e).onto(full(ours(0, 1))).has(replica("a", 0, on("e", "p", 1))),
			want:   Result{Placements: []Placement{kept(replica("a", 0)), fresh("a", 1, at("e", "p"))}},
		},
		"OwnNotInTheLedgerYet": {
			reason: "Upstream: not seen. The ledger lags behind and our own replica is charged all the same.",
			in:     deploy(2, e).onto(full(theirs(0, 1))).has(replica("a", 0, on("e", "p", 1))),
			want:   Result{Placements: []Placement{kept(replica("a", 0))}, Unplaced: 1},
		},
		"OwnStillInTheLedger": {
			reason: "The replica is gone, and the ledger does not know yet.",
			in:     deploy(2, e).onto(full(ours(0, 1), ours(1, 1))),
			want:   Result{Placements: []Placement{fresh("a", 0, at("e", "p")), fresh("a", 1, at("e", "p"))}},
		},
		"OverCommittedPool": {
			reason: "A pool that is charged beyond its nodes keeps what it has and takes no more.",
			in:     deploy(2, e).onto(full(theirs(0, 2))).has(replica("a", 0, on("e", "p", 1))),
			want:   Result{Placements: []Placement{kept(replica("a", 0))}, Unplaced: 1},
		},
		"YieldedReplicaGoesElsewhere": {
			reason: "The cluster's ledger says ours must go. It is a new replica elsewhere.",
			in:     deploy(1, e).onto(full(theirs(0, 2), ours(0, 1).yielding()), simple("b", 1)).has(replica("a", 0, on("e", "p", 1))),
			want:   Result{Placements: []Placement{fresh("b", 0, at("e", "p"))}, Drops: []Drop{dropped(replica("a", 0), DropYielded)}},
		},
		"YieldedReplicaOnAnotherPool": {
			reason: "The cluster may have another pool. The index is a new one.",
			in: deploy(1, e).onto(cluster("a", pool("p", 1, gpus(1, "80Gi")).charged(theirs(0, 1), ours(0, 1).yielding()), pool("q", 1, gpus(1, "80Gi")))).
				has(replica("a", 0, on("e", "p", 1))),
			want: Result{Placements: []Placement{fresh("a", 1, at("e", "q"))}, Drops: []Drop{dropped(replica("a", 0), DropYielded)}},
		},
		"YieldedReplicaDoesNotComeBack": {
			reason: "A pool that told us to yield takes none of ours until it says otherwise, even if it looks free.",
			in:     deploy(1, e).onto(full(ours(0, 1).yielding())).has(replica("a", 0, on("e", "p", 1))),
			want:   Result{Unplaced: 1, Drops: []Drop{dropped(replica("a", 0), DropYielded)}},
		},
		"YieldOfAnIndexLongGone": {
			reason: "Nor does it while its ledger still names a replica we no longer have.",
			in:     deploy(1, e).onto(full(ours(0, 1).yielding())),
			want:   Result{Unplaced: 1},
		},
		"YieldOnAPoolItIsNotOn": {
			reason: "The ledger lags: the replica of this index is on another pool now.",
			in: deploy(1, e).onto(cluster("a", pool("p", 1, gpus(1, "80Gi")).charged(ours(0, 1).yielding()), pool("q", 1, gpus(1, "80Gi")))).
				has(replica("a", 0, on("e", "q", 1))),
			want: Result{Placements: []Placement{kept(replica("a", 0))}},
		},
		"YieldOfAnother": {
			reason: "Another deployment's replica of the same index must go, not ours.",
			in:     deploy(1, e).onto(full(theirs(0, 1).yielding())).has(replica("a", 0, on("e", "p", 1))),
			want:   Result{Placements: []Placement{kept(replica("a", 0))}},
		},
		"YieldingOthersStillCount": {
			reason: "Until it is gone, what must yield is there.",
			in:     deploy(1, e).onto(full(theirs(0, 1), theirs(1, 1).yielding())),
			want:   Result{Unplaced: 1},
		},
		"ChargesWithoutNodes": {
			reason: "Another's member that claims nothing costs nothing.",
			in:     deploy(2, e).onto(full(theirs(0, 0))),
			want:   Result{Placements: []Placement{fresh("a", 0, at("e", "p")), fresh("a", 1, at("e", "p"))}},
		},
	})
}
