package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/testing/protocmp"

	"github.com/modelplane-go/modelplane/functions/internal/xfn"
	"github.com/modelplane-go/modelplane/functions/internal/xfntest"
	"github.com/modelplane-go/modelplane/schemas/modelplane/v1alpha1"
)

const (
	// sentinel is what the Secret holds that nobody may see.
	sentinel = "c2VudGluZWw="

	secretKey = "secret-hugging-face"
	copyName  = "qwen-0a1b2c3d-hugging-face-1d0553b1"

	envFrom = `envFrom: [{secretRef: {name: hugging-face}}]`
)

// copying is the replica with a template that refers to a Secret, and its copy of
// that.
var copying = strings.NewReplacer(
	`image: "engine:v1"`, `image: "engine:v1", `+envFrom,
	"  clusterName:", "  secrets: Project\n  clusterName:",
).Replace(standalone)

// secretObject is the Object that copies the Secret. Its content is not in it.
const secretObject = `
apiVersion: kubernetes.m.crossplane.io/v1alpha1
kind: Object
metadata: {name: qwen-0a1b2c3d-secret-hugging-face-3ab79f46}
spec:
  providerConfigRef: {kind: ClusterProviderConfig, name: prod-eu-config}
  readiness: {policy: SuccessfulCreate}
  references:
  - {patchesFrom: {apiVersion: v1, kind: Secret, namespace: ml-team, name: hugging-face, fieldPath: data}, toFieldPath: data}
  - {patchesFrom: {apiVersion: v1, kind: Secret, namespace: ml-team, name: hugging-face, fieldPath: type}, toFieldPath: type}
  forProvider:
    manifest:
      apiVersion: v1
      kind: Secret
      metadata: {name: ` + copyName + `, namespace: ml-team}
`

// observedSecret is the same as its provider has filled it.
const observedSecret = secretObject + `      type: Opaque
      data: {token: ` + sentinel + `}
` + healthy + `
  atProvider:
    manifest:
      apiVersion: v1
      kind: Secret
      metadata: {name: ` + copyName + `, annotations: {kubectl.kubernetes.io/last-applied-configuration: '{"data":{"token":"` + sentinel + `"}}'}}
      data: {token: ` + sentinel + `}
`

// copyingObjects are the objects the replica composes, by key.
func copyingObjects() map[string]string {
	out := objects()
	out[secretKey] = secretObject
	out["deployment-main"] = strings.Replace(out["deployment-main"], "image: engine:v1", "image: engine:v1\n              envFrom: [{secretRef: {name: "+copyName+"}}]", 1)
	return out
}

// copied is a world in which that replica serves.
func copied() xfntest.World {
	w := xfntest.World{Composite: copying, Observed: map[string]any{}}
	for key, o := range copyingObjects() {
		w.Observed[key] = o + healthy
	}
	w.Observed[secretKey] = observedSecret
	w.Observed["deployment-main"] = copyingObjects()["deployment-main"] + serves
	return w
}

// TestProject shows that a replica composes copies of Secrets without what they
// hold, and refers to them.
func TestProject(t *testing.T) {
	desired := map[string]xfntest.Resource{}
	for key, o := range copyingObjects() {
		desired[key] = xfntest.Resource{Object: o, Ready: true}
	}
	want := xfntest.Answer{
		Desired:    desired,
		Ready:      true,
		Status:     `{engines: [{name: main, copies: 1, readyCopies: 1, updatedCopies: 1}], revision: 0a0b0c0d}`,
		Conditions: []v1alpha1.Condition{v1alpha1.ModelAccepted(), v1alpha1.ModelServing(), v1alpha1.SecretsProjected(1, "ml-team")},
	}.Response(t)

	got := xfn.Run(compose, copied().Request(t))
	got.Results = nil // Events have a test of their own in package xfn.
	if diff := cmp.Diff(want, got, protocmp.Transform()); diff != "" {
		t.Errorf("Run(...): -want, +got:\n%s", diff)
	}
	if unmeant := xfntest.Unmeant(got); len(unmeant) > 0 {
		t.Errorf("desired objects say what nobody means: %s", strings.Join(unmeant, ", "))
	}
}

