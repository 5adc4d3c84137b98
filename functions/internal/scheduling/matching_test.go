package scheduling

import (
	"testing"

	"github.com/modelplane-go/modelplane/functions/internal/devices"
)

// needs is an engine of one pod with the requests.
func needs(rs ...devices.Request) Engine { return engine("e", 1, member("m", 1, rs...)) }

// placedOn is where such an engine is placed.
func placedOn(pool string, m MemberPlacement) EnginePlacement {
	return EnginePlacement{Engine: "e", Pool: pool, Members: []MemberPlacement{m}}
}

func TestMatching(t *testing.T) {
	runSchedule(t, map[string]scheduleCase{
		"NonMatchingPoolFiltered": {
			reason: "Only q has enough memory.",
			in:     deploy(1, needs(request(1, huge))).onto(cluster("a", pool("p", 1, gpus(1, "80Gi")), pool("q", 1, gpus(1, "141Gi")))),
			want:   Result{Placements: []Placement{fresh("a", 0, placedOn("q", takes(1, huge)))}},
		},
		"CountNotCovered": {
			reason: "A node has four.",
			in:     deploy(1, needs(request(8, anyGPU))).onto(cluster("a", pool("p", 9, gpus(4, "80Gi")))),
			want:   Result{Unplaced: 1},
		},
		"CountIsPerPoolNotSummed": {
			reason: "Four here and four there are not eight on a node.",
			in:     deploy(1, needs(request(8, anyGPU))).onto(cluster("a", pool("p", 9, gpus(4, "80Gi")), pool("q", 9, gpus(4, "80Gi")))),
			want:   Result{Unplaced: 1},
		},
		"TwoRequestsOneDevice": {
			reason: "A device is given to one of them.",
			in:     deploy(1, needs(request(1, anyGPU), more(1, anyGPU))).onto(simple("a", 9)),
			want:   Result{Unplaced: 1},
		},
		"FiveAndFiveOfEight": {
			reason: "Requests of a pod share what a node has.",
			in:     deploy(1, needs(request(5, anyGPU), more(5, anyGPU))).onto(cluster("a", pool("p", 9, gpus(8, "80Gi")))),
			want:   Result{Unplaced: 1},
		},
		"FourAndFourOfEight": {
			reason: "And may use it up.",
			in:     deploy(1, needs(request(4, anyGPU), more(4, anyGPU))).onto(cluster("a", pool("p", 9, gpus(8, "80Gi")))),
			want: Result{Placements: []Placement{fresh("a", 0, placedOn("p", MemberPlacement{
				Claims: []devices.Claim{
					{Name: "gpu", DeviceClassName: "gpu.example.com", Count: 4, Selectors: []string{anyGPU}},
					{Name: "more", DeviceClassName: "gpu.example.com", Count: 4, Selectors: []string{anyGPU}},
				},
				Devices: map[string]int{"gpu": 8},
			}))}},
		},
		"SeveralKinds": {
			reason: "Upstream: refused. Eight of one kind and four of another are twelve.",
			in:     deploy(1, needs(request(12, anyGPU))).onto(cluster("a", pool("p", 1, gpus(8, "80Gi"), other(4, "24Gi", "gpu.example.com")))),
			want:   Result{Placements: []Placement{fresh("a", 0, placedOn("p", MemberPlacement{Claims: claimed(12, anyGPU), Devices: map[string]int{"gpu": 8, "alt": 4}}))}},
		},
		"DeviceCountZero": {
			reason: "A kind of which a node has none.",
			in:     deploy(1, needs(request(1, anyGPU))).onto(cluster("a", pool("p", 1, gpus(0, "80Gi")))),
			want:   Result{Unplaced: 1},
		},
		"SyntheticMatchedNotClaimed": {
			reason: "The NIC is wanted and not claimed.",
			in:     deploy(1, needs(request(1, anyGPU), nic())).onto(cluster("a", pool("p", 1, gpus(1, "80Gi"), nics(1)))),
			want:   Result{Placements: []Placement{fresh("a", 0, placedOn("p", takes(1, anyGPU).and("nic", 1)))}},
		},
		"MissingNIC": {
			reason: "A pool without the NIC does not do.",
			in:     deploy(1, needs(request(1, anyGPU), nic())).onto(cluster("a", pool("p", 1, gpus(1, "80Gi")), pool("q", 1, gpus(1, "80Gi"), nics(1)))),
			want:   Result{Placements: []Placement{fresh("a", 0, placedOn("q", takes(1, anyGPU).and("nic", 1)))}},
		},
		"SyntheticOnly": {
			reason: "An engine that claims nothing has no devices.",
			in:     deploy(1, needs(nic())).onto(cluster("a", pool("p", 1, nics(1)))),
			want:   Result{Unplaced: 1},
		},
		"GenericBeforeSpecific": {
			reason: "Upstream: refused. The generic request is listed first and must not take the big device.",
			in: deploy(1, needs(
				devices.Request{Name: "any", Count: 1, Selectors: []string{anyGPU}},
				devices.Request{Name: "big", Count: 1, Selectors: []string{big}},
			)).onto(cluster("a", pool("p", 1,
				devices.Device{Name: "a", Driver: "gpu.example.com", DeviceClassName: "big", Count: 1, Capacity: map[string]string{"memory": "80Gi"}},
				devices.Device{Name: "b", Driver: "gpu.example.com", DeviceClassName: "small", Count: 1, Capacity: map[string]string{"memory": "24Gi"}},
			))),
			want: Result{Placements: []Placement{fresh("a", 0, placedOn("p", MemberPlacement{
				Claims: []devices.Claim{
					{Name: "any", DeviceClassName: "small", Count: 1, Selectors: []string{anyGPU}},
					{Name: "big", DeviceClassName: "big", Count: 1, Selectors: []string{big}},
				},
				Devices: map[string]int{"a": 1, "b": 1},
			}))}},
		},
	})
}

