package scheduling

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/modelplane-go/modelplane/functions/internal/devices"
)

// What is known to be wrong with the scheduling of Modelplane v0.3.1, by number,
// and cannot be wrong here. W-19 and W-22 are not this package's: what nodes a
// cluster really has, and how long a replica may stay broken, is for others to
// say.
func TestDefects(t *testing.T) {
	e := small("e")
	one := needs(request(1, anyGPU))
	eights := func(name string, nodes int) poolBuilder { return pool(name, nodes, gpus(8, "80Gi")) }
	r := replica("a", 0, on("e", "p", 1))
	prefill, decode := small("prefill"), engine("decode", 1, member("m", 1, request(1, big)))
	decodeAt := EnginePlacement{Engine: "decode", Pool: "p", Members: []MemberPlacement{takes(1, big)}}
	twoPools := cluster("a", pool("p", 1, gpus(1, "80Gi")), pool("q", 1, gpus(1, "24Gi")))

	runSchedule(t, map[string]scheduleCase{
		"W17SmallReplicasShareANode": {
			reason: "Upstream: one of eight. Eight replicas of one GPU are on a node of eight.",
			in:     deploy(8, one).onto(cluster("a", eights("p", 1))),
			want:   Result{Placements: freshOnes("a", 8, placedOn("p", shares(1, anyGPU)))},
		},
		"W17AndLeaveTheOtherFree": {
			reason: "Upstream: not counted. Two nodes have room for eight small ones and one that needs a node.",
			in:     deploy(1, needs(request(8, anyGPU))).onto(cluster("a", eights("p", 2).charged(theirs(0, 0).taking(pods(8, 1))))),
			want:   Result{Placements: []Placement{fresh("a", 0, placedOn("p", takes(8, anyGPU)))}},
		},
		"W17GangsAndCopiesArePacked": {
			reason: "Upstream: twelve nodes. Four copies of three pods are on three.",
			in:     deploy(1, wide(4, 3, 2)).onto(cluster("a", eights("p", 3))),
			want:   Result{Placements: []Placement{fresh("a", 0, gangPlaced("p", shares(2, anyGPU)))}},
		},
		"W17SyntheticDevicesAreCounted": {
			reason: "Upstream: never. A node's two NICs are two pods', though it has GPUs for eight.",
			in:     deploy(3, needs(request(1, anyGPU), nic())).onto(cluster("a", pool("p", 1, gpus(8, "80Gi"), nics(2)))),
			want:   Result{Placements: freshOnes("a", 2, placedOn("p", shares(1, anyGPU).and("nic", 1))), Unplaced: 1},
		},
		"W18GenericRequestFirst": {
			reason: "Upstream: refused. The generic request comes first and must not take the big device.",
			in:     deploy(1, needs(request(1, anyGPU), more(1, big))).onto(cluster("a", pool("p", 1, gpus(1, "80Gi"), other(1, "24Gi", "alt")))),
			want: Result{Placements: []Placement{fresh("a", 0, placedOn("p", MemberPlacement{
				Claims: []devices.Claim{
					{Name: "gpu", DeviceClassName: "alt", Count: 1, Selectors: []string{anyGPU}},
					{Name: "more", DeviceClassName: "gpu.example.com", Count: 1, Selectors: []string{big}},
				},
				Devices: map[string]int{"gpu": 1, "alt": 1},
			}))}},
		},
		"W18EasyEngineFirst": {
			reason: "Upstream: refused. Prefill could be on both pools, and decode on p only.",
			in:     deploy(1, prefill, decode).onto(twoPools),
			want:   Result{Placements: []Placement{fresh("a", 0, at("prefill", "q"), decodeAt)}},
		},
		"W18EasyEngineLast": {
			reason: "And whichever is listed first.",
			in:     deploy(1, decode, prefill).onto(twoPools),
			want:   Result{Placements: []Placement{fresh("a", 0, decodeAt, at("prefill", "q"))}},
		},
		"W18SeveralDeviceEntries": {
			reason: "Upstream: refused. A request may be met by several entries of a class.",
			in:     deploy(1, needs(request(12, anyGPU))).onto(cluster("a", pool("p", 1, gpus(8, "80Gi"), other(4, "24Gi", "gpu.example.com")))),
			want:   Result{Placements: []Placement{fresh("a", 0, placedOn("p", MemberPlacement{Claims: claimed(12, anyGPU), Devices: map[string]int{"gpu": 8, "alt": 4}}))}},
		},
		"W18FirstClusterIsNotTheOnly": {
			reason: "a has room for each of the engines and not for both.",
			in:     deploy(1, decode, prefill).onto(simple("a", 1), simple("b", 2)),
			want:   Result{Placements: []Placement{fresh("b", 0, EnginePlacement{Engine: "decode", Pool: "p", Members: []MemberPlacement{takes(1, big)}}, at("prefill", "p"))}},
		},
		"W20GrowthIsChecked": {
			reason: "Upstream: accepted. Three copies do not fit a node that one fills.",
			in:     deploy(1, engine("e", 3, member("m", 1, request(8, anyGPU)))).onto(cluster("a", eights("p", 1))).has(replica("a", 0, sharing("e", "p", 1, 8)).outdated()),
			want:   Result{Unplaced: 1, Drops: []Drop{dropped(r, DropNoLongerFit)}},
		},
		"W20GrowthIsPlacedAnew": {
			reason: "They fit another cluster.",
			in: deploy(1, engine("e", 3, member("m", 1, request(8, anyGPU)))).onto(cluster("a", eights("p", 1)), cluster("b", eights("p", 3))).
				has(replica("a", 0, sharing("e", "p", 1, 8)).outdated()),
			want: Result{Placements: []Placement{fresh("b", 0, placedOn("p", takes(8, anyGPU)))}, Drops: []Drop{dropped(r, DropNoLongerFit)}},
		},
		"W21OwnReplicasAreSeen": {
			reason: "Upstream: placed once more. The ledger does not have our replica yet, and it is there.",
			in:     deploy(1, e).onto(simple("a", 1), simple("b", 1)).has(r),
			want:   Result{Placements: []Placement{kept(r)}},
		},
		"W21OwnReplicasAreCharged": {
			reason: "And takes its node.",
			in:     deploy(2, e).onto(simple("a", 1)).has(r),
			want:   Result{Placements: []Placement{kept(r)}, Unplaced: 1},
		},
		"W21TheLoserGoesElsewhere": {
			reason: "Upstream: both stay for ever. Two saw the same free node, and the ledger says that ours yields.",
			in:     deploy(1, e).onto(cluster("a", pool("p", 1, gpus(1, "80Gi")).charged(theirs(0, 1), ours(0, 1).yielding())), simple("b", 1)).has(r.notReady()),
			want:   Result{Placements: []Placement{fresh("b", 0, at("e", "p"))}, Drops: []Drop{dropped(r, DropYielded)}},
		},
		"W21TheWinnerStays": {
			reason: "And theirs does not.",
			in:     deploy(1, e).onto(cluster("a", pool("p", 1, gpus(1, "80Gi")).charged(theirs(0, 1).yielding(), ours(0, 1))), simple("b", 1)).has(r.notReady()),
			want:   Result{Placements: []Placement{kept(r)}},
		},
		"W23BrokenReplicasGoFirst": {
			reason: "Upstream: the one that serves. It is on the later cluster, and the other one does not serve.",
			in: deploy(1, e).onto(simple("a", 1), simple("b", 1)).
				has(r.notReady(), replica("b", 0, on("e", "p", 1))),
			want: Result{Placements: []Placement{kept(replica("b", 0))}, Drops: []Drop{dropped(r, DropScaledDown)}},
		},
		"W24TightestFit": {
			reason: "Upstream: by name, a. The small node does, and the large one is left whole.",
			in:     deploy(1, one).onto(cluster("a", eights("p", 1)), cluster("b", pool("p", 1, gpus(1, "80Gi")))),
			want:   Result{Placements: []Placement{fresh("b", 0, placedOn("p", takes(1, anyGPU)))}},
		},
		"W24TopologySpread": {
			reason: "Upstream: a and b. They are in one zone.",
			in: deploy(2, e).spreading(Spread{TopologyKey: "zone", MaxSkew: 1}).
				onto(simple("a", 1).label("zone", "x"), simple("b", 1).label("zone", "x"), simple("c", 1).label("zone", "y")),
			want: Result{Placements: []Placement{fresh("a", 0, at("e", "p")), fresh("c", 0, at("e", "p"))}},
		},
		"W24Priority": {
			reason: "Upstream: refused. The one that is there is less important.",
			in:     deploy(1, e).priority(10).onto(cluster("a", pool("p", 1, gpus(1, "80Gi")).charged(theirs(0, 1)))),
			want:   Result{Placements: []Placement{fresh("a", 0, at("e", "p")).evicting(theirs(0, 1))}},
		},
		"W25HoldIsNotAShortage": {
			reason: "Upstream: InsufficientCapacity. Nothing was looked at.",
			in:     deploy(1, e).onto(simple("a", 1)).hold(),
			want:   Result{Unplaced: 1, Held: true},
		},
		"W27Zero": {
			reason: "Upstream: one at least.",
			in:     deploy(0, e).onto(simple("a", 1)).has(r),
			want:   Result{Drops: []Drop{dropped(r, DropScaledDown)}},
		},
		"W27MoreThanTen": {
			reason: "Upstream: ten at most.",
			in:     deploy(16, one).onto(cluster("a", eights("p", 2))),
			want:   Result{Placements: freshOnes("a", 16, placedOn("p", shares(1, anyGPU)))},
		},
	})
}

