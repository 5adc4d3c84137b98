package routing

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSplit(t *testing.T) {
	cases := map[string]struct {
		reason string
		groups []Group
		want   []Share
	}{
		"None": {
			reason: "No groups should have no shares.",
			want:   []Share{},
		},
		"OnlyEmpty": {
			reason: "A group without endpoints should have no weight to give.",
			groups: []Group{{Weight: 5}},
			want:   []Share{{}},
		},
		"Unweighted": {
			reason: "A group whose weight is unset should have the least.",
			groups: []Group{{Endpoints: 2}, {Weight: 2, Endpoints: 1}},
			want:   []Share{{Routed: 2, Weight: 1}, {Routed: 1, Weight: 4}},
		},
		"OneGroup": {
			reason: "Endpoints of one group should share alike, by the smallest numbers.",
			groups: []Group{{Weight: 3, Endpoints: 2}},
			want:   []Share{{Routed: 2, Weight: 1}},
		},
		"EightyOverThree": {
			reason: "Eighty over three and twenty over one should be four fifths and one fifth.",
			groups: []Group{{Weight: 80, Endpoints: 3}, {Weight: 20, Endpoints: 1}},
			want:   []Share{{Routed: 3, Weight: 4}, {Routed: 1, Weight: 3}},
		},
		"OneOverThreeAndOneOverTwo": {
			reason: "Equal groups of different sizes should weigh the same.",
			groups: []Group{{Weight: 1, Endpoints: 3}, {Weight: 1, Endpoints: 2}},
			want:   []Share{{Routed: 3, Weight: 2}, {Routed: 2, Weight: 3}},
		},
		"ThreeOverTwo": {
			reason: "Three over two should be three halves each, and not two to one.",
			groups: []Group{{Weight: 1, Endpoints: 1}, {Weight: 3, Endpoints: 2}},
			want:   []Share{{Routed: 1, Weight: 2}, {Routed: 2, Weight: 3}},
		},
		"EmptyAmongOthers": {
			reason: "The weight of an empty group should fall to the others in proportion.",
			groups: []Group{{Weight: 90}, {Weight: 6, Endpoints: 1}, {Weight: 4, Endpoints: 1}},
			want:   []Share{{}, {Routed: 1, Weight: 3}, {Routed: 1, Weight: 2}},
		},
		"Rescaled": {
			reason: "A weight beyond the largest should scale all of them down, and none to nothing.",
			groups: []Group{{Weight: 1_000_000, Endpoints: 1}, {Weight: 1, Endpoints: 2}},
			want:   []Share{{Routed: 1, Weight: 1_000_000}, {Routed: 2, Weight: 1}},
		},
		"RescaledInProportion": {
			reason: "Scaled weights should keep their proportion as nearly as whole numbers can.",
			groups: []Group{{Weight: 999_999, Endpoints: 2}, {Weight: 500_000, Endpoints: 3}},
			want:   []Share{{Routed: 2, Weight: 1_000_000}, {Routed: 3, Weight: 333_334}},
		},
		"Largest": {
			reason: "The largest weight should need no scaling.",
			groups: []Group{{Weight: 1_000_000, Endpoints: 1}, {Weight: 999_999, Endpoints: 1}},
			want:   []Share{{Routed: 1, Weight: 1_000_000}, {Routed: 1, Weight: 999_999}},
		},
		"TooManyInOneGroup": {
			reason: "A rule should have no more backends than it has room for.",
			groups: []Group{{Weight: 1, Endpoints: 40}},
			want:   []Share{{Routed: 16, Weight: 1}},
		},
		"TooManyInSome": {
			reason: "Room should go where an endpoint would bear the most, and groups should keep their weight.",
			groups: []Group{{Weight: 3, Endpoints: 40}, {Weight: 1, Endpoints: 40}},
			want:   []Share{{Routed: 12, Weight: 1}, {Routed: 4, Weight: 1}},
		},
		"CanaryKeepsItsPlace": {
			reason: "A group of little weight should have room for one endpoint beside a group that fills the rule.",
			groups: []Group{{Weight: 95, Endpoints: 40}, {Weight: 5, Endpoints: 1}},
			want:   []Share{{Routed: 15, Weight: 19}, {Routed: 1, Weight: 15}},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, Split(tc.groups)); diff != "" {
				t.Errorf("\n%s\nSplit(...): -want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}

// TestSplitIsExact says of any groups: a rule has room for what is routed, as
// much as there is; endpoints of a group weigh the same, which the type says;
// and groups weigh to each other what they should.
func TestSplitIsExact(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		groups := make([]Group, r.IntN(16))
		limit := []int32{3, 100, 1_000_000}[r.IntN(3)]
		for i := range groups {
			groups[i] = Group{Weight: 1 + r.Int32N(limit), Endpoints: r.IntN(8)}
		}
		checkSplit(t, groups, Split(groups))
		if t.Failed() {
			return
		}
	}
}

func checkSplit(t *testing.T, groups []Group, got []Share) {
	t.Helper()

	routed, all, scaled := 0, 0, false
	for i, s := range got {
		routed += s.Routed
		all += groups[i].Endpoints
		scaled = scaled || s.Weight == MaxWeight
		if s.Routed > groups[i].Endpoints || (s.Routed == 0) != (groups[i].Endpoints == 0) {
			t.Errorf("Split(%v): group %d: %d endpoints routed", groups, i, s.Routed)
		}
		if s.Routed > 0 && (s.Weight < 1 || s.Weight > MaxWeight) {
			t.Errorf("Split(%v): group %d: weight %d", groups, i, s.Weight)
		}
	}
	if routed != min(all, MaxBackends) {
		t.Errorf("Split(%v): %d endpoints routed", groups, routed)
	}
	if scaled {
		return
	}
	for i, a := range got {
		for j, b := range got {
			if a.Routed == 0 || b.Routed == 0 {
				continue
			}
			left := int64(a.Weight) * int64(a.Routed) * int64(groups[j].Weight)
			right := int64(b.Weight) * int64(b.Routed) * int64(groups[i].Weight)
			if left != right {
				t.Errorf("Split(%v) = %v: groups %d and %d are out of proportion", groups, got, i, j)
			}
		}
	}
}