func TestMembers(t *testing.T) {
	lead := member("Leader", 1)
	work := member("Worker", 3, request(1, anyGPU))
	rides := func(pool string) EnginePlacement {
		return EnginePlacement{Engine: "e", Pool: pool, Members: []MemberPlacement{{}, takes(1, anyGPU)}}
	}
	r := replica("a", 0, gangOn("e", "p", 3))

	runSchedule(t, map[string]scheduleCase{
		"OnePoolForAll": {
			reason: "q alone satisfies both members.",
			in: deploy(1, engine("e", 1, member("Leader", 1, request(1, huge)), member("Worker", 1, request(1, anyGPU)))).
				onto(cluster("a", pool("p", 4, gpus(1, "80Gi")), pool("q", 4, gpus(1, "141Gi")))),
			want: Result{Placements: []Placement{fresh("a", 0, EnginePlacement{Engine: "e", Pool: "q", Members: []MemberPlacement{takes(1, huge), takes(1, anyGPU)}})}},
		},
		"DisjointMembers": {
			reason: "No one pool satisfies both.",
			in: deploy(1, engine("e", 1, member("Leader", 1, request(1, huge)), member("Worker", 1, request(8, anyGPU)))).
				onto(cluster("a", pool("p", 4, gpus(8, "80Gi")), pool("q", 4, gpus(1, "141Gi")))),
			want: Result{Unplaced: 1},
		},
		"LandsWholeElsewhere": {
			reason: "a has three nodes in two pools, b in one.",
			in:     deploy(1, gang("e", 3)).onto(cluster("a", pool("p", 2, gpus(1, "80Gi")), pool("q", 1, gpus(1, "80Gi"))), simple("b", 3)),
			want:   Result{Placements: []Placement{fresh("b", 0, gangAt("e", "p"))}},
		},
		"Copies": {
			reason: "Two copies of three pods are six nodes.",
			in:     deploy(1, engine("e", 2, member("Leader", 1, request(1, anyGPU)), member("Worker", 2, request(1, anyGPU)))).onto(simple("a", 5), simple("b", 6)),
			want:   Result{Placements: []Placement{fresh("b", 0, gangAt("e", "p"))}},
		},
		"NotStrandedOnSynthetic": {
			reason: "On p the leader would claim nothing, and on q it can.",
			in: deploy(1, engine("e", 1, member("Leader", 1, request(1, big)), member("Worker", 1, devices.Request{Name: "gpu", Count: 1, Selectors: []string{`device.capacity["gpu.example.com"].memory.compareTo(quantity("24Gi")) <= 0`}}))).
				onto(cluster("a",
					pool("p", 9, fake(1, "80Gi"), gpus(1, "24Gi")),
					pool("q", 1, gpus(8, "80Gi")),
				)),
			want: Result{Unplaced: 1},
		},
		"SyntheticOnlyMemberRidesAlong": {
			reason: "No pool has a NIC to claim, so the leader claims nothing anywhere.",
			in:     deploy(1, engine("e", 1, member("Leader", 1, nic()), work)).onto(cluster("a", pool("p", 3, gpus(1, "80Gi"), nics(1)))),
			want:   Result{Placements: []Placement{fresh("a", 0, rides("p"))}},
		},
		"MemberMatchesNowhere": {
			reason: "One member's trouble is the whole replica's.",
			in:     deploy(1, engine("e", 1, member("Leader", 1, request(1, huge)), work)).onto(simple("a", 9)),
			want:   Result{Unplaced: 1},
		},
		"ClaimlessLeaderCostsNothing": {
			reason: "Three workers on three nodes, and the leader beside them.",
			in:     deploy(1, engine("e", 1, lead, work)).onto(simple("a", 3)),
			want:   Result{Placements: []Placement{fresh("a", 0, rides("p"))}},
		},
		"RetainedClaimlessKeepsItsPin": {
			reason: "A claimless leader is where its engine is.",
			in:     deploy(1, engine("e", 1, lead, work)).onto(simple("a", 3)).has(r),
			want:   Result{Placements: []Placement{kept(r)}},
		},
		"EnginesOfDifferentPools": {
			reason: "Upstream: refused if the order is unlucky. Prefill fits both pools and must not take decode's.",
			in: deploy(1, small("prefill"), engine("decode", 1, member("m", 1, request(1, big)))).
				onto(cluster("a", pool("p", 1, gpus(1, "80Gi")), pool("q", 1, gpus(1, "24Gi")))),
			want: Result{Placements: []Placement{fresh("a", 0,
				at("prefill", "q"),
				EnginePlacement{Engine: "decode", Pool: "p", Members: []MemberPlacement{takes(1, big)}},
			)}},
		},
		"EnginesShareAPool": {
			reason: "Two engines, one pool of two nodes.",
			in:     deploy(1, small("e"), small("f")).onto(simple("a", 2)),
			want:   Result{Placements: []Placement{fresh("a", 0, at("e", "p"), at("f", "p"))}},
		},
		"EnginesDoNotShareACluster": {
			reason: "All engines of a replica are on one cluster.",
			in:     deploy(1, small("e"), small("f")).onto(simple("a", 1), simple("b", 1)),
			want:   Result{Unplaced: 1},
		},
		"LooksAhead": {
			reason: "e could be on p, which f needs for the second replica.",
			in: deploy(2, small("e"), engine("f", 1, member("m", 1, request(1, big)))).
				onto(cluster("a", pool("p", 2, gpus(1, "80Gi")), pool("q", 2, gpus(1, "24Gi")))),
			want: Result{Placements: []Placement{
				fresh("a", 0, at("e", "q"), EnginePlacement{Engine: "f", Pool: "p", Members: []MemberPlacement{takes(1, big)}}),
				fresh("a", 1, at("e", "q"), EnginePlacement{Engine: "f", Pool: "p", Members: []MemberPlacement{takes(1, big)}}),
			}},
		},
	})
}

