package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/modelplane-go/modelplane/functions/internal/xfn"
	"github.com/modelplane-go/modelplane/functions/internal/xfntest"
)

// TestEvents says what happened to the placements, once.
func TestEvents(t *testing.T) {
	a, b := inferenceCluster("a", "", isReady), inferenceCluster("b", "", isReady)
	published := deployment + `
status: {placements: [{replica: ` + nameA0 + `, cluster: a, ready: true}]}
`
	charged := func(cluster, charges string) string {
		return strings.Replace(cluster, "nodesCharged: 0", "nodesCharged: 2, charges: ["+charges+"]", 1)
	}
	const (
		own   = `{namespace: ml-team, deployment: qwen, index: 0, priority: 3, yield: true, groups: [{pods: [{devices: {gpu: 1}}]}]}`
		above = `{namespace: x, deployment: vip, index: 0, priority: 9, groups: [{copies: 2, pods: [{devices: {gpu: 8}}]}]}`
		below = `{namespace: x, deployment: batch, index: 4, priority: 1, groups: [{copies: 2, pods: [{devices: {gpu: 8}}]}]}`
	)

	cases := map[string]struct {
		reason string
		world  func() xfntest.World
		want   []string
	}{
		"Placed": {
			reason: "A replica that is placed is an event.",
			world: func() xfntest.World {
				return xfntest.World{Composite: deployment, Required: map[string][]any{"clusters": {a, b}}}
			},
			want: []string{"SEVERITY_NORMAL ReplicasPlaced: placed " + nameA0 + " on a"},
		},
		"Published": {
			reason: "A placement that was published is not.",
			world: func() xfntest.World {
				w := settled()
				w.Composite = published
				return w
			},
		},
		"Preempts": {
			reason: "Whoever has to make way for a replica is named.",
			world: func() xfntest.World {
				return xfntest.World{Composite: deployment, Required: map[string][]any{"clusters": {charged(a, below)}}}
			},
			want: []string{"SEVERITY_NORMAL ReplicasPlaced: placed " + nameA0 + " on a, where x/batch/4 of priority 1 must make way"},
		},
		"Yields": {
			reason: "A replica that makes way says for whom, and where it goes.",
			world: func() xfntest.World {
				w := settled()
				w.Composite = published
				full := charged(a, own+", "+above)
				w.Required = map[string][]any{"cluster-a": {full}, "clusters": {full, b}}
				return w
			},
			want: []string{
				"SEVERITY_NORMAL ReplicasPlaced: placed qwen-bd934acf on b",
				`SEVERITY_WARNING ReplicasLost: lost ` + nameA0 + ` on a: pool "h100" is charged more than it has: x/vip of priority 9 goes before priority 3`,
			},
		},
		"ScaledDown": {
			reason: "A replica that is not wanted is removed, and not lost.",
			world: func() xfntest.World {
				w := settled()
				w.Composite = strings.Replace(published, "replicas: 1", "replicas: 0", 1)
				return w
			},
			want: []string{"SEVERITY_NORMAL ReplicasRemoved: removed " + nameA0 + " on a"},
		},
		"Deleted": {
			reason: "A replica that somebody deleted is lost, and placed again.",
			world: func() xfntest.World {
				return xfntest.World{
					Composite: strings.Replace(published, nameA0, "qwen-gone", 1),
					Required:  map[string][]any{"clusters": {a}},
				}
			},
			want: []string{
				"SEVERITY_NORMAL ReplicasPlaced: placed " + nameA0 + " on a",
				"SEVERITY_WARNING ReplicasLost: lost qwen-gone on a: it was deleted",
			},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			w := tc.world()
			var got []string
			for _, r := range xfn.Run(compose, w.Request(t)).GetResults() {
				if strings.HasPrefix(r.GetReason(), "Replicas") {
					got = append(got, fmt.Sprintf("%s %s: %s", r.GetSeverity(), r.GetReason(), r.GetMessage()))
				}
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("\n%s\n-want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}
