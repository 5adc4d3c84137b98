package preview

import (
	"context"
	"errors"
	"fmt"

	"github.com/crossplane/crossplane-runtime/v2/pkg/xcrd"
	xpv1 "github.com/crossplane/crossplane/apis/v2/apiextensions/v1"
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
)

// An admission lets objects of one kind into the world, as the API server does
// that has the CRD Crossplane makes of the kind's XRD.
type admission struct {
	structural *schema.Structural
	strategy   interface {
		Validate(ctx context.Context, obj runtime.Object) field.ErrorList
	}
}

func newAdmission(xrd *xpv1.CompositeResourceDefinition) (*admission, error) {
	crd, err := newCRD(xrd)
	if err != nil {
		return nil, fmt.Errorf("cannot make a CRD: %w", err)
	}
	version := crd.Spec.Versions[0].Name
	sch, err := apiextensions.GetSchemaForVersion(crd, version)
	if err != nil {
		return nil, fmt.Errorf("cannot get schema: %w", err)
	}
	structural, err := schema.NewStructural(sch.OpenAPIV3Schema)
	if err != nil {
		return nil, fmt.Errorf("cannot use schema: %w", err)
	}
	if err := defaulting.PruneDefaults(structural); err != nil {
		return nil, fmt.Errorf("cannot use defaults: %w", err)
	}
	validator, _, err := validation.NewSchemaValidator(sch.OpenAPIV3Schema)
	if err != nil {
		return nil, fmt.Errorf("cannot use schema: %w", err)
	}
	sub, err := apiextensions.GetSubresourcesForVersion(crd, version)
	if err != nil {
		return nil, fmt.Errorf("cannot get subresources: %w", err)
	}
	gvk := runtimeschema.GroupVersionKind{Group: crd.Spec.Group, Version: version, Kind: crd.Spec.Names.Kind}
	namespaced := crd.Spec.Scope == apiextensions.NamespaceScoped
	return &admission{
		structural: structural,
		strategy:   customresource.NewStrategy(nil, namespaced, gvk, validator, nil, structural, sub.Status, sub.Scale, nil),
	}, nil
}

func newCRD(xrd *xpv1.CompositeResourceDefinition) (*apiextensions.CustomResourceDefinition, error) {
	v1, err := xcrd.ForCompositeResource(xrd)
	if err != nil {
		return nil, err
	}
	scheme := runtime.NewScheme()
	install.Install(scheme)
	scheme.Default(v1)
	crd := &apiextensions.CustomResourceDefinition{}
	return crd, scheme.Convert(v1, crd, nil)
}

// admit returns an object as the API server would store it, or why it would not.
func (a *admission) admit(ctx context.Context, o *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	o = o.DeepCopy()
	defaulting.Default(o.Object, a.structural)
	unknown := pruning.PruneWithOptions(o.Object, a.structural, true, schema.UnknownFieldPathOptions{TrackUnknownFieldPaths: true})
	defaulting.PruneNonNullableNullsWithoutDefaults(o.Object, a.structural)

	errs := make([]error, 0, len(unknown))
	for _, path := range unknown {
		errs = append(errs, fmt.Errorf("unknown field %q", path))
	}
	for _, err := range a.strategy.Validate(ctx, o) {
		// That rules were not checked goes without saying: mend this first.
		if err.Field != "<nil>" {
			errs = append(errs, err)
		}
	}
	return o, errors.Join(errs...)
}
