package structjson_test

import (
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"
	"sigs.k8s.io/yaml"

	"github.com/modelplane-go/modelplane/functions/internal/structjson"
	"github.com/modelplane-go/modelplane/functions/internal/xfntest"
	"github.com/modelplane-go/modelplane/schemas/modelplane/v1alpha1"
)

// kinds of the API, by their names.
var kinds = map[string]reflect.Type{
	v1alpha1.KindInferenceClass:   reflect.TypeFor[v1alpha1.InferenceClass](),
	v1alpha1.KindInferenceCluster: reflect.TypeFor[v1alpha1.InferenceCluster](),
	v1alpha1.KindInferenceGateway: reflect.TypeFor[v1alpha1.InferenceGateway](),
	v1alpha1.KindModelDeployment:  reflect.TypeFor[v1alpha1.ModelDeployment](),
	v1alpha1.KindModelEndpoint:    reflect.TypeFor[v1alpha1.ModelEndpoint](),
	v1alpha1.KindModelReplica:     reflect.TypeFor[v1alpha1.ModelReplica](),
	v1alpha1.KindModelService:     reflect.TypeFor[v1alpha1.ModelService](),
}

// FuzzDecode changes objects of the examples and of a fleet at random, and decodes
// them both ways: equal values, or an error from both.
func FuzzDecode(f *testing.F) {
	objects := objects(f)
	d := structjson.NewDecoder()
	for seed := range uint64(1000) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 0))
		s, _ := proto.Clone(objects[r.IntN(len(objects))]).(*structpb.Struct)
		typ := kinds[s.GetFields()["kind"].GetStringValue()]
		for range r.IntN(3) {
			mutate(r, structpb.NewStructValue(s))
		}

		want, got := reflect.New(typ).Interface(), reflect.New(typ).Interface()
		wantErr, gotErr := viaEncodingJSON(s, want), d.Decode(s, got)
		if (wantErr == nil) != (gotErr == nil) {
			t.Fatalf("Decode(%v): want error like %v, got %v", s, wantErr, gotErr)
		}
		if wantErr == nil && !reflect.DeepEqual(want, got) {
			t.Errorf("Decode(%v): -want, +got:\n%s", s, cmp.Diff(want, got))
		}
	})
}

// mutate a value somewhere.
func mutate(r *rand.Rand, v *structpb.Value) {
	switch k := v.GetKind().(type) {
	case *structpb.Value_StructValue:
		fields := k.StructValue.GetFields()
		names := slices.Sorted(maps.Keys(fields))
		if len(names) == 0 {
			return
		}
		name := names[r.IntN(len(names))]
		mutateIn(r, fields[name], func(with *structpb.Value) { fields[name] = with }, func() { delete(fields, name) })
	case *structpb.Value_ListValue:
		values := k.ListValue.GetValues()
		if len(values) == 0 {
			return
		}
		i := r.IntN(len(values))
		mutateIn(r, values[i], func(with *structpb.Value) { values[i] = with }, func() { k.ListValue.Values = values[:i] })
	}
}

func mutateIn(r *rand.Rand, v *structpb.Value, replace func(with *structpb.Value), remove func()) {
	_, isStruct := v.GetKind().(*structpb.Value_StructValue)
	_, isList := v.GetKind().(*structpb.Value_ListValue)
	switch {
	case (isStruct || isList) && r.IntN(8) > 0:
		mutate(r, v)
	case r.IntN(8) == 0:
		remove()
	default:
		replace(anyValue(r))
	}
}

// anyValue is a value that a field may not expect. Numbers are whole up to 2^53.
func anyValue(r *rand.Rand) *structpb.Value {
	values := []*structpb.Value{
		structpb.NewNullValue(), structpb.NewBoolValue(true), structpb.NewStringValue(""), structpb.NewStringValue("é\"\\<"),
		structpb.NewStringValue("1500m"), structpb.NewStringValue("2026-01-02T03:04:05+02:00"), structpb.NewStringValue("12"),
		structpb.NewNumberValue(0), structpb.NewNumberValue(math.Copysign(0, -1)), structpb.NewNumberValue(12), structpb.NewNumberValue(-1.5),
		structpb.NewNumberValue(1 << 31), structpb.NewNumberValue(-1 << 53), structpb.NewNumberValue(1e30), structpb.NewNumberValue(1e-7),
		structpb.NewStructValue(&structpb.Struct{}), structpb.NewListValue(&structpb.ListValue{}),
		structpb.NewStructValue(&structpb.Struct{Fields: map[string]*structpb.Value{"x": structpb.NewStringValue("y")}}),
		structpb.NewListValue(&structpb.ListValue{Values: []*structpb.Value{structpb.NewNullValue(), structpb.NewStringValue("x")}}),
	}
	return values[r.IntN(len(values))]
}

// objects of the examples, and some as Crossplane sends them.
func objects(f *testing.F) []*structpb.Struct {
	f.Helper()
	files, err := filepath.Glob(filepath.Join("..", "..", "..", "examples", "*", "*.yaml"))
	if err != nil || len(files) == 0 {
		f.Fatalf("cannot find examples: %v", err)
	}
	var out []*structpb.Struct
	for _, path := range append(files, filepath.Join("..", "xfntest", "testdata", "stored.yaml")) {
		b, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		for _, doc := range regexp.MustCompile(`(?m)^---$`).Split(string(b), -1) {
			j, err := yaml.YAMLToJSON([]byte(doc))
			if err != nil {
				f.Fatal(err)
			}
			s := &structpb.Struct{}
			if err := s.UnmarshalJSON(j); err != nil {
				f.Fatal(err)
			}
			if _, ok := kinds[s.GetFields()["kind"].GetStringValue()]; !ok {
				f.Fatalf("%s: unknown kind: %v", path, s)
			}
			out = append(out, s)
		}
	}
	return append(out, xfntest.Fleet{Clusters: 1, Charges: 20}.Cluster(f, 0))
}
