package scheduling

import (
	"fmt"
	"testing"

	"github.com/modelplane-go/modelplane/functions/internal/devices"
)

// gangPlaced is where a gang of which each pod takes so many GPUs is placed.
func gangPlaced(pool string, m MemberPlacement) EnginePlacement {
	return EnginePlacement{Engine: "e", Pool: pool, Members: []MemberPlacement{m, m}}
}

// wide is a gang of so many pods with so many GPUs each.
func wide(copies, pods, gpus int) Engine {
	return engine("e", copies, member("Leader", 1, request(gpus, anyGPU)), member("Worker", pods-1, request(gpus, anyGPU)))
}

// TestSharing: pods share nodes as far as the nodes have devices.
func TestSharing(t *testing.T) {
	one, eight := needs(request(1, anyGPU)), needs(request(8, anyGPU))
	eights := func(name string, nodes int) poolBuilder { return pool(name, nodes, gpus(8, "80Gi")) }
	onePlaced := placedOn("p", shares(1, anyGPU))

	runSchedule(t, map[string]scheduleCase{
		"EightOnANode": {
			reason: "Upstream: one. Eight replicas of one GPU are on one node of eight.",
			in:     deploy(8, one).onto(cluster("a", eights("p", 1))),
			want:   Result{Placements: freshOnes("a", 8, onePlaced)},
		},
		"NotNine": {
			reason: "And not nine.",
			in:     deploy(9, one).onto(cluster("a", eights("p", 1))),
			want:   Result{Placements: freshOnes("a", 8, onePlaced), Unplaced: 1},
		},
		"EightSmallAndOneLarge": {
			reason: "Eight of one GPU are packed onto one of two nodes, which leaves the other for one of eight.",
			in:     deploy(1, eight).onto(cluster("a", eights("p", 2).charged(theirs(0, 0).taking(pods(8, 1))))),
			want:   Result{Placements: []Placement{fresh("a", 0, placedOn("p", takes(8, anyGPU)))}},
		},
		"SmallBesideLarge": {
			reason: "The other way round.",
			in:     deploy(9, one).onto(cluster("a", eights("p", 2).charged(theirs(0, 0).taking(pods(1, 8))))),
			want:   Result{Placements: freshOnes("a", 8, onePlaced), Unplaced: 1},
		},
		"Fragments": {
			reason: "Three GPUs are left on each of two nodes, and six on none.",
			in:     deploy(1, needs(request(6, anyGPU))).onto(cluster("a", eights("p", 2).charged(theirs(0, 0).taking(pods(2, 5))))),
			want:   Result{Unplaced: 1},
		},
		"WholeNode": {
			reason: "A pod that takes all of its node shares it with nobody.",
			in:     deploy(1, eight).onto(cluster("a", eights("p", 1))),
			want:   Result{Placements: []Placement{fresh("a", 0, placedOn("p", takes(8, anyGPU)))}},
		},
		"NothingLeftToClaim": {
			reason: "Nor does one that leaves only what cannot be claimed.",
			in:     deploy(1, eight).onto(cluster("a", pool("p", 1, gpus(8, "80Gi"), nics(2)))),
			want:   Result{Placements: []Placement{fresh("a", 0, placedOn("p", takes(8, anyGPU)))}},
		},
		"SomethingLeftToClaim": {
			reason: "Other devices are left that may be claimed.",
			in:     deploy(1, needs(request(8, big))).onto(cluster("a", pool("p", 1, gpus(8, "80Gi"), other(1, "24Gi", "alt")))),
			want:   Result{Placements: []Placement{fresh("a", 0, placedOn("p", shares(8, big)))}},
		},
		"SyntheticIsCounted": {
			reason: "Each pod takes a NIC, and a node has two of them.",
			in:     deploy(3, needs(request(1, anyGPU), nic())).onto(cluster("a", pool("p", 1, gpus(8, "80Gi"), nics(2)))),
			want:   Result{Placements: freshOnes("a", 2, placedOn("p", shares(1, anyGPU).and("nic", 1))), Unplaced: 1},
		},
		"SyntheticOfOthersIsCounted": {
			reason: "Another's pods have the NICs.",
			in: deploy(1, needs(request(1, anyGPU), nic())).onto(cluster("a", pool("p", 1, gpus(8, "80Gi"), nics(2)).
				charged(theirs(0, 0).taking(Group{Copies: 2, Pods: []Pod{{Count: 1, Devices: map[string]int{"gpu": 1, "nic": 1}}}})))),
			want: Result{Unplaced: 1},
		},
		"WholeNodes": {
			reason: "A pool that charges whole nodes gives each pod one. It is stamped with no numbers.",
			in:     deploy(3, one).onto(cluster("a", eights("p", 2).whole())),
			want:   Result{Placements: freshOnes("a", 2, placedOn("p", shares(1, anyGPU).whole())), Unplaced: 1},
		},
		"WholeNodesOfOthers": {
			reason: "A pod that does not say what it takes has all of its node, also where nodes are shared.",
			in:     deploy(2, one).onto(cluster("a", eights("p", 2).charged(theirs(0, 1), theirs(1, 0).taking(pods(1, 7))))),
			want:   Result{Placements: []Placement{fresh("a", 0, onePlaced)}, Unplaced: 1},
		},
		"SharedBeforeTheyWereWhole": {
			reason: "What was charged while nodes were shared still is, and a pod beside it gets a node of its own.",
			in:     deploy(2, one).onto(cluster("a", eights("p", 2).whole().charged(theirs(0, 0).taking(pods(1, 1))))),
			want:   Result{Placements: freshOnes("a", 1, placedOn("p", shares(1, anyGPU).whole())), Unplaced: 1},
		},
		"GangNeedsNodes": {
			reason: "The pods of a gang are on a node each, however small they are.",
			in:     deploy(1, wide(1, 3, 1)).onto(cluster("a", eights("p", 2))),
			want:   Result{Unplaced: 1},
		},
		"GangsShareNodes": {
			reason: "But with those of other replicas. Eight gangs of three are on three nodes.",
			in:     deploy(9, wide(1, 3, 1)).onto(cluster("a", eights("p", 3))),
			want:   Result{Placements: freshOnes("a", 8, gangPlaced("p", shares(1, anyGPU))), Unplaced: 1},
		},
		"CopiesShareNodes": {
			reason: "And with those of another copy of the same engine.",
			in:     deploy(1, wide(8, 3, 1)).onto(cluster("a", eights("p", 3))),
			want:   Result{Placements: freshOnes("a", 1, gangPlaced("p", shares(1, anyGPU)))},
		},
		"CopiesOfOnePodShareANode": {
			reason: "Copies of a single pod may all be on one node.",
			in:     deploy(1, engine("e", 8, member("m", 1, request(1, anyGPU)))).onto(cluster("a", eights("p", 1))),
			want:   Result{Placements: freshOnes("a", 1, onePlaced)},
		},
		"TooManyCopies": {
			reason: "Nine may not.",
			in:     deploy(1, engine("e", 9, member("m", 1, request(1, anyGPU)))).onto(cluster("a", eights("p", 1))),
			want:   Result{Unplaced: 1},
		},
		"EnginesShareANode": {
			reason: "Two engines of a replica too.",
			in:     deploy(1, one, engine("f", 1, member("m", 1, request(7, anyGPU)))).onto(cluster("a", eights("p", 1))),
			want: Result{Placements: []Placement{fresh("a", 0, onePlaced,
				EnginePlacement{Engine: "f", Pool: "p", Members: []MemberPlacement{shares(7, anyGPU)}})}},
		},
		"ClaimlessLeaderOfAGang": {
			reason: "A leader that claims nothing needs no node of its own.",
			in:     deploy(1, engine("e", 1, member("Leader", 1), member("Worker", 2, request(8, anyGPU)))).onto(cluster("a", eights("p", 2))),
			want:   Result{Placements: []Placement{fresh("a", 0, EnginePlacement{Engine: "e", Pool: "p", Members: []MemberPlacement{{}, takes(8, anyGPU)}})}},
		},
		"UnevenGang": {
			reason: "A leader with one GPU and a worker with seven, twice: each leader is beside the other's worker.",
			in: deploy(2, engine("e", 1, member("Leader", 1, request(1, anyGPU)), member("Worker", 1, request(7, anyGPU)))).
				onto(cluster("a", eights("p", 2))),
			want: Result{Placements: freshOnes("a", 2, EnginePlacement{Engine: "e", Pool: "p", Members: []MemberPlacement{shares(1, anyGPU), shares(7, anyGPU)}})},
		},
		"NodesInUseFirst": {
			reason: "b has a node in use with room on it. a's stay free for what needs all of one.",
			in:     deploy(1, one).onto(cluster("a", eights("p", 2)), cluster("b", eights("p", 2).charged(theirs(0, 0).taking(pods(1, 1))))),
			want:   Result{Placements: []Placement{fresh("b", 0, onePlaced)}},
		},
		"PoolsInUseFirst": {
			reason: "The same of two pools of a cluster.",
			in:     deploy(1, one).onto(cluster("a", eights("o", 2), eights("p", 2).charged(theirs(0, 0).taking(pods(1, 1))))),
			want:   Result{Placements: []Placement{fresh("a", 0, onePlaced)}},
		},
		"LeastLeftFirst": {
			reason: "On q four GPUs would be left of four, on p seven of eight.",
			in:     deploy(1, needs(request(4, anyGPU))).onto(cluster("a", eights("p", 1), pool("q", 1, gpus(4, "80Gi")))),
			want:   Result{Placements: []Placement{fresh("a", 0, placedOn("q", takes(4, anyGPU)))}},
		},
		"SeveralKinds": {
			reason: "Four GPUs of one kind and four of another are on the node. A pod of four of any takes those that are left.",
			in: deploy(1, needs(request(4, anyGPU))).onto(cluster("a", pool("p", 1, gpus(4, "80Gi"), other(4, "80Gi", "gpu.example.com")).
				charged(theirs(0, 0).taking(two(1, 0, 4))))),
			want: Result{Placements: []Placement{fresh("a", 0, placedOn("p", shares(4, anyGPU)))}},
		},
		"SeveralKindsTogether": {
			reason: "Two are left of each kind, and a request may be met by both.",
			in: deploy(1, needs(request(4, anyGPU))).onto(cluster("a", pool("p", 1, gpus(4, "80Gi"), other(4, "80Gi", "gpu.example.com")).
				charged(theirs(0, 0).taking(two(1, 2, 2))))),
			want: Result{Placements: []Placement{fresh("a", 0, placedOn("p", MemberPlacement{
				Claims: claimed(4, anyGPU), Devices: map[string]int{"gpu": 2, "alt": 2}, SharesNode: true,
			}))}},
		},
		"SeveralClasses": {
			reason: "The class that comes first by name is used up, so the claim is of the other one.",
			in: deploy(1, needs(request(2, anyGPU))).onto(cluster("a", pool("p", 1, gpus(2, "80Gi"), other(2, "80Gi", "alt")).
				charged(theirs(0, 0).taking(two(1, 0, 2))))),
			want: Result{Placements: []Placement{fresh("a", 0, placedOn("p", shares(2, anyGPU)))}},
		},
		"SeveralClassesTogether": {
			reason: "One is left of each class: two claims.",
			in: deploy(1, needs(request(2, anyGPU))).onto(cluster("a", pool("p", 1, gpus(2, "80Gi"), other(2, "80Gi", "alt")).
				charged(theirs(0, 0).taking(two(1, 1, 1))))),
			want: Result{Placements: []Placement{fresh("a", 0, placedOn("p", MemberPlacement{
				Claims: []devices.Claim{
					{Name: "gpu-1", DeviceClassName: "alt", Count: 1, Selectors: []string{anyGPU}},
					{Name: "gpu-2", DeviceClassName: "gpu.example.com", Count: 1, Selectors: []string{anyGPU}},
				},
				Devices: map[string]int{"gpu": 1, "alt": 1}, SharesNode: true,
			}))}},
		},
		"LooksAheadToReplicas": {
			reason: "The leader may have either kind, the worker only the small one. A leader that took the small one of both nodes would leave no worker a place.",
			in: deploy(2, engine("e", 1, member("Leader", 1, request(1, anyGPU)), member("Worker", 1, request(1, little)))).
				onto(cluster("a", pool("p", 2, gpus(1, "141Gi"), other(1, "24Gi", "alt")))),
			want: Result{Placements: freshOnes("a", 2, EnginePlacement{Engine: "e", Pool: "p", Members: []MemberPlacement{
				shares(1, anyGPU),
				{Claims: []devices.Claim{{Name: "gpu", DeviceClassName: "alt", Count: 1, Selectors: []string{little}}}, Devices: map[string]int{"alt": 1}, SharesNode: true},
			}})},
		},
	})
}

