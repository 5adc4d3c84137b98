package devices

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestMerge(t *testing.T) {
	cases := map[string]struct {
		reason string
		node   []Device
		want   []Device
	}{
		"None":        {reason: "No devices are no kinds.", want: []Device{}},
		"Apart":       {reason: "What a selector could tell apart stays apart.", node: node(dev("b", 1).capacity("memory", "1Gi"), dev("a", 1)), want: node(dev("a", 1), dev("b", 1).capacity("memory", "1Gi"))},
		"Like":        {reason: "What differs in name only is one kind.", node: node(dev("b", 2), dev("c", 3), dev("a", 1)), want: node(dev("a", 6))},
		"OtherClass":  {reason: "What is claimed otherwise is another kind.", node: node(dev("a", 1), dev("b", 1).class("other.example.com")), want: node(dev("a", 1), dev("b", 1).class("other.example.com"))},
		"Synthetic":   {reason: "What is not claimed is another kind.", node: node(dev("a", 1), synthetic("b", 1)), want: node(dev("a", 1), synthetic("b", 1))},
		"NoneOfAKind": {reason: "A kind of which there is none adds nothing.", node: node(dev("a", 2), dev("b", 0)), want: node(dev("a", 2))},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, Merge(tc.node)); diff != "" {
				t.Errorf("\n%s\nMerge(...): -want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}
