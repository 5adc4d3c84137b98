package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/modelplane-go/modelplane/functions/internal/xfn"
	"github.com/modelplane-go/modelplane/functions/internal/xfntest"
)

// An outcome is what matters of a response when something breaks.
type outcome struct {
	Dropped  []string // What Crossplane would delete.
	Ready    bool
	Accepted string // Reason of ModelAccepted.
	Serving  string // Reason of ModelReady.
	Revision string // That the cluster runs all of, and that serves.
}

// TestIncidents breaks a replica that serves in one way at a time. Nothing that
// is on its cluster may be dropped but on purpose, and it may not be called ready
// when it is not.
func TestIncidents(t *testing.T) {
	replace := func(old, new string) func(w *xfntest.World) {
		return func(w *xfntest.World) { w.Composite = strings.ReplaceAll(standalone, old, new) }
	}
	// observe an object in another state than healthy.
	observe := func(key, status string) func(w *xfntest.World) {
		return func(w *xfntest.World) { w.Observed[key] = objects()[key] + status }
	}

	cases := map[string]struct {
		reason string
		breaks func(w *xfntest.World)
		want   outcome
	}{
		"Nothing": {
			reason: "A replica that serves stays as it is.",
			breaks: func(_ *xfntest.World) {},
			want:   outcome{Ready: true, Accepted: "Accepted", Serving: "Serving", Revision: "0a0b0c0d"},
		},
		"ClusterUnreachable": {
			reason: "A cluster that cannot be reached keeps what it has, and serves until it says otherwise.",
			breaks: func(w *xfntest.World) {
				for key := range w.Observed {
					w.Observed[key] = objects()[key] + `
status:
  conditions: [{type: Ready, status: "True"}, {type: Synced, status: "False", message: connection refused}]
`
				}
			},
			want: outcome{Ready: true, Accepted: "Deploying", Serving: "Serving"},
		},
		"PodsGone": {
			reason: "A workload none of whose copies serve is not ready.",
			breaks: observe("deployment-main", waiting),
			want:   outcome{Accepted: "Deploying", Serving: "ModelStarting"},
		},
		"RouteRefused": {
			reason: "A replica that its gateway does not route to is not ready.",
			breaks: observe("httproute", waiting),
			want:   outcome{Accepted: "Accepted", Serving: "ModelStarting"},
		},
		"ObjectMissing": {
			reason: "What someone deleted is desired again.",
			breaks: func(w *xfntest.World) { delete(w.Observed, "service") },
			want:   outcome{Accepted: "Deploying", Serving: "ModelStarting"},
		},
		"StatusBlank": {
			reason: "What a provider has not judged is not ready.",
			breaks: observe("deployment-main", ""),
			want:   outcome{Accepted: "Deploying", Serving: "ModelStarting"},
		},
		"PortsDisagree": {
			reason: "Engines that cannot share a Service are refused, and what runs goes on running.",
			breaks: replace("  engines:\n", `  engines:
  - name: other
    members:
    - role: Standalone
      nodePoolName: h100
      template: {spec: {containers: [{name: engine, image: "engine:v1", ports: [{containerPort: 9000}]}]}}
`),
			want: outcome{Accepted: "Refused", Serving: "WaitingForModel"},
		},
		"NamespaceReserved": {
			reason: "A replica in a namespace that is not a team's is refused, and what runs goes on running.",
			breaks: replace("  namespace: ml-team\n", "  namespace: kube-system\n"),
			want:   outcome{Accepted: "Refused", Serving: "WaitingForModel"},
		},
		"ImageChanged": {
			reason: "A changed template goes to the cluster, and the replica serves until its pods are replaced.",
			breaks: replace("engine:v1", "engine:v2"),
			want:   outcome{Ready: true, Accepted: "Deploying", Serving: "Serving"},
		},
		"EngineRenamed": {
			reason: "What an engine that is gone had is dropped: that is what was asked for.",
			breaks: replace("- name: main", "- name: other"),
			want: outcome{
				Dropped:  []string{"deployment-main"},
				Accepted: "Deploying", Serving: "ModelStarting",
			},
		},
		"ShapeChanged": {
			reason: "A Standalone that becomes a gang leaves no Deployment behind to hold its devices.",
			breaks: func(w *xfntest.World) {
				w.Composite = strings.ReplaceAll(standalone, "role: Standalone", "role: Leader") + `
    - {role: Worker, nodePoolName: h100, template: {spec: {containers: [{name: engine, image: "engine:v1"}]}}}
`
			},
			want: outcome{
				Dropped:  []string{"deployment-main"},
				Accepted: "Deploying", Serving: "ModelStarting",
			},
		},
		"ClaimChanged": {
			reason: "A claim template that changed is a new one, and the old one stays while pods may need it.",
			breaks: replace("count: 1", "count: 2"),
			want:   outcome{Accepted: "Deploying", Serving: "ModelStarting"},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			w := settled()
			tc.breaks(&w)
			req := w.Request(t)
			rsp := xfn.Run(compose, req)

			got := outcome{Dropped: xfntest.Dropped(req, rsp), Ready: rsp.GetDesired().GetComposite().GetReady() == 1}
			for _, c := range rsp.GetConditions() {
				switch c.GetType() {
				case "ModelAccepted":
					got.Accepted = c.GetReason()
				case "ModelReady":
					got.Serving = c.GetReason()
				}
			}
			status := rsp.GetDesired().GetComposite().GetResource().GetFields()["status"].GetStructValue()
			got.Revision = status.GetFields()["revision"].GetStringValue()
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("\n%s\n-want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}

// TestClaimTemplates shows that the template of an earlier claim goes once the
// pods that refer to the newer one serve.
func TestClaimTemplates(t *testing.T) {
	cases := map[string]struct {
		reason     string
		deployment string
		want       bool
	}{
		"Starting": {reason: "The old template stays while its successor's pods start.", deployment: waiting, want: true},
		"Rolling":  {reason: "The old template stays while some copy is of the older kind, though the others serve.", deployment: rolls, want: true},
		"Serving":  {reason: "The old template goes once they serve.", deployment: serves, want: false},
	}
	const old = "resourceclaimtemplate-main-standalone-0ld0ld00"
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			w := settled()
			w.Observed[old] = objects()[claimKey] + healthy
			w.Observed["deployment-main"] = objects()["deployment-main"] + tc.deployment
			req := w.Request(t)
			if got := !slices.Contains(xfntest.Dropped(req, xfn.Run(compose, req)), old); got != tc.want {
				t.Errorf("\n%s\nkept: want %t, got %t", tc.reason, tc.want, got)
			}
		})
	}
}
