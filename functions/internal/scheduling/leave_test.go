package scheduling

import "testing"

// TestLeave: a replica whose place is taken from it, or that fails there, is
// replaced before it goes.
func TestLeave(t *testing.T) {
	e := small("e")
	r := func(cluster string, index int) replicaBuilder { return replica(cluster, index, on("e", "p", 1)) }
	drained := func(nodes int) clusterBuilder { return simple("a", nodes).taint("x", "", NoExecute) }

	runSchedule(t, map[string]scheduleCase{
		"UntilTheReplacementServes": {
			reason: "The replacement has its place and does not serve yet.",
			in:     deploy(1, e).onto(drained(1), simple("b", 1)).has(r("a", 0), r("b", 0).notReady()),
			want:   Result{Placements: []Placement{leaving(r("a", 0)), kept(r("b", 0))}, Drifts: []Drift{drifted(r("a", 0), Tainted)}},
		},
		"ThenItGoes": {
			reason: "It does now.",
			in:     deploy(1, e).onto(drained(1), simple("b", 1)).has(r("a", 0), r("b", 0)),
			want:   Result{Placements: []Placement{kept(r("b", 0))}, Drops: []Drop{dropped(r("a", 0), DropTainted)}},
		},
		"NobodyIsServedByIt": {
			reason: "One that does not serve holds nobody's place.",
			in:     deploy(1, e).onto(drained(1), simple("b", 1)).has(r("a", 0).notReady()),
			want:   Result{Placements: []Placement{fresh("b", 0, at("e", "p"))}, Drops: []Drop{dropped(r("a", 0), DropTainted)}},
		},
		"OneForOne": {
			reason: "Of two that leave, one has nowhere to go: a drain takes it all the same.",
			in:     deploy(2, e).onto(drained(2), simple("b", 1)).has(r("a", 0), r("a", 1)),
			want: Result{
				Placements: []Placement{leaving(r("a", 0)), fresh("b", 0, at("e", "p"))},
				Drops:      []Drop{dropped(r("a", 1), DropTainted)},
				Drifts:     []Drift{drifted(r("a", 0), Tainted)},
				Unplaced:   1,
			},
		},
		"NotKnown": {
			reason: "While the fleet is not read, nobody knows whether there is room elsewhere.",
			in:     deploy(1, e).onto(drained(1)).has(r("a", 0)).hold(),
			want: Result{
				Placements: []Placement{leaving(r("a", 0))},
				Drifts:     []Drift{drifted(r("a", 0), Tainted)},
				Unplaced:   1, Held: true,
			},
		},
		"NobodyKnowsYet": {
			reason: "A cluster that is away may yet take it.",
			in:     deploy(1, e).onto(drained(1), simple("b", 1).notReady()).has(r("a", 0)),
			want:   Result{Placements: []Placement{leaving(r("a", 0))}, Drifts: []Drift{drifted(r("a", 0), Tainted)}, Unplaced: 1},
		},
		"NorWhereNothingIsKnown": {
			reason: "So may one of which a pool is not known.",
			in:     deploy(1, e).onto(drained(1), cluster("b", pool("p", 1).unknown())).has(r("a", 0)),
			want:   Result{Placements: []Placement{leaving(r("a", 0))}, Drifts: []Drift{drifted(r("a", 0), Tainted)}, Unplaced: 1},
		},
		"ScaledToNothing": {
			reason: "Nobody needs it.",
			in:     deploy(0, e).onto(drained(1), simple("b", 1)).has(r("a", 0)),
			want:   Result{Drops: []Drop{dropped(r("a", 0), DropTainted)}},
		},
		"TheTaintIsTakenBack": {
			reason: "It serves, so it is its replacement that goes.",
			in:     deploy(1, e).onto(simple("a", 1), simple("b", 1)).has(r("a", 0), r("b", 0).notReady()),
			want:   Result{Placements: []Placement{kept(r("a", 0))}, Drops: []Drop{dropped(r("b", 0), DropScaledDown)}},
		},
		"NotUpdated": {
			reason: "A replica that leaves takes no new engines.",
			in:     deploy(1, e).onto(drained(1), simple("b", 1)).has(r("a", 0).outdated()),
			want:   Result{Placements: []Placement{leaving(r("a", 0)), fresh("b", 0, at("e", "p"))}, Drifts: []Drift{drifted(r("a", 0), Tainted)}},
		},
		"BesideOneThatOutgrewItsPlace": {
			reason: "The other replica served, and starts anew elsewhere: until then this one is the last.",
			in: deploy(1, gang("e", 2)).onto(drained(1), simple("b", 1), simple("c", 2)).
				has(r("a", 0), r("b", 0).outdated()),
			want: Result{
				Placements: []Placement{leaving(r("a", 0)), fresh("c", 0, gangAt("e", "p"))},
				Drops:      []Drop{dropped(r("b", 0), DropNoLongerFit)},
				Drifts:     []Drift{drifted(r("a", 0), Tainted)},
			},
		},
		"NoFailover": {
			reason: "Nobody asked for replacing what fails.",
			in:     deploy(1, e).onto(simple("a", 1).notReady(), simple("b", 1)).has(r("a", 0).failing()),
			want:   Result{Placements: []Placement{kept(r("a", 0))}, Drifts: []Drift{drifted(r("a", 0), NotReady)}},
		},
		"Failover": {
			reason: "It is replaced elsewhere, and may recover until then.",
			in:     deploy(1, e).failover(1).onto(simple("a", 1).notReady(), simple("b", 1)).has(r("a", 0).failing().notReady()),
			want:   Result{Placements: []Placement{leaving(r("a", 0)), fresh("b", 0, at("e", "p"))}, Drifts: []Drift{drifted(r("a", 0), Failing)}},
		},
		"NotWhereItFails": {
			reason: "The cluster has room, and a replica that fails on it.",
			in:     deploy(1, e).failover(1).onto(simple("a", 4), simple("b", 1)).has(r("a", 0).failing().notReady()),
			want:   Result{Placements: []Placement{leaving(r("a", 0)), fresh("b", 0, at("e", "p"))}, Drifts: []Drift{drifted(r("a", 0), Failing)}},
		},
		"FailoverNowhere": {
			reason: "Where nothing can replace it, it stays.",
			in:     deploy(1, e).failover(1).onto(simple("a", 4)).has(r("a", 0).failing().notReady()),
			want:   Result{Placements: []Placement{leaving(r("a", 0))}, Drifts: []Drift{drifted(r("a", 0), Failing)}, Unplaced: 1},
		},
		"OneAtATime": {
			reason: "The others wait for their turn.",
			in:     deploy(2, e).failover(1).onto(simple("a", 4).notReady(), simple("b", 4)).has(r("a", 0).failing(), r("a", 1).failing()),
			want: Result{
				Placements: []Placement{leaving(r("a", 0)), kept(r("a", 1)), fresh("b", 0, at("e", "p"))},
				Drifts:     []Drift{drifted(r("a", 0), Failing), drifted(r("a", 1), NotReady)},
			},
		},
		"FailedOver": {
			reason: "The replacement serves.",
			in:     deploy(1, e).failover(1).onto(simple("a", 1).notReady(), simple("b", 1)).has(r("a", 0).failing().notReady(), r("b", 0)),
			want:   Result{Placements: []Placement{kept(r("b", 0))}, Drops: []Drop{dropped(r("a", 0), DropFailing)}},
		},
		"NoChain": {
			reason: "The replacement fails too: it is the first one's turn, and nothing more is started.",
			in: deploy(1, e).failover(1).onto(simple("a", 1), simple("b", 1), simple("c", 1)).
				has(r("a", 0).failing().notReady(), r("b", 0).failing().notReady()),
			want: Result{Placements: []Placement{leaving(r("a", 0)), kept(r("b", 0))}, Drifts: []Drift{drifted(r("a", 0), Failing)}},
		},
	})
}