func TestTaints(t *testing.T) {
	e := small("e")
	r := replica("a", 0, on("e", "p", 1))
	tainted := func(effects ...Effect) clusterBuilder {
		c := simple("a", 2)
		for _, effect := range effects {
			c = c.taint("maintenance", "true", effect)
		}
		return c
	}
	exists := func(key string, effect Effect) Toleration { return Toleration{Key: key, Exists: true, Effect: effect} }
	place := Result{Placements: []Placement{fresh("a", 0, at("e", "p"))}}
	keep := Result{Placements: []Placement{kept(r)}}

	runSchedule(t, map[string]scheduleCase{
		"NoScheduleBlocks":  {reason: "Nothing new comes.", in: deploy(1, e).onto(tainted(NoSchedule)), want: Result{Unplaced: 1}},
		"NoExecuteBlocks":   {reason: "Nor to a cluster that is being drained.", in: deploy(1, e).onto(tainted(NoExecute)), want: Result{Unplaced: 1}},
		"NoScheduleKeeps":   {reason: "What is there stays.", in: deploy(1, e).onto(tainted(NoSchedule)).has(r), want: Result{Placements: keep.Placements, Drifts: []Drift{drifted(r, Tainted)}}},
		"Tolerated":         {reason: "A toleration lets it on.", in: deploy(1, e).onto(tainted(NoSchedule)).tolerating(exists("maintenance", NoSchedule)), want: place},
		"NoExecuteKept":     {reason: "And lets it stay.", in: deploy(1, e).onto(tainted(NoExecute)).has(r).tolerating(exists("maintenance", NoExecute)), want: keep},
		"EqualMatches":      {reason: "Equal compares the value.", in: deploy(1, e).onto(tainted(NoSchedule)).tolerating(Toleration{Key: "maintenance", Value: "true"}), want: place},
		"EqualDiffers":      {reason: "Another value is not tolerated.", in: deploy(1, e).onto(tainted(NoSchedule)).tolerating(Toleration{Key: "maintenance", Value: "false"}), want: Result{Unplaced: 1}},
		"OtherKey":          {reason: "Nor another key.", in: deploy(1, e).onto(tainted(NoSchedule)).tolerating(exists("other", "")), want: Result{Unplaced: 1}},
		"KeylessExists":     {reason: "Exists without a key tolerates everything.", in: deploy(1, e).onto(tainted(NoSchedule, NoExecute)).tolerating(exists("", "")), want: place},
		"EmptyEffect":       {reason: "Without an effect, every effect.", in: deploy(1, e).onto(tainted(NoSchedule, NoExecute)).tolerating(exists("maintenance", "")), want: place},
		"NoScheduleOnly":    {reason: "Tolerating NoSchedule does not cover NoExecute.", in: deploy(1, e).onto(tainted(NoSchedule, NoExecute)).tolerating(exists("maintenance", NoSchedule)), want: Result{Unplaced: 1}},
		"SecondTaintRepels": {reason: "Every taint must be tolerated.", in: deploy(1, e).onto(tainted(NoSchedule).taint("b", "", NoSchedule)).tolerating(exists("maintenance", "")), want: Result{Unplaced: 1}},
		"NoExecuteDrains": {
			reason: "What is there goes once another serves elsewhere.",
			in:     deploy(1, e).onto(tainted(NoExecute), simple("b", 1)).has(r),
			want: Result{
				Placements: []Placement{leaving(r), fresh("b", 0, at("e", "p"))},
				Drifts:     []Drift{drifted(r, Tainted)},
			},
		},
		"NoExecuteNowhereToGo": {
			reason: "Or leaves a shortfall.",
			in:     deploy(1, e).onto(tainted(NoExecute)).has(r),
			want:   Result{Unplaced: 1, Drops: []Drop{dropped(r, DropTainted)}},
		},
	})
}

