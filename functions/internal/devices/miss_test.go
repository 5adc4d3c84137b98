package devices

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestExplain(t *testing.T) {
	h100 := dev("h100", 8).capacity("memory", "80Gi").str("architecture", "Hopper").version("cuda", "12.4.0").integer("lanes", 16)
	l4 := dev("l4", 4).capacity("memory", "24Gi").str("architecture", "Ada")
	fleet := [][]Device{node(h100), node(l4), node(synthetic("nic", 1).driver("nic.example.com"))}

	type want struct{ lack, closest, device string }
	cases := map[string]struct {
		reason   string
		requests []Request
		node     []Device
		want     want
	}{
		"Fits": {
			reason:   "There is nothing to explain.",
			requests: []Request{req("gpu", 1, big)},
			node:     node(h100),
			want:     want{lack: `device ""`},
		},
		"Capacity": {
			reason:   "The capacity demanded, and the one there is.",
			requests: []Request{req("gpu", 1, huge)},
			node:     node(h100),
			want:     want{lack: `device "gpu" with memory >= 141Gi`, closest: "80Gi", device: "h100"},
		},
		"BestOfSeveral": {
			reason:   "More memory is closer, whatever the name.",
			requests: []Request{req("gpu", 1, huge)},
			node:     node(dev("a", 1).capacity("memory", "24Gi"), h100, dev("z", 1).capacity("memory", "100G")),
			want:     want{lack: `device "gpu" with memory >= 141Gi`, closest: "100G", device: "z"},
		},
		"LeastOfSeveral": {
			reason:   "Less is closer where less is demanded.",
			requests: []Request{req("gpu", 1, `device.capacity["gpu.example.com"].memory.isLessThan(quantity("16Gi"))`)},
			node:     node(h100, l4),
			want:     want{lack: `device "gpu" with memory < 16Gi`, closest: "24Gi", device: "l4"},
		},
		"MostSelectorsPassed": {
			reason:   "A device that fails the last selector is closer than one that fails the first.",
			requests: []Request{req("gpu", 1, anyGPU, hopper, huge)},
			node:     node(l4, h100),
			want:     want{lack: `device "gpu" with memory >= 141Gi`, closest: "80Gi", device: "h100"},
		},
		"Conjunct": {
			reason:   "Of a selector that is a conjunction, the part that fails.",
			requests: []Request{req("gpu", 1, anyGPU+" && "+hopper+" && "+huge)},
			node:     node(h100),
			want:     want{lack: `device "gpu" with memory >= 141Gi`, closest: "80Gi", device: "h100"},
		},
		"Attribute": {
			reason:   "An attribute demanded, and its value.",
			requests: []Request{req("gpu", 1, hopper)},
			node:     node(l4),
			want:     want{lack: `device "gpu" with architecture == "Hopper"`, closest: "Ada", device: "l4"},
		},
		"Version": {
			reason:   "A version is said as one.",
			requests: []Request{req("gpu", 1, `device.attributes["gpu.example.com"].cuda.compareTo(semver("13.0.0")) >= 0`)},
			node:     node(h100),
			want:     want{lack: `device "gpu" with cuda >= 13.0.0`, closest: "12.4.0", device: "h100"},
		},
		"Driver": {
			reason:   "The driver demanded, and the device's.",
			requests: []Request{req("nic", 1, anyNIC)},
			node:     node(h100),
			want:     want{lack: `device "nic" with driver == "nic.example.com"`, closest: "gpu.example.com", device: "h100"},
		},
		"Absent": {
			reason:   "The device does not say. Others of the fleet do, so it is no typo.",
			requests: []Request{req("gpu", 1, `device.attributes["gpu.example.com"].lanes >= 8`)},
			node:     node(l4),
			want:     want{lack: `device "gpu" with lanes >= 8`, closest: "no lanes", device: "l4"},
		},
		"UnreadableShape": {
			reason:   "What cannot be put into words is said in CEL, with what it asks of the device.",
			requests: []Request{req("gpu", 1, `[1, 2].exists(x, x == device.attributes["gpu.example.com"].lanes)`)},
			node:     node(h100),
			want:     want{lack: `device "gpu" with [1, 2].exists(x, x == device.attributes["gpu.example.com"].lanes)`, closest: "16", device: "h100"},
		},
		"TypeError": {
			reason:   "How evaluating it failed is part of the reason.",
			requests: []Request{req("gpu", 1, `device.attributes["gpu.example.com"].architecture > 5`)},
			node:     node(l4),
			want:     want{lack: `device "gpu" with architecture > 5`, closest: "Ada, no such overload", device: "l4"},
		},
		"Malformed": {
			reason:   "A device that is malformed matches nothing, and says what is.",
			requests: []Request{req("gpu", 1, anyGPU)},
			node:     node(dev("bad", 1).capacity("memory", "lots")),
			want:     want{lack: `device "gpu" with driver == "gpu.example.com"`, closest: `capacity memory: "lots" is not a quantity`, device: "bad"},
		},
		"NoDevices": {
			reason:   "Nothing comes close on a node without devices.",
			requests: []Request{req("gpu", 1, huge)},
			want:     want{lack: `device "gpu" with memory >= 141Gi`},
		},
		"NoClass": {
			reason:   "Every selector is true, and nothing could claim it.",
			requests: []Request{req("gpu", 1, anyGPU)},
			node:     node(h100.class("")),
			want:     want{lack: `device "gpu"`, closest: "no DeviceClass to claim it by", device: "h100"},
		},
		"UnknownDriver": {
			reason:   "No class has the driver: a typo, and what was meant.",
			requests: []Request{req("gpu", 1, `device.driver == "gpu.exmaple.com"`)},
			node:     node(h100),
			want: want{
				lack:    `device "gpu" with driver == "gpu.exmaple.com": no class in the fleet has driver "gpu.exmaple.com", did you mean "gpu.example.com"?`,
				closest: "gpu.example.com", device: "h100",
			},
		},
		"UnknownDomain": {
			reason:   "No class publishes the domain.",
			requests: []Request{req("gpu", 1, `device.capacity["gpu.amd.com"].memory.compareTo(quantity("1Gi")) >= 0`)},
			node:     node(h100),
			want: want{
				lack:    `device "gpu" with memory >= 1Gi: no class in the fleet publishes domain "gpu.amd.com"`,
				closest: "no memory", device: "h100",
			},
		},
		"UnknownCapacity": {
			reason:   "No class publishes the capacity.",
			requests: []Request{req("gpu", 1, `device.capacity["gpu.example.com"].memroy.compareTo(quantity("1Gi")) >= 0`)},
			node:     node(h100),
			want: want{
				lack:    `device "gpu" with memroy >= 1Gi: no class in the fleet publishes capacity "memroy" of "gpu.example.com", did you mean "memory"?`,
				closest: "no memroy", device: "h100",
			},
		},
		"CapacityAskedAsAttribute": {
			reason:   "It is published, as the other thing.",
			requests: []Request{req("gpu", 1, `device.attributes["gpu.example.com"].memory == "80Gi"`)},
			node:     node(h100),
			want: want{
				lack:    `device "gpu" with memory == "80Gi": memory of "gpu.example.com" is published as a capacity, not an attribute`,
				closest: "no memory", device: "h100",
			},
		},
		"TooFew": {
			reason:   "Devices match, and are too few.",
			requests: []Request{req("gpu", 16, big)},
			node:     node(h100),
			want:     want{lack: `16 of device "gpu" on a node`, closest: "8"},
		},
		"TooFewTogether": {
			reason:   "The requests before leave too few.",
			requests: []Request{req("a", 6, anyGPU), req("b", 4, anyGPU)},
			node:     node(h100),
			want:     want{lack: `4 of device "b" on a node`, closest: "2"},
		},
		"TooFewOfOneMode": {
			reason:   "Devices that can be claimed and Synthetic ones do not add up.",
			requests: []Request{req("gpu", 10, big)},
			node:     node(h100, synthetic("s", 9).capacity("memory", "80Gi")),
			want:     want{lack: `10 of device "gpu" on a node`, closest: "9"},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			m := NewMatcher()
			for _, n := range fleet {
				m.Node(n)
			}
			n := m.Node(tc.node)
			miss := m.Explain(tc.requests, n)
			got := want{lack: miss.Lack(), closest: miss.Closest(), device: miss.Device}
			if diff := cmp.Diff(tc.want, got, cmp.AllowUnexported(want{})); diff != "" {
				t.Errorf("\n%s\nExplain(...): -want, +got:\n%s", tc.reason, diff)
			}
			if diff := cmp.Diff(miss, m.Explain(tc.requests, n)); diff != "" {
				t.Errorf("Explain(...) again: -want, +got:\n%s", diff)
			}
		})
	}
}

