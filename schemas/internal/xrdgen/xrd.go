package main

import (
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"

	extv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/yaml"
	syaml "sigs.k8s.io/yaml"
)

// A CRD is what controller-gen makes of a Go type.
type CRD = extv1.CustomResourceDefinition

// An XRD is the part of a Crossplane CompositeResourceDefinition that we write.
// It stands here so that this module, which others import for its API types,
// need not depend on Crossplane.
type XRD struct {
	metav1.TypeMeta `json:",inline"`

	Metadata Metadata `json:"metadata"`
	Spec     XRDSpec  `json:"spec"`
}

// Metadata is the metadata of an XRD.
type Metadata struct {
	Name string `json:"name"`
}

// An XRDSpec says what a composite resource is.
type XRDSpec struct {
	Group                 string                              `json:"group"`
	Names                 extv1.CustomResourceDefinitionNames `json:"names"`
	Scope                 extv1.ResourceScope                 `json:"scope"`
	DefaultCompositionRef Metadata                            `json:"defaultCompositionRef"`
	Versions              []XRDVersion                        `json:"versions"`
}

// An XRDVersion is a version of a composite resource.
type XRDVersion struct {
	Name                     string                                 `json:"name"`
	Served                   bool                                   `json:"served"`
	Referenceable            bool                                   `json:"referenceable"`
	AdditionalPrinterColumns []extv1.CustomResourceColumnDefinition `json:"additionalPrinterColumns,omitempty"`
	Subresources             *XRDSubresources                       `json:"subresources,omitempty"`
	Schema                   extv1.CustomResourceValidation         `json:"schema"`
}

// XRDSubresources are the subresources a composite resource has beside status.
type XRDSubresources struct {
	Scale *extv1.CustomResourceSubresourceScale `json:"scale"`
}

// parse the YAML documents controller-gen writes, in their order.
func parse(r io.Reader) ([]CRD, error) {
	var crds []CRD
	d := yaml.NewYAMLOrJSONDecoder(r, 4096)
	for {
		crd := CRD{}
		err := d.Decode(&crd)
		if errors.Is(err, io.EOF) {
			return crds, nil
		}
		if err != nil {
			return nil, fmt.Errorf("cannot parse what controller-gen wrote: %w", err)
		}
		crds = append(crds, crd)
	}
}

func marshal(x XRD) ([]byte, error) {
	return syaml.Marshal(x)
}

// convert a CRD to the XRD of which Crossplane makes that CRD.
func convert(crd CRD) (XRD, error) {
	xrd := XRD{
		TypeMeta: metav1.TypeMeta{APIVersion: "apiextensions.crossplane.io/v2", Kind: "CompositeResourceDefinition"},
		Metadata: Metadata{Name: crd.GetName()},
		Spec: XRDSpec{
			Group:                 crd.Spec.Group,
			Names:                 crd.Spec.Names,
			Scope:                 crd.Spec.Scope,
			DefaultCompositionRef: Metadata{Name: crd.GetName()},
		},
	}
	for _, v := range crd.Spec.Versions {
		xv, err := convertVersion(v)
		if err != nil {
			return XRD{}, fmt.Errorf("cannot convert version %s: %w", v.Name, err)
		}
		xrd.Spec.Versions = append(xrd.Spec.Versions, xv)
	}
	return xrd, nil
}

func convertVersion(v extv1.CustomResourceDefinitionVersion) (XRDVersion, error) {
	if v.Schema == nil || v.Schema.OpenAPIV3Schema == nil {
		return XRDVersion{}, errors.New("there is no schema")
	}
	s, err := convertSchema(*v.Schema.OpenAPIV3Schema)
	if err != nil {
		return XRDVersion{}, err
	}
	xv := XRDVersion{
		Name:                     v.Name,
		Served:                   v.Served,
		Referenceable:            v.Storage,
		AdditionalPrinterColumns: slices.DeleteFunc(slices.Clone(v.AdditionalPrinterColumns), addedByCrossplane),
		Schema:                   extv1.CustomResourceValidation{OpenAPIV3Schema: &s},
	}
	if v.Subresources != nil && v.Subresources.Scale != nil {
		xv.Subresources = &XRDSubresources{Scale: v.Subresources.Scale}
	}
	return xv, nil
}

// addedByCrossplane says whether Crossplane adds a column of that name to every
// composite resource.
func addedByCrossplane(c extv1.CustomResourceColumnDefinition) bool {
	return slices.Contains([]string{"synced", "ready", "composition", "age"}, strings.ToLower(c.Name))
}

// convertSchema leaves out of a CRD's schema what Crossplane adds: apiVersion,
// kind, metadata and status.conditions.
func convertSchema(s extv1.JSONSchemaProps) (extv1.JSONSchemaProps, error) {
	out := *s.DeepCopy()
	for _, name := range []string{"apiVersion", "kind", "metadata"} {
		delete(out.Properties, name)
	}
	delete(out.Properties["status"].Properties, "conditions")

	if err := lost(out); err != nil {
		return out, fmt.Errorf("cannot convert schema: %w", err)
	}
	for _, name := range []string{"spec", "status"} {
		if err := lost(out.Properties[name]); err != nil {
			return out, fmt.Errorf("cannot convert schema of %s: %w", name, err)
		}
	}
	shorten(&out)
	return out, nil
}

// lost returns an error if a schema says what Crossplane does not carry over to
// the CRD it makes. That concerns only the root, spec and status: what is in
// those is carried over whole.
func lost(s extv1.JSONSchemaProps) error {
	s.Type, s.Description, s.Properties, s.Required, s.XValidations = "", "", nil, nil, nil
	if reflect.DeepEqual(s, extv1.JSONSchemaProps{}) {
		return nil
	}
	y, err := syaml.Marshal(s)
	if err != nil {
		return err
	}
	return fmt.Errorf("these would be lost: %s", strings.TrimSpace(string(y)))
}
