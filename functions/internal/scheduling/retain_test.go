package scheduling

import "testing"

func TestRetain(t *testing.T) {
	e := small("e")
	r := replica("a", 0, on("e", "p", 1))
	h100 := pool("p", 1, gpus(1, "80Gi"))

	runSchedule(t, map[string]scheduleCase{
		"Sticky": {
			reason: "An existing replica stays though another cluster would do as well.",
			in:     deploy(1, e).onto(simple("a", 4), simple("b", 1)).has(r),
			want:   Result{Placements: []Placement{kept(r)}},
		},
		"StickyPool": {
			reason: "And on its pool, though another fits tighter.",
			in: deploy(1, e).onto(cluster("a", pool("o", 1, gpus(1, "80Gi")), pool("p", 9, gpus(8, "80Gi")))).
				has(replica("a", 0, sharing("e", "p", 1, 1))),
			want: Result{Placements: []Placement{kept(r)}},
		},
		"NotReadyNoAddress": {
			reason: "A cluster that is in trouble keeps its replicas.",
			in:     deploy(1, e).onto(simple("a", 1).notReady().noAddress(), simple("b", 1)).has(r),
			want:   Result{Placements: []Placement{kept(r)}, Drifts: []Drift{drifted(r, NotReady)}},
		},
		"NoAddress": {
			reason: "So does one whose gateway address vanished.",
			in:     deploy(1, e).onto(simple("a", 1).noAddress()).has(r),
			want:   Result{Placements: []Placement{kept(r)}, Drifts: []Drift{drifted(r, NoGatewayAddress)}},
		},
		"Relabelled": {
			reason: "Upstream: dropped. A cluster that is no longer selected keeps its replicas.",
			in:     deploy(1, e).selecting("tier=prod").onto(simple("a", 1), simple("b", 1).label("tier", "prod")).has(r),
			want:   Result{Placements: []Placement{kept(r)}, Drifts: []Drift{drifted(r, NotSelected)}},
		},
		"ClusterGone": {
			reason: "The cluster was deleted.",
			in:     deploy(1, e).onto(simple("b", 1)).has(r),
			want:   Result{Placements: []Placement{fresh("b", 0, at("e", "p"))}, Drops: []Drop{dropped(r, DropClusterGone)}},
		},
		"ClusterGoneNowhereToGo": {
			reason: "There is nowhere else.",
			in:     deploy(1, e).has(r),
			want:   Result{Unplaced: 1, Drops: []Drop{dropped(r, DropClusterGone)}},
		},
		"ClusterNotSeenOnHold": {
			reason: "A cluster that is not known yet is not a cluster that is gone.",
			in:     deploy(2, e).has(r).hold(),
			want:   Result{Placements: []Placement{kept(r)}, Unplaced: 1, Held: true},
		},
		"PoolRemoved": {
			reason: "The pool is not in the cluster's spec any more. The new replica has a new index.",
			in:     deploy(1, e).onto(cluster("a", pool("q", 1, gpus(1, "80Gi")))).has(r),
			want: Result{
				Placements: []Placement{leaving(r), fresh("a", 1, at("e", "q"))},
				Drifts:     []Drift{drifted(r, PoolRemoved)},
			},
		},
		"NoPool": {
			reason: "Upstream: dropped. A replica that does not say where it is proves nothing.",
			in:     deploy(1, e).onto(cluster("a", h100), simple("b", 1)).has(replica("a", 0, on("e", "", 0))),
			want:   Result{Placements: []Placement{kept(r)}, Drifts: []Drift{drifted(r, PoolUnknown)}},
		},
		"PoolUnknown": {
			reason: "Upstream: dropped. The pool is missing from a status write, no more.",
			in:     deploy(1, e).onto(cluster("a", h100.unknown()), simple("b", 1)).has(r),
			want:   Result{Placements: []Placement{kept(r)}, Drifts: []Drift{drifted(r, PoolUnknown)}},
		},
		"DeviceDrift": {
			reason: "Upstream: dropped. The class changed under a replica whose engines did not.",
			in:     deploy(1, engine("e", 1, member("m", 1, request(1, huge)))).onto(cluster("a", h100)).has(r),
			want:   Result{Placements: []Placement{kept(r)}, Drifts: []Drift{drifted(r, NoMatchingDevice)}},
		},
		"CountDrift": {
			reason: "The class has fewer devices than it had.",
			in:     deploy(1, engine("e", 1, member("m", 1, request(2, big)))).onto(cluster("a", h100)).has(r),
			want:   Result{Placements: []Placement{kept(r)}, Drifts: []Drift{drifted(r, NotEnoughDevices)}},
		},
		"SyntheticDrift": {
			reason: "The class's devices became Synthetic.",
			in:     deploy(1, e).onto(cluster("a", pool("p", 1, fake(1, "80Gi")))).has(r),
			want:   Result{Placements: []Placement{kept(r)}, Drifts: []Drift{drifted(r, NothingToClaim)}},
		},
		"CostDrift": {
			reason: "A leader that claimed nothing would claim a node now. The replica did not ask for it.",
			in:     deploy(1, gang("e", 2)).onto(simple("a", 2)).has(r),
			want:   Result{Placements: []Placement{kept(r)}, Drifts: []Drift{drifted(r, NotEnoughDevices)}},
		},
		"EngineDrift": {
			reason: "A current replica that lacks an engine is not ours to understand: it stays.",
			in:     deploy(1, small("f")).onto(simple("a", 2)).has(r),
			want:   Result{Placements: []Placement{kept(r)}, Drifts: []Drift{drifted(r, NoMatchingDevice)}},
		},
		"NotUpdating": {
			reason: "A replica that does not take the engines now is kept exactly, whatever they are.",
			in:     deploy(1, engine("f", 9, member("m", 9, request(9, huge)))).onto(simple("a", 1)).has(r.waiting()),
			want:   Result{Placements: []Placement{kept(r)}},
		},
		"Colocated": {
			reason: "Two replicas of one cluster are both kept.",
			in:     deploy(2, e).onto(simple("a", 2)).has(replica("a", 1, on("e", "p", 1)), r),
			want:   Result{Placements: []Placement{kept(r), kept(replica("a", 1))}},
		},
		"Duplicate": {
			reason: "Two replicas say they are the same one. The first by name is.",
			in:     deploy(1, e).onto(simple("a", 2)).has(r.named("y"), r.named("x")),
			want:   Result{Placements: []Placement{kept(r.named("x"))}, Drops: []Drop{dropped(r.named("y"), DropDuplicate)}},
		},
		"Invalid": {
			reason: "Upstream: desired nothing. A selector that does not compile keeps everything, whatever else is wrong.",
			in:     deploy(1, engine("e", 1, member("m", 1, request(1, anyGPU, invalid)))).onto(simple("b", 1)).has(r, replica("b", 0, on("e", "gone", 1))),
			want: Result{
				Placements: []Placement{kept(r), kept(replica("b", 0))},
				Invalid:    []SelectorError{{Engine: "e", Member: "m", Request: "gpu", Selector: 1, Message: "compilation failed: ERROR: <input>:1:7: undefined field 'nope' | device.nope | ......^"}},
			},
		},
		"DroppedNodeIsFree": {
			reason: "The dropped replica's node is free for the one that replaces it.",
			in:     deploy(2, e).onto(simple("a", 2)).has(r.named("y"), r.named("x")),
			want: Result{
				Placements: []Placement{kept(r.named("x")), fresh("a", 1, at("e", "p"))},
				Drops:      []Drop{dropped(r.named("y"), DropDuplicate)},
			},
		},
	})
}

