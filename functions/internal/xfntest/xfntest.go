// Package xfntest builds the whole requests and whole responses that the tests
// of functions compare.
//
// An object may be YAML, as a string, or any value that encodes to the JSON of
// one. What a test wants is better written as YAML, so that it does not rely on
// the builders it tests.
package xfntest

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	fnv1 "github.com/crossplane/function-sdk-go/proto/v1"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/structpb"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"

	"github.com/modelplane-go/modelplane/schemas/modelplane/v1alpha1"
)

// A World is what a function is called with.
type World struct {
	// Composite is the observed composite resource.
	Composite any

	// Observed composed resources, by key.
	Observed map[string]any

	// Required resources, by key. A key that is not there is unresolved, and an
	// empty list is absent.
	Required map[string][]any
}

// Request a function is sent in the world.
func (w World) Request(t testing.TB) *fnv1.RunFunctionRequest {
	t.Helper()

	req := &fnv1.RunFunctionRequest{Observed: &fnv1.State{
		Composite: &fnv1.Resource{Resource: Struct(t, w.Composite)},
		Resources: map[string]*fnv1.Resource{},
	}}
	for key, o := range w.Observed {
		req.Observed.Resources[key] = &fnv1.Resource{Resource: Struct(t, o)}
	}
	for key, items := range w.Required {
		if req.RequiredResources == nil {
			req.RequiredResources = map[string]*fnv1.Resources{}
		}
		found := &fnv1.Resources{}
		for _, o := range items {
			found.Items = append(found.Items, &fnv1.Resource{Resource: Struct(t, o)})
		}
		req.RequiredResources[key] = found
	}
	return req
}

// An Answer is what a function is wanted to answer.
type Answer struct {
	// Desired composed resources, by key.
	Desired map[string]Resource

	// Ready says whether the composite resource is ready.
	Ready bool

	// Status of the composite resource. Nil is none.
	Status any

	Conditions   []v1alpha1.Condition
	Requirements map[string]*fnv1.ResourceSelector
	Events       []Event
}

// A Resource is a composed resource that is wanted.
type Resource struct {
	Object any
	Ready  bool
}

// An Event is a result that is wanted.
type Event struct {
	Warning bool
	Reason  v1alpha1.ConditionReason
	Message string
}

// Response that says the answer.
func (a Answer) Response(t testing.TB) *fnv1.RunFunctionResponse {
	t.Helper()

	ttl := 10 * time.Second
	if a.Ready {
		ttl = time.Minute
	}
	rsp := &fnv1.RunFunctionResponse{
		Meta: &fnv1.ResponseMeta{Ttl: durationpb.New(ttl)},
		Desired: &fnv1.State{
			Composite: &fnv1.Resource{Ready: readiness(a.Ready)},
			Resources: map[string]*fnv1.Resource{},
		},
	}
	if a.Status != nil {
		rsp.Desired.Composite.Resource = &structpb.Struct{Fields: map[string]*structpb.Value{"status": structpb.NewStructValue(Struct(t, a.Status))}}
	}
	for key, r := range a.Desired {
		rsp.Desired.Resources[key] = &fnv1.Resource{Resource: Struct(t, r.Object), Ready: readiness(r.Ready)}
	}
	for _, c := range a.Conditions {
		rsp.Conditions = append(rsp.Conditions, condition(c))
	}
	for _, e := range a.Events {
		rsp.Results = append(rsp.Results, event(e))
	}
	if a.Requirements != nil {
		rsp.Requirements = &fnv1.Requirements{Resources: a.Requirements}
	}
	return rsp
}

// Struct of an object.
func Struct(t testing.TB, object any) *structpb.Struct {
	t.Helper()

	j, err := encode(object)
	if err != nil {
		t.Fatalf("cannot encode %T: %v", object, err)
	}
	s := &structpb.Struct{}
	if err := s.UnmarshalJSON(j); err != nil {
		t.Fatalf("cannot encode %T: %v", object, err)
	}
	return s
}

func encode(object any) ([]byte, error) {
	if y, ok := object.(string); ok {
		return yaml.YAMLToJSON([]byte(y))
	}
	return json.Marshal(object)
}

// Dropped are the keys of what a request observes and its response does not
// desire: what Crossplane would delete.
func Dropped(req *fnv1.RunFunctionRequest, rsp *fnv1.RunFunctionResponse) []string {
	var out []string
	for key := range req.GetObserved().GetResources() {
		if _, ok := rsp.GetDesired().GetResources()[key]; !ok {
			out = append(out, key)
		}
	}
	slices.Sort(out)
	return out
}

// Unmeant are the paths of what no desired object may say: a status, and nulls.
func Unmeant(rsp *fnv1.RunFunctionResponse) []string {
	var out []string
	for key, r := range rsp.GetDesired().GetResources() {
		if _, ok := r.GetResource().GetFields()["status"]; ok {
			out = append(out, key+".status")
		}
		out = append(out, nulls(key, structpb.NewStructValue(r.GetResource()))...)
	}
	slices.Sort(out)
	return out
}

func nulls(path string, v *structpb.Value) []string {
	switch k := v.GetKind().(type) {
	case *structpb.Value_NullValue:
		return []string{path}
	case *structpb.Value_StructValue:
		var out []string
		for name, f := range k.StructValue.GetFields() {
			out = append(out, nulls(strings.Join([]string{path, name}, "."), f)...)
		}
		return out
	case *structpb.Value_ListValue:
		var out []string
		for _, e := range k.ListValue.GetValues() {
			out = append(out, nulls(path+"[]", e)...)
		}
		return out
	}
	return nil
}

func condition(c v1alpha1.Condition) *fnv1.Condition {
	status := map[metav1.ConditionStatus]fnv1.Status{
		metav1.ConditionTrue:    fnv1.Status_STATUS_CONDITION_TRUE,
		metav1.ConditionFalse:   fnv1.Status_STATUS_CONDITION_FALSE,
		metav1.ConditionUnknown: fnv1.Status_STATUS_CONDITION_UNKNOWN,
	}
	out := &fnv1.Condition{
		Type:   string(c.Type),
		Status: status[c.Status],
		Reason: string(c.Reason),
		Target: fnv1.Target_TARGET_COMPOSITE.Enum(),
	}
	if c.Message != "" {
		out.Message = &c.Message
	}
	return out
}

func event(e Event) *fnv1.Result {
	reason := string(e.Reason)
	severity := fnv1.Severity_SEVERITY_NORMAL
	if e.Warning {
		severity = fnv1.Severity_SEVERITY_WARNING
	}
	return &fnv1.Result{Severity: severity, Message: e.Message, Reason: &reason, Target: fnv1.Target_TARGET_COMPOSITE.Enum()}
}

func readiness(ready bool) fnv1.Ready {
	if ready {
		return fnv1.Ready_READY_TRUE
	}
	return fnv1.Ready_READY_FALSE
}
