package devices

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAssign(t *testing.T) {
	h100 := dev("h100", 8).capacity("memory", "80Gi")
	l4 := dev("l4", 4).capacity("memory", "24Gi")
	mig := dev("mig", 4).class("mig.example.com").capacity("memory", "80Gi")
	nic := synthetic("nic", 8).driver("nic.example.com")
	long := strings.Repeat("x", 63)

	cases := map[string]struct {
		reason   string
		requests []Request
		node     []Device
		want     Assignment
	}{
		"NoRequests": {
			reason: "A pod that asks for nothing fits any node and claims nothing.",
			node:   node(h100),
			want:   Assignment{OK: true, Takes: map[string]int{}},
		},
		"OneRequest": {
			reason:   "The request becomes a claim on the device's class, with its selectors.",
			requests: []Request{req("gpu", 4, big)},
			node:     node(h100),
			want:     Assignment{OK: true, Claims: []Claim{claim("gpu", "gpu.example.com", 4, big)}, Takes: map[string]int{"h100": 4}},
		},
		"CountDefaultsToOne": {
			reason:   "As in DRA.",
			requests: []Request{req("gpu", 0)},
			node:     node(h100),
			want:     Assignment{OK: true, Claims: []Claim{claim("gpu", "gpu.example.com", 1)}, Takes: map[string]int{"h100": 1}},
		},
		"CountNotCovered": {
			reason:   "A node has eight.",
			requests: []Request{req("gpu", 9, big)},
			node:     node(h100),
		},
		"NoneOnTheNode": {
			reason:   "A kind of which a node has none gives none.",
			requests: []Request{req("gpu", 1, big)},
			node:     node(dev("h100", 0).capacity("memory", "80Gi")),
		},
		"SyntheticIsNotClaimed": {
			reason:   "The NIC must be there, and is never claimed.",
			requests: []Request{req("gpu", 1, anyGPU), req("nic", 1, anyNIC)},
			node:     node(h100, nic),
			want:     Assignment{OK: true, Claims: []Claim{claim("gpu", "gpu.example.com", 1, anyGPU)}, Takes: map[string]int{"h100": 1, "nic": 1}},
		},
		"SyntheticIsMissing": {
			reason:   "Without the NIC the node does not do.",
			requests: []Request{req("gpu", 1, anyGPU), req("nic", 1, anyNIC)},
			node:     node(h100),
		},
		"SyntheticIsCounted": {
			reason:   "Eight NICs are not nine.",
			requests: []Request{req("nic", 9, anyNIC)},
			node:     node(nic),
		},
		"TwoRequestsOneDevice": {
			reason:   "A device is given out once.",
			requests: []Request{req("a", 1, anyGPU), req("b", 1, anyGPU)},
			node:     node(dev("gpu", 1)),
		},
		"FiveAndFiveOfEight": {
			reason:   "Requests share what a node has.",
			requests: []Request{req("a", 5, anyGPU), req("b", 5, anyGPU)},
			node:     node(h100),
		},
		"FourAndFourOfEight": {
			reason:   "And may use it up.",
			requests: []Request{req("a", 4, anyGPU), req("b", 4, anyGPU)},
			node:     node(h100),
			want:     Assignment{OK: true, Claims: []Claim{claim("a", "gpu.example.com", 4, anyGPU), claim("b", "gpu.example.com", 4, anyGPU)}, Takes: map[string]int{"h100": 8}},
		},
		"GenericBeforeSpecific": {
			reason:   "First fit would give the big device to the first request and refuse the second.",
			requests: []Request{req("any", 4, anyGPU), req("big", 4, big)},
			node:     node(dev("a", 4).class("a").capacity("memory", "80Gi"), dev("b", 4).class("b").capacity("memory", "24Gi")),
			want:     Assignment{OK: true, Claims: []Claim{claim("any", "b", 4, anyGPU), claim("big", "a", 4, big)}, Takes: map[string]int{"a": 4, "b": 4}},
		},
		"KindsOfOneClassJoin": {
			reason:   "Eight of one kind and four of another are twelve of their class.",
			requests: []Request{req("gpu", 12, anyGPU)},
			node:     node(h100, l4),
			want:     Assignment{OK: true, Claims: []Claim{claim("gpu", "gpu.example.com", 12, anyGPU)}, Takes: map[string]int{"h100": 8, "l4": 4}},
		},
		"KindsOfSeveralClassesSplit": {
			reason:   "A claim names one class, so ten of two classes are two claims.",
			requests: []Request{req("gpu", 10, big)},
			node:     node(h100, mig),
			want:     Assignment{OK: true, Claims: []Claim{claim("gpu-1", "gpu.example.com", 8, big), claim("gpu-2", "mig.example.com", 2, big)}, Takes: map[string]int{"h100": 8, "mig": 2}},
		},
		"OneClassRatherThanSeveral": {
			reason:   "Six fit the one class whole; that the other comes first by name does not matter.",
			requests: []Request{req("gpu", 6, big)},
			node:     node(mig.class("a.example.com"), h100),
			want:     Assignment{OK: true, Claims: []Claim{claim("gpu", "gpu.example.com", 6, big)}, Takes: map[string]int{"h100": 6}},
		},
		"SplitAroundAnotherRequest": {
			reason:   "The second request needs half of the class the first would take.",
			requests: []Request{req("any", 8, big), req("nvidia", 4, big, `device.driver == "gpu.example.com"`)},
			node:     node(h100, mig.driver("mig.example.com").capacity("gpu.example.com/memory", "80Gi")),
			want: Assignment{OK: true, Claims: []Claim{
				claim("any-1", "gpu.example.com", 4, big), claim("any-2", "mig.example.com", 4, big),
				claim("nvidia", "gpu.example.com", 4, big, anyGPU),
			}, Takes: map[string]int{"h100": 8, "mig": 4}},
		},
		"SplitNameIsTaken": {
			reason:   "Another request has the name, so the claims pass over it.",
			requests: []Request{req("gpu", 10, big), req("gpu-1", 2, big)},
			node:     node(h100, mig),
			want: Assignment{OK: true, Claims: []Claim{
				claim("gpu-2", "gpu.example.com", 8, big), claim("gpu-3", "mig.example.com", 2, big),
				claim("gpu-1", "mig.example.com", 2, big),
			}, Takes: map[string]int{"h100": 8, "mig": 4}},
		},
		"SplitNameIsBounded": {
			reason:   "A claim's name is a DNS label.",
			requests: []Request{req(long, 12, big)},
			node:     node(h100, mig),
			want:     Assignment{OK: true, Claims: []Claim{claim(long[:61]+"-1", "gpu.example.com", 8, big), claim(long[:61]+"-2", "mig.example.com", 4, big)}, Takes: map[string]int{"h100": 8, "mig": 4}},
		},
		"ClaimableRatherThanSynthetic": {
			reason:   "What can be claimed is, though a Synthetic device would do.",
			requests: []Request{req("gpu", 2, big)},
			node:     node(synthetic("a", 8).capacity("memory", "80Gi"), h100),
			want:     Assignment{OK: true, Claims: []Claim{claim("gpu", "gpu.example.com", 2, big)}, Takes: map[string]int{"h100": 2}},
		},
		"HalfSynthetic": {
			reason:   "A pod that asks for ten would get eight.",
			requests: []Request{req("gpu", 10, big)},
			node:     node(synthetic("a", 8).capacity("memory", "80Gi"), h100),
		},
		"SyntheticMakesRoom": {
			reason:   "The first request takes Synthetic devices if the second could not be met otherwise.",
			requests: []Request{req("any", 8, big), req("hopper", 8, hopper)},
			node:     node(synthetic("a", 8).capacity("memory", "80Gi"), h100.str("architecture", "Hopper")),
			want:     Assignment{OK: true, Claims: []Claim{claim("hopper", "gpu.example.com", 8, hopper)}, Takes: map[string]int{"a": 8, "h100": 8}},
		},
		"NoClassToClaimBy": {
			reason:   "A device that is claimed needs a DeviceClass.",
			requests: []Request{req("gpu", 1, anyGPU)},
			node:     node(h100.class("")),
		},
		"SelectorsAreANDed": {
			reason:   "Every selector must be true of the same device.",
			requests: []Request{req("gpu", 1, big, hopper)},
			node:     node(h100, l4.str("architecture", "Hopper")),
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			for i := range 6 { // Whatever the order the devices are listed in.
				n := slices.Clone(tc.node)
				rand.New(rand.NewPCG(uint64(i), 0)).Shuffle(len(n), func(a, b int) { n[a], n[b] = n[b], n[a] })
				if diff := cmp.Diff(tc.want, assign(tc.requests, n)); diff != "" {
					t.Errorf("\n%s\nAssign(...): -want, +got:\n%s", tc.reason, diff)
				}
			}
		})
	}
}

