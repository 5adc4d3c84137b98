package admission

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	"k8s.io/apimachinery/pkg/util/sets"
	"sigs.k8s.io/yaml"
)

// TestCRDs asks the API server's own validation whether it takes the CRDs that
// Crossplane makes of our XRDs: whether their schemas are structural, their
// rules compile, and what the rules may cost is within its budget.
func TestCRDs(t *testing.T) {
	crds, err := newCRDs()
	if err != nil {
		t.Fatal(err)
	}
	for kind, crd := range crds {
		t.Run(kind, func(t *testing.T) {
			for _, err := range validation.ValidateCustomResourceDefinition(context.Background(), crd) {
				t.Error(err)
			}
		})
	}
}

// TestDefinitionsFitAnAnnotation bounds what `kubectl apply` must keep of an
// XRD in an annotation: its JSON, of at most 262144 bytes.
func TestDefinitionsFitAnAnnotation(t *testing.T) {
	const most = 200_000

	files, err := filepath.Glob(definitions)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		y, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		j, err := yaml.YAMLToJSON(y)
		if err != nil {
			t.Fatalf("cannot convert %s to JSON: %v", f, err)
		}
		if len(j) > most {
			t.Errorf("%s: want at most %d bytes of JSON, got %d: have xrdgen shorten descriptions", f, most, len(j))
		}
	}
}

// TestColumnsHaveOneName guards against printing a column twice: ours, and one
// that Crossplane adds.
func TestColumnsHaveOneName(t *testing.T) {
	crds, err := newCRDs()
	if err != nil {
		t.Fatal(err)
	}
	for kind, crd := range crds {
		seen := sets.New[string]()
		for _, c := range crd.Spec.AdditionalPrinterColumns {
			name := strings.ToUpper(c.Name)
			if seen.Has(name) {
				t.Errorf("%s has two columns %s", kind, name)
			}
			seen.Insert(name)
		}
		if seen.Len() == 0 {
			t.Errorf("%s has no columns", kind)
		}
	}
}

// TestScale pins the one kind that scales, and where its replicas stand.
func TestScale(t *testing.T) {
	crds, err := newCRDs()
	if err != nil {
		t.Fatal(err)
	}
	for kind, crd := range crds {
		scale := crd.Spec.Subresources.Scale
		if kind != "ModelDeployment" {
			if scale != nil {
				t.Errorf("%s: want no scale subresource", kind)
			}
			continue
		}
		if scale == nil || scale.SpecReplicasPath != ".spec.replicas" || scale.StatusReplicasPath != ".status.replicas.total" {
			t.Errorf("%s: want scale subresource of .spec.replicas and .status.replicas.total, got: %v", kind, scale)
		}
	}
}
