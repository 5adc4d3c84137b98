package scheduling

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/modelplane-go/modelplane/functions/internal/devices"
)

func TestMessage(t *testing.T) {
	eight := engine("e", 1, member("Leader", 1, request(8, huge)), member("Worker", 3, request(8, huge)))
	h100 := func(nodes int) poolBuilder { return pool("h100", nodes, gpus(8, "80Gi")) }
	h200 := func(nodes int) poolBuilder { return pool("h200", nodes, gpus(8, "141Gi")) }

	cases := map[string]struct {
		reason string
		in     world
		want   string
	}{
		"AllPlaced": {
			reason: "Nothing more to say.",
			in:     deploy(1, small("e")).onto(simple("a", 1)),
			want:   "1 of 1 replicas scheduled",
		},
		"NoClusters": {
			reason: "There is nothing to count.",
			in:     deploy(1, small("e")),
			want:   "0 of 1 replicas scheduled: there are no clusters",
		},
		"Held": {
			reason: "Nothing was looked at.",
			in:     deploy(2, small("e")).onto(simple("a", 1)).hold(),
			want:   "0 of 2 replicas scheduled: placement is on hold",
		},
		"TheKubeSchedulersForm": {
			reason: "Clusters are counted by the first check they failed, and the closest miss is named.",
			in: deploy(2, eight).selecting("tier!=dev").onto(
				cluster("prod-ap", h200(4)),
				cluster("dev", h200(9)).label("tier", "dev"),
				cluster("down-1", h200(9)).notReady(),
				cluster("down-2", h200(9)).notReady(),
				cluster("new", h200(9)).noAddress(),
				cluster("maint", h200(9)).taint("maintenance", "true", NoSchedule),
				cluster("prod-eu", h100(9), pool("l4", 9, gpus(1, "24Gi"))),
				cluster("prod-sa", pool("a100", 9, gpus(8, "40Gi"))),
				cluster("prod-us", h100(9), h200(2)),
				cluster("prod-za", h200(1)),
			),
			want: `1 of 2 replicas scheduled: 0/10 clusters can host another: 1 not selected by clusterSelector, 2 not Ready, ` +
				`1 without a gateway address, 1 tainted maintenance=true:NoSchedule, ` +
				`2 no pool has device "gpu" with memory >= 141Gi (closest: prod-eu/h100, 80Gi), ` +
				`3 not enough room (need 4 pods of 8 gpu, a node each, most: prod-us/h200, 2)`,
		},
		"Typo": {
			reason: "A selector that names what no class has is a typo, not a shortage.",
			in:     deploy(1, needs(request(1, `device.capacity["gpu.example.com"].memroy.compareTo(quantity("80Gi")) >= 0`))).onto(simple("a", 1), simple("b", 1)),
			want: `0 of 1 replicas scheduled: 0/2 clusters can host another: 2 no pool has device "gpu" with memroy >= 80Gi: ` +
				`no class in the fleet publishes capacity "memroy" of "gpu.example.com", did you mean "memory"? (closest: a/p, no memroy)`,
		},
		"TooFewDevices": {
			reason: "The most devices a node has.",
			in:     deploy(1, needs(request(16, anyGPU))).onto(cluster("a", pool("p", 9, gpus(4, "80Gi"))), cluster("b", pool("p", 9, gpus(8, "80Gi")))),
			want:   `0 of 1 replicas scheduled: 0/2 clusters can host another: 2 no pool has 16 of device "gpu" on a node (closest: b/p, 8)`,
		},
		"WhichEngine": {
			reason: "A deployment of several engines says which one.",
			in: deploy(1, small("prefill"), engine("decode", 1, member("m", 1, request(1, huge)))).
				onto(simple("a", 9)),
			want: `0 of 1 replicas scheduled: 0/1 clusters can host another: 1 no pool has device "gpu" with memory >= 141Gi for engine "decode" (closest: a/p, 80Gi)`,
		},
		"SharedNodes": {
			reason: "Pods, not nodes, are what there is no room for.",
			in: deploy(3, engine("e", 2, member("m", 1, request(3, anyGPU)))).
				onto(cluster("a", pool("p", 1, gpus(8, "80Gi"))), cluster("b", pool("q", 2, gpus(8, "80Gi")).charged(theirs(0, 0).taking(pods(3, 4))))),
			want: `1 of 3 replicas scheduled: 0/2 clusters can host another: 2 not enough room (need 2 pods of 3 gpu, most: b/q, 1)`,
		},
		"GangOfLargePods": {
			reason: "A node each, of a node's size.",
			in:     deploy(1, wide(1, 4, 8)).onto(cluster("prod-us", pool("h200", 2, gpus(8, "80Gi")))),
			want:   `0 of 1 replicas scheduled: 0/1 clusters can host another: 1 not enough room (need 4 pods of 8 gpu, a node each, most: prod-us/h200, 2)`,
		},
		"GangOfSmallPods": {
			reason: "Three nodes have devices enough for four pods, and not nodes.",
			in:     deploy(1, wide(1, 4, 1)).onto(cluster("a", pool("p", 3, gpus(8, "80Gi")))),
			want:   `0 of 1 replicas scheduled: 0/1 clusters can host another: 1 not enough room (need 4 pods of 1 gpu, a node each, most: a/p, 3)`,
		},
		"SeveralRequests": {
			reason: "Everything a pod asks for.",
			in:     deploy(1, needs(request(2, anyGPU), nic())).onto(cluster("a", pool("p", 0, gpus(8, "80Gi"), nics(1)))),
			want:   `0 of 1 replicas scheduled: 0/1 clusters can host another: 1 not enough room (need 1 pod of 2 gpu, 1 nic, most: a/p, 0)`,
		},
		"MembersDiffer": {
			reason: "Everything each of its pods asks for.",
			in: deploy(1, engine("e", 1, member("Leader", 1, request(1, anyGPU)), member("Worker", 2, request(8, anyGPU)))).
				onto(cluster("a", pool("p", 2, gpus(8, "80Gi")))),
			want: `0 of 1 replicas scheduled: 0/1 clusters can host another: 1 not enough room (need 3 pods of 1 gpu and 8 gpu, a node each, most: a/p, 2)`,
		},
		"OnePodOfAGang": {
			reason: "Of a gang of which one pod claims anything, that pod is all there is no room for.",
			in:     deploy(1, engine("e", 1, member("Leader", 1), member("Worker", 1, request(8, anyGPU)))).onto(cluster("a", pool("p", 0, gpus(8, "80Gi")))),
			want:   `0 of 1 replicas scheduled: 0/1 clusters can host another: 1 not enough room (need 1 pod of 8 gpu, most: a/p, 0)`,
		},
		"HigherPriorityHasIt": {
			reason: "Who has the room is the ledger's to say. There is none.",
			in:     deploy(1, small("e")).priority(1).onto(cluster("a", pool("p", 1, gpus(1, "80Gi")).charged(theirs(0, 1).priority(2)))),
			want:   `0 of 1 replicas scheduled: 0/1 clusters can host another: 1 not enough room (need 1 pod of 1 gpu, most: a/p, 0)`,
		},
		"Together": {
			reason: "Each engine would fit.",
			in:     deploy(1, gang("e", 2), gang("f", 2)).onto(simple("a", 3)),
			want:   `0 of 1 replicas scheduled: 0/1 clusters can host another: 1 not enough room (all engines together need 4 pods)`,
		},
		"Spread": {
			reason: "Which constraint would be violated.",
			in: deploy(2, small("e")).spreading(Spread{TopologyKey: "zone", MaxSkew: 1, Required: true}).
				onto(simple("a", 9).label("zone", "x"), simple("b", 0).label("zone", "y"), simple("c", 9)),
			want: `1 of 2 replicas scheduled: 0/3 clusters can host another: 1 no label zone to spread over, ` +
				`1 would exceed maxSkew 1 of zone, 1 not enough room (need 1 pod of 1 gpu, most: b/p, 0)`,
		},
		"Unknown": {
			reason: "What the pools have is not known.",
			in:     deploy(1, small("e")).onto(cluster("a", pool("p", 9).unknown()), cluster("b")),
			want:   `0 of 1 replicas scheduled: 0/2 clusters can host another: 1 the devices of no pool are known yet, 1 without node pools`,
		},
		"NothingToClaim": {
			reason: "Everything that matches is Synthetic.",
			in:     deploy(1, needs(nic())).onto(cluster("a", pool("p", 9, nics(1)))),
			want:   `0 of 1 replicas scheduled: 0/1 clusters can host another: 1 no pool has devices to claim`,
		},
		"Invalid": {
			reason: "Which selector does not compile, and why.",
			in:     deploy(1, needs(request(1, anyGPU, invalid))).onto(simple("a", 1)),
			want: `selector 1 of device request "gpu" of engine "e", member "m", does not compile: compilation failed: ` +
				`ERROR: <input>:1:7: undefined field 'nope' | device.nope | ......^`,
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, Schedule(tc.in.s).Message()); diff != "" {
				t.Errorf("\n%s\nMessage(): -want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}

func TestMessageIsBounded(t *testing.T) {
	w := deploy(1, small("e"))
	for i := range 200 {
		w = w.onto(simple(fmt.Sprintf("c%03d", i), 1).taint(fmt.Sprintf("taint-%03d-é", i), "x", NoSchedule))
	}
	got := Schedule(w.s).Message()
	if len(got) > maxMessage || !utf8.ValidString(got) || !strings.HasSuffix(got, " more reasons") {
		t.Errorf("%d bytes: %s", len(got), got)
	}

	long := strings.Repeat("y", 9000)
	w = deploy(1, needs(devices.Request{Name: "gpu", Count: 1, Selectors: []string{`device.driver == "` + long + `"`}})).onto(simple("a", 1))
	r := Schedule(w.s)
	if got := r.Message(); len(got) > maxMessage {
		t.Errorf("%d bytes: %s", len(got), got)
	}
	if got := len(r.Rejections[0].Detail); got > 2*maxWhy+10 {
		t.Errorf("%d bytes of detail", got)
	}
}

func TestRejections(t *testing.T) {
	w := deploy(1, small("f"), engine("e", 1, member("m", 2, request(1, huge)))).onto(
		cluster("a", pool("x", 1, gpus(1, "141Gi")), pool("p", 9, gpus(1, "80Gi")), pool("u", 9).unknown(), pool("y", 3, gpus(1, "141Gi")).charged(ours(0, 1).yielding())),
	)
	want := []Rejection{{
		Cluster: "a",
		Reason:  NotEnoughRoom,
		Engine:  "e",
		Why:     `not enough room for engine "e" (need 2 pods of 1 gpu, a node each)`,
		Detail:  `not enough room for engine "e" (need 2 pods of 1 gpu, a node each, most: x, 1)`,
		Pools: []PoolRejection{
			{Pool: "p", Reason: NoMatchingDevice, Detail: `no device "gpu" with memory >= 141Gi (has 80Gi)`, Miss: &devices.Miss{
				Request: "gpu", Count: 1, Selector: huge, Want: "memory >= 141Gi", Device: "gpu", Have: "80Gi", Order: 1,
			}},
			{Pool: "u", Reason: PoolUnknown, Detail: "its devices are not published"},
			{Pool: "x", Reason: NotEnoughRoom, Detail: "room for 1 of 2 pods; 1 more node would do", Need: 2, Free: 1, Short: 1},
			{Pool: "y", Reason: NotEnoughRoom, Detail: "it told a replica of the deployment to yield", Need: 2},
		},
	}}
	if diff := cmp.Diff(want, Schedule(w.s).Rejections); diff != "" {
		t.Errorf("Rejections: -want, +got:\n%s", diff)
	}
}

// TestShort: how much is missing on each pool.
func TestShort(t *testing.T) {
	eights := func(nodes int, cs ...Charge) clusterBuilder {
		return cluster("a", pool("p", nodes, gpus(8, "80Gi")).charged(cs...))
	}
	room := func(need, free, short int, detail string) PoolRejection {
		return PoolRejection{Pool: "p", Reason: NotEnoughRoom, Need: need, Free: free, Short: short, Detail: detail}
	}
	cases := map[string]struct {
		reason string
		in     world
		want   []PoolRejection
	}{
		"OnePod": {
			reason: "One node more.",
			in:     deploy(1, needs(request(8, anyGPU))).onto(eights(2, theirs(0, 0).taking(pods(2, 1)), theirs(1, 0).taking(pods(2, 7)))),
			want:   []PoolRejection{room(1, 0, 1, "room for 0 of 1 pod; 1 more node would do")},
		},
		"Gang": {
			reason: "As many nodes as the gang has more pods.",
			in:     deploy(1, wide(1, 4, 1)).onto(eights(1)),
			want:   []PoolRejection{room(4, 1, 3, "room for 1 of 4 pods; 3 more nodes would do")},
		},
		"Copies": {
			reason: "Two of three are on a node.",
			in:     deploy(1, engine("e", 7, member("m", 1, request(3, anyGPU)))).onto(eights(1)),
			want:   []PoolRejection{room(7, 2, 3, "room for 2 of 7 pods; 3 more nodes would do")},
		},
		"OverCommitted": {
			reason: "What is there already needs two more.",
			in:     deploy(1, needs(request(8, anyGPU))).onto(eights(1, theirs(0, 3))),
			want:   []PoolRejection{room(1, 0, 3, "room for 0 of 1 pod; 3 more nodes would do")},
		},
		"Whole": {
			reason: "Pods that charge whole nodes need as many.",
			in:     deploy(1, engine("e", 3, member("m", 1, request(1, anyGPU)))).onto(cluster("a", pool("p", 1, gpus(8, "80Gi")).whole())),
			want:   []PoolRejection{room(3, 1, 2, "room for 1 of 3 pods; 2 more nodes would do")},
		},
		"Together": {
			reason: "Each engine finds room, and not both.",
			in:     deploy(1, needs(request(8, anyGPU)), engine("f", 2, member("m", 1, request(4, anyGPU)))).onto(eights(1)),
			want:   []PoolRejection{room(3, 1, 1, "room for 1 of the 3 pods of all engines it could take")},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			rs := Schedule(tc.in.s).Rejections
			if len(rs) != 1 {
				t.Fatalf("%+v", rs)
			}
			if diff := cmp.Diff(tc.want, rs[0].Pools); diff != "" {
				t.Errorf("\n%s\nPools: -want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}

func TestDetails(t *testing.T) {
	r := replica("a", 0, on("e", "p", 1))
	cases := map[string]struct {
		reason string
		in     world
		want   []string // Of drops, then of drifts.
	}{
		"Gone":    {reason: "Which cluster.", in: deploy(1, small("e")).has(r), want: []string{`cluster "a" is gone`}},
		"Tainted": {reason: "Which taint.", in: deploy(1, small("e")).onto(simple("a", 1).taint("k", "", NoExecute)).has(r), want: []string{"tainted k:NoExecute"}},
		"Removed": {reason: "Which pool.", in: deploy(1, small("e")).onto(cluster("a")).has(r), want: []string{`pool "p" of engine "e" was removed`}},
		"Yielded": {reason: "Where.", in: deploy(1, small("e")).onto(cluster("a", pool("p", 1, gpus(1, "80Gi")).charged(ours(0, 1).yielding()))).has(r), want: []string{`pool "p" is charged more than it has: others of its priority were there first, or serve`}},
		"YieldedToPriority": {
			reason: "And to whom.",
			in: deploy(1, small("e")).onto(cluster("a", pool("p", 1, gpus(1, "80Gi")).
				charged(theirs(0, 1).priority(3).by("low"), ours(0, 1).yielding(), theirs(0, 1).priority(5).by("z"), theirs(0, 1).priority(5), theirs(0, 1).priority(9).yielding()))).has(r),
			want: []string{`pool "p" is charged more than it has: other/model of priority 5 goes before priority 0`},
		},
		"GrownDevices": {
			reason: "How many pods, of the new size.",
			in: deploy(1, engine("e", 2, member("m", 1, request(8, anyGPU)))).onto(cluster("a", pool("p", 1, gpus(8, "80Gi")))).
				has(replica("a", 0, sharing("e", "p", 2, 4)).outdated()),
			want: []string{`engine "e" has 2 pods, and pool "p" has room for 1`},
		},
		"GrownTogether": {
			reason: "Which engine is too large cannot be said.",
			in: deploy(1, small("e"), small("f")).onto(simple("a", 1)).
				has(r.outdated()),
			want: []string{"its engines need more together than is free"},
		},
		"OtherDevices": {
			reason: "Its pool would give it other devices today.",
			in:     deploy(1, small("e")).onto(cluster("a", pool("p", 1, gpus(8, "80Gi")))).has(r),
			want:   []string{`engine "e" on pool "p" would take other devices today`},
		},
		"NotUpdated": {
			reason: "What is not known.",
			in:     deploy(1, small("e")).onto(cluster("a", pool("p", 1).unknown())).has(r.outdated()),
			want:   []string{`not updated: the devices of pool "p" are not published`},
		},
		"NotUpdatedOnHold": {
			reason: "What it would need.",
			in:     deploy(1, gang("e", 5)).onto(simple("a", 4)).has(r.outdated()).hold(),
			want:   []string{`not updated: engine "e" has 5 pods, and pool "p" has room for 4`},
		},
		"Duplicate": {
			reason: "Which index.",
			in:     deploy(2, small("e")).onto(simple("a", 4)).has(r.named("x"), r.named("y")),
			want:   []string{"another replica is index 0 on the cluster"},
		},
		"Outgrown": {
			reason: "What is wanted and what there is.",
			in:     deploy(1, needs(request(1, huge))).onto(simple("a", 1)).has(r.outdated()),
			want:   []string{`engine "e" on pool "p": no device "gpu" with memory >= 141Gi (has 80Gi)`},
		},
		"Grown": {
			reason: "How many nodes.",
			in:     deploy(1, gang("e", 5)).onto(simple("a", 4)).has(r.outdated()),
			want:   []string{`engine "e" has 5 pods, and pool "p" has room for 4`},
		},
		"Drift": {
			reason: "The same of a drift.",
			in:     deploy(1, needs(request(1, huge))).onto(simple("a", 1).notReady()).has(r),
			want:   []string{`engine "e" on pool "p": no device "gpu" with memory >= 141Gi (has 80Gi)`, "not Ready"},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got := Schedule(tc.in.s)
			var details []string
			for _, d := range got.Drops {
				details = append(details, d.Detail)
			}
			for _, d := range got.Drifts {
				details = append(details, d.Detail)
			}
			if diff := cmp.Diff(tc.want, details); diff != "" {
				t.Errorf("\n%s\n-want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}