// TestAssignIsExact compares with trying everything.
func TestAssignIsExact(t *testing.T) {
	feasible := 0
	for seed := range uint64(3000) {
		rng := rand.New(rand.NewPCG(seed, 2))
		requests, n := randomPod(rng)
		got := assign(requests, n)
		want := bruteForce(requests, n)
		if got.OK != want {
			t.Fatalf("seed %d: got %v, want %v\nrequests %v\nnode %+v", seed, got.OK, want, requests, n)
		}
		if want {
			feasible++
			checkClaims(t, requests, n, got)
		}
	}
	if feasible < 500 || feasible > 2500 {
		t.Errorf("%d of 3000 are feasible: the cases are not interesting", feasible)
	}
}

// A dice decides what a random case is like.
type dice interface{ IntN(n int) int }

// randomPod makes kinds with colors, and requests for any of some colors.
func randomPod(rng dice) ([]Request, []Device) {
	var n []Device
	for k := range 1 + rng.IntN(4) {
		b := dev(fmt.Sprintf("k%d", k), 1+rng.IntN(3)).class(fmt.Sprintf("c%d", rng.IntN(2)))
		if rng.IntN(4) == 0 {
			b = synthetic(b.d.Name, b.d.Count)
		}
		color := k
		if k > 0 && rng.IntN(4) == 0 {
			color-- // Of the color of the one before, and perhaps not to be told from it.
		}
		n = append(n, b.integer("color", int64(color)).d)
	}
	var rs []Request
	for r := range 1 + rng.IntN(4) {
		colors := []string{}
		for k := range n {
			if rng.IntN(2) == 0 {
				colors = append(colors, fmt.Sprint(k))
			}
		}
		rs = append(rs, req(fmt.Sprintf("r%d", r), 1+rng.IntN(3), fmt.Sprintf(`device.attributes["gpu.example.com"].color in [%s]`, strings.Join(colors, ", "))))
	}
	return rs, n
}

