package xfntest_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"

	"github.com/modelplane-go/modelplane/functions/internal/xfntest"
)

// An object of any kind.
type object struct {
	metav1.TypeMeta `json:",inline"`

	Metadata metav1.ObjectMeta `json:"metadata"`
	Spec     map[string]any    `json:"spec"`
	Status   map[string]any    `json:"status"`
}

// TestStored compares what Stored makes of objects with what an API server and
// Crossplane made of them.
func TestStored(t *testing.T) {
	b, err := os.ReadFile("testdata/stored.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for doc := range strings.SplitSeq(string(b), "\n---\n") {
		o := object{}
		if err := yaml.Unmarshal([]byte(doc), &o); err != nil {
			t.Fatal(err)
		}
		t.Run(o.Kind, func(t *testing.T) {
			want := map[string]any{}
			if err := yaml.Unmarshal([]byte(doc), &want); err != nil {
				t.Fatal(err)
			}
			got := authored(o).Struct(t).AsMap()
			if diff := cmp.Diff(shape("", want), shape("", got)); diff != "" {
				t.Errorf("Struct(): -want, +got:\n%s", diff)
			}
		})
	}
}

// authored is an object without what Stored adds.
func authored(o object) xfntest.Stored {
	s := xfntest.Stored{Key: o.Metadata.Annotations["crossplane.io/composition-resource-name"]}
	for _, owner := range o.Metadata.OwnerReferences {
		s.Owner = owner.Name
	}
	delete(o.Metadata.Labels, "crossplane.io/composite")
	delete(o.Spec, "crossplane")
	s.Object = map[string]any{
		"apiVersion": o.APIVersion,
		"kind":       o.Kind,
		"metadata":   metav1.ObjectMeta{Name: o.Metadata.Name, Namespace: o.Metadata.Namespace, Labels: o.Metadata.Labels},
		"spec":       o.Spec,
		"status":     o.Status,
	}
	return s
}

// unlike are fields that differ: those the API server defaulted, for which it
// notes nobody, and what else an object composes.
var unlike = []string{"f:priority", "f:key", "f:parentRef", "resourceRefs"}

// shape is the paths of a value's leaves, without what identifies an object.
func shape(path string, v any) []string {
	var out []string
	switch v := v.(type) {
	case map[string]any:
		for k, f := range v {
			if slices.Contains(unlike, k) {
				continue
			}
			if strings.HasPrefix(k, `k:{"uid":`) {
				k = "k:uid"
			}
			out = append(out, shape(path+"/"+k, f)...)
		}
	case []any:
		for _, e := range v {
			m, _ := e.(map[string]any)
			manager, _ := m["manager"].(string)
			manager, _, _ = strings.Cut(manager, "composed/")
			sub, _ := m["subresource"].(string)
			out = append(out, shape(path+"["+manager+" "+sub+"]", e)...)
		}
	}
	slices.Sort(out)
	if len(out) == 0 {
		return []string{path}
	}
	return out
}
