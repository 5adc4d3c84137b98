package scheduling

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/modelplane-go/modelplane/functions/internal/devices"
)

// stocked is a pool's stock with groups charged to it.
func stocked(p Pool, gs ...Group) *stock {
	s := newStock(newNodeType(p.Devices), p.Nodes)
	for _, g := range gs {
		s.chargeGroup(g)
	}
	return s
}

// gangOf is a gang the pods of which take so many GPUs each.
func gangOf(copies int, gpus ...int) Group {
	g := Group{Copies: copies}
	for _, n := range gpus {
		g.Pods = append(g.Pods, Pod{Count: 1, Devices: map[string]int{"gpu": n}})
	}
	return g
}

// two are single pods that take of two kinds.
func two(n, gpu, alt int) Group {
	return Group{Copies: n, Pods: []Pod{{Count: 1, Devices: map[string]int{"gpu": gpu, "alt": alt}}}}
}

func TestPackNodes(t *testing.T) {
	eight := func(nodes int) Pool { return pool("p", nodes, gpus(8, "80Gi")).p }
	both := func(nodes int) Pool { return pool("p", nodes, gpus(4, "80Gi"), other(4, "80Gi", "alt")).p }

	type want struct {
		verdict verdict
		taken   int // Nodes something is on, if everything fits.
	}
	cases := map[string]struct {
		reason string
		pool   Pool
		groups []Group
		want   want
	}{
		"Nothing":          {reason: "Nothing fits anything.", pool: eight(0), want: want{fits, 0}},
		"OneNodeOfPods":    {reason: "Eight pods of one GPU are one node.", pool: eight(2), groups: []Group{pods(8, 1)}, want: want{fits, 1}},
		"EightAndEight":    {reason: "And leave the other one for a pod that needs all of it.", pool: eight(2), groups: []Group{pods(8, 1), pods(1, 8)}, want: want{fits, 2}},
		"EightAndNine":     {reason: "One more does not fit.", pool: eight(2), groups: []Group{pods(9, 1), pods(1, 8)}, want: want{exceeds, 0}},
		"ThreesInEights":   {reason: "Four of three are twelve of sixteen, two on each node.", pool: eight(2), groups: []Group{pods(4, 3)}, want: want{fits, 2}},
		"FiveThreesDoNot":  {reason: "Fifteen of sixteen, and no node has room for a third.", pool: eight(2), groups: []Group{pods(5, 3)}, want: want{exceeds, 0}},
		"FivesAndThrees":   {reason: "Five and three are eight, three times.", pool: eight(3), groups: []Group{pods(3, 3), pods(3, 5)}, want: want{fits, 3}},
		"WholeNodes":       {reason: "Pods that take all of their nodes.", pool: eight(2), groups: wholeNodes(2), want: want{fits, 2}},
		"WholeAndPart":     {reason: "A node that is taken has nothing left.", pool: eight(2), groups: append(wholeNodes(2), pods(1, 1)), want: want{exceeds, 0}},
		"GangNeedsNodes":   {reason: "Three pods of a gang are on three nodes, however small they are.", pool: eight(2), groups: []Group{gangOf(1, 1, 1, 1)}, want: want{exceeds, 0}},
		"GangSpreads":      {reason: "On three nodes they are.", pool: eight(3), groups: []Group{gangOf(1, 1, 1, 1)}, want: want{fits, 3}},
		"CopiesShare":      {reason: "The pods of another copy may be beside them.", pool: eight(3), groups: []Group{gangOf(8, 1, 1, 1)}, want: want{fits, 3}},
		"CopiesShareNoSo":  {reason: "But for a ninth.", pool: eight(3), groups: []Group{gangOf(9, 1, 1, 1)}, want: want{exceeds, 0}},
		"GangsBesidePods":  {reason: "A gang of seven and seven leaves room for two pods.", pool: eight(2), groups: []Group{gangOf(1, 7, 7), pods(2, 1)}, want: want{fits, 2}},
		"UnevenGang":       {reason: "A leader of one GPU beside each other's workers of seven.", pool: eight(2), groups: []Group{gangOf(2, 1, 7)}, want: want{fits, 2}},
		"TwoKinds":         {reason: "Pods that take of different kinds share a node.", pool: both(1), groups: []Group{two(4, 1, 0), two(4, 0, 1)}, want: want{fits, 1}},
		"TwoKindsCrossed":  {reason: "Each kind has enough in all, and no node has enough of both for three.", pool: both(2), groups: []Group{two(2, 3, 1), two(2, 1, 3)}, want: want{fits, 2}},
		"TwoKindsConflict": {reason: "Three of three and three are on three nodes.", pool: both(2), groups: []Group{two(3, 3, 3)}, want: want{exceeds, 0}},
		"NeedsASearch": {
			reason: "Put one after the other the fours are together, and the rest is not: 4+3+3, 4+3+3, and 2+2+2+2+2 would be.",
			pool:   pool("p", 3, gpus(10, "80Gi")).p,
			groups: []Group{pods(2, 4), pods(4, 3), pods(5, 2)},
			want:   want{fits, 3},
		},
		"CountedRatherThanAdded": {
			reason: "Two of three GPUs are on a node, so sixty-one pods do not fit thirty, though their GPUs are fewer than there are.",
			pool:   pool("p", 30, gpus(8, "80Gi"), other(8, "80Gi", "alt")).p,
			groups: []Group{two(21, 3, 1), two(20, 3, 2), two(20, 3, 3)},
			want:   want{exceeds, 0},
		},
		"Unknown":      {reason: "What is not known of a node cannot be taken.", pool: pool("p", 0).unknown().p, groups: []Group{pods(3, 1)}, want: want{fits, 0}},
		"KindThatLeft": {reason: "A pod that takes what a node has not takes all of it.", pool: eight(1), groups: []Group{two(1, 1, 1), pods(1, 1)}, want: want{exceeds, 0}},
		"MoreThanANodeHas": {
			reason: "So does one that takes more than there is: the class has fewer devices than it had.",
			pool:   eight(2), groups: []Group{pods(2, 9)}, want: want{fits, 2},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			s := stocked(tc.pool, tc.groups...)
			got := packNodes(s.node, s.nodes, s.orders(nil), yieldSteps)
			w := want{verdict: got.verdict}
			if got.verdict == fits {
				w.taken = s.nodes - got.free(s.node)
			}
			if diff := cmp.Diff(tc.want, w, cmp.AllowUnexported(want{})); diff != "" {
				t.Errorf("\n%s\npackNodes(...): -want, +got:\n%s", tc.reason, diff)
			}
			if tc.pool.Nodes > 4 {
				return // Too many to try everything.
			}
			if brute := brutePacks(tc.pool, tc.groups...); brute != (tc.want.verdict == fits) {
				t.Errorf("by trying everything it is %v", brute)
			}
		})
	}
}

