package structjson_test

import (
	"encoding/json"
	"math"
	"reflect"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/types/known/structpb"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/modelplane-go/modelplane/functions/internal/structjson"
)

// Types that the tables decode into.
type (
	named  string
	upper  struct{ s string } // Has an UnmarshalText.
	hidden struct {
		InHidden int `json:"inHidden"`
	}
	Base struct {
		Shared string `json:"shared"`
		Base   string `json:"base"`
	}
	Other struct {
		Shared string `json:"shared"`
		Tied   string
	}
	tree struct {
		Name     string           `json:"name"`
		Children []tree           `json:"children"`
		Parent   *tree            `json:"parent"`
		Named    map[string]*tree `json:"named"`
	}
)

func (u *upper) UnmarshalText(b []byte) error {
	u.s = "text " + string(b)
	return nil
}

// TestDecodeLikeJSON decodes JSON both ways, into what is empty and into what is
// not.
func TestDecodeLikeJSON(t *testing.T) {
	type embeds struct {
		Base `json:",inline"`
		hidden
		named        //nolint:unused // It is passed over.
		Own   string `json:"own,omitempty"`
	}
	type outermost struct {
		Base
		Shared int `json:"shared"`
	}
	// Written out, go vet would say what is wrong with these.
	ambiguous := reflect.StructOf([]reflect.StructField{
		{Name: "Base", Anonymous: true, Type: reflect.TypeFor[Base]()},
		{Name: "Other", Anonymous: true, Type: reflect.TypeFor[Other]()},
	})
	tied := reflect.StructOf([]reflect.StructField{{Name: "Name", Tag: `json:"Tied"`, Type: reflect.TypeFor[string]()}})
	tagged := reflect.StructOf([]reflect.StructField{
		{Name: "Other", Anonymous: true, Type: reflect.TypeFor[Other]()},
		{Name: "Inner", Anonymous: true, Type: tied},
	})
	options := reflect.StructOf([]reflect.StructField{
		{Name: "Ignored", Tag: `json:"-"`, Type: reflect.TypeFor[string]()},
		{Name: "Dash", Tag: `json:"-,"`, Type: reflect.TypeFor[string]()},
	})
	odd := reflect.StructOf([]reflect.StructField{{Name: "Odd", Tag: `json:"odd name"`, Type: reflect.TypeFor[string]()}})
	quoted := reflect.StructOf([]reflect.StructField{{Name: "N", Tag: `json:"n,string"`, Type: reflect.TypeFor[int]()}})
	type pointers struct {
		*Base
		Own string
	}

	cases := map[string]struct {
		reason string
		into   any // A pointer to what is decoded into.
		json   []string
	}{
		"Strings":   {into: &struct{ A string }{"was"}, json: []string{`{"A":"x"}`, `{"A":null}`, `{"A":1}`, `{}`, `{"A":"\u00e9<\"\\\n"}`}},
		"Kinds":     {into: &struct{ A named }{"was"}, json: []string{`{"A":"x"}`, `{"A":null}`, `{"A":true}`}},
		"Booleans":  {into: &struct{ A bool }{true}, json: []string{`{"A":false}`, `{"A":null}`, `{"A":"true"}`, `{"A":0}`}},
		"Int":       {into: &struct{ A int }{7}, json: []string{`{"A":1}`, `{"A":-1}`, `{"A":1.5}`, `{"A":null}`, `{"A":"1"}`, `{"A":1e3}`, `{"A":1e30}`}},
		"Int8":      {into: &struct{ A int8 }{7}, json: []string{`{"A":127}`, `{"A":-128}`, `{"A":128}`, `{"A":-129}`}},
		"Int32":     {into: &struct{ A int32 }{7}, json: []string{`{"A":2147483647}`, `{"A":2147483648}`, `{"A":-2147483648}`, `{"A":-2147483649}`}},
		"Int64":     {into: &struct{ A int64 }{7}, json: []string{`{"A":9007199254740992}`, `{"A":-9007199254740992}`, `{"A":9223372036854775808}`, `{"A":-9223372036854775809e3}`}},
		"Uint":      {into: &struct{ A uint }{7}, json: []string{`{"A":1}`, `{"A":-1}`, `{"A":0.5}`, `{"A":1e19}`, `{"A":1e20}`, `{"A":null}`, `{"A":[]}`}},
		"Uint8":     {into: &struct{ A uint8 }{7}, json: []string{`{"A":255}`, `{"A":256}`}},
		"Float":     {into: &struct{ A float64 }{7}, json: []string{`{"A":0.1}`, `{"A":1e300}`, `{"A":null}`, `{"A":"1"}`, `{"A":{}}`}},
		"Float32":   {into: &struct{ A float32 }{7}, json: []string{`{"A":0.1}`, `{"A":1e39}`}},
		"Pointers":  {into: &struct{ A *int }{new(int)}, json: []string{`{"A":1}`, `{"A":null}`, `{"A":"x"}`, `{}`}},
		"Pointers2": {into: &struct{ A **int }{}, json: []string{`{"A":1}`, `{"A":null}`}},
		"Slices":    {into: &struct{ A []int }{[]int{7}}, json: []string{`{"A":[1,2]}`, `{"A":[]}`, `{"A":null}`, `{"A":{}}`, `{"A":[1,null]}`, `{"A":["x"]}`}},
		"Arrays":    {into: &struct{ A [2]int }{[2]int{7, 7}}, json: []string{`{"A":[1]}`, `{"A":[1,2,3]}`, `{"A":null}`, `{"A":1}`}},
		"Bytes":     {into: &struct{ A []byte }{}, json: []string{`{"A":"eA=="}`, `{"A":"!"}`, `{"A":null}`, `{"A":[1,2]}`}},
		"Maps":      {into: &struct{ A map[string]int }{map[string]int{"was": 7, "x": 7}}, json: []string{`{"A":{"x":1,"y":null}}`, `{"A":{}}`, `{"A":null}`, `{"A":[]}`, `{"A":{"x":"y"}}`}},
		"KindKeys":  {into: &struct{ A map[named]*int }{}, json: []string{`{"A":{"x":1,"y":null}}`}},
		"IntKeys":   {into: &struct{ A map[int]string }{}, json: []string{`{"A":{"1":"x"}}`, `{"A":{"y":"x"}}`}},
		"TextKeys":  {into: &struct{ A map[upper]string }{}, json: []string{`{"A":{"a":"x"}}`}},
		"Any":       {into: &struct{ A any }{}, json: []string{`{"A":{"x":[1,"y",null,true,{}]}}`, `{"A":null}`, `{"A":1}`}},
		"Interface": {into: &struct{ A json.Unmarshaler }{}, json: []string{`{"A":null}`, `{"A":1}`}},
		"Structs":   {into: &struct{ A struct{ B, C int } }{}, json: []string{`{"A":{"B":1,"D":2}}`, `{"A":null}`, `{"A":[]}`, `{"A":{"B":"x"}}`}},
		"Embedded":  {into: &embeds{Own: "was"}, json: []string{`{"shared":"a","base":"b","own":"c","inHidden":1,"named":"x","hidden":{}}`}},
		"Outermost": {into: &outermost{}, json: []string{`{"shared":1,"base":"b"}`, `{"shared":"x"}`}},
		"Ambiguous": {into: reflect.New(ambiguous).Interface(), json: []string{`{"shared":"a","base":"b","Tied":"c"}`, `{"shared":1}`}},
		"Tagged":    {into: reflect.New(tagged).Interface(), json: []string{`{"shared":"a","Tied":"c"}`}},
		"EmbeddedP": {into: &pointers{}, json: []string{`{"shared":"a","Own":"c"}`, `{"Own":"c"}`}},
		"Options":   {into: reflect.New(options).Interface(), json: []string{`{"Ignored":"a","-":"b"}`}},
		"Odd":       {into: reflect.New(odd).Interface(), json: []string{`{"odd name":"c","Odd":"d"}`}},
		"Quoted":    {into: reflect.New(quoted).Interface(), json: []string{`{"n":"1"}`, `{"n":1}`}},
		"Recursive": {into: &tree{}, json: []string{`{"name":"a","children":[{"name":"b","parent":{"name":"c"}}],"named":{"d":{"children":[]},"e":null}}`}},
		"Times":     {into: &struct{ A metav1.Time }{metav1.Unix(1, 0)}, json: []string{`{"A":"2026-01-02T03:04:05Z"}`, `{"A":null}`, `{"A":"x"}`, `{"A":1}`}},
		"StdTimes":  {into: &struct{ A *time.Time }{}, json: []string{`{"A":"2026-01-02T03:04:05.6Z"}`, `{"A":null}`, `{"A":"x"}`}},
		"Durations": {into: &struct{ A metav1.Duration }{}, json: []string{`{"A":"1m"}`, `{"A":"x"}`, `{"A":null}`}},
		"Quantity":  {into: &struct{ A, B resource.Quantity }{}, json: []string{`{"A":"80Gi","B":"1500m"}`, `{"A":1}`, `{"A":null}`, `{"A":"x"}`, `{"A":[]}`}},
		"IntOrStr":  {into: &struct{ A, B *intstr.IntOrString }{}, json: []string{`{"A":1,"B":"25%"}`, `{"A":null}`, `{"A":1.5}`}},
		"Raw":       {into: &struct{ A json.RawMessage }{}, json: []string{`{"A":{"b":[1,"x",null]}}`, `{"A":null}`, `{"A":"x"}`, `{}`}},
		"Number":    {into: &struct{ A json.Number }{}, json: []string{`{"A":1}`, `{"A":1.5}`, `{"A":"1"}`, `{"A":"x"}`}},
		"Text":      {into: &struct{ A *upper }{}, json: []string{`{"A":"x"}`, `{"A":"\"é\""}`, `{"A":null}`, `{"A":1}`}},
		"FieldsV1":  {into: &metav1.ManagedFieldsEntry{}, json: []string{`{"manager":"m","time":"2026-01-02T03:04:05Z","fieldsV1":{"f:spec":{"f:a":{}}}}`}},
		"Map":       {reason: "What is decoded into need not be a struct.", into: &map[string]any{}, json: []string{`{"a":{"b":1}}`, `{}`}},
		"Whole":     {reason: "What is decoded into may decode itself.", into: &json.RawMessage{}, json: []string{`{"a":{"b":1}}`, `{}`}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			for _, j := range tc.json {
				s := &structpb.Struct{}
				if err := s.UnmarshalJSON([]byte(j)); err != nil {
					t.Fatal(err)
				}
				want, got := deepCopy(reflect.ValueOf(tc.into)), deepCopy(reflect.ValueOf(tc.into))
				wantErr := viaEncodingJSON(s, want.Interface())
				gotErr := structjson.NewDecoder().Decode(s, got.Interface())
				if (wantErr == nil) != (gotErr == nil) {
					t.Errorf("%s\nDecode(%s): want error like %v, got %v", tc.reason, j, wantErr, gotErr)
				}
				if wantErr == nil && !reflect.DeepEqual(want.Interface(), got.Interface()) {
					t.Errorf("%s\nDecode(%s): want %#v, got %#v", tc.reason, j, want.Elem(), got.Elem())
				}
			}
		})
	}
}