func TestScaleDown(t *testing.T) {
	e := small("e")
	r := func(cluster string, index int) replicaBuilder { return replica(cluster, index, on("e", "p", 1)) }

	runSchedule(t, map[string]scheduleCase{
		"HighestIndexOfTheFullest": {
			reason: "a hosts most, and its later index goes.",
			in:     deploy(2, e).onto(simple("a", 4), simple("b", 4)).has(r("a", 0), r("a", 1), r("b", 0)),
			want:   Result{Placements: []Placement{kept(r("a", 0)), kept(r("b", 0))}, Drops: []Drop{dropped(r("a", 1), DropScaledDown)}},
		},
		"SoleReplicaSurvives": {
			reason: "A cluster's only replica stays, however high its index.",
			in:     deploy(2, e).onto(simple("a", 4), simple("b", 4)).has(r("a", 0), r("a", 1), r("b", 3)),
			want:   Result{Placements: []Placement{kept(r("a", 0)), kept(r("b", 3))}, Drops: []Drop{dropped(r("a", 1), DropScaledDown)}},
		},
		"EqualLoadDropsTheLaterName": {
			reason: "Both host one.",
			in:     deploy(1, e).onto(simple("a", 4), simple("b", 4)).has(r("a", 0), r("b", 0)),
			want:   Result{Placements: []Placement{kept(r("a", 0))}, Drops: []Drop{dropped(r("b", 0), DropScaledDown)}},
		},
		"NotReadyFirst": {
			reason: "Upstream: b/0, which serves. The one that does not serve goes.",
			in:     deploy(1, e).onto(simple("a", 4), simple("b", 4)).has(r("a", 0).notReady(), r("b", 0)),
			want:   Result{Placements: []Placement{kept(r("b", 0))}, Drops: []Drop{dropped(r("a", 0), DropScaledDown)}},
		},
		"NotReadyBeforeOutdated": {
			reason: "An outdated replica that serves is worth more than a new one that does not.",
			in:     deploy(1, e).onto(simple("a", 4), simple("b", 4)).has(r("a", 0).notReady(), r("b", 0).waiting()),
			want:   Result{Placements: []Placement{kept(r("b", 0))}, Drops: []Drop{dropped(r("a", 0), DropScaledDown)}},
		},
		"OutdatedBeforeCurrent": {
			reason: "Of those that serve, the outdated one goes.",
			in:     deploy(1, e).onto(simple("a", 4), simple("b", 4)).has(r("a", 0).waiting(), r("b", 0)),
			want:   Result{Placements: []Placement{kept(r("b", 0))}, Drops: []Drop{dropped(r("a", 0), DropScaledDown)}},
		},
		"LoadIsCountedAnew": {
			reason: "After one of a's went, both host as many, and then b's go.",
			in:     deploy(2, e).onto(simple("a", 4), simple("b", 4)).has(r("a", 0), r("a", 1), r("a", 2), r("b", 0), r("b", 1)),
			want: Result{
				Placements: []Placement{kept(r("a", 0)), kept(r("b", 0))},
				Drops:      []Drop{dropped(r("a", 1), DropScaledDown), dropped(r("a", 2), DropScaledDown), dropped(r("b", 1), DropScaledDown)},
			},
		},
		"ToZero": {
			reason: "Upstream: not possible. Nothing is left.",
			in:     deploy(0, e).onto(simple("a", 4)).has(r("a", 0)),
			want:   Result{Drops: []Drop{dropped(r("a", 0), DropScaledDown)}},
		},
		"OnHold": {
			reason: "Scaling down needs to know nothing.",
			in:     deploy(1, e).has(r("a", 0), r("b", 0)).hold(),
			want:   Result{Placements: []Placement{kept(r("a", 0))}, Drops: []Drop{dropped(r("b", 0), DropScaledDown)}},
		},
		"BeforeTheUpdate": {
			reason: "The replica that goes makes room for the one that grows.",
			in: deploy(1, gang("e", 2)).onto(simple("a", 2)).
				has(r("a", 0).outdated(), r("a", 1).outdated()),
			want: Result{Placements: []Placement{kept(r("a", 0), gangAt("e", "p"))}, Drops: []Drop{dropped(r("a", 1), DropScaledDown)}},
		},
		"WhatCannotStayGoesFirst": {
			reason: "One of two is tainted away, so nothing is left to scale down.",
			in: deploy(1, e).onto(simple("a", 4), simple("b", 4).taint("x", "", NoExecute)).
				has(r("a", 0), r("b", 0)),
			want: Result{Placements: []Placement{kept(r("a", 0))}, Drops: []Drop{dropped(r("b", 0), DropTainted)}},
		},
	})
}