// TestTooMany: what is provably too much is told without a search, however many
// nodes there are.
func TestTooMany(t *testing.T) {
	hundred := pool("p", 100, gpus(8, "80Gi"), other(4, "80Gi", "alt")).p
	cases := map[string]struct {
		reason string
		groups []Group
		want   bool
	}{
		"Full":        {reason: "Every GPU is taken, in twos and fours.", groups: []Group{pods(100, 4), pods(200, 2)}},
		"OneMore":     {reason: "And one more.", groups: []Group{pods(100, 4), pods(200, 2), pods(1, 1)}, want: true},
		"OtherKind":   {reason: "The other kind counts as much.", groups: []Group{two(100, 0, 4), two(1, 1, 1)}, want: true},
		"Halves":      {reason: "Pods of more than half of a node have one each.", groups: []Group{pods(101, 5)}, want: true},
		"BesideLarge": {reason: "What is beside them has to be small.", groups: []Group{pods(90, 5), pods(21, 4)}, want: true},
		"Thirds":      {reason: "Two of three are on a node.", groups: []Group{pods(201, 3)}, want: true},
		"Gang":        {reason: "A gang of more pods than nodes.", groups: []Group{{Copies: 1, Pods: []Pod{{Count: 101, Devices: map[string]int{"gpu": 1}}}}}, want: true},
		"GangFits":    {reason: "Or of as many.", groups: []Group{{Copies: 8, Pods: []Pod{{Count: 100, Devices: map[string]int{"gpu": 1}}}}}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			s := stocked(hundred, tc.groups...)
			if got := packNodes(s.node, s.nodes, s.orders(nil), 0).verdict == exceeds; got != tc.want {
				t.Errorf("\n%s\nexceeds: got %v, want %v", tc.reason, got, tc.want)
			}
		})
	}
}

