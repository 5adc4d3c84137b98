package main

import (
	"maps"
	"slices"
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
	edit := func(old, new string) func(w *xfntest.World) {
		return func(w *xfntest.World) { w.Composite = strings.Replace(w.Composite.(string), old, new, 1) } //nolint:forcetypeassert // It is one.
	}
	const class, secret, identity = "clusterusage-inferenceclass-h100-8x", "usage-secret-prod-eu", "usage-secret-prod-eu-identity"

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
			reason: "A class that is gone leaves its pools as they were, and nothing to protect.",
			breaks: func(w *xfntest.World) { w.Required["class-h100-8x"] = nil },
			want:   outcome{Dropped: []string{class}, Ready: true, Nodes: "2/4", Reasons: "ClassNotFound WithinCapacity ClusterRunning"},
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
		"ReplicasGone": {
			reason: "Once no replica is left, nor anything of one, the cluster may be deleted.",
			breaks: func(w *xfntest.World) { w.Required["replicas"] = []any{} },
			want:   outcome{Dropped: []string{"clusterusage-replicas"}, Ready: true, Nodes: "0/4", Reasons: "PoolsResolved WithinCapacity ClusterRunning"},
		},
		"ObjectsRemain": {
			reason: "While Objects of replicas that are gone remain, the cluster may not be deleted.",
			breaks: func(w *xfntest.World) {
				w.Required["replicas"] = []any{}
				w.Observed["clusterproviderconfig"] = providerConfig + strings.Replace(inUse, "1", "2", 1)
			},
			want: outcome{Ready: true, Nodes: "0/4", Reasons: "PoolsResolved WithinCapacity ClusterRunning"},
		},
		"UsersUnknown": {
			reason: "While it is not known what uses the provider config, the cluster may not be deleted.",
			breaks: func(w *xfntest.World) {
				w.Required["replicas"] = []any{}
				w.Observed["clusterproviderconfig"] = providerConfig
			},
			want: outcome{Ready: true, Nodes: "0/4", Reasons: "PoolsResolved WithinCapacity ClusterRunning"},
		},
		"ProviderConfigDeleted": {
			reason: "A provider config that someone deleted is desired again, and until then it is not known what uses it.",
			breaks: func(w *xfntest.World) {
				w.Required["replicas"] = []any{}
				delete(w.Observed, "clusterproviderconfig")
			},
			want: outcome{Ready: true, Nodes: "0/4", Reasons: "PoolsResolved WithinCapacity ClusterRunning"},
		},
		"ReplicaLeaving": {
			reason: "A replica that is being deleted is on the cluster until it is gone.",
			breaks: func(w *xfntest.World) {
				mr := modelReplica("a", "0", "True", "2026-01-01T00:00:00Z", "0")
				w.Required["replicas"] = []any{strings.Replace(mr, "  creationTimestamp", "  deletionTimestamp: \"2026-01-02T00:00:00Z\"\n  creationTimestamp", 1)}
			},
			want: outcome{Ready: true, Nodes: "2/4", Reasons: "PoolsResolved WithinCapacity ClusterRunning"},
		},
		"UsageUnready": {
			reason: "A usage that Crossplane cannot keep does not make the cluster not ready.",
			breaks: func(w *xfntest.World) {
				w.Observed[secret] = kubeconfigUsage + `
status: {conditions: [{type: Ready, status: "False", message: cannot get used resource}]}
`
			},
			want: outcome{Ready: true, Nodes: "2/4", Reasons: "PoolsResolved WithinCapacity ClusterRunning"},
		},
		"UsageDeleted": {
			reason: "A usage that someone deleted is desired again.",
			breaks: func(w *xfntest.World) { delete(w.Observed, secret) },
			want:   outcome{Ready: true, Nodes: "2/4", Reasons: "PoolsResolved WithinCapacity ClusterRunning"},
		},
		"SecretChanging": {
			reason: "The old kubeconfig is protected until the provider config refers to the new one.",
			breaks: edit("secretRef: {name: prod-eu}", "secretRef: {name: prod-eu-2}"),
			want:   outcome{Ready: true, Nodes: "2/4", Reasons: "PoolsResolved WithinCapacity ClusterRunning"},
		},
		"SecretChanged": {
			reason: "Once the provider config refers to the new kubeconfig, the old one may be deleted.",
			breaks: func(w *xfntest.World) {
				edit("secretRef: {name: prod-eu}", "secretRef: {name: prod-eu-2}")(w)
				w.Observed["clusterproviderconfig"] = strings.Replace(providerConfig, "name: prod-eu,", "name: prod-eu-2,", 1) + inUse
			},
			want: outcome{Dropped: []string{secret}, Ready: true, Nodes: "2/4", Reasons: "PoolsResolved WithinCapacity ClusterRunning"},
		},
		"IdentityRemoved": {
			reason: "An identity that the cluster does not name any more may be deleted.",
			breaks: edit("identitySecretRef:", "unknown:"),
			want:   outcome{Dropped: []string{identity}, Ready: true, Nodes: "2/4", Reasons: "PoolsResolved WithinCapacity ClusterRunning"},
		},
		"ClassMistyped": {
			reason: "A pool of a class that does not exist keeps the devices it had, and the class it names no more may be deleted.",
			breaks: func(w *xfntest.World) {
				edit("className: h100-8x, nodeCount", "className: h1000-8x, nodeCount")(w)
				w.Required["class-h1000-8x"] = nil
			},
			want: outcome{Dropped: []string{class}, Ready: true, Nodes: "2/4", Reasons: "ClassNotFound WithinCapacity ClusterRunning"},
		},
		"PoolAddedWithoutClass": {
			reason: "A pool that was never known makes the cluster not ready, and leaves the others.",
			breaks: func(w *xfntest.World) {
				edit("  nodePools:", "  nodePools:\n  - {name: b200, className: b200-8x}")(w)
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
			breaks: edit("    existing:", "    unknown:"),
			want:   outcome{Nodes: "2/4", Reasons: "PoolsResolved WithinCapacity Connecting"},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			w := settled()
			w.Observed["clusterusage-replicas"] = replicasUsage
			w.Required["replicas"] = []any{modelReplica("a", "0", "True", "2026-01-01T00:00:00Z", "0")}
			w.Composite = cluster + `
status:
  summary: {nodes: 2/4}
  ` + strings.NewReplacer("}, gateway", "}\n  gateway").Replace(reach) + `
  gpuPools: [` + strings.Replace(pool, "nodesCharged: 0", "nodesCharged: 2, charges: [{namespace: ml-team, deployment: qwen, index: 0, groups: [{pods: [{count: 2, devices: {gpu: 8}}]}]}]", 1) + `]
`
			all := slices.Sorted(maps.Keys(w.Observed))
			tc.breaks(&w)
			req := w.Request(t)
			rsp := xfn.Run(compose, req)
			for _, key := range all {
				if _, ok := rsp.GetDesired().GetResources()[key]; !ok && !slices.Contains(tc.want.Dropped, key) {
					t.Errorf("\n%s\n%s is not desired", tc.reason, key)
				}
			}

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