// TestDefectW21 is two deployments that saw the same free node: the cluster sees
// that it is charged twice, and who makes way is told by all alike.
func TestDefectW21(t *testing.T) {
	mine, other := deploy(1, small("e")), deploy(1, small("e"))
	other.s.Deployment.Name = "other"
	free := simple("a", 1)
	engines := func(w world) []PlacedEngine {
		w = w.onto(free)
		r := Schedule(w.s)
		if len(r.Placements) != 1 {
			t.Fatalf("%+v", r)
		}
		return w.s.engines(r.Placements[0])
	}
	cs := []Contender{
		{Namespace: "team", Deployment: "other", Created: 2, Engines: engines(other)},
		{Namespace: "team", Deployment: "model", Created: 1, Engines: engines(mine)},
	}
	if diff := cmp.Diff([]int{0}, Yields(free.c.Pools, cs)); diff != "" {
		t.Errorf("Yields: -want, +got:\n%s", diff)
	}
	cs[0].Ready = true
	if diff := cmp.Diff([]int{1}, Yields(free.c.Pools, cs)); diff != "" {
		t.Errorf("Yields once one of them serves: -want, +got:\n%s", diff)
	}
}

// TestDefectW25 is what upstream says in two words: why each cluster and pool
// takes no more.
func TestDefectW25(t *testing.T) {
	typo := `device.attributes["gpu.example.com"].architekture == "Hopper"`
	w := deploy(2, engine("e", 1, member("m", 1, request(1, typo)))).onto(
		cluster("a", pool("p", 1, gpus(1, "80Gi")), pool("q", 1)),
		simple("b", 1).notReady(),
		simple("c", 1).taint("t", "", NoSchedule),
	)
	r := Schedule(w.s)
	var got []string
	for _, rejection := range r.Rejections {
		got = append(got, rejection.Cluster+": "+string(rejection.Reason))
		for _, p := range rejection.Pools {
			got = append(got, rejection.Cluster+"/"+p.Pool+": "+string(p.Reason))
		}
	}
	want := []string{"a: NoMatchingDevice", "a/p: NoMatchingDevice", "a/q: NoMatchingDevice", "b: NotReady", "c: Tainted"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Rejections: -want, +got:\n%s", diff)
	}
	if typo := `no class in the fleet publishes attribute "architekture"`; !strings.Contains(r.Message(), typo) {
		t.Errorf("%s\ndoes not say that %s", r.Message(), typo)
	}
}

