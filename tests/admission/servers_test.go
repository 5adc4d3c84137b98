package admission

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"
)

// definitions are the XRDs. They are reached through a link, because go test
// notices changes only of files whose path is inside of its module: it would
// go on saying that old definitions pass.
const definitions = "testdata/apis/*/definition.yaml"

// servers are a Server for each definition, by kind.
type servers map[string]*Server

func newServers(t *testing.T) servers {
	t.Helper()
	crds, err := newCRDs()
	if err != nil {
		t.Fatal(err)
	}
	out := servers{}
	for kind, crd := range crds {
		if out[kind], err = newServer(crd); err != nil {
			t.Fatalf("cannot serve %s: %v", kind, err)
		}
	}
	return out
}

// create an object of a kind.
func (s servers) create(kind, object string) (*unstructured.Unstructured, error) {
	o, err := decode(kind, object)
	if err != nil {
		return nil, err
	}
	return s[kind].Create(context.Background(), o)
}

// update an object of a kind.
func (s servers) update(kind, object, old string) (*unstructured.Unstructured, error) {
	o, err := decode(kind, object)
	if err != nil {
		return nil, err
	}
	was, err := decode(kind, old)
	if err != nil {
		return nil, err
	}
	return s[kind].Update(context.Background(), o, was)
}

func decode(kind, object string) (*unstructured.Unstructured, error) {
	u := &unstructured.Unstructured{}
	j, err := yaml.YAMLToJSONStrict([]byte(object))
	if err != nil {
		return nil, err
	}
	if err := u.UnmarshalJSON(j); err != nil {
		return nil, err
	}
	if u.GetKind() != kind {
		return nil, fmt.Errorf("cannot decode a %s: the object is a %s", kind, u.GetKind())
	}
	return u, nil
}

// newCRDs returns the CRD Crossplane makes of each definition, by kind.
func newCRDs() (map[string]*apiextensions.CustomResourceDefinition, error) {
	files, err := filepath.Glob(definitions)
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("there are no definitions at %s: run make generate", definitions)
	}
	out := map[string]*apiextensions.CustomResourceDefinition{}
	for _, f := range files {
		y, err := os.ReadFile(f)
		if err != nil {
			return nil, err
		}
		crd, err := newCRD(y)
		if err != nil {
			return nil, fmt.Errorf("cannot make a CRD of %s: %w", f, err)
		}
		out[crd.Spec.Names.Kind] = crd
	}
	return out, nil
}
