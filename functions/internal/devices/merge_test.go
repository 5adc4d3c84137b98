package devices

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestMerge(t *testing.T) {
	big := dev("b", 1).capacity("memory", "80Gi")
	named := func(b builder, name string, count int) builder { b.d.Name, b.d.Count = name, count; return b }

	cases := map[string]struct {
		reason  string
		devices []Device
		want    []Device
	}{
		"None":      {reason: "Nothing is nothing.", want: []Device{}},
		"Different": {reason: "What differs stays, by name.", devices: node(big, dev("a", 2)), want: node(dev("a", 2), big)},
		"Alike":     {reason: "What differs in name only is one kind, of the first name.", devices: node(named(big, "c", 2), dev("x", 1), big), want: node(named(big, "b", 3), dev("x", 1))},
		"Number":    {reason: "However many there are of each.", devices: node(named(big, "c", 0), named(big, "d", 4), big), want: node(named(big, "b", 5))},
		"Negative":  {reason: "Fewer than none is none.", devices: node(named(big, "a", -2), big), want: node(named(big, "a", 1))},
		"Class":     {reason: "What is claimed by another class is another kind.", devices: node(big, named(big.class("other"), "c", 1)), want: node(big, named(big.class("other"), "c", 1))},
		"Driver":    {reason: "So is what another driver has.", devices: node(big, named(big.driver("other"), "c", 1)), want: node(big, named(big.driver("other"), "c", 1))},
		"Synthetic": {reason: "So is what cannot be claimed.", devices: node(dev("a", 1).class(""), synthetic("b", 1)), want: node(dev("a", 1).class(""), synthetic("b", 1))},
		"Attribute": {reason: "So is what says something else.", devices: node(big.str("x", "1"), named(big.integer("x", 1), "c", 1)), want: node(big.str("x", "1"), named(big.integer("x", 1), "c", 1))},
		"Capacity":  {reason: "Or says it in another way.", devices: node(big, named(big.capacity("memory", "81920Mi"), "c", 1)), want: node(big, named(big.capacity("memory", "81920Mi"), "c", 1))},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			before := slices.Clone(tc.devices)
			if diff := cmp.Diff(tc.want, Merge(tc.devices)); diff != "" {
				t.Errorf("\n%s\nMerge(...): -want, +got:\n%s", tc.reason, diff)
			}
			if diff := cmp.Diff(before, tc.devices); diff != "" {
				t.Errorf("Merge changed what it was given: -want, +got:\n%s", diff)
			}
			slices.Reverse(tc.devices)
			if diff := cmp.Diff(tc.want, Merge(tc.devices)); diff != "" {
				t.Errorf("\n%s\nMerge(...) in another order: -want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}