// TestDefectW26 has selectors that upstream's own dialect takes for others than
// they are. They are Kubernetes' here, and what does not compile is an error.
func TestDefectW26(t *testing.T) {
	gpu := gpus(1, "80Gi")
	version, lanes := "12.10.0", int64(16)
	gpu.Attributes = map[string]devices.Attribute{"cuda": {Version: &version}, "lanes": {Int: &lanes}}

	cases := map[string]struct {
		reason   string
		selector string
		placed   bool
		invalid  bool
	}{
		"Regex":        {reason: "Kubernetes' regular expressions.", selector: `device.driver.find("^gpu") == "gpu"`, placed: true},
		"Bind":         {reason: "Names for parts of an expression.", selector: `cel.bind(a, device.attributes["gpu.example.com"], a.lanes > 8)`, placed: true},
		"Semver":       {reason: "Versions compare as versions.", selector: `device.attributes["gpu.example.com"].cuda.isGreaterThan(semver("12.9.0"))`, placed: true},
		"Quantity":     {reason: "Quantities compare as quantities.", selector: `device.capacity["gpu.example.com"].memory.isGreaterThan(quantity("80G"))`, placed: true},
		"Absent":       {reason: "What a device does not say is an error of the expression, and no match.", selector: `!(device.attributes["gpu.example.com"].nope == 1)`},
		"Undeclared":   {reason: "What is not CEL is its author's to mend, and not a shortage.", selector: `device.attributes["gpu.example.com"].lanes.isEven()`, invalid: true},
		"NoTruthiness": {reason: "A number is not true.", selector: `device.attributes["gpu.example.com"].lanes`},
		"WrongType":    {reason: "Nor is a text that must be a condition.", selector: `"yes"`, invalid: true},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			r := Schedule(deploy(1, needs(request(1, tc.selector))).onto(cluster("a", pool("p", 1, gpu))).s)
			if len(r.Placements) == 1 != tc.placed || len(r.Invalid) == 1 != tc.invalid {
				t.Errorf("\n%s\n%s: %+v", tc.reason, tc.selector, r)
			}
		})
	}
}

// TestDefectW28 keeps a decision cheap: an engine is matched once with all nodes
// that are alike, however many clusters have them and replicas are wanted.
func TestDefectW28(t *testing.T) {
	d := newDecision(fleet(50, 200).s)
	d.update(d.scaleDown(d.retain()))
	d.fill()
	if got, want := len(d.fittings), 4*len(d.deployment.Engines); got != want {
		t.Errorf("%d fittings, want %d: one for each engine and kind of node", got, want)
	}
	if placed := len(d.conclude().Placements); placed != d.deployment.Replicas {
		t.Errorf("%d placed", placed)
	}
	names := []string{}
	for _, st := range d.sites {
		names = append(names, st.Name)
	}
	if !slices.IsSorted(names) {
		t.Error("clusters are not looked at by name")
	}
}
