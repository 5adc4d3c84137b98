package xfn_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/testing/protocmp"

	"github.com/modelplane-go/modelplane/functions/internal/xfn"
	"github.com/modelplane-go/modelplane/functions/internal/xfntest"
)

// sentinel is what a Secret holds that nobody may see.
const sentinel = "c2VudGluZWw="

// secretObject is an Object whose Secret the provider has copied, as it is
// observed: with what it holds in every place a provider puts it.
const secretObject = `
apiVersion: kubernetes.m.crossplane.io/v1alpha1
kind: Object
metadata: {name: o, namespace: ns}
spec:
  references:
  - {patchesFrom: {apiVersion: v1, kind: Secret, namespace: ns, name: s, fieldPath: data}, toFieldPath: data}
  forProvider:
    manifest: {apiVersion: v1, kind: Secret, metadata: {name: s, namespace: ns}, type: Opaque, data: {token: ` + sentinel + `}, stringData: {token: ` + sentinel + `}}
status:
  conditions: [{type: Ready, status: "True"}]
  atProvider:
    manifest:
      apiVersion: v1
      kind: Secret
      metadata: {name: s, annotations: {kubectl.kubernetes.io/last-applied-configuration: '{"data":{"token":"` + sentinel + `"}}'}}
      data: {token: ` + sentinel + `}
`

const secretKept = `
apiVersion: kubernetes.m.crossplane.io/v1alpha1
kind: Object
metadata: {name: o, namespace: ns}
spec:
  references:
  - {patchesFrom: {apiVersion: v1, kind: Secret, namespace: ns, name: s, fieldPath: data}, toFieldPath: data}
  forProvider: {manifest: {apiVersion: v1, kind: Secret, metadata: {name: s, namespace: ns}}}
`

// TestSecrets shows that no function can see what a Secret holds, and so neither
// keep, state nor log it.
func TestSecrets(t *testing.T) {
	desired := xfntest.Struct(t, secretKept).AsMap()
	cases := map[string]struct {
		reason  string
		observe string
		compose xfn.Composer
		want    xfntest.Answer
	}{
		"Kept": {
			reason:  "A Secret is kept without what it holds, which is the provider's to write.",
			observe: secretObject,
			compose: func(_ *xfn.Call) error { return nil },
			want:    xfntest.Answer{Desired: map[string]xfntest.Resource{"secret": {Object: secretKept, Ready: true}}},
		},
		"Desired": {
			reason:  "A Secret is applied though what it holds is not desired.",
			observe: secretObject,
			compose: func(c *xfn.Call) error {
				err := c.Desire("secret", desired, true)
				c.SetReady(c.Applied("secret"))
				return err
			},
			want: xfntest.Answer{Ready: true, Desired: map[string]xfntest.Resource{"secret": {Object: secretKept, Ready: true}}},
		},
		"Read": {
			reason:  "A function that says all it observes says nothing of what a Secret holds.",
			observe: secretObject,
			compose: func(c *xfn.Call) error {
				all := map[string]any{}
				if _, err := c.Observed("secret", &all); err != nil {
					return err
				}
				c.Prune()
				return c.SetStatus(map[string]any{"manifests": []any{at(all, "spec", "forProvider", "manifest"), at(all, "status", "atProvider", "manifest")}})
			},
			want: xfntest.Answer{Status: `
manifests:
- {apiVersion: v1, kind: Secret, metadata: {name: s, namespace: ns}}
- {apiVersion: v1, kind: Secret, metadata: {name: s, annotations: {}}}
`},
		},
		"OtherManifest": {
			reason:  "What is not a Secret is kept whole.",
			observe: strings.NewReplacer("kind: Secret, metadata", "kind: ConfigMap, metadata", sentinel, "plain").Replace(secretObject),
			compose: func(_ *xfn.Call) error { return nil },
			want: xfntest.Answer{Desired: map[string]xfntest.Resource{"secret": {Ready: true, Object: strings.Replace(secretKept,
				"kind: Secret, metadata: {name: s, namespace: ns}",
				"kind: ConfigMap, metadata: {name: s, namespace: ns}, type: Opaque, data: {token: plain}, stringData: {token: plain}", 1)}}},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got := xfn.Run(tc.compose, xfntest.World{Composite: composite, Observed: map[string]any{"secret": tc.observe}}.Request(t))
			if diff := cmp.Diff(tc.want.Response(t), got, protocmp.Transform()); diff != "" {
				t.Errorf("\n%s\nRun(...): -want, +got:\n%s", tc.reason, diff)
			}
			if said := protojson.Format(got); strings.Contains(said, sentinel) {
				t.Errorf("\n%s\nthe response says what the Secret holds:\n%s", tc.reason, said)
			}
		})
	}
}

func at(m map[string]any, path ...string) any {
	var v any = m
	for _, k := range path {
		m, _ = v.(map[string]any)
		v = m[k]
	}
	return v
}
