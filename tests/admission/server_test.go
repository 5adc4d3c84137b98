package admission

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/crossplane/crossplane-runtime/v2/pkg/xcrd"
	xpv1 "github.com/crossplane/crossplane/apis/v2/apiextensions/v1"
	xpv2 "github.com/crossplane/crossplane/apis/v2/apiextensions/v2"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/install"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apiextensions-apiserver/pkg/registry/customresource"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	runtimeschema "k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/yaml"
)

// definitions are the XRDs. They are reached through a link, because go test
// notices changes only of files whose path is inside of its module: it would
// go on saying that old definitions pass.
const definitions = "testdata/apis/*/definition.yaml"

// A server answers for one kind as the API server does that has the CRD
// Crossplane makes of the kind's XRD. It does so with the API server's own
// code, so that it can be wrong only in the order in which it calls it.
type server struct {
	kind       string
	structural *schema.Structural
	strategy   strategy
}

type strategy interface {
	Validate(ctx context.Context, obj runtime.Object) field.ErrorList
	ValidateUpdate(ctx context.Context, obj, old runtime.Object) field.ErrorList
}

// newServers returns a server for each definition, by kind.
func newServers() (map[string]server, error) {
	crds, err := newCRDs()
	if err != nil {
		return nil, err
	}
	out := map[string]server{}
	for kind, crd := range crds {
		s, err := newServer(crd)
		if err != nil {
			return nil, fmt.Errorf("cannot serve %s: %w", kind, err)
		}
		out[kind] = s
	}
	return out, nil
}

func newServer(crd *apiextensions.CustomResourceDefinition) (server, error) {
	version := crd.Spec.Versions[0]
	s, err := apiextensions.GetSchemaForVersion(crd, version.Name)
	if err != nil {
		return server{}, err
	}
	structural, err := schema.NewStructural(s.OpenAPIV3Schema)
	if err != nil {
		return server{}, err
	}
	if err := defaulting.PruneDefaults(structural); err != nil {
		return server{}, err
	}
	validator, _, err := validation.NewSchemaValidator(s.OpenAPIV3Schema)
	if err != nil {
		return server{}, err
	}
	sub, err := apiextensions.GetSubresourcesForVersion(crd, version.Name)
	if err != nil {
		return server{}, err
	}
	gvk := kindOf(crd)
	namespaced := crd.Spec.Scope == apiextensions.NamespaceScoped
	return server{
		kind:       gvk.Kind,
		structural: structural,
		strategy:   customresource.NewStrategy(nil, namespaced, gvk, validator, nil, structural, sub.Status, sub.Scale, nil),
	}, nil
}

// create answers a request to create an object. It returns the object with its
// defaults, or the error a user reads.
func (s server) create(object string) (*unstructured.Unstructured, error) {
	u, err := s.decode(object)
	if err != nil {
		return nil, err
	}
	return u, answer(s.strategy.Validate(context.Background(), u))
}

// update answers a request to change an object.
func (s server) update(object, old string) (*unstructured.Unstructured, error) {
	o, err := s.create(old)
	if err != nil {
		return nil, fmt.Errorf("cannot create the object to update: %w", err)
	}
	o.SetResourceVersion("1")
	u, err := s.decode(object)
	if err != nil {
		return nil, err
	}
	u.SetResourceVersion("1")
	return u, answer(s.strategy.ValidateUpdate(context.Background(), u, o))
}

// decode an object as the API server does with fieldValidation Strict, which is
// what kubectl asks for.
func (s server) decode(object string) (*unstructured.Unstructured, error) {
	u := &unstructured.Unstructured{}
	j, err := yaml.YAMLToJSONStrict([]byte(object))
	if err != nil {
		return nil, err
	}
	if err := u.UnmarshalJSON(j); err != nil {
		return nil, err
	}
	if u.GetKind() != s.kind {
		return nil, fmt.Errorf("cannot decode a %s: the object is a %s", s.kind, u.GetKind())
	}
	defaulting.Default(u.Object, s.structural)
	unknown := pruning.PruneWithOptions(u.Object, s.structural, true, schema.UnknownFieldPathOptions{TrackUnknownFieldPaths: true})
	defaulting.PruneNonNullableNullsWithoutDefaults(u.Object, s.structural)

	errs := make([]error, 0, len(unknown))
	for _, path := range unknown {
		errs = append(errs, fmt.Errorf("strict decoding error: unknown field %q", path))
	}
	return u, errors.Join(errs...)
}

func answer(errs field.ErrorList) error {
	if len(errs) == 0 {
		return nil
	}
	return errs.ToAggregate()
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
	scheme := runtime.NewScheme()
	install.Install(scheme)

	out := map[string]*apiextensions.CustomResourceDefinition{}
	for _, f := range files {
		crd, err := newCRD(scheme, f)
		if err != nil {
			return nil, fmt.Errorf("cannot make a CRD of %s: %w", f, err)
		}
		out[crd.Spec.Names.Kind] = crd
	}
	return out, nil
}

func newCRD(scheme *runtime.Scheme, definition string) (*apiextensions.CustomResourceDefinition, error) {
	y, err := os.ReadFile(definition)
	if err != nil {
		return nil, err
	}
	if err := yaml.UnmarshalStrict(y, &xpv2.CompositeResourceDefinition{}); err != nil {
		return nil, err
	}
	xrd := &xpv1.CompositeResourceDefinition{}
	if err := yaml.UnmarshalStrict(y, xrd); err != nil {
		return nil, err
	}
	xrd.SetUID("of-the-xrd-in-the-cluster")
	v1, err := xcrd.ForCompositeResource(xrd)
	if err != nil {
		return nil, err
	}
	scheme.Default(v1)
	crd := &apiextensions.CustomResourceDefinition{}
	if err := scheme.Convert(v1, crd, nil); err != nil {
		return nil, err
	}
	crd.Status.StoredVersions = []string{crd.Spec.Versions[0].Name}
	return crd, nil
}

func kindOf(crd *apiextensions.CustomResourceDefinition) runtimeschema.GroupVersionKind {
	return runtimeschema.GroupVersionKind{Group: crd.Spec.Group, Version: crd.Spec.Versions[0].Name, Kind: crd.Spec.Names.Kind}
}
