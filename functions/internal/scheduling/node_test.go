package scheduling

import (
	"fmt"
	"math"
	"testing"

	"github.com/modelplane-go/modelplane/functions/internal/devices"
)

func TestNodeVector(t *testing.T) {
	like := gpus(2, "80Gi")
	like.Name = "gpu-b"
	n := newNodeType([]devices.Device{other(2, "80Gi", "alt"), gpus(4, "80Gi"), like, nics(1)})
	all := vector{2, 6, 1}

	cases := map[string]struct {
		reason string
		takes  map[string]int
		want   vector
	}{
		"Nil":        {reason: "A pod that does not say takes all of its node.", want: all},
		"Empty":      {reason: "Nor does one that says nothing.", takes: map[string]int{}, want: all},
		"One":        {reason: "So many of one kind.", takes: map[string]int{"alt": 1}, want: vector{1}},
		"Several":    {reason: "And of others.", takes: map[string]int{"alt": 1, "gpu": 3, "nic": 1}, want: vector{1, 3, 1}},
		"Alike":      {reason: "Devices that differ in name only are one kind, by either name.", takes: map[string]int{"gpu": 1, "gpu-b": 2}, want: vector{0, 3}},
		"AlikeByOne": {reason: "All of them may be said by one name.", takes: map[string]int{"gpu-b": 6}, want: vector{0, 6}},
		"Unknown":    {reason: "A pod that takes what a node is not known to have takes all of it.", takes: map[string]int{"alt": 1, "gone": 1}, want: all},
		"TooMany":    {reason: "So does one that takes more than there is.", takes: map[string]int{"alt": 3}, want: all},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if got := n.vector(tc.takes); got != tc.want {
				t.Errorf("\n%s\nvector(%v): got %v, want %v", tc.reason, tc.takes, got, tc.want)
			}
		})
	}
}

// TestNodeTypeIsBounded: what is beyond the bounds of an InferenceClass is not
// counted, and whoever takes of it takes all of a node.
func TestNodeTypeIsBounded(t *testing.T) {
	var ds []devices.Device
	for i := range maxKinds + 4 {
		d := gpus(300, fmt.Sprintf("%dGi", i))
		d.Name = fmt.Sprintf("kind-%02d", i)
		ds = append(ds, d)
	}
	n := newNodeType(ds)
	for i, d := range ds {
		want := vector{}
		if i < maxKinds {
			want[i] = 7
		} else {
			want = n.has
		}
		if got := n.vector(map[string]int{d.Name: 7}); got != want {
			t.Errorf("%s: got %v, want %v", d.Name, got, want)
		}
	}
	for i, has := range n.has {
		if has != math.MaxUint8 {
			t.Errorf("kind %d: %d", i, has)
		}
	}
}

// TestLoadCovers compares with trying everything: whether each pod of a copy
// takes no more than one of its own of another's.
func TestLoadCovers(t *testing.T) {
	p := pool("p", 1, gpus(5, "80Gi"), other(3, "80Gi", "alt")).p
	n, kinds := newNodeType(p.Devices), bruteKinds(p.Devices)
	covered := 0
	for seed := range uint64(20000) {
		rng := seeded(seed)
		group := func() Group {
			g := Group{Copies: 1}
			for range 1 + rng.IntN(2) {
				g.Pods = append(g.Pods, Pod{Count: 1 + rng.IntN(3), Devices: map[string]int{"gpu": 1 + rng.IntN(3), "alt": rng.IntN(3)}})
			}
			return g
		}
		had, now := group(), group()
		want := matches(brutePods(kinds, []Group{now})[0], brutePods(kinds, []Group{had})[0])
		if got := n.load(had.Pods).covers(n.load(now.Pods)); got != want {
			t.Fatalf("seed %d: %v covers %v: got %v, want %v", seed, had, now, got, want)
		}
		if want {
			covered++
		}
	}
	if covered < 1000 {
		t.Errorf("%d of 20000 cover: the cases are not interesting", covered)
	}
}