// TestSharingCharges: what an engine is charged for is what it says it takes.
func TestSharingCharges(t *testing.T) {
	for name, p := range map[string]poolBuilder{
		"Shared": pool("p", 3, gpus(8, "80Gi"), nics(8)),
		"Whole":  pool("p", 3, gpus(8, "80Gi"), nics(8)).whole(),
	} {
		t.Run(name, func(t *testing.T) {
			w := deploy(3, engine("e", 2, member("Leader", 1, request(1, anyGPU), nic()), member("Worker", 1, request(2, anyGPU)))).onto(cluster("a", p))
			first := Schedule(w.s)
			next := observed(w.s, first)
			next.Deployment.Replicas = 99
			all := Schedule(next)
			w.s.Deployment.Replicas = 99
			if want := Schedule(w.s); len(all.Placements) != len(want.Placements) {
				t.Errorf("%d at once, %d one after the other", len(want.Placements), len(all.Placements))
			}
		})
	}
}

// TestSharingByName: kinds of devices are told apart by name, in whatever order a
// class lists them.
func TestSharingByName(t *testing.T) {
	ds := make([]devices.Device, 0, 16)
	for i := range 16 {
		d := gpus(1+i%3, fmt.Sprintf("%dGi", 80+i))
		d.Name = fmt.Sprintf("kind-%02d", 15-i)
		ds = append(ds, d)
	}
	n := newNodeType(ds)
	for i, d := range ds {
		if v := n.vector(map[string]int{d.Name: 1}); v.sum() != 1 || v[15-i] != 1 {
			t.Errorf("%s: %v", d.Name, v)
		}
	}
}

