package e2e

import (
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	"github.com/modelplane-go/modelplane/tests/admission"
)

// TestAdmission shows that the API server judges objects as package admission,
// which uses its library, says it does.
func TestAdmission(t *testing.T) {
	for kind, cases := range admission.Cases() {
		for name, tc := range cases {
			t.Run(kind+"/"+name, func(t *testing.T) {
				u := &unstructured.Unstructured{}
				if err := yaml.Unmarshal([]byte(tc.Object), &u.Object); err != nil {
					t.Fatal(err)
				}
				if u.GetNamespace() != "" {
					u.SetNamespace("default") // It is there on every cluster.
				}
				err := fleet.ControlPlane.Client.Create(t.Context(), u, client.DryRunAll, client.FieldValidation("Strict"))
				// The fleet may have an object of the name. That is only said of
				// one which is refused for nothing else.
				if tc.Want == "" {
					err = client.IgnoreAlreadyExists(err)
				}
				if !admission.Answers(err, tc.Field, tc.Want) {
					t.Errorf("\n%s\nwant error: %q %q\ngot: %v", tc.Reason, tc.Field, tc.Want, err)
				}
			})
		}
	}
}
