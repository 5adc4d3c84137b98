package devices

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// ways of requests on a node on its own.
func waysOn(requests []Request, n []Device) []Assignment {
	m := NewMatcher()
	return m.Ways(requests, m.Node(n))
}

func TestWays(t *testing.T) {
	const gpuClass = "gpu.example.com"
	a := dev("a", 2).capacity("memory", "80Gi")
	b := dev("b", 2).capacity("memory", "24Gi")
	alt := b.class("alt.example.com")
	nic := synthetic("nic", 2).driver("nic.example.com")
	way := func(takes map[string]int, claims ...Claim) Assignment {
		return Assignment{OK: true, Claims: claims, Takes: takes}
	}

	cases := map[string]struct {
		reason   string
		requests []Request
		node     []Device
		want     []Assignment
	}{
		"None": {
			reason:   "What does not fit has no way.",
			requests: []Request{req("gpu", 5, anyGPU)},
			node:     node(a, b),
		},
		"NoRequests": {
			reason: "A pod that asks for nothing takes nothing.",
			node:   node(a, b),
			want:   []Assignment{way(map[string]int{})},
		},
		"One": {
			reason:   "There is one kind.",
			requests: []Request{req("gpu", 2, anyGPU)},
			node:     node(a, nic),
			want:     []Assignment{way(map[string]int{"a": 2}, claim("gpu", gpuClass, 2, anyGPU))},
		},
		"KindsOfOneClass": {
			reason:   "The claim is the same however many of each kind it gets.",
			requests: []Request{req("gpu", 2, anyGPU)},
			node:     node(b, a),
			want: []Assignment{
				way(map[string]int{"a": 2}, claim("gpu", gpuClass, 2, anyGPU)),
				way(map[string]int{"a": 1, "b": 1}, claim("gpu", gpuClass, 2, anyGPU)),
				way(map[string]int{"b": 2}, claim("gpu", gpuClass, 2, anyGPU)),
			},
		},
		"KindsOfSeveralClasses": {
			reason:   "The claims are of the class each kind is claimed by. One class is better than two, and then the first by name.",
			requests: []Request{req("gpu", 2, anyGPU)},
			node:     node(a, alt),
			want: []Assignment{
				way(map[string]int{"b": 2}, claim("gpu", "alt.example.com", 2, anyGPU)),
				way(map[string]int{"a": 2}, claim("gpu", gpuClass, 2, anyGPU)),
				way(map[string]int{"a": 1, "b": 1}, claim("gpu-1", "alt.example.com", 1, anyGPU), claim("gpu-2", gpuClass, 1, anyGPU)),
			},
		},
		"SeveralRequests": {
			reason:   "The second leaves the first one choice less.",
			requests: []Request{req("any", 1, anyGPU), req("big", 2, big)},
			node:     node(a, b),
			want:     []Assignment{way(map[string]int{"a": 2, "b": 1}, claim("any", gpuClass, 1, anyGPU), claim("big", gpuClass, 2, big))},
		},
		"NotHalfSynthetic": {
			reason:   "What can be claimed is claimed, in every way.",
			requests: []Request{req("gpu", 1, anyGPU)},
			node:     node(a, synthetic("s", 2)),
			want:     []Assignment{way(map[string]int{"a": 1}, claim("gpu", gpuClass, 1, anyGPU))},
		},
		"SyntheticKinds": {
			reason:   "Synthetic devices are counted by kind too.",
			requests: []Request{req("gpu", 1, anyGPU), req("nic", 1, anyNIC)},
			node:     node(a, nic, synthetic("nic2", 1).driver("nic.example.com").capacity("bandwidth", "400G")),
			want: []Assignment{
				way(map[string]int{"a": 1, "nic": 1}, claim("gpu", gpuClass, 1, anyGPU)),
				way(map[string]int{"a": 1, "nic2": 1}, claim("gpu", gpuClass, 1, anyGPU)),
			},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got := waysOn(tc.requests, tc.node)
			if diff := cmp.Diff(tc.want[:min(1, len(tc.want))], got[:min(1, len(got))]); diff != "" {
				t.Errorf("\n%s\nWays(...)[0]: -want, +got:\n%s", tc.reason, diff)
			}
			byTakes := func(a, b Assignment) int { return cmpTakes(a.Takes, b.Takes) }
			slices.SortFunc(tc.want, byTakes)
			slices.SortFunc(got, byTakes)
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("\n%s\nWays(...): -want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}

func cmpTakes(a, b map[string]int) int {
	return slices.Compare([]byte(takesKey(a)), []byte(takesKey(b)))
}

func takesKey(takes map[string]int) string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(takes)) {
		fmt.Fprintf(&b, "%s=%d ", name, takes[name])
	}
	return b.String()
}

// TestWaysAreAll compares with trying everything.
func TestWaysAreAll(t *testing.T) {
	several := 0
	for seed := range uint64(3000) {
		rng := rand.New(rand.NewPCG(seed, 3))
		requests, n := randomPod(rng)
		m := NewMatcher()
		prepared := m.Node(n)
		got := m.Ways(requests, prepared)
		first := m.Assign(requests, prepared)
		if len(got) > 0 != first.OK || len(got) > maxWays {
			t.Fatalf("seed %d: %d ways, and assigned %v", seed, len(got), first.OK)
		}
		if !first.OK {
			continue
		}
		if diff := cmp.Diff(first, got[0]); diff != "" {
			t.Fatalf("seed %d: the first way is not the assigned one: %s", seed, diff)
		}
		takes := map[string]bool{}
		for _, a := range got {
			checkClaims(t, requests, n, a)
			if !slices.Equal(claimed(first), claimed(a)) {
				t.Fatalf("seed %d: %v are claimed, and in another way %v", seed, claimed(first), claimed(a))
			}
			takes[takesKey(a.Takes)] = true
		}
		if want := bruteTakes(requests, n, claimed(first)); len(got) < maxWays && !maps.Equal(want, takes) {
			t.Fatalf("seed %d: -want, +got:\n%s\nrequests %+v\nnode %+v", seed, cmp.Diff(want, takes), requests, n)
		}
		if len(takes) > 1 {
			several++
		}
	}
	if several < 300 {
		t.Errorf("%d of 3000 have several ways: the cases are not interesting", several)
	}
}

// claimed are the requests that are claimed, in the order of the claims.
func claimed(a Assignment) []string {
	var out []string
	for _, c := range a.Claims {
		out = append(out, c.Name[:2])
	}
	return slices.Compact(out)
}

// bruteTakes is what a pod may take of a node, by giving out one device after
// the other in every way. The requests that are claimed are given.
func bruteTakes(requests []Request, n []Device, claims []string) map[string]bool {
	n = Merge(n)
	left := make([]int, len(n))
	for i, d := range n {
		left[i] = d.Count
	}
	out := map[string]bool{}
	var give func(r, count, from int)
	give = func(r, count, from int) {
		if r == len(requests) {
			takes := map[string]int{}
			for i, d := range n {
				if left[i] < d.Count {
					takes[d.Name] = d.Count - left[i]
				}
			}
			out[takesKey(takes)] = true
			return
		}
		if count == requests[r].Count {
			give(r+1, 0, 0)
			return
		}
		for k := from; k < len(n); k++ {
			if left[k] == 0 || n[k].Synthetic == slices.Contains(claims, requests[r].Name) || !wants(requests[r], n[k]) {
				continue
			}
			left[k]--
			give(r, count+1, k)
			left[k]++
		}
	}
	give(0, 0, 0)
	return out
}

// TestWaysLarge keeps the worst case quick, and bounded.
func TestWaysLarge(t *testing.T) {
	var n []Device
	var rs []Request
	for i := range 16 {
		n = append(n, dev(fmt.Sprintf("k%02d", i), 64).class(fmt.Sprintf("c%d", i%8)).integer("i", int64(i)).d)
		rs = append(rs, req(fmt.Sprintf("r%02d", i), 32, anyGPU))
	}
	if got := len(waysOn(rs, n)); got == 0 || got > maxWays {
		t.Errorf("%d ways, at most %d", got, maxWays)
	}
}