// TestSharingManyKinds: a class may list like devices one by one. A pod that asks
// for any of them finds those that are left, whichever they are.
func TestSharingManyKinds(t *testing.T) {
	cases := map[string]struct {
		reason             string
		kinds, each, wants int
	}{
		"Pairs":       {reason: "Eight kinds of one, four pods of two.", kinds: 8, each: 1, wants: 2},
		"Halves":      {reason: "Eight kinds of one, two pods of four. There are seventy ways to take four.", kinds: 8, each: 1, wants: 4},
		"NodesOfFour": {reason: "Four kinds of eight, four pods of eight.", kinds: 4, each: 8, wants: 8},
		"Twos":        {reason: "Six kinds of two, three pods of four.", kinds: 6, each: 2, wants: 4},
		"AsManyAsCan": {reason: "Sixteen kinds of one, eight pods of two.", kinds: 16, each: 1, wants: 2},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			var ds []devices.Device
			for i := range tc.kinds {
				d := gpus(tc.each, "80Gi")
				d.Name = fmt.Sprintf("gpu-%02d", i)
				ds = append(ds, d)
			}
			want := tc.kinds * tc.each / tc.wants
			r := Schedule(deploy(want+1, needs(request(tc.wants, anyGPU))).onto(cluster("a", pool("p", 1, ds...))).s)
			if len(r.Placements) != want || r.Unplaced != 1 {
				t.Errorf("\n%s\n%d of %d placed: %s", tc.reason, len(r.Placements), want, r.Message())
			}
		})
	}
}