// TestPackNodesIsExact compares with trying everything: what fits is told from
// what does not, and what is said to be left can be.
func TestPackNodesIsExact(t *testing.T) {
	const cases = 6000
	seen, searched := map[verdict]int{}, 0
	for seed := range uint64(cases) {
		rng := seeded(seed)
		p, gs := randomPacking(rng)
		s := stocked(p, gs...)
		got := packNodes(s.node, s.nodes, s.orders(nil), yieldSteps)
		ends := bruteEnds(p, gs...)
		if (got.verdict == fits) != (len(ends) > 0) || got.verdict == unsure {
			t.Fatalf("seed %d: verdict %d, and there are %d ways\n%+v\n%+v", seed, got.verdict, len(ends), p, gs)
		}
		if got.verdict == fits && !ends[shelfKey(s.node, p, got.shelves)] {
			t.Fatalf("seed %d: left %v, which cannot be\n%+v\n%+v", seed, got.shelves, p, gs)
		}
		seen[got.verdict]++
		if packNodes(s.node, s.nodes, s.orders(nil), 0).verdict == unsure {
			searched++
		}
	}
	if seen[fits] < cases/5 || seen[exceeds] < cases/5 || searched < cases/200 {
		t.Errorf("%v, %d searched for: the cases are not interesting", seen, searched)
	}
}

// randomPacking is a few nodes and about as many pods as they have room for.
func randomPacking(d dice) (Pool, []Group) {
	p := pool("p", 1+d.IntN(4), gpus(1+d.IntN(6), "80Gi"))
	if d.IntN(2) == 0 {
		p.p.Devices = append(p.p.Devices, other(1+d.IntN(3), "80Gi", "alt"))
	}
	var gs []Group
	for range 1 + d.IntN(5) {
		g := Group{Copies: 1 + d.IntN(2)}
		for range 1 + d.IntN(2)/max(1, d.IntN(3)) {
			takes := map[string]int{"gpu": 1 + d.IntN(4)}
			if len(p.p.Devices) > 1 {
				takes["alt"] = d.IntN(2)
				takes["gpu"] -= takes["alt"]
			}
			g.Pods = append(g.Pods, Pod{Count: 1 + d.IntN(5)/4, Devices: takes})
		}
		gs = append(gs, g)
	}
	return p.p, gs
}

// shelfKey is what is left of a pool's nodes, as trying everything has it.
func shelfKey(n *nodeType, p Pool, sh shelves) string {
	var nodes []bruteNode
	for _, s := range sh {
		for range s.nodes {
			var left bruteNode
			for _, k := range bruteKinds(p.Devices) {
				i := slices.IndexFunc(n.names, func(named namedKind) bool { return named.name == k.device.Name })
				left = append(left, s.left[n.names[i].kind])
			}
			nodes = append(nodes, left)
		}
	}
	return bruteKey(nodes)
}

// TestPackNodesNeverExceedsWhatIsThere fills many nodes at random and takes the
// pods off again: whatever is said of them, it is not that they do not fit.
func TestPackNodesNeverExceedsWhatIsThere(t *testing.T) {
	unsures := 0
	for seed := range uint64(400) {
		rng := seeded(seed)
		p, gs := filled(rng)
		s := stocked(p, gs...)
		got := packNodes(s.node, s.nodes, s.orders(nil), placeSteps)
		if got.verdict == exceeds {
			t.Fatalf("seed %d: exceeds\n%+v\n%+v", seed, p, gs)
		}
		if got.verdict == unsure {
			unsures++
			continue
		}
		if err := adds(s, got.shelves, gs); err != nil {
			t.Fatalf("seed %d: %v\n%+v\n%+v", seed, err, p, gs)
		}
	}
	if unsures > 200 {
		t.Errorf("%d of 400 are unsure", unsures)
	}
}

