package xfn_test

import (
	"errors"
	"testing"
	"time"

	fnv1 "github.com/crossplane/function-sdk-go/proto/v1"
	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/testing/protocmp"
	"google.golang.org/protobuf/types/known/durationpb"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/modelplane-go/modelplane/functions/internal/xfn"
	"github.com/modelplane-go/modelplane/functions/internal/xfntest"
	"github.com/modelplane-go/modelplane/schemas/modelplane/v1alpha1"
)

const (
	composite = `{apiVersion: modelplane.ai/v1alpha1, kind: ModelReplica, metadata: {name: xr, namespace: ns}, spec: {clusterName: c, from: the future}}`

	// child is an observed XR, with everything the API server, Crossplane and
	// its own function keep in it.
	child = `
apiVersion: modelplane.ai/v1alpha1
kind: ModelEndpoint
metadata:
  name: child
  namespace: ns
  uid: 1-2-3
  resourceVersion: "4"
  generation: 5
  generateName: xr-
  creationTimestamp: "2026-01-01T00:00:00Z"
  finalizers: [composite.apiextensions.crossplane.io]
  ownerReferences: [{kind: ModelReplica, name: xr}]
  labels: {crossplane.io/composite: xr, team: a}
  annotations: {crossplane.io/composition-resource-name: child}
spec:
  crossplane: {compositionRef: {name: c}, resourceRefs: [{name: s}]}
  url: http://a/v1
status:
  conditions: [{type: Ready, status: "True", reason: Available, observedGeneration: 5}]
`
	kept = `{apiVersion: modelplane.ai/v1alpha1, kind: ModelEndpoint, metadata: {name: child, namespace: ns, labels: {team: a}}, spec: {url: "http://a/v1"}}`

	made = `{apiVersion: v1, kind: Service, metadata: {name: s}}`
)

func world() xfntest.World {
	return xfntest.World{Composite: composite, Observed: map[string]any{"child": child}}
}

