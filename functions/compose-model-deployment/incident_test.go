package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	fnv1 "github.com/crossplane/function-sdk-go/proto/v1"
	"github.com/google/go-cmp/cmp"

	"github.com/modelplane-go/modelplane/functions/internal/xfn"
	"github.com/modelplane-go/modelplane/functions/internal/xfntest"
)

// An outcome is what matters of a response when something breaks.
type outcome struct {
	Dropped []string // What Crossplane would delete.
	Added   []string // What it would create.
	Ready   bool
	Reasons string // Of the conditions, in order.
}

const (
	fine    = "AllReplicasScheduled AllReplicasReady UpToDate PlacementsMatch"
	drifted = "AllReplicasScheduled AllReplicasReady UpToDate Drifted"

	// A replica is being replaced, and serves.
	draining = "AllReplicasScheduled AllReplicasReady RollingOut Drifted"

	longUnready = `{type: Ready, status: "False", lastTransitionTime: "2001-01-01T00:00:00Z"}`
)

// TestIncidents breaks a deployment whose one replica serves in one way at a time.
// A replica is dropped only on positive evidence that it must go, and the
// deployment may not be called ready when it is not.
func TestIncidents(t *testing.T) {
	edit := func(old, new string) func(w *xfntest.World) {
		return func(w *xfntest.World) { w.Composite = strings.Replace(deployment, old, new, 1) }
	}
	// own is the cluster the replica is on, as a reader of the deployment finds
	// it by name and in the fleet.
	own := func(y string) func(w *xfntest.World) {
		return func(w *xfntest.World) {
			w.Required = map[string][]any{"cluster-a": {y}, "clusters": {y, inferenceCluster("b", "", isReady)}}
		}
	}
	a := inferenceCluster("a", "", isReady)

	cases := map[string]struct {
		reason string
		breaks func(w *xfntest.World)
		want   outcome
	}{
		"Nothing": {
			reason: "A settled deployment stays as it is.",
			breaks: func(_ *xfntest.World) {},
			want:   outcome{Ready: true, Reasons: fine},
		},
		"ClusterUnresolved": {
			reason: "A cluster that was not read yet says nothing of its replicas.",
			breaks: func(w *xfntest.World) { w.Required = nil },
			want:   outcome{Ready: true, Reasons: fine},
		},
		"ClusterNotReady": {
			reason: "A cluster that is not Ready keeps its replicas.",
			breaks: own(inferenceCluster("a", "", `{type: Ready, status: "False"}`)),
			want:   outcome{Ready: true, Reasons: drifted},
		},
		"ClusterStatusBlank": {
			reason: "A cluster that forgot its status keeps its replicas and their endpoints.",
			breaks: own(strings.Split(a, "status:")[0]),
			want:   outcome{Ready: true, Reasons: drifted},
		},
		"GatewayAddressGone": {
			reason: "A gateway whose address vanished keeps its endpoints.",
			breaks: own(strings.Replace(a, "gateway: {address: 192.0.2.1, parentRef", "gateway: {parentRef", 1)),
			want:   outcome{Ready: true, Reasons: drifted},
		},
		"PoolForgotten": {
			reason: "A pool missing from one status write keeps its replicas.",
			breaks: own(strings.Replace(a, "gpuPools:\n  - {name: h100,", "gpuPools:\n  - {name: other,", 1)),
			want:   outcome{Ready: true, Reasons: drifted},
		},
		"DevicesDrifted": {
			reason: "A class whose devices shrank keeps its replicas.",
			breaks: own(strings.ReplaceAll(a, "80Gi", "16Gi")),
			want:   outcome{Ready: true, Reasons: drifted},
		},
		"ClusterRelabelled": {
			reason: "A cluster that no longer matches keeps its replicas.",
			breaks: own(strings.Replace(a, "tier: prod", "tier: test", 1)),
			want:   outcome{Ready: true, Reasons: drifted},
		},
		"ClusterTaintedNoSchedule": {
			reason: "A taint against new replicas leaves those that are there.",
			breaks: own(inferenceCluster("a", `taints: [{key: k, effect: NoSchedule}]`, isReady)),
			want:   outcome{Ready: true, Reasons: drifted},
		},
		"ClusterTaintedNoExecute": {
			reason: "A taint that drains places another replica first.",
			breaks: own(inferenceCluster("a", `taints: [{key: k, effect: NoExecute}]`, isReady)),
			want:   outcome{Added: []string{"replica-b-0"}, Ready: true, Reasons: draining},
		},
		"ClusterTaintedFleetUnread": {
			reason: "While nobody knows whether there is room elsewhere, the replica stays.",
			breaks: func(w *xfntest.World) {
				w.Required = map[string][]any{"cluster-a": {inferenceCluster("a", `taints: [{key: k, effect: NoExecute}]`, isReady)}}
			},
			want: outcome{Reasons: "Scheduling AllReplicasReady RollingOut Drifted"},
		},
		"ClusterTaintedNoRoom": {
			reason: "A drain takes a replica that nothing can replace too: first its endpoint.",
			breaks: func(w *xfntest.World) {
				tainted := inferenceCluster("a", `taints: [{key: k, effect: NoExecute}]`, isReady)
				w.Required = map[string][]any{"cluster-a": {tainted}, "clusters": {tainted}}
			},
			want: outcome{Dropped: []string{"endpoint-a-0"}, Reasons: "InsufficientCapacity NoReplicasScheduled RollingOut PlacementsMatch"},
		},
		"ClusterTaintedWithdrawn": {
			reason: "And then the replica.",
			breaks: func(w *xfntest.World) {
				tainted := inferenceCluster("a", `taints: [{key: k, effect: NoExecute}]`, isReady)
				w.Required = map[string][]any{"cluster-a": {tainted}, "clusters": {tainted}, "services": {}}
				delete(w.Observed, "endpoint-a-0")
			},
			want: outcome{Dropped: []string{"replica-a-0"}, Reasons: "InsufficientCapacity NoReplicasScheduled RollingOut PlacementsMatch"},
		},
		"ClusterFails": {
			reason: "A cluster that has long been not Ready keeps its replicas: nobody asked for failover.",
			breaks: own(inferenceCluster("a", "", longUnready)),
			want:   outcome{Ready: true, Reasons: drifted},
		},
		"ClusterFailsOver": {
			reason: "With failover they are replaced elsewhere, and stay until then.",
			breaks: func(w *xfntest.World) {
				own(inferenceCluster("a", "", longUnready))(w)
				edit("  replicas: 1\n", "  replicas: 1\n  failover: {afterSeconds: 600}\n")(w)
			},
			want: outcome{Added: []string{"replica-b-0"}, Ready: true, Reasons: draining},
		},
		"ClusterBlips": {
			reason: "A cluster that was Ready a moment ago is given time.",
			breaks: func(w *xfntest.World) {
				own(inferenceCluster("a", "", strings.Replace(longUnready, "2001", "2999", 1)))(w)
				edit("  replicas: 1\n", "  replicas: 1\n  failover: {afterSeconds: 600}\n")(w)
			},
			want: outcome{Ready: true, Reasons: drifted},
		},
		"ReplicaFailsOver": {
			reason: "So is a replica that has long not become Ready, though its cluster has.",
			breaks: func(w *xfntest.World) {
				edit("  replicas: 1\n", "  replicas: 1\n  failover: {afterSeconds: 600}\n")(w)
				w.Required["clusters"] = []any{a, inferenceCluster("b", "", isReady)}
				w.Observed["replica-a-0"] = modelReplica + "\nstatus: {conditions: [" + longUnready + "]}\n"
				delete(w.Observed, "endpoint-a-0")
			},
			want: outcome{Added: []string{"replica-b-0"}, Reasons: "AllReplicasScheduled ModelStarting RollingOut Drifted"},
		},
		"ClusterDeleted": {
			reason: "A cluster that is gone took its replica with it, and another takes it.",
			breaks: func(w *xfntest.World) {
				w.Required = map[string][]any{"cluster-a": {}, "clusters": {inferenceCluster("b", "", isReady)}}
			},
			want: outcome{
				Dropped: []string{"endpoint-a-0"}, Added: []string{"replica-b-0"},
				Reasons: "AllReplicasScheduled ModelStarting RollingOut PlacementsMatch",
			},
		},
		"PoolRemoved": {
			reason: "A pool removed from its cluster's spec places another replica first.",
			breaks: own(strings.Replace(a, "nodePools: [{name: h100,", "nodePools: [{name: other,", 1)),
			want:   outcome{Added: []string{"replica-b-0"}, Ready: true, Reasons: draining},
		},
		"SelectorTypo": {
			reason: "A device selector that does not compile changes a condition and nothing else.",
			breaks: edit(`.memory.compareTo`, `.memory.compareTo(`),
			want:   outcome{Reasons: "InvalidNodeSelector AllReplicasReady Held PlacementsMatch"},
		},
		"ClusterSelectorTypo": {
			reason: "A cluster selector that says nothing sensible changes a condition and nothing else.",
			breaks: edit("operator: In", "operator: Inn"),
			want:   outcome{Reasons: "InvalidClusterSelector AllReplicasReady Held PlacementsMatch"},
		},
		"PortsDisagree": {
			reason: "Engines that cannot share a Service change a condition and nothing else.",
			breaks: edit("  engines:\n", `  engines:
  - name: other
    members:
    - role: Standalone
      template: {spec: {containers: [{name: engine, image: i, ports: [{containerPort: 9000}]}]}}
`),
			want: outcome{Reasons: "InvalidEngines AllReplicasReady Held PlacementsMatch"},
		},
		"ReplicaNotReady": {
			reason: "A replica that does not serve has no endpoint, and stays.",
			breaks: func(w *xfntest.World) {
				w.Observed["replica-a-0"] = modelReplica + `
status: {conditions: [{type: Ready, status: "False"}]}
`
			},
			want: outcome{Dropped: []string{"endpoint-a-0"}, Reasons: "AllReplicasScheduled ModelStarting RollingOut PlacementsMatch"},
		},
		"ReplicaDeleted": {
			reason: "A replica that someone deletes gets no more requests.",
			breaks: func(w *xfntest.World) {
				w.Observed["replica-a-0"] = strings.Replace(modelReplica+serves, "  namespace: ml-team\n", "  namespace: ml-team\n  deletionTimestamp: \"2026-01-01T00:00:00Z\"\n", 1)
			},
			want: outcome{Dropped: []string{"endpoint-a-0"}, Reasons: "AllReplicasScheduled ModelStarting RollingOut PlacementsMatch"},
		},
		"EndpointDeleted": {
			reason: "An endpoint someone deleted is desired again.",
			breaks: func(w *xfntest.World) { delete(w.Observed, "endpoint-a-0") },
			want:   outcome{Added: []string{"endpoint-a-0"}, Ready: true, Reasons: "AllReplicasScheduled AllReplicasReady RollingOut PlacementsMatch"},
		},
		"ScaledToZero": {
			reason: "A deployment that wants no replicas withdraws their endpoints, and is ready.",
			breaks: edit("replicas: 1", "replicas: 0"),
			want: outcome{
				Dropped: []string{"endpoint-a-0"}, Ready: true,
				Reasons: "AllReplicasScheduled ScaledToZero UpToDate PlacementsMatch",
			},
		},
		"ScaledToZeroRouted": {
			reason: "A replica that a service still leads to stays, although its endpoint is gone.",
			breaks: func(w *xfntest.World) {
				edit("replicas: 1", "replicas: 0")(w)
				delete(w.Observed, "endpoint-a-0")
				w.Required["services"] = []any{leads(nameA0, 1)}
			},
			want: outcome{Ready: true, Reasons: "AllReplicasScheduled ScaledToZero UpToDate PlacementsMatch"},
		},
		"ScaledToZeroServicesUnread": {
			reason: "So does one that a service might still lead to.",
			breaks: func(w *xfntest.World) {
				edit("replicas: 1", "replicas: 0")(w)
				delete(w.Observed, "endpoint-a-0")
				delete(w.Required, "services")
			},
			want: outcome{Ready: true, Reasons: "AllReplicasScheduled ScaledToZero UpToDate PlacementsMatch"},
		},
		"ScaledToZeroLedAway": {
			reason: "It goes once the service leads elsewhere.",
			breaks: func(w *xfntest.World) {
				edit("replicas: 1", "replicas: 0")(w)
				delete(w.Observed, "endpoint-a-0")
				w.Required["services"] = []any{leads(nameA0, 0)}
			},
			want: outcome{Dropped: []string{"replica-a-0"}, Ready: true, Reasons: "AllReplicasScheduled ScaledToZero UpToDate PlacementsMatch"},
		},
		"ScaledToZeroWithdrawn": {
			reason: "Then the replicas go.",
			breaks: func(w *xfntest.World) {
				edit("replicas: 1", "replicas: 0")(w)
				delete(w.Observed, "endpoint-a-0")
			},
			want: outcome{Dropped: []string{"replica-a-0"}, Ready: true, Reasons: "AllReplicasScheduled ScaledToZero UpToDate PlacementsMatch"},
		},
		"ScaledUpWithoutRoom": {
			reason: "A replica that has no place leaves the one that has.",
			breaks: func(w *xfntest.World) {
				w.Composite = strings.Replace(deployment, "replicas: 1", "replicas: 3", 1)
				full := strings.ReplaceAll(a, "nodesCharged: 0", "nodesCharged: 1, charges: [{namespace: other, deployment: model, index: 0, priority: 3, groups: [{copies: 14, pods: [{devices: {gpu: 1}}]}]}]")
				w.Required = map[string][]any{"cluster-a": {full}, "clusters": {full}}
			},
			want: outcome{Added: []string{"replica-a-1"}, Reasons: "InsufficientCapacity ModelStarting RollingOut PlacementsMatch"},
		},
		"ImageChanged": {
			reason: "A changed template goes to the replica in its place, once no request reaches it.",
			breaks: edit("engine:v1", "engine:v2"),
			want:   outcome{Dropped: []string{"endpoint-a-0"}, Ready: true, Reasons: "AllReplicasScheduled AllReplicasReady RollingOut PlacementsMatch"},
		},
		"OutgrewItsPool": {
			reason: "Engines that need more than the pool has move where there is room.",
			breaks: func(w *xfntest.World) {
				w.Composite = strings.Replace(deployment, "copies: 1", "copies: 24", 1)
				w.Required["clusters"] = []any{a, strings.ReplaceAll(inferenceCluster("b", "", isReady), "nodes: 2", "nodes: 3")}
			},
			want: outcome{
				Dropped: []string{"endpoint-a-0"}, Added: []string{"replica-b-0"},
				Reasons: "AllReplicasScheduled ModelStarting RollingOut PlacementsMatch",
			},
		},
		"OutgrewTheFleet": {
			reason: "Engines that need more than anyone has change a condition, and what serves goes on.",
			breaks: func(w *xfntest.World) {
				w.Composite = strings.Replace(deployment, "copies: 1", "copies: 24", 1)
				w.Required["clusters"] = []any{a}
			},
			want: outcome{Ready: true, Reasons: "AllReplicasScheduled AllReplicasReady Held PlacementsMatch"},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			w := settled()
			tc.breaks(&w)
			if diff := cmp.Diff(tc.want, run(t, w)); diff != "" {
				t.Errorf("\n%s\n-want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}

func run(t *testing.T, w xfntest.World) outcome {
	t.Helper()
	req := w.Request(t)
	rsp := xfn.Run(compose, req)

	reasons := []string{}
	for _, c := range rsp.GetConditions() {
		reasons = append(reasons, c.GetReason())
	}
	return outcome{
		Dropped: xfntest.Dropped(req, rsp),
		Added:   added(req, rsp),
		Ready:   rsp.GetDesired().GetComposite().GetReady() == fnv1.Ready_READY_TRUE,
		Reasons: strings.Join(reasons, " "),
	}
}

func added(req *fnv1.RunFunctionRequest, rsp *fnv1.RunFunctionResponse) []string {
	var out []string
	for key := range rsp.GetDesired().GetResources() {
		if _, ok := req.GetObserved().GetResources()[key]; !ok {
			out = append(out, key)
		}
	}
	slices.Sort(out)
	return out
}

// TestRollout shows that a changed template goes to as many replicas at a time as
// the strategy lets be unavailable, that requests are withdrawn from each before,
// and that the others stay as they are.
func TestRollout(t *testing.T) {
	// observed is three replicas on cluster a, of the deployment's revision or an
	// earlier one, that serve or do not.
	type observed struct {
		Revision, Status string
		Routed           bool
	}
	const (
		stopped = "\nstatus: {conditions: [{type: Ready, status: \"False\"}]}\n"
		early   = "\nstatus: {revision: 0ld0ld00, conditions: [{type: Ready, status: \"True\"}]}\n"
	)
	old, now := "0ld0ld00", revisionV1
	routed := func(revision string) string { return revision + " routed" }

	cases := map[string]struct {
		reason   string
		strategy string
		replicas []observed
		weight   int      // Of the first replica in a service's route.
		want     []string // Revisions, by index, and whether there is an endpoint.
	}{
		"First": {
			reason:   "One of three replicas may be unavailable, so requests are withdrawn from one.",
			replicas: []observed{{old, serves, true}, {old, serves, true}, {old, serves, true}},
			want:     []string{old, routed(old), routed(old)},
		},
		"Withdrawn": {
			reason:   "Then it is updated.",
			replicas: []observed{{old, serves, false}, {old, serves, true}, {old, serves, true}},
			want:     []string{now, routed(old), routed(old)},
		},
		"StillRouted": {
			reason:   "While a service leads to it, it stays as it is.",
			replicas: []observed{{old, serves, false}, {old, serves, true}, {old, serves, true}},
			weight:   1,
			want:     []string{old, routed(old), routed(old)},
		},
		"Waiting": {
			reason:   "While it does not serve, the others wait.",
			replicas: []observed{{now, stopped, false}, {old, serves, true}, {old, serves, true}},
			want:     []string{now, routed(old), routed(old)},
		},
		"NotYetTold": {
			reason:   "A replica that is called Ready for what it ran before has not been updated yet, and gets no requests.",
			replicas: []observed{{now, early, false}, {old, serves, true}, {old, serves, true}},
			want:     []string{now, routed(old), routed(old)},
		},
		"NotYetRouted": {
			reason:   "One that is up to date gets requests before the next is updated.",
			replicas: []observed{{now, serves, false}, {old, serves, true}, {old, serves, true}},
			want:     []string{routed(now), routed(old), routed(old)},
		},
		"Next": {
			reason:   "Once it serves, it is the next one's turn.",
			replicas: []observed{{now, serves, true}, {old, serves, true}, {old, serves, true}},
			want:     []string{routed(now), old, routed(old)},
		},
		"BrokenFirst": {
			reason:   "A replica that does not serve anyway is updated first.",
			replicas: []observed{{old, serves, true}, {old, serves, true}, {old, stopped, false}},
			want:     []string{routed(old), routed(old), now},
		},
		"Recreate": {
			reason:   "Recreate updates all at once.",
			strategy: "strategy: {type: Recreate}",
			replicas: []observed{{old, serves, true}, {old, serves, false}, {old, serves, false}},
			want:     []string{old, now, now},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			w := xfntest.World{
				Composite: strings.Replace(deployment, "replicas: 1", "replicas: 3\n  "+tc.strategy, 1),
				Observed:  map[string]any{},
				Required: map[string][]any{
					"cluster-a": {strings.ReplaceAll(inferenceCluster("a", "", isReady), "nodes: 2", "nodes: 3")},
					"services":  {leads("replica-0", tc.weight)},
				},
			}
			for i, r := range tc.replicas {
				y := strings.NewReplacer(revisionV1, r.Revision, nameA0, fmt.Sprintf("replica-%d", i), `replica-index: "0"`, fmt.Sprintf(`replica-index: "%d"`, i)).Replace(modelReplica + r.Status)
				w.Observed[fmt.Sprintf("replica-a-%d", i)] = y
				if r.Routed {
					w.Observed[fmt.Sprintf("endpoint-a-%d", i)] = strings.ReplaceAll(modelEndpoint, nameA0, fmt.Sprintf("replica-%d", i))
				}
			}

			rsp := xfn.Run(compose, w.Request(t))
			got := []string{}
			for i := range tc.replicas {
				mr := rsp.GetDesired().GetResources()[fmt.Sprintf("replica-a-%d", i)].GetResource()
				labels := mr.GetFields()["metadata"].GetStructValue().GetFields()["labels"].GetStructValue()
				revision := labels.GetFields()["modelplane.ai/revision"].GetStringValue()
				if _, ok := rsp.GetDesired().GetResources()[fmt.Sprintf("endpoint-a-%d", i)]; ok {
					revision = routed(revision)
				}
				got = append(got, revision)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("\n%s\n-want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}
