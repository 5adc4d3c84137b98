package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	syaml "sigs.k8s.io/yaml"
)

const crd = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: things.example.com
  annotations: {controller-gen.kubebuilder.io/version: v0.21.0}
spec:
  group: example.com
  names: {kind: Thing, listKind: ThingList, plural: things, singular: thing, shortNames: [th], categories: [crossplane]}
  scope: Namespaced
  versions:
  - name: v1alpha1
    served: true
    storage: true
    additionalPrinterColumns:
    - {name: Size, type: string, jsonPath: .spec.size}
    - {name: Ready, type: string, jsonPath: .status.ready}
    - {name: Age, type: date, jsonPath: .metadata.creationTimestamp}
    subresources:
      status: {}
      scale: {specReplicasPath: .spec.size, statusReplicasPath: .status.size}
    schema:
      openAPIV3Schema:
        type: object
        description: A Thing.
        required: [spec]
        x-kubernetes-validations: [{rule: self.metadata.name != 'x', message: not x}]
        properties:
          apiVersion: {type: string}
          kind: {type: string}
          metadata: {type: object}
          spec:
            type: object
            properties:
              size: {type: integer, default: 1, description: Size of it.}
          status:
            type: object
            properties:
              size: {type: integer}
              conditions: {type: array, items: {type: object}}
`

const xrd = `
apiVersion: apiextensions.crossplane.io/v2
kind: CompositeResourceDefinition
metadata:
  name: things.example.com
spec:
  group: example.com
  names: {kind: Thing, listKind: ThingList, plural: things, singular: thing, shortNames: [th], categories: [crossplane]}
  scope: Namespaced
  defaultCompositionRef: {name: things.example.com}
  versions:
  - name: v1alpha1
    served: true
    referenceable: true
    additionalPrinterColumns:
    - {name: Size, type: string, jsonPath: .spec.size}
    subresources:
      scale: {specReplicasPath: .spec.size, statusReplicasPath: .status.size}
    schema:
      openAPIV3Schema:
        type: object
        description: A Thing.
        required: [spec]
        x-kubernetes-validations: [{rule: self.metadata.name != 'x', message: not x}]
        properties:
          spec:
            type: object
            properties:
              size: {type: integer, default: 1, description: Size of it.}
          status:
            type: object
            properties:
              size: {type: integer}
`

func TestConvert(t *testing.T) {
	type want struct {
		xrd string
		err error
	}
	cases := map[string]struct {
		reason string
		crd    string
		want   want
	}{
		"LeavesOutWhatCrossplaneAdds": {
			reason: "An XRD should say all that a CRD says, except what Crossplane adds to every composite resource.",
			crd:    crd,
			want:   want{xrd: xrd},
		},
		"RefusesToLoseASpecsDefault": {
			reason: "Crossplane does not carry a default of the whole spec over, so there should be none.",
			crd:    strings.Replace(crd, "          spec:\n", "          spec:\n            default: {}\n", 1),
			want:   want{err: cmpopts.AnyError},
		},
		"RefusesToLoseARequirementOfTheRoot": {
			reason: "Crossplane does not carry a requirement of the root over, so there should be none.",
			crd:    strings.Replace(crd, "        description: A Thing.\n", "        minProperties: 3\n", 1),
			want:   want{err: cmpopts.AnyError},
		},
		"RefusesAVersionWithoutSchema": {
			reason: "A version without a schema would accept anything.",
			crd:    crd[:strings.Index(crd, "    schema:")],
			want:   want{err: cmpopts.AnyError},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			crds, err := parse(strings.NewReader(tc.crd))
			if err != nil {
				t.Fatalf("\n%s\nparse(...): %v", tc.reason, err)
			}
			got, err := convert(crds[0])
			if diff := cmp.Diff(tc.want.err, err, cmpopts.EquateErrors()); diff != "" {
				t.Errorf("\n%s\nconvert(...): -want error, +got error:\n%s", tc.reason, diff)
			}
			if err != nil {
				return
			}
			if diff := cmp.Diff(decode(t, tc.want.xrd), remarshal(t, got)); diff != "" {
				t.Errorf("\n%s\nconvert(...): -want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}

func TestParse(t *testing.T) {
	crds, err := parse(strings.NewReader("---\n" + crd + "\n---\n" + crd))
	if err != nil {
		t.Fatalf("parse(...): %v", err)
	}
	if diff := cmp.Diff(2, len(crds)); diff != "" {
		t.Errorf("parse(...): -want documents, +got documents:\n%s", diff)
	}
	if _, err := parse(strings.NewReader("metadata: []")); err == nil {
		t.Errorf("parse(...): want an error for a document that is no CRD")
	}
}

func decode(t *testing.T, y string) map[string]any {
	t.Helper()
	out := map[string]any{}
	if err := syaml.UnmarshalStrict([]byte(y), &out); err != nil {
		t.Fatalf("cannot decode YAML: %v", err)
	}
	return out
}

func remarshal(t *testing.T, x XRD) map[string]any {
	t.Helper()
	y, err := marshal(x)
	if err != nil {
		t.Fatalf("cannot marshal XRD: %v", err)
	}
	return decode(t, string(y))
}