func TestSpread(t *testing.T) {
	e := small("e")
	zone := func(name, zone string, nodes int) clusterBuilder { return simple(name, nodes).label("zone", zone) }
	required := Spread{TopologyKey: "zone", MaxSkew: 1, Required: true}
	wished := Spread{TopologyKey: "zone", MaxSkew: 1}
	r := func(cluster string, index int) replicaBuilder { return replica(cluster, index, on("e", "p", 1)) }

	runSchedule(t, map[string]scheduleCase{
		"SpreadBeforeCluster": {
			reason: "c hosts as few as b, and its zone hosts fewer.",
			in:     deploy(2, e).spreading(wished).onto(zone("a", "x", 4), zone("b", "x", 4), zone("c", "y", 4)).has(r("a", 0)),
			want:   Result{Placements: []Placement{kept(r("a", 0)), fresh("c", 0, at("e", "p"))}},
		},
		"SpreadBeforeFewest": {
			reason: "y has one replica on one cluster, x two on three. The next goes to y.",
			in: deploy(4, e).spreading(wished).onto(zone("a", "x", 4), zone("b", "x", 4), zone("c", "x", 4), zone("d", "y", 4)).
				has(r("a", 0), r("b", 0), r("d", 0)),
			want: Result{Placements: []Placement{kept(r("a", 0)), kept(r("b", 0)), kept(r("d", 0)), fresh("d", 1, at("e", "p"))}},
		},
		"WishedYields": {
			reason: "y is full. A spread that is not required gives way.",
			in:     deploy(3, e).spreading(wished).onto(zone("a", "x", 4), zone("b", "y", 0)),
			want:   Result{Placements: []Placement{fresh("a", 0, at("e", "p")), fresh("a", 1, at("e", "p")), fresh("a", 2, at("e", "p"))}},
		},
		"RequiredDoesNot": {
			reason: "y is full. A required spread refuses.",
			in:     deploy(3, e).spreading(required).onto(zone("a", "x", 4), zone("b", "y", 0)),
			want:   Result{Placements: []Placement{fresh("a", 0, at("e", "p"))}, Unplaced: 2},
		},
		"MaxSkew": {
			reason: "A skew of two is allowed.",
			in:     deploy(3, e).spreading(Spread{TopologyKey: "zone", MaxSkew: 2, Required: true}).onto(zone("a", "x", 4), zone("b", "y", 0)),
			want:   Result{Placements: []Placement{fresh("a", 0, at("e", "p")), fresh("a", 1, at("e", "p"))}, Unplaced: 1},
		},
		"Unlabelled": {
			reason: "A cluster without the label cannot be spread over.",
			in:     deploy(1, e).spreading(required).onto(simple("a", 4)),
			want:   Result{Unplaced: 1},
		},
		"UnlabelledLast": {
			reason: "And comes last where the spread is not required.",
			in:     deploy(2, e).spreading(wished).onto(simple("a", 4), zone("b", "x", 4)),
			want:   Result{Placements: []Placement{fresh("b", 0, at("e", "p")), fresh("b", 1, at("e", "p"))}},
		},
		"RepelledIsNoDomain": {
			reason: "A zone nothing may go to does not hold the others back.",
			in:     deploy(2, e).spreading(required).onto(zone("a", "x", 4), zone("b", "y", 4).taint("t", "", NoSchedule), zone("c", "z", 4).notReady()),
			want:   Result{Placements: []Placement{fresh("a", 0, at("e", "p")), fresh("a", 1, at("e", "p"))}},
		},
		"NothingMoves": {
			reason: "An uneven spread is not repaired, only not made worse.",
			in:     deploy(3, e).spreading(required).onto(zone("a", "x", 4), zone("b", "y", 4)).has(r("a", 0), r("a", 1)),
			want:   Result{Placements: []Placement{kept(r("a", 0)), kept(r("a", 1)), fresh("b", 0, at("e", "p"))}},
		},
		"TwoSpreads": {
			reason: "Both constraints hold: one per zone and one per rack.",
			in: deploy(3, e).spreading(required, Spread{TopologyKey: "rack", MaxSkew: 1, Required: true}).
				onto(zone("a", "x", 4).label("rack", "1"), zone("b", "y", 4).label("rack", "1")),
			want: Result{Placements: []Placement{fresh("a", 0, at("e", "p")), fresh("a", 1, at("e", "p")), fresh("b", 0, at("e", "p"))}},
		},
	})
}