// viaEncodingJSON decodes a Struct the long way. protojson puts white space into
// what it writes, in every build elsewhere; encoding/json does not.
func viaEncodingJSON(s *structpb.Struct, into any) error {
	j, err := json.Marshal(s.AsMap())
	if err != nil {
		return err
	}
	return json.Unmarshal(j, into)
}

// deepCopy copies what the pointers, maps and slices of the tables point to.
func deepCopy(v reflect.Value) reflect.Value {
	out := reflect.New(v.Type()).Elem()
	out.Set(v)
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			out.Set(reflect.New(v.Type().Elem()))
			out.Elem().Set(deepCopy(v.Elem()))
		}
	case reflect.Slice:
		out.Set(reflect.AppendSlice(reflect.Zero(v.Type()), v))
	case reflect.Map:
		if !v.IsNil() {
			out.Set(reflect.MakeMap(v.Type()))
		}
		for k, e := range v.Seq2() {
			out.SetMapIndex(k, e)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				out.Field(i).Set(deepCopy(v.Field(i)))
			}
		}
	default:
	}
	return out
}

// TestDecodeOwnWay is where Decode differs from encoding/json.
func TestDecodeOwnWay(t *testing.T) {
	type target struct {
		Name  string  `json:"name"`
		Int   int64   `json:"int"`
		Float float64 `json:"float"`
		Any   any     `json:"any"`
	}

	cases := map[string]struct {
		reason string
		from   map[string]*structpb.Value
		want   target
		err    string
	}{
		"Case": {
			reason: "A name in another case is another name.",
			from:   map[string]*structpb.Value{"Name": structpb.NewStringValue("x"), "NAME": structpb.NewNumberValue(1)},
		},
		"Large": {
			reason: "A large number is what it is, not its fewest digits.",
			from:   map[string]*structpb.Value{"int": structpb.NewNumberValue(1 << 60)},
			want:   target{Int: 1 << 60},
		},
		"Nothing": {
			reason: "A value that says nothing is null.",
			from:   map[string]*structpb.Value{"name": {}, "int": nil, "any": {}},
		},
		"NaN": {
			reason: "What is no number in JSON is none here.",
			from:   map[string]*structpb.Value{"float": structpb.NewNumberValue(math.NaN())},
			err:    "float: cannot decode the number NaN as float64",
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got := target{}
			err := structjson.NewDecoder().Decode(&structpb.Struct{Fields: tc.from}, &got)
			if message(err) != tc.err {
				t.Fatalf("%s\nDecode(...): want error %q, got %v", tc.reason, tc.err, err)
			}
			if diff := cmp.Diff(tc.want, got); err == nil && diff != "" {
				t.Errorf("%s\nDecode(...): -want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}

func TestDecodeErrors(t *testing.T) {
	type pool struct {
		Count  int32                        `json:"count"`
		Memory map[string]resource.Quantity `json:"memory"`
	}
	type target struct {
		Base `json:",inline"`
		Spec struct {
			Pools []pool  `json:"pools"`
			Bytes [1]bool `json:"bytes"`
		} `json:"spec"`
	}

	cases := map[string]struct {
		json string
		want string
	}{
		"Path":     {json: `{"spec":{"pools":[{},{"count":1.5}]}}`, want: "spec.pools[1].count: cannot decode the number 1.5 as int32"},
		"Embedded": {json: `{"shared":[]}`, want: "shared: cannot decode a list as string"},
		"Range":    {json: `{"spec":{"pools":[{"count":3e9}]}}`, want: "spec.pools[0].count: cannot decode the number 3e+09 as int32"},
		"Kind":     {json: `{"spec":true}`, want: "spec: cannot decode a boolean as struct { Pools []structjson_test.pool \"json:\\\"pools\\\"\"; Bytes [1]bool \"json:\\\"bytes\\\"\" }"},
		"List":     {json: `{"spec":{"pools":{}}}`, want: "spec.pools: cannot decode an object as []structjson_test.pool"},
		"Key":      {json: `{"spec":{"pools":[{"memory":{"a b":"x"}}]}}`, want: `spec.pools[0].memory["a b"]: quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'`},
		"JSON":     {json: `{"spec":{"bytes":["x"]}}`, want: "spec.bytes: json: cannot unmarshal string into Go value of type bool"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			s := &structpb.Struct{}
			if err := s.UnmarshalJSON([]byte(tc.json)); err != nil {
				t.Fatal(err)
			}
			if got := message(structjson.NewDecoder().Decode(s, &target{})); got != tc.want {
				t.Errorf("Decode(%s):\nwant %s\ngot  %s", tc.json, tc.want, got)
			}
		})
	}

	for _, into := range []any{nil, target{}, (*target)(nil)} {
		if err := structjson.NewDecoder().Decode(&structpb.Struct{}, into); err == nil {
			t.Errorf("Decode into %#v: want an error", into)
		}
	}
}

// TestDecodeNothing shows that no Struct is an empty one.
func TestDecodeNothing(t *testing.T) {
	got := Base{Shared: "was"}
	if err := structjson.NewDecoder().Decode(nil, &got); err != nil || got.Shared != "was" {
		t.Errorf("Decode(nil, ...): got %+v, %v", got, err)
	}
}

// TestDecodeSkips shows that what is skipped is not looked at, wherever it is.
func TestDecodeSkips(t *testing.T) {
	s := &structpb.Struct{}
	if err := s.UnmarshalJSON([]byte(`{"metadata":{"name":"a","managedFields":"not a list"}}`)); err != nil {
		t.Fatal(err)
	}
	type object struct {
		Metadata metav1.ObjectMeta `json:"metadata"`
	}
	got := object{}
	if err := structjson.NewDecoder(reflect.TypeFor[[]metav1.ManagedFieldsEntry]()).Decode(s, &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(object{metav1.ObjectMeta{Name: "a"}}, got); diff != "" {
		t.Errorf("Decode(...): -want, +got:\n%s", diff)
	}
}

// TestDecodeTogether has goroutines learn of a type at the same time. It is for
// the race detector.
func TestDecodeTogether(t *testing.T) {
	s := &structpb.Struct{}
	if err := s.UnmarshalJSON([]byte(`{"name":"a","children":[{"name":"b"}]}`)); err != nil {
		t.Fatal(err)
	}
	d := structjson.NewDecoder()
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			got := tree{}
			if err := d.Decode(s, &got); err != nil || got.Children[0].Name != "b" {
				t.Errorf("Decode(...): got %+v, %v", got, err)
			}
		})
	}
	wg.Wait()
}

func message(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
