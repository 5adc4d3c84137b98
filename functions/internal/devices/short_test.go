package devices

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestShort(t *testing.T) {
	h100 := dev("h100", 8).capacity("memory", "81559Mi").str("architecture", "Hopper").version("cuda", "12.4.0").integer("lanes", 16)
	lanes := `device.attributes["gpu.example.com"].lanes `

	type want struct{ gap, short string }
	cases := map[string]struct {
		reason   string
		requests []Request
		node     []Device
		want     want
	}{
		"Capacity": {
			reason:   "Quantities differ by a quantity.",
			requests: []Request{req("gpu", 1, huge)},
			node:     node(h100),
			want:     want{gap: `memory of device "gpu": 141Gi wanted, 81559Mi there (short by 62825Mi)`, short: "62825Mi"},
		},
		"Int": {
			reason:   "So do numbers.",
			requests: []Request{req("gpu", 1, lanes+">= 20")},
			node:     node(h100),
			want:     want{gap: `lanes of device "gpu": 20 wanted, 16 there (short by 4)`, short: "4"},
		},
		"More": {
			reason:   "What is to be exceeded is not a shortage of nothing.",
			requests: []Request{req("gpu", 1, lanes+"> 16")},
			node:     node(h100),
			want:     want{gap: `lanes of device "gpu": more than 16 wanted, 16 there`},
		},
		"AtMost": {
			reason:   "There may be too much.",
			requests: []Request{req("gpu", 1, lanes+"<= 8")},
			node:     node(h100),
			want:     want{gap: `lanes of device "gpu": at most 8 wanted, 16 there (8 too much)`, short: "8"},
		},
		"Less": {
			reason:   "And too much of an amount.",
			requests: []Request{req("gpu", 1, `device.capacity["gpu.example.com"].memory.isLessThan(quantity("80000Mi"))`)},
			node:     node(h100),
			want:     want{gap: `memory of device "gpu": less than 80000Mi wanted, 81559Mi there (1559Mi too much)`, short: "1559Mi"},
		},
		"Version": {
			reason:   "Versions do not differ by anything.",
			requests: []Request{req("gpu", 1, `device.attributes["gpu.example.com"].cuda.compareTo(semver("13.0.0")) >= 0`)},
			node:     node(h100),
			want:     want{gap: `cuda of device "gpu": 13.0.0 wanted, 12.4.0 there`},
		},
		"Attribute": {
			reason:   "Nor do names.",
			requests: []Request{req("gpu", 1, `device.attributes["gpu.example.com"].architecture == "Blackwell"`)},
			node:     node(h100),
			want:     want{gap: `device "gpu": architecture == "Blackwell" wanted, Hopper there`},
		},
		"Absent": {
			reason:   "A device may not say.",
			requests: []Request{req("gpu", 1, lanes+">= 8")},
			node:     node(dev("l4", 1)),
			want:     want{gap: `lanes of device "gpu": 8 wanted, no lanes there`},
		},
		"NoDevices": {
			reason:   "There may be none to say anything.",
			requests: []Request{req("gpu", 1, huge)},
			want:     want{gap: `device "gpu": memory >= 141Gi wanted, nothing there`},
		},
		"NoClass": {
			reason:   "What is wanted may be there, and not to be claimed.",
			requests: []Request{req("gpu", 1, anyGPU)},
			node:     node(h100.class("")),
			want:     want{gap: `device "gpu": no DeviceClass to claim it by`},
		},
		"TooFew": {
			reason:   "Devices are counted on a node.",
			requests: []Request{req("gpu", 12, anyGPU)},
			node:     node(h100),
			want:     want{gap: `4 more of device "gpu" on each node (room for 8 of 12)`, short: "4"},
		},
		"TooFewLeft": {
			reason:   "Other requests of the pod take theirs first.",
			requests: []Request{req("big", 6, big[:len(big)-len(`quantity("80Gi")) >= 0`)]+`quantity("70Gi")) >= 0`), req("gpu", 4, anyGPU)},
			node:     node(h100),
			want:     want{gap: `2 more of device "gpu" on each node (room for 2 of 4)`, short: "2"},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			m := NewMatcher()
			m.Node(node(dev("known", 1).integer("lanes", 1).capacity("memory", "1Gi"))) // So that nothing is a typo.
			miss := m.Explain(tc.requests, m.Node(tc.node))
			got := want{gap: miss.Gap(), short: miss.Short()}
			if diff := cmp.Diff(tc.want, got, cmp.AllowUnexported(want{})); diff != "" {
				t.Errorf("\n%s\n-want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}
