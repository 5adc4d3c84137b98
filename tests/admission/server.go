package admission

import (
	"context"
	"errors"
	"fmt"
	"slices"

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

// A Server answers for one kind as the API server does that has the CRD
// Crossplane makes of the kind's XRD. It does so with the API server's own
// code, so that it can be wrong only in the order in which it calls it.
type Server struct {
	structural *schema.Structural
	strategy   strategy
}

type strategy interface {
	Validate(ctx context.Context, obj runtime.Object) field.ErrorList
	ValidateUpdate(ctx context.Context, obj, old runtime.Object) field.ErrorList
}

// NewServer returns a Server of the kind that an XRD, in YAML, defines.
func NewServer(definition []byte) (*Server, error) {
	crd, err := newCRD(definition)
	if err != nil {
		return nil, fmt.Errorf("cannot make a CRD: %w", err)
	}
	return newServer(crd)
}

func newServer(crd *apiextensions.CustomResourceDefinition) (*Server, error) {
	version := crd.Spec.Versions[0]
	s, err := apiextensions.GetSchemaForVersion(crd, version.Name)
	if err != nil {
		return nil, err
	}
	structural, err := schema.NewStructural(s.OpenAPIV3Schema)
	if err != nil {
		return nil, err
	}
	if err := defaulting.PruneDefaults(structural); err != nil {
		return nil, err
	}
	validator, _, err := validation.NewSchemaValidator(s.OpenAPIV3Schema)
	if err != nil {
		return nil, err
	}
	sub, err := apiextensions.GetSubresourcesForVersion(crd, version.Name)
	if err != nil {
		return nil, err
	}
	gvk := kindOf(crd)
	namespaced := crd.Spec.Scope == apiextensions.NamespaceScoped
	return &Server{
		structural: structural,
		strategy:   customresource.NewStrategy(nil, namespaced, gvk, validator, nil, structural, sub.Status, sub.Scale, nil),
	}, nil
}

// Create answers a request to create an object, as kubectl makes it: with
// fieldValidation Strict. It returns the object as it would be stored, with its
// defaults, or the error a user reads.
func (s *Server) Create(ctx context.Context, o *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	u, err := s.read(o)
	if err != nil {
		return nil, err
	}
	return u, answer(s.strategy.Validate(ctx, u))
}

// Update answers a request to change an object.
func (s *Server) Update(ctx context.Context, o, old *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	was, err := s.Create(ctx, old)
	if err != nil {
		return nil, fmt.Errorf("cannot create the object to update: %w", err)
	}
	was.SetResourceVersion("1")
	u, err := s.read(o)
	if err != nil {
		return nil, err
	}
	u.SetResourceVersion("1")
	return u, answer(s.strategy.ValidateUpdate(ctx, u, was))
}

// read an object: default what it does not say, and refuse what nobody knows.
func (s *Server) read(o *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	u := o.DeepCopy()
	defaulting.Default(u.Object, s.structural)
	unknown := pruning.PruneWithOptions(u.Object, s.structural, true, schema.UnknownFieldPathOptions{TrackUnknownFieldPaths: true})
	defaulting.PruneNonNullableNullsWithoutDefaults(u.Object, s.structural)

	errs := make([]error, 0, len(unknown))
	for _, path := range unknown {
		errs = append(errs, fmt.Errorf("strict decoding error: unknown field %q", path))
	}
	return u, errors.Join(errs...)
}

// answer with what a person has to mend. That rules were not checked, because
// the object is wrong already, goes without saying.
func answer(errs field.ErrorList) error {
	errs = slices.DeleteFunc(errs, func(e *field.Error) bool { return e.Field == "<nil>" })
	if len(errs) == 0 {
		return nil
	}
	return errs.ToAggregate()
}

// newCRD returns the CRD that Crossplane makes of an XRD, in YAML.
func newCRD(y []byte) (*apiextensions.CustomResourceDefinition, error) {
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
	scheme := runtime.NewScheme()
	install.Install(scheme)
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
