package main

import (
	"strings"
	"testing"

	fnv1 "github.com/crossplane/function-sdk-go/proto/v1"
	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/testing/protocmp"

	"github.com/modelplane-go/modelplane/functions/internal/xfn"
	"github.com/modelplane-go/modelplane/functions/internal/xfntest"
	"github.com/modelplane-go/modelplane/schemas/modelplane/v1alpha1"
)

// TestSecrets shows what of a deployment's Secrets its replicas take, when, and
// what is said of it.
func TestSecrets(t *testing.T) {
	const image = `image: "engine:v1"`
	spec := func(secrets, template string) string {
		return strings.NewReplacer("  replicas: 1\n", "  replicas: 1\n"+secrets, image, image+template).Replace(deployment)
	}
	const (
		project  = "  secrets: Project\n"
		existing = "  secrets: Existing\n"
		refers   = `, envFrom: [{secretRef: {name: a}}, {secretRef: {name: b}}, {secretRef: {name: a}}]`
		was      = `
status: {conditions: [{type: SecretsProjected, status: "True", reason: Projected}]}
`
	)
	type outcome struct {
		Secrets string // Of the replica.
		Updated bool
		Refused bool
	}
	cases := map[string]struct {
		reason     string
		deployment string
		want       outcome
		says       []v1alpha1.Condition // Of type SecretsProjected.
	}{
		"Silent": {
			reason:     "A deployment that says nothing of Secrets keeps the revision it has.",
			deployment: spec("", ""),
		},
		"Existing": {
			reason:     "The default is what saying nothing was, so that nothing restarts.",
			deployment: spec(existing, ""),
		},
		"ProjectNone": {
			reason:     "A deployment that copies Secrets is another revision, and copies none where none is referred to.",
			deployment: spec(project, ""),
			want:       outcome{Secrets: "Project", Updated: true},
		},
		"Project": {
			reason:     "Its replicas copy each Secret once, and whoever looks is told who can read them.",
			deployment: spec(project, refers),
			want:       outcome{Secrets: "Project", Updated: true},
			says:       []v1alpha1.Condition{v1alpha1.SecretsProjected(2, "ml-team")},
		},
		"NoLonger": {
			reason:     "What was said of copies is taken back.",
			deployment: spec(existing, refers) + was,
			want:       outcome{Secrets: "Existing", Updated: true},
			says:       []v1alpha1.Condition{v1alpha1.SecretsNotProjected()},
		},
		"Misnamed": {
			reason:     "A name that no Secret can have is refused, and what runs stays as it is.",
			deployment: spec(project, `, envFrom: [{secretRef: {name: A_B}}]`),
			want:       outcome{Refused: true},
			says:       []v1alpha1.Condition{v1alpha1.SecretsProjected(1, "ml-team")},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			w := settled()
			delete(w.Observed, "endpoint-a-0") // Requests are withdrawn before an update.
			w.Composite = tc.deployment
			rsp := xfn.Run(compose, w.Request(t))

			mr := rsp.GetDesired().GetResources()["replica-a-0"].GetResource().AsMap()
			spec, _ := mr["spec"].(map[string]any)
			secrets, _ := spec["secrets"].(string)
			got := outcome{Secrets: secrets, Updated: !cmp.Equal(xfntest.Struct(t, modelReplica).AsMap()["metadata"], mr["metadata"])}
			var says []*fnv1.Condition
			for _, c := range rsp.GetConditions() {
				got.Refused = got.Refused || c.GetReason() == string(v1alpha1.ReasonInvalidEngines)
				if c.GetType() == string(v1alpha1.TypeSecretsProjected) {
					says = append(says, c)
				}
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("\n%s\n-want, +got:\n%s", tc.reason, diff)
			}
			want := xfntest.Answer{Conditions: tc.says}.Response(t).GetConditions()
			if diff := cmp.Diff(want, says, protocmp.Transform()); diff != "" {
				t.Errorf("\n%s\ncondition SecretsProjected: -want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}
