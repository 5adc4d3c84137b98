package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/modelplane-go/modelplane/functions/internal/xfn"
	"github.com/modelplane-go/modelplane/functions/internal/xfntest"
)

// An outcome is what matters of a response when something breaks.
type outcome struct {
	Dropped []string // What Crossplane would delete.
	Ready   bool
	Nodes   string // The summary of the ledger.
	Reasons string // Of the conditions, in order.
}

// TestIncidents breaks a cluster that is reached in one way at a time, with a
// replica on it. Nothing may be dropped, the ledger may not forget, and the
// cluster may not be called ready when it is not.
func TestIncidents(t *testing.T) {
	cases := map[string]struct {
		reason string
		breaks func(w *xfntest.World)
		want   outcome
	}{
		"Nothing": {
			reason: "A settled cluster stays as it is.",
			breaks: func(_ *xfntest.World) {},
			want:   outcome{Ready: true, Nodes: "2/4", Reasons: "PoolsResolved WithinCapacity ClusterRunning"},
		},
		"ClassDeleted": {
			reason: "A class that is gone leaves its pools as they were.",
			breaks: func(w *xfntest.World) { w.Required["class-h100-8x"] = nil },
			want:   outcome{Ready: true, Nodes: "2/4", Reasons: "ClassNotFound WithinCapacity ClusterRunning"},
		},
		"ClassUnresolved": {
			reason: "A class that was not read yet leaves its pools as they were.",
			breaks: func(w *xfntest.World) { delete(w.Required, "class-h100-8x") },
			want:   outcome{Ready: true, Nodes: "2/4", Reasons: "WaitingForClasses WithinCapacity ClusterRunning"},
		},
		"ReplicasUnresolved": {
			reason: "Replicas that were not read yet stay charged.",
			breaks: func(w *xfntest.World) { delete(w.Required, "replicas") },
			want:   outcome{Ready: true, Nodes: "2/4", Reasons: "PoolsResolved WaitingForReplicas ClusterRunning"},
		},
		"ClassMistyped": {
			reason: "A pool of a class that does not exist keeps the devices it had.",
			breaks: func(w *xfntest.World) {
				w.Composite = strings.Replace(w.Composite.(string), "className: h100-8x, nodeCount", "className: h1000-8x, nodeCount", 1) //nolint:forcetypeassert // It is one.
				w.Required["class-h1000-8x"] = nil
			},
			want: outcome{Ready: true, Nodes: "2/4", Reasons: "ClassNotFound WithinCapacity ClusterRunning"},
		},
		"PoolAddedWithoutClass": {
			reason: "A pool that was never known makes the cluster not ready, and leaves the others.",
			breaks: func(w *xfntest.World) {
				w.Composite = strings.Replace(w.Composite.(string), "  nodePools:", "  nodePools:\n  - {name: b200, className: b200-8x}", 1) //nolint:forcetypeassert // It is one.
				w.Required["class-b200-8x"] = nil
			},
			want: outcome{Nodes: "2/4", Reasons: "ClassNotFound WithinCapacity ClusterRunning"},
		},
		"Unreachable": {
			reason: "A cluster that cannot be reached is not ready, and keeps how it is reached.",
			breaks: func(w *xfntest.World) {
				w.Observed["connection"] = connectionObject + `
status: {conditions: [{type: Ready, status: "True"}, {type: Synced, status: "False", message: "cannot get secret"}]}
`
			},
			want: outcome{Nodes: "2/4", Reasons: "PoolsResolved WithinCapacity Unreachable"},
		},
		"ConnectionDeleted": {
			reason: "What someone deleted is desired again, and until then nothing is known.",
			breaks: func(w *xfntest.World) { delete(w.Observed, "connection") },
			want:   outcome{Nodes: "2/4", Reasons: "PoolsResolved WithinCapacity Connecting"},
		},
		"SourceMissing": {
			reason: "A cluster that does not say where it comes from keeps how it was reached.",
			breaks: func(w *xfntest.World) {
				w.Composite = strings.Replace(w.Composite.(string), "    existing:", "    unknown:", 1) //nolint:forcetypeassert // It is one.
			},
			want: outcome{Nodes: "2/4", Reasons: "PoolsResolved WithinCapacity Connecting"},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			w := settled()
			w.Required["replicas"] = []any{modelReplica("a", "0", "True", "2026-01-01T00:00:00Z", "0")}
			w.Composite = cluster + `
status:
  summary: {nodes: 2/4}
  ` + strings.NewReplacer("}, gateway", "}\n  gateway").Replace(reach) + `
  gpuPools: [` + strings.Replace(pool, "nodesCharged: 0", "nodesCharged: 2, charges: [{namespace: ml-team, deployment: qwen, index: 0, groups: [{pods: [{count: 2, devices: {gpu: 8}}]}]}]", 1) + `]
`
			tc.breaks(&w)
			req := w.Request(t)
			rsp := xfn.Run(compose, req)

			reasons := []string{}
			for _, c := range rsp.GetConditions() {
				reasons = append(reasons, c.GetReason())
			}
			status := rsp.GetDesired().GetComposite().GetResource().GetFields()["status"].GetStructValue().GetFields()
			got := outcome{
				Dropped: xfntest.Dropped(req, rsp),
				Ready:   rsp.GetDesired().GetComposite().GetReady() == 1,
				Nodes:   status["summary"].GetStructValue().GetFields()["nodes"].GetStringValue(),
				Reasons: strings.Join(reasons, " "),
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("\n%s\n-want, +got:\n%s", tc.reason, diff)
			}
			for _, key := range []string{"providerConfigRef", "gateway", "gpuPools"} {
				if _, ok := status[key]; !ok {
					t.Errorf("\n%s\nstatus.%s is gone", tc.reason, key)
				}
			}
		})
	}
}
