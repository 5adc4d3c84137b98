package preview

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	xpv1 "github.com/crossplane/crossplane/apis/v2/apiextensions/v1"
	"sigs.k8s.io/yaml"

	"github.com/modelplane-go/modelplane/tests/admission"
)

// functionPrefix is what Crossplane puts before a function's own name to name
// its package: the organisation of its registry.
const functionPrefix = "modelplane-go-"

// An api is a kind of composite resource and how it is composed.
type api struct {
	kind        string
	definition  string // The path of its XRD.
	composition string // The path of its Composition.
	functions   []string
	server      *admission.Server
}

// readAPIs reads the kinds of a folder of XRDs and Compositions, by kind.
func readAPIs(dir string) (map[string]*api, error) {
	defs, err := filepath.Glob(filepath.Join(dir, "*", "definition.yaml"))
	if err != nil {
		return nil, fmt.Errorf("cannot look for XRDs: %w", err)
	}
	if len(defs) == 0 {
		return nil, fmt.Errorf("cannot find an XRD in %s; run `make generate`", dir)
	}
	apis := make(map[string]*api, len(defs))
	for _, def := range defs {
		a, err := readAPI(def)
		if err != nil {
			return nil, fmt.Errorf("cannot use %s: %w", def, err)
		}
		apis[a.kind] = a
	}
	return apis, nil
}

func readAPI(definition string) (*api, error) {
	xrd := &xpv1.CompositeResourceDefinition{}
	if err := readYAML(definition, xrd); err != nil {
		return nil, err
	}
	y, err := os.ReadFile(definition)
	if err != nil {
		return nil, fmt.Errorf("cannot read it: %w", err)
	}
	server, err := admission.NewServer(y)
	if err != nil {
		return nil, err
	}
	a := &api{
		kind:        xrd.Spec.Names.Kind,
		definition:  definition,
		composition: filepath.Join(filepath.Dir(definition), "composition.yaml"),
		server:      server,
	}

	comp := &xpv1.Composition{}
	if err := readYAML(a.composition, comp); err != nil {
		return nil, err
	}
	for _, step := range comp.Spec.Pipeline {
		a.functions = append(a.functions, step.FunctionRef.Name)
	}
	return a, nil
}

// binary returns the name of the binary that serves a function.
func binary(function string) string {
	return strings.TrimPrefix(function, functionPrefix)
}

func readYAML(path string, into any) error {
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("cannot find %s", path)
	}
	if err != nil {
		return fmt.Errorf("cannot read %s: %w", path, err)
	}
	if err := yaml.UnmarshalStrict(b, into); err != nil {
		return fmt.Errorf("cannot read %s: %w", path, err)
	}
	return nil
}