// filled is a pool of many nodes and groups of pods that are on them.
func filled(rng *rand.Rand) (Pool, []Group) {
	ds := []devices.Device{gpus(8, "80Gi")}
	for i := range rng.IntN(3) {
		d := other(1+rng.IntN(8), fmt.Sprintf("%dGi", 80+i), "alt")
		d.Name = fmt.Sprintf("alt%d", i)
		ds = append(ds, d)
	}
	p := pool("p", 2+rng.IntN(30), ds...).p
	left, kinds := bruteNodes(p), bruteKinds(ds)
	var gs []Group
	for range p.Nodes * (1 + rng.IntN(4)) {
		pods := 1
		if rng.IntN(4) == 0 {
			pods = 2 + rng.IntN(3)
		}
		takes := map[string]int{"gpu": 1 + rng.IntN(8)}
		for _, d := range ds[1:] {
			takes[d.Name] = rng.IntN(1 + d.Count)
		}
		var at []int
		for i, n := range left {
			if len(at) < pods && bruteFits(bruteVector(kinds, takes), n) {
				at = append(at, i)
			}
		}
		if len(at) < pods {
			continue
		}
		for _, i := range at {
			for k, n := range bruteVector(kinds, takes) {
				left[i][k] -= n
			}
		}
		gs = append(gs, Group{Copies: 1, Pods: []Pod{{Count: pods, Devices: takes}}})
	}
	return p, gs
}

// adds checks that what is taken and what is left are what there is.
func adds(s *stock, sh shelves, gs []Group) error {
	nodes, left := 0, map[string]int{}
	for _, shelf := range sh {
		nodes += shelf.nodes
		for _, k := range s.node.names {
			left[k.name] += shelf.nodes * int(shelf.left[k.kind])
		}
	}
	if nodes != s.nodes {
		return fmt.Errorf("%d nodes of %d", nodes, s.nodes)
	}
	for _, g := range gs {
		for _, p := range g.Pods {
			for name, n := range p.Devices {
				left[name] += g.Copies * p.Count * n
			}
		}
	}
	for _, k := range s.node.names {
		if left[k.name] != nodes*int(s.node.has[k.kind]) {
			return fmt.Errorf("%d of %d %s", left[k.name], nodes*int(s.node.has[k.kind]), k.name)
		}
	}
	return nil
}

// TestStock checks the answers about a pool that is not full: what finds room
// beside what is there, and how much is missing for what does not.
func TestStock(t *testing.T) {
	const cases = 3000
	roomy, short := 0, 0
	for seed := range uint64(cases) {
		rng := seeded(seed)
		p, gs := randomPacking(rng)
		more := gs[len(gs)-1]
		s := stocked(p, gs[:len(gs)-1]...)
		before := brutePacks(p, gs[:len(gs)-1]...)
		if (s.now().verdict == fits) != before {
			t.Fatalf("seed %d: verdict %d\n%+v\n%+v", seed, s.now().verdict, p, gs)
		}
		if !before {
			continue
		}
		ask := order{load: s.node.load(more.Pods), copies: more.Copies}
		with := s.with([]order{ask})
		ends := bruteEnds(p, gs...)
		if (with.verdict == fits) != (len(ends) > 0) {
			t.Fatalf("seed %d: verdict %d, and there are %d ways\n%+v\n%+v", seed, with.verdict, len(ends), p, gs)
		}
		if with.verdict == fits {
			roomy++
			if !ends[shelfKey(s.node, p, with.shelves)] {
				t.Fatalf("seed %d: left %v, which cannot be\n%+v\n%+v", seed, with.shelves, p, gs)
			}
			continue
		}

		short++
		if room := s.room(ask); room >= ask.pods() {
			t.Fatalf("seed %d: room for all %d, and none\n%+v\n%+v", seed, room, p, gs)
		}
		p.Nodes += s.short(ask)
		if !fitsANode(p, more) {
			continue
		}
		if !brutePacks(p, gs...) {
			t.Fatalf("seed %d: %d more nodes would not do\n%+v\n%+v", seed, s.short(ask), p, gs)
		}
	}
	if roomy < cases/10 || short < cases/10 {
		t.Errorf("%d of %d have room and %d have not: the cases are not interesting", roomy, cases, short)
	}
}