// wants says whether a request is for devices of a kind's color.
func wants(r Request, d Device) bool {
	list := r.Selectors[0][strings.Index(r.Selectors[0], " in [")+5:]
	return strings.Contains(list, fmt.Sprint(*d.Attributes["color"].Int))
}

// bruteForce gives out one device after the other, in every way.
func bruteForce(requests []Request, n []Device) bool {
	left := make([]int, len(n))
	for i, d := range n {
		left[i] = d.Count
	}
	var try func(r, count int, synthetic bool) bool
	try = func(r, count int, synthetic bool) bool {
		if r == len(requests) {
			return true
		}
		if count == requests[r].Count {
			return try(r+1, 0, false) || try(r+1, 0, true)
		}
		for k := range n {
			if left[k] == 0 || n[k].Synthetic != synthetic || !wants(requests[r], n[k]) {
				continue
			}
			left[k]--
			ok := try(r, count+1, synthetic)
			left[k]++
			if ok {
				return true
			}
		}
		return false
	}
	return try(0, 0, false) || try(0, 0, true)
}

// checkClaims checks that every request is claimed whole or not at all, and no
// class is claimed beyond what the node has of it.
func checkClaims(t *testing.T, requests []Request, n []Device, a Assignment) {
	t.Helper()
	n = Merge(n)
	byClass, byRequest := map[string]int{}, map[string]int{}
	for _, c := range a.Claims {
		byClass[c.DeviceClassName] += c.Count
		byRequest[c.Selectors[0]+c.Name[:2]] += c.Count
	}
	for _, d := range n {
		if !d.Synthetic {
			byClass[d.DeviceClassName] -= d.Count
		}
	}
	for class, over := range byClass {
		if over > 0 {
			t.Errorf("class %s is claimed %d times too often: %+v", class, over, a)
		}
	}
	claimed := 0
	for _, c := range a.Claims {
		claimed += c.Count
	}
	for _, d := range n {
		if a.Takes[d.Name] > d.Count {
			t.Errorf("takes %d of %d %s: %+v", a.Takes[d.Name], d.Count, d.Name, a)
		}
		if !d.Synthetic {
			claimed -= a.Takes[d.Name]
		}
	}
	if claimed != 0 {
		t.Errorf("claims %d more devices than it takes: %+v", claimed, a)
	}
	for _, r := range requests {
		if got := byRequest[r.Selectors[0]+r.Name]; got != 0 && got != r.Count {
			t.Errorf("request %s claims %d of %d: %+v", r.Name, got, r.Count, a)
		}
	}
}

// TestAssignLarge keeps the worst case quick: as many requests and kinds as the
// API allows, with ways to go wrong at every step.
func TestAssignLarge(t *testing.T) {
	var n []Device
	var rs []Request
	for i := range 16 {
		n = append(n, dev(fmt.Sprintf("k%02d", i), 64).class(fmt.Sprintf("c%d", i%8)).integer("i", int64(i)).d)
		rs = append(rs, req(fmt.Sprintf("r%02d", i), 63, fmt.Sprintf(`device.attributes["gpu.example.com"].i >= %d`, i/2)))
	}
	if a := assign(rs, n); !a.OK {
		t.Errorf("should fit: %+v", a)
	}
}

func BenchmarkAssign(b *testing.B) {
	n := node(dev("h100", 8).capacity("memory", "80Gi"), synthetic("nic", 8).driver("nic.example.com"))
	rs := []Request{req("gpu", 8, big), req("nic", 8, anyNIC)}
	b.ReportAllocs()
	for b.Loop() {
		assign(rs, n)
	}
}
