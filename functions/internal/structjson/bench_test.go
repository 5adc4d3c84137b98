package structjson_test

import (
	"encoding/json"
	"maps"
	"reflect"
	"testing"

	"google.golang.org/protobuf/types/known/structpb"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/modelplane-go/modelplane/functions/internal/structjson"
	"github.com/modelplane-go/modelplane/functions/internal/xfntest"
	"github.com/modelplane-go/modelplane/schemas/modelplane/v1alpha1"
)

// BenchmarkDecode decodes a fleet of 100 clusters with 1,000 replicas charged, and
// does the same with what else could.
func BenchmarkDecode(b *testing.B) {
	fleet := xfntest.Fleet{Clusters: 100, Charges: 1000}
	clusters := make([]*structpb.Struct, fleet.Clusters)
	for i := range clusters {
		clusters[i] = fleet.Cluster(b, i)
	}
	d := structjson.NewDecoder(reflect.TypeFor[[]metav1.ManagedFieldsEntry]())

	for name, decode := range map[string]func(s *structpb.Struct, into any) error{
		"Decoder": d.Decode,
		"EncodingJSON": func(s *structpb.Struct, into any) error {
			j, err := s.MarshalJSON()
			if err != nil {
				return err
			}
			return json.Unmarshal(j, into)
		},
		"Unstructured": func(s *structpb.Struct, into any) error {
			return runtime.DefaultUnstructuredConverter.FromUnstructured(withoutManagedFields(s).AsMap(), into)
		},
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				for _, s := range clusters {
					if err := decode(s, &v1alpha1.InferenceCluster{}); err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}

// withoutManagedFields is an object that shares everything else with another.
func withoutManagedFields(s *structpb.Struct) *structpb.Struct {
	meta := &structpb.Struct{Fields: maps.Clone(s.GetFields()["metadata"].GetStructValue().GetFields())}
	delete(meta.GetFields(), "managedFields")
	out := &structpb.Struct{Fields: maps.Clone(s.GetFields())}
	out.Fields["metadata"] = structpb.NewStructValue(meta)
	return out
}