// TestSecretIncidents breaks a replica that has a copy of a Secret in one way at
// a time. What the Secret holds is never said, whatever breaks, and pods keep
// what they refer to until they are replaced.
func TestSecretIncidents(t *testing.T) {
	replace := func(old, new string) func(w *xfntest.World) {
		return func(w *xfntest.World) { w.Composite = strings.ReplaceAll(copying, old, new) }
	}
	// fails says that the provider cannot copy the Secret, and why.
	fails := func(message string) func(w *xfntest.World) {
		return func(w *xfntest.World) {
			w.Observed[secretKey] = secretObject + `
status: {conditions: [{type: Ready, status: "False"}, {type: Synced, status: "False", message: '` + message + `'}]}
`
		}
	}
	// both make a change, and then what is observed of it.
	both := func(a, b func(w *xfntest.World)) func(w *xfntest.World) {
		return func(w *xfntest.World) { a(w); b(w) }
	}
	// updated observes the replica's workload as it is where Secrets exist.
	updated := func(status string) func(w *xfntest.World) {
		return func(w *xfntest.World) {
			w.Observed["deployment-main"] = strings.Replace(objects()["deployment-main"], "image: engine:v1", "image: engine:v1\n              "+envFrom, 1) + status
		}
	}
	existing := replace("secrets: Project", "secrets: Existing")
	const projected, not = "Projected", "NotProjected"
	// once says that the replica copied Secrets before a change.
	once := func(change func(w *xfntest.World)) func(w *xfntest.World) {
		return func(w *xfntest.World) {
			change(w)
			y, _ := w.Composite.(string)
			w.Composite = y + `
status: {conditions: [{type: SecretsProjected, status: "True", reason: Projected}]}
`
		}
	}

	type outcome struct {
		Dropped   []string
		Ready     bool
		Waits     string // Message of ModelAccepted.
		Projected string // Reason of SecretsProjected.
	}
	cases := map[string]struct {
		reason string
		breaks func(w *xfntest.World)
		want   outcome
	}{
		"Nothing": {
			reason: "A replica whose Secret is copied stays as it is.",
			breaks: func(_ *xfntest.World) {},
			want:   outcome{Ready: true, Projected: projected},
		},
		"Missing": {
			reason: "A missing Secret is named with what to do, and what serves serves on.",
			breaks: fails(`observe failed: cannot resolve resource references: cannot get referenced resource: secrets "hugging-face" not found`),
			want:   outcome{Ready: true, Projected: projected, Waits: "Secret hugging-face is missing: create it in namespace ml-team of the control plane"},
		},
		"Empty": {
			reason: "A Secret without data cannot be copied.",
			breaks: fails(`observe failed: cannot resolve resource references: cannot patch from referenced resource: data: no such field`),
			want:   outcome{Ready: true, Projected: projected, Waits: "Secret hugging-face in namespace ml-team of the control plane is empty: give it data"},
		},
		"Unreachable": {
			reason: "What else keeps a Secret from its cluster is said as the provider says it.",
			breaks: fails(`observe failed: cannot get object: connection refused`),
			want:   outcome{Ready: true, Projected: projected, Waits: "cannot copy Secret hugging-face: observe failed: cannot get object: connection refused"},
		},
		"MissingOptional": {
			reason: "Nothing waits for a Secret that pods can do without.",
			breaks: both(
				replace("{name: hugging-face}", "{name: hugging-face, optional: true}"),
				both(fails(`cannot get referenced resource: secrets "hugging-face" not found`), func(w *xfntest.World) {
					w.Observed["deployment-main"] = strings.Replace(copyingObjects()["deployment-main"], "{name: "+copyName+"}", "{name: "+copyName+", optional: true}", 1) + serves
				}),
			),
			want: outcome{Ready: true, Projected: projected},
		},
		"Refused": {
			reason: "A replica that is refused keeps its copy.",
			breaks: replace("  namespace: ml-team\n", "  namespace: kube-system\n"),
			want:   outcome{Waits: `metadata.namespace: models may not run in "kube-system"; use a namespace of your own`},
		},
		"Misnamed": {
			reason: "A name that no Secret can have is refused, and what runs goes on running.",
			breaks: replace("hugging-face", "My_Secret"),
			want: outcome{Waits: `spec.engines: no Secret can be named "My_Secret", which a template refers to: a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, ` +
				`'-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`},
		},
		"NoLongerCopied": {
			reason: "A copy stays while the workload on the cluster refers to it.",
			breaks: once(existing),
			want:   outcome{Ready: true, Waits: "waiting for deployment-main to be applied", Projected: not},
		},
		"Rolling": {
			reason: "A copy stays while copies of the workload are of the older kind, though the replica is ready.",
			breaks: once(both(existing, updated(rolls))),
			want:   outcome{Ready: true, Waits: "engine main: 0 of 1 copies are up to date", Projected: not},
		},
		"Restarting": {
			reason: "A copy stays until the workload that does without it serves.",
			breaks: once(both(existing, updated(strings.Replace(serves, `Ready, status: "True"`, `Ready, status: "False"`, 1)))),
			want:   outcome{Projected: not},
		},
		"Replaced": {
			reason: "A copy goes once nothing refers to it.",
			breaks: once(both(existing, updated(serves))),
			want:   outcome{Ready: true, Dropped: []string{secretKey}, Projected: not},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			w := copied()
			tc.breaks(&w)
			req := w.Request(t)
			rsp := xfn.Run(compose, req)

			got := outcome{Dropped: xfntest.Dropped(req, rsp), Ready: rsp.GetDesired().GetComposite().GetReady() == 1}
			for _, c := range rsp.GetConditions() {
				switch c.GetType() {
				case "ModelAccepted":
					got.Waits = c.GetMessage()
				case "SecretsProjected":
					got.Projected = c.GetReason()
				}
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("\n%s\n-want, +got:\n%s", tc.reason, diff)
			}
			if said := protojson.Format(rsp); strings.Contains(said, sentinel) {
				t.Errorf("\n%s\nthe response says what the Secret holds:\n%s", tc.reason, said)
			}
			if o, ok := rsp.GetDesired().GetResources()[secretKey]; ok {
				if diff := cmp.Diff(xfntest.Struct(t, secretObject), o.GetResource(), protocmp.Transform()); diff != "" {
					t.Errorf("\n%s\nthe Object that copies the Secret: -want, +got:\n%s", tc.reason, diff)
				}
			}
		})
	}
}
