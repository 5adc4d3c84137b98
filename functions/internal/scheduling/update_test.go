package scheduling

import (
	"testing"

	"github.com/modelplane-go/modelplane/functions/internal/devices"
)

func TestUpdate(t *testing.T) {
	e := small("e")
	r := replica("a", 0, on("e", "p", 1)).outdated()
	hugeAt := func(pool string) EnginePlacement {
		return EnginePlacement{Engine: "e", Pool: pool, Nodes: 1, Claims: [][]devices.Claim{claimed(1, huge)}}
	}
	two := cluster("a", pool("p", 1, gpus(1, "80Gi")), pool("q", 1, gpus(1, "141Gi")))

	runSchedule(t, map[string]scheduleCase{
		"SelectorStillMatches": {
			reason: "The claims are resolved anew, the pool stays.",
			in:     deploy(1, needs(request(1, big))).onto(simple("a", 1)).has(replica("a", 0, on("e", "p", 1)).outdated()),
			want:   Result{Placements: []Placement{kept(r, placedOn("p", claimed(1, big)...))}},
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
			want:   Result{Placements: []Placement{kept(r, gangAt("e", "p", 3))}},
		},
		"GrowthDoesNotFit": {
			reason: "Upstream: over-committed. It is a new placement, and the old node is free for it.",
			in:     deploy(1, gang("e", 3)).onto(cluster("a", pool("p", 2, gpus(1, "80Gi")), pool("q", 3, gpus(1, "80Gi")))).has(r),
			want:   Result{Placements: []Placement{fresh("a", 1, gangAt("e", "q", 3))}, Drops: []Drop{dropped(r, DropNoLongerFit)}},
		},
		"GrowthDoesNotFitBesideOthers": {
			reason: "Another has the node.",
			in:     deploy(1, gang("e", 2)).onto(cluster("a", pool("p", 2, gpus(1, "80Gi")).charged(theirs(0, 1), ours(0, 1)))).has(r),
			want:   Result{Unplaced: 1, Drops: []Drop{dropped(r, DropNoLongerFit)}},
		},
		"GrowthOnHold": {
			reason: "It is not updated and not lost.",
			in:     deploy(1, gang("e", 3)).onto(simple("a", 2)).has(r).hold(),
			want:   Result{Placements: []Placement{kept(r)}, Drifts: []Drift{drifted(r, NotEnoughNodes)}},
		},
		"GrowthTogether": {
			reason: "Each would fit alone. The second is placed elsewhere.",
			in:     deploy(2, gang("e", 2)).onto(simple("a", 3), simple("b", 2)).has(r, replica("a", 1, on("e", "p", 1)).outdated()),
			want: Result{
				Placements: []Placement{kept(r, gangAt("e", "p", 2)), fresh("b", 0, gangAt("e", "p", 2))},
				Drops:      []Drop{dropped(replica("a", 1), DropNoLongerFit)},
			},
		},
		"ShrinkingMakesRoom": {
			reason: "The second gives two nodes back, which the first needs.",
			in:     deploy(2, gang("e", 2)).onto(simple("a", 4)).has(r, replica("a", 1, on("e", "p", 3)).outdated()),
			want:   Result{Placements: []Placement{kept(r, gangAt("e", "p", 2)), kept(replica("a", 1), gangAt("e", "p", 2))}},
		},
		"ShrinksOnAnOverCommittedPool": {
			reason: "It takes less than it has, so nothing is worse.",
			in:     deploy(1, gang("e", 2)).onto(cluster("a", pool("p", 2, gpus(1, "80Gi")).charged(theirs(0, 2)))).has(replica("a", 0, on("e", "p", 3)).outdated()),
			want:   Result{Placements: []Placement{kept(r, gangAt("e", "p", 2))}},
		},
		"WaitingReplicaIsChargedAsItIs": {
			reason: "The new shape is not its yet, so it has one node and the other is free.",
			in:     deploy(2, gang("e", 2)).onto(simple("a", 3)).has(r.waiting()),
			want:   Result{Placements: []Placement{kept(r), fresh("a", 1, gangAt("e", "p", 2))}},
		},
		"EngineAdded": {
			reason: "The new engine may be on any pool of the cluster.",
			in:     deploy(1, e, engine("f", 1, member("m", 1, request(1, huge)))).onto(two).has(r),
			want: Result{Placements: []Placement{kept(r, at("e", "p"),
				EnginePlacement{Engine: "f", Pool: "q", Nodes: 1, Claims: [][]devices.Claim{claimed(1, huge)}})}},
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
			want:   Result{Placements: []Placement{kept(r, gangAt("e", "p", 2))}},
		},
		"UpdatedWhereNothingNewMayGo": {
			reason: "A cluster that takes nothing new updates what it has.",
			in:     deploy(1, needs(request(1, big))).onto(simple("a", 1).notReady().taint("t", "", NoSchedule)).has(r),
			want:   Result{Placements: []Placement{kept(r, placedOn("p", claimed(1, big)...))}, Drifts: []Drift{drifted(r, NotReady)}},
		},
		"SyntheticNow": {
			reason: "Nothing the new selectors match can be claimed.",
			in:     deploy(1, needs(request(1, huge))).onto(cluster("a", pool("p", 1, gpus(1, "80Gi"), fake(1, "141Gi")))).has(r),
			want:   Result{Unplaced: 1, Drops: []Drop{dropped(r, DropNoLongerFit)}},
		},
	})
}