// fitsANode says whether each pod fits onto an empty node as it is.
func fitsANode(p Pool, g Group) bool {
	for _, pod := range g.Pods {
		for name, n := range pod.Devices {
			if !slices.ContainsFunc(p.Devices, func(d devices.Device) bool { return d.Name == name && d.Count >= n }) {
				return false
			}
		}
	}
	return true
}

// TestNodesTaken adds up what is charged to a pool.
func TestNodesTaken(t *testing.T) {
	eight := pool("p", 2, gpus(8, "80Gi"))
	cases := map[string]struct {
		reason string
		pool   poolBuilder
		want   int
	}{
		"Nothing":       {reason: "Nothing is charged.", pool: eight, want: 0},
		"Shared":        {reason: "Pods on one node are one node.", pool: eight.charged(theirs(0, 0).taking(pods(8, 1))), want: 1},
		"Part":          {reason: "A node that is taken in part is taken.", pool: eight.charged(theirs(0, 0).taking(pods(9, 1))), want: 2},
		"Whole":         {reason: "As many as there are.", pool: eight.charged(theirs(0, 2)), want: 2},
		"TooMany":       {reason: "More than there are.", pool: eight.charged(theirs(0, 2), ours(0, 1)), want: 3},
		"TooManyPods":   {reason: "As many as they would take.", pool: eight.charged(theirs(0, 0).taking(pods(5, 5))), want: 5},
		"TooManyInGang": {reason: "A gang takes a node for each of its pods.", pool: eight.charged(theirs(0, 0).taking(gangOf(1, 1, 1, 1, 1))), want: 4},
		"Unknown":       {reason: "What a pool has is not known.", pool: pool("p", 0).unknown(), want: 0},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if got := NodesTaken(tc.pool.p); got != tc.want {
				t.Errorf("\n%s\nNodesTaken(...): got %d, want %d", tc.reason, got, tc.want)
			}
		})
	}
}

// TestUnsure: where neither is proved, that pods fit or that they do not, nothing
// is placed and nobody goes.
func TestUnsure(t *testing.T) {
	var p Pool
	var gs []Group
	for seed := uint64(0); ; seed++ {
		if seed == 2000 {
			t.Skip("everything is told in time")
		}
		p, gs = filled(seeded(seed))
		s := stocked(p, gs...)
		if packNodes(s.node, s.nodes, s.orders(nil), yieldSteps).verdict == unsure {
			break
		}
	}
	c := cluster("a", poolBuilder{p}.charged(theirs(0, 0).taking(gs...)))

	var cs []Contender
	for i, g := range gs {
		cs = append(cs, contender(fmt.Sprint(i), 0).notReady().takes("p", g).c)
	}
	if got := Yields(c.c.Pools, cs); len(got) > 0 {
		t.Errorf("%v yield, and need not", got)
	}
	if got := NodesTaken(c.c.Pools[0]); got <= p.Nodes {
		t.Errorf("%d of %d nodes are taken", got, p.Nodes)
	}

	r := replica("a", 0, sharing("e", "p", 1, 1))
	got := Schedule(deploy(2, needs(request(1, anyGPU))).onto(c).has(r).s)
	want := Result{Placements: []Placement{kept(r)}, Unplaced: 1}
	got.Rejections, got.Drifts = nil, nil
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Schedule(...): -want, +got:\n%s", diff)
	}
}