func TestCloser(t *testing.T) {
	cases := map[string]struct {
		reason string
		a, b   Miss
		want   bool
	}{
		"TooFewBeatsNoMatch": {reason: "Too few is closer than none.", a: Miss{TooFew: true}, b: Miss{Passed: 9}, want: true},
		"MoreFree":           {reason: "More devices are closer.", a: Miss{TooFew: true, Free: 4}, b: Miss{TooFew: true, Free: 2}, want: true},
		"MorePassed":         {reason: "More selectors satisfied are closer.", a: Miss{Passed: 2}, b: Miss{Passed: 1}, want: true},
		"Quantity":           {reason: "100G is less than 100Gi.", a: Miss{Have: "100Gi", Order: 1}, b: Miss{Have: "100G", Order: 1}, want: true},
		"QuantityDown":       {reason: "Less is closer where less is wanted.", a: Miss{Have: "8", Order: -1}, b: Miss{Have: "16", Order: -1}, want: true},
		"Version":            {reason: "12.10 is newer than 12.9.", a: Miss{Have: "12.10.0", Order: 1}, b: Miss{Have: "12.9.0", Order: 1}, want: true},
		"Text":               {reason: "Words are as close as each other.", a: Miss{Have: "Hopper"}, b: Miss{Have: "Ada"}},
		"OtherSelector":      {reason: "Values of different things do not compare.", a: Miss{Have: "9", Order: 1, Want: "x > 10"}, b: Miss{Have: "8", Order: 1, Want: "y > 10"}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if got := tc.a.Closer(tc.b); got != tc.want {
				t.Errorf("\n%s\na.Closer(b): got %v, want %v", tc.reason, got, tc.want)
			}
			if tc.want && tc.b.Closer(tc.a) {
				t.Error("both are closer")
			}
		})
	}
}

func TestBounded(t *testing.T) {
	if got := bounded("one\n  two\xff", 100); got != "one two?" {
		t.Errorf("got %q", got)
	}
	if got := bounded("ééééé", 8); got != "éé…" {
		t.Errorf("got %q", got)
	}
}