func TestRun(t *testing.T) {
	accepted := v1alpha1.Condition{Type: "Accepted", Status: metav1.ConditionTrue, Reason: "Fine", Message: "all is well"}
	broken := v1alpha1.Condition{Type: "Accepted", Status: metav1.ConditionFalse, Reason: "Broken", Message: "spec.url: mend it", Warning: true}

	cases := map[string]struct {
		reason  string
		world   xfntest.World
		compose xfn.Composer
		want    xfntest.Answer
	}{
		"NothingDesired": {
			reason:  "A function that says nothing keeps everything, and is not ready.",
			world:   world(),
			compose: func(_ *xfn.Call) error { return nil },
			want:    xfntest.Answer{Desired: map[string]xfntest.Resource{"child": {Object: kept, Ready: true}}},
		},
		"Pruned": {
			reason: "What is not desired goes only when the function has seen all its inputs.",
			world:  world(),
			compose: func(c *xfn.Call) error {
				c.Prune()
				return c.Desire("made", map[string]any{"apiVersion": "v1", "kind": "Service", "metadata": map[string]any{"name": "s"}, "status": map[string]any{}}, false)
			},
			want: xfntest.Answer{Desired: map[string]xfntest.Resource{"made": {Object: made}}},
		},
		"Ready": {
			reason: "A function earns ready, and is then called less often.",
			world:  world(),
			compose: func(c *xfn.Call) error {
				c.SetReady(true)
				return c.SetStatus(v1alpha1.ModelReplicaStatus{
					Engines:    []v1alpha1.EngineStatus{{Name: "main", Copies: 1}},
					Conditions: []metav1.Condition{{Type: "Ready"}},
				})
			},
			want: xfntest.Answer{
				Desired: map[string]xfntest.Resource{"child": {Object: kept, Ready: true}},
				Ready:   true,
				Status:  `{engines: [{name: main, copies: 1, readyCopies: 0, updatedCopies: 0}]}`,
			},
		},
		"ConditionComesAbout": {
			reason:  "A condition that comes about makes an event.",
			world:   xfntest.World{Composite: composite},
			compose: func(c *xfn.Call) error { c.SetConditions(accepted); return nil },
			want: xfntest.Answer{
				Conditions: []v1alpha1.Condition{accepted},
				Events:     []xfntest.Event{{Reason: "Fine", Message: "Accepted: all is well"}},
			},
		},
		"ConditionBreaks": {
			reason:  "A condition a person should hear of makes a warning.",
			world:   xfntest.World{Composite: composite},
			compose: func(c *xfn.Call) error { c.SetConditions(broken); return nil },
			want: xfntest.Answer{
				Conditions: []v1alpha1.Condition{broken},
				Events:     []xfntest.Event{{Warning: true, Reason: "Broken", Message: "Accepted: spec.url: mend it"}},
			},
		},
		"ConditionStays": {
			reason:  "A condition that stays makes no event.",
			world:   xfntest.World{Composite: `{metadata: {name: xr}, status: {conditions: [{type: Accepted, status: "False", reason: Broken}]}}`},
			compose: func(c *xfn.Call) error { c.SetConditions(broken); return nil },
			want:    xfntest.Answer{Conditions: []v1alpha1.Condition{broken}},
		},
		"Required": {
			reason: "A requirement is stated on every call.",
			world:  xfntest.World{Composite: composite},
			compose: func(c *xfn.Call) error {
				_, err := xfn.Require[v1alpha1.InferenceCluster](c, "a", xfn.Selector{APIVersion: "v1", Kind: "A", Name: "a", Namespace: "ns"})
				if err != nil {
					return err
				}
				if _, err = xfn.Require[v1alpha1.InferenceCluster](c, "b", xfn.Selector{APIVersion: "v1", Kind: "B", Labels: map[string]string{"k": "v"}}); err != nil {
					return err
				}
				_, err = xfn.Require[v1alpha1.InferenceCluster](c, "c", xfn.Selector{APIVersion: "v1", Kind: "C"})
				return err
			},
			want: xfntest.Answer{Requirements: map[string]*fnv1.ResourceSelector{
				"a": {ApiVersion: "v1", Kind: "A", Namespace: new("ns"), Match: &fnv1.ResourceSelector_MatchName{MatchName: "a"}},
				"b": {ApiVersion: "v1", Kind: "B", Match: &fnv1.ResourceSelector_MatchLabels{MatchLabels: &fnv1.MatchLabels{Labels: map[string]string{"k": "v"}}}},
				"c": {ApiVersion: "v1", Kind: "C"},
			}},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got := xfn.Run(tc.compose, tc.world.Request(t))
			if diff := cmp.Diff(tc.want.Response(t), got, protocmp.Transform()); diff != "" {
				t.Errorf("\n%s\nRun(...): -want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}

// TestRunFatal shows that what cannot be answered is Fatal, upon which Crossplane
// changes nothing.
func TestRunFatal(t *testing.T) {
	cases := map[string]struct {
		reason  string
		compose xfn.Composer
		want    string
	}{
		"Error": {
			reason:  "An error is Fatal.",
			compose: func(_ *xfn.Call) error { return errors.New("boom") },
			want:    "boom",
		},
		"Panic": {
			reason:  "A panic is Fatal, and does not end the process.",
			compose: func(_ *xfn.Call) error { panic("boom") },
			want:    "function panicked, which is a bug: boom",
		},
		"Undecodable": {
			reason: "A composite resource of the wrong form is Fatal.",
			compose: func(c *xfn.Call) error {
				return c.Composite(&struct {
					Metadata struct {
						Name int `json:"name"`
					} `json:"metadata"`
				}{})
			},
			want: "cannot decode composite resource: metadata.name: cannot decode a string as int",
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got := xfn.Run(tc.compose, world().Request(t))
			want := &fnv1.RunFunctionResponse{
				Meta:    &fnv1.ResponseMeta{Ttl: durationpb.New(10 * time.Second)},
				Results: []*fnv1.Result{{Severity: fnv1.Severity_SEVERITY_FATAL, Message: tc.want, Target: fnv1.Target_TARGET_COMPOSITE.Enum()}},
			}
			if diff := cmp.Diff(want, got, protocmp.Transform()); diff != "" {
				t.Errorf("\n%s\nRun(...): -want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}

func TestRequire(t *testing.T) {
	type cluster = v1alpha1.InferenceCluster
	named := cluster{ObjectMeta: metav1.ObjectMeta{Name: "a"}}

	cases := map[string]struct {
		reason   string
		required map[string][]any
		want     xfn.Answer[cluster]
	}{
		"Unresolved": {
			reason: "What was not fetched yet is unresolved.",
			want:   xfn.Answer[cluster]{State: xfn.Unresolved},
		},
		"Absent": {
			reason:   "What was looked for and not found is absent.",
			required: map[string][]any{"clusters": {}},
			want:     xfn.Answer[cluster]{State: xfn.Absent},
		},
		"Present": {
			reason:   "What exists is decoded, whatever else it says.",
			required: map[string][]any{"clusters": {`{metadata: {name: a}, spec: {cluster: {from: the future}}}`}},
			want:     xfn.Answer[cluster]{State: xfn.Present, Items: []cluster{named}},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			w := world()
			w.Required = tc.required
			var got xfn.Answer[cluster]
			xfn.Run(func(c *xfn.Call) error {
				var err error
				got, err = xfn.Require[cluster](c, "clusters", xfn.Selector{})
				return err
			}, w.Request(t))
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("\n%s\nRequire(...): -want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}

// TestTTL says when Crossplane calls again, whatever it hears.
func TestTTL(t *testing.T) {
	cases := map[string]struct {
		reason  string
		compose xfn.Composer
		want    time.Duration
	}{
		"Pending": {
			reason:  "What is not ready is looked at again soon.",
			compose: func(c *xfn.Call) error { c.SetReady(false); return nil },
			want:    xfn.TTLPending,
		},
		"Settled": {
			reason:  "What is ready is not.",
			compose: func(c *xfn.Call) error { c.SetReady(true); return nil },
			want:    xfn.TTLSettled,
		},
		"Going": {
			reason:  "What is ready and waits for something to be gone is looked at at once.",
			compose: func(c *xfn.Call) error { c.Await(); c.SetReady(true); return nil },
			want:    xfn.TTLGoing,
		},
		"Again": {
			reason:  "The shortest time counts.",
			compose: func(c *xfn.Call) error { c.Again(9 * time.Second); c.SetReady(true); c.Again(time.Hour); return nil },
			want:    9 * time.Second,
		},
		"AgainLater": {
			reason:  "What is looked at before is not looked at later.",
			compose: func(c *xfn.Call) error { c.Again(time.Hour); c.SetReady(false); return nil },
			want:    xfn.TTLPending,
		},
		"AgainAtOnce": {
			reason:  "Nobody is called without a pause.",
			compose: func(c *xfn.Call) error { c.Again(-time.Hour); c.SetReady(true); return nil },
			want:    xfn.TTLGoing,
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			rsp := xfn.Run(tc.compose, world().Request(t))
			if got := rsp.GetMeta().GetTtl().AsDuration(); got != tc.want {
				t.Errorf("\n%s\nTTL: want %s, got %s", tc.reason, tc.want, got)
			}
		})
	}
}

func TestObservedConditions(t *testing.T) {
	resource := func(spec, conditions string) string {
		return `{apiVersion: v1, kind: X, metadata: {generation: 2}, spec: ` + spec + `, status: {conditions: [` + conditions + `]}}`
	}
	type judgement struct{ Ready, True, Applied bool }

	cases := map[string]struct {
		reason   string
		observed map[string]any
		want     judgement
	}{
		"None": {
			reason: "What does not exist is nothing.",
		},
		"Ready": {
			reason:   "What is Ready of its current generation, and all that is desired, is all three.",
			observed: map[string]any{"x": resource(`{a: {b: 1, defaulted: true}}`, `{type: Ready, status: "True", observedGeneration: 2}`)},
			want:     judgement{Ready: true, True: true, Applied: true},
		},
		"NoGeneration": {
			reason:   "A condition that says no generation is taken at its word.",
			observed: map[string]any{"x": resource(`{a: {b: 1}}`, `{type: Ready, status: "True"}`)},
			want:     judgement{Ready: true, True: true, Applied: true},
		},
		"Stale": {
			reason:   "What was Ready before it changed serves on, but is not known to be so now.",
			observed: map[string]any{"x": resource(`{a: {b: 2}}`, `{type: Ready, status: "True", observedGeneration: 1}`)},
			want:     judgement{Ready: true},
		},
		"NotReady": {
			reason:   "What is not Ready is not.",
			observed: map[string]any{"x": resource(`{a: {b: 1}}`, `{type: Ready, status: "False", observedGeneration: 2}`)},
			want:     judgement{Applied: true},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			var got judgement
			rsp := xfn.Run(func(c *xfn.Call) error {
				if err := c.Desire("x", map[string]any{"spec": map[string]any{"a": map[string]any{"b": 1}}}, false); err != nil {
					return err
				}
				got = judgement{Ready: c.Ready("x"), True: c.True("x", "Ready"), Applied: c.Applied("x")}
				return nil
			}, xfntest.World{Composite: composite, Observed: tc.observed}.Request(t))
			if len(rsp.GetResults()) > 0 {
				t.Fatal(rsp.GetResults())
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("\n%s\n-want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}
