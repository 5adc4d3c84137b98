package xfn

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"time"

	"github.com/crossplane/function-sdk-go/errors"
	fnv1 "github.com/crossplane/function-sdk-go/proto/v1"
	"github.com/crossplane/function-sdk-go/response"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/structpb"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/modelplane-go/modelplane/functions/internal/structjson"
	"github.com/modelplane-go/modelplane/schemas/modelplane/v1alpha1"
)

// How long Crossplane may wait before it calls again. Where it does not watch
// what a function requires, this is the reaction time.
const (
	TTLGoing   = 1 * time.Second  // While what comes next waits for something to be gone.
	TTLPending = 10 * time.Second // While the composite is not ready.
	TTLSettled = 60 * time.Second // Once it is.
)

// A Composer composes the resources of a composite resource. An error means the
// request cannot be understood: Crossplane then changes nothing. Whatever a
// person can cause or fix is a condition, not an error.
type Composer func(c *Call) error

// A Call is one run of a function: what is observed, and what is desired so far.
type Call struct {
	req *fnv1.RunFunctionRequest
	rsp *fnv1.RunFunctionResponse

	prune bool          // What is not desired goes.
	again time.Duration // Crossplane is to call again no later. 0 for whenever suits.
}

// Run answers a request with what the Composer makes of it.
func Run(compose Composer, req *fnv1.RunFunctionRequest) (rsp *fnv1.RunFunctionResponse) {
	defer func() {
		if p := recover(); p != nil {
			rsp = fatal(req, errors.Errorf("function panicked, which is a bug: %v", p))
		}
	}()

	c := newCall(req)
	if err := compose(c); err != nil {
		return fatal(req, err)
	}
	if !c.prune {
		c.KeepAll(func(string) bool { return true })
	}
	c.rsp.Meta.Ttl = durationpb.New(c.ttl())
	return c.rsp
}

func fatal(req *fnv1.RunFunctionRequest, err error) *fnv1.RunFunctionResponse {
	rsp := response.To(req, TTLPending)
	response.Fatal(rsp, err)
	return rsp
}

func newCall(req *fnv1.RunFunctionRequest) *Call {
	forgetSecrets(req)
	c := &Call{req: req, rsp: response.To(req, TTLPending)}
	if c.rsp.GetDesired() == nil {
		c.rsp.Desired = &fnv1.State{}
	}
	if c.rsp.GetDesired().GetResources() == nil {
		c.rsp.Desired.Resources = map[string]*fnv1.Resource{}
	}
	if c.rsp.GetDesired().GetComposite() == nil {
		c.rsp.Desired.Composite = &fnv1.Resource{}
	}
	c.rsp.Desired.Composite.Ready = fnv1.Ready_READY_FALSE
	return c
}

// Composite decodes the observed composite resource. Fields its type does not
// know are passed over.
func (c *Call) Composite(into any) error {
	return errors.Wrap(decode(c.req.GetObserved().GetComposite().GetResource(), into), "cannot decode composite resource")
}

// Keys of the observed composed resources, sorted.
func (c *Call) Keys() []string {
	return slices.Sorted(maps.Keys(c.req.GetObserved().GetResources()))
}

// Observed decodes an observed composed resource. It returns false if there is
// none of the supplied key.
func (c *Call) Observed(key string, into any) (bool, error) {
	r, ok := c.req.GetObserved().GetResources()[key]
	if !ok {
		return false, nil
	}
	return true, errors.Wrapf(decode(r.GetResource(), into), "cannot decode composed resource %q", key)
}

// Exists says whether a composed resource of the supplied key is observed.
func (c *Call) Exists(key string) bool {
	_, ok := c.req.GetObserved().GetResources()[key]
	return ok
}

// Condition returns a condition of an observed composed resource. Its status is
// Unknown when the resource or the condition is not there.
func (c *Call) Condition(key, conditionType string) metav1.Condition {
	return condition(c.req.GetObserved().GetResources()[key].GetResource(), conditionType)
}

// Ready says whether an observed composed resource has the condition Ready, be
// it for an earlier generation: what served before a change serves on until it
// says otherwise.
func (c *Call) Ready(key string) bool {
	return c.Condition(key, "Ready").Status == metav1.ConditionTrue
}

// True says whether a condition of an observed composed resource is True of its
// current generation, as far as it says of which it is. Crossplane does not say it
// of the conditions that functions set, and may say a later one of its own: it
// learns of a change of the spec while it composes what was there before.
func (c *Call) True(key, conditionType string) bool {
	meta := &struct {
		Metadata metav1.ObjectMeta `json:"metadata"`
	}{}
	if ok, err := c.Observed(key, meta); !ok || err != nil {
		return false
	}
	cond := c.Condition(key, conditionType)
	stale := cond.ObservedGeneration != 0 && cond.ObservedGeneration < meta.Metadata.Generation
	return cond.Status == metav1.ConditionTrue && !stale
}

// Applied says whether an observed composed resource is all that is desired of
// it.
func (c *Call) Applied(key string) bool {
	desired := c.rsp.GetDesired().GetResources()[key].GetResource().GetFields()["spec"]
	observed := c.req.GetObserved().GetResources()[key].GetResource().GetFields()["spec"]
	return c.Exists(key) && contains(observed, desired)
}

// Desire a composed resource. Its readiness is the caller's to judge. The object
// is encoded as its JSON says, without a status.
func (c *Call) Desire(key string, object any, ready bool) error {
	s, err := encode(object)
	if err != nil {
		return errors.Wrapf(err, "cannot encode composed resource %q", key)
	}
	delete(s.GetFields(), "status")
	c.rsp.Desired.Resources[key] = &fnv1.Resource{Resource: s, Ready: readiness(ready)}
	return nil
}

// Keep an observed composed resource as it is, and as ready as it is. It does
// nothing if there is none of the supplied key.
func (c *Call) Keep(key string) {
	if r, ok := c.req.GetObserved().GetResources()[key]; ok {
		c.rsp.Desired.Resources[key] = &fnv1.Resource{Resource: partial(r.GetResource()), Ready: readiness(c.Ready(key))}
	}
}

// KeepAll keeps those of some observed composed resources that are not desired
// already.
func (c *Call) KeepAll(which func(key string) bool) {
	for _, key := range c.Keys() {
		if _, ok := c.rsp.GetDesired().GetResources()[key]; !ok && which(key) {
			c.Keep(key)
		}
	}
}

// Prune says that the function has seen all it needs, and that observed
// composed resources it does not desire are to be deleted. Without it they are
// kept.
func (c *Call) Prune() {
	c.prune = true
}

// Now is the time of the call. Equal requests get equal responses but for what a
// user wants to happen after a time.
func (c *Call) Now() time.Time { return time.Now() } //nolint:forbidigo // The one clock there is.

// SetReady says whether the composite resource is ready.
func (c *Call) SetReady(ready bool) {
	c.rsp.Desired.Composite.Ready = readiness(ready)
}

// ttl is how long Crossplane may wait before it calls again.
func (c *Call) ttl() time.Duration {
	ttl := TTLPending
	if c.rsp.GetDesired().GetComposite().GetReady() == fnv1.Ready_READY_TRUE {
		ttl = TTLSettled
	}
	if c.again > 0 {
		ttl = min(ttl, c.again)
	}
	return ttl
}

// Await that an observed composed resource which is no longer desired is gone.
// Crossplane hears of all that happens to what is composed, but for the end of
// what it has itself deleted.
func (c *Call) Await() { c.Again(TTLGoing) }

// Again has Crossplane call again after a time at the latest, of which the
// shortest counts: no less than TTLGoing.
func (c *Call) Again(after time.Duration) {
	after = max(TTLGoing, after)
	if c.again == 0 || after < c.again {
		c.again = after
	}
}

// SetStatus of the composite resource. Conditions are not part of it: see
// SetConditions.
func (c *Call) SetStatus(status any) error {
	s, err := encode(status)
	if err != nil {
		return errors.Wrap(err, "cannot encode status")
	}
	delete(s.GetFields(), "conditions")
	c.rsp.Desired.Composite.Resource = &structpb.Struct{Fields: map[string]*structpb.Value{"status": structpb.NewStructValue(s)}}
	return nil
}

// SetConditions of the composite resource. A function sets all it has on every
// call. A condition that came about since the last call makes an event: a
// warning if it says so, and a normal one if it is True.
func (c *Call) SetConditions(conditions ...v1alpha1.Condition) {
	for _, cond := range conditions {
		c.rsp.Conditions = append(c.rsp.GetConditions(), toProto(cond))

		was := condition(c.req.GetObserved().GetComposite().GetResource(), string(cond.Type))
		if was.Status == cond.Status && was.Reason == string(cond.Reason) {
			continue
		}
		c.announce(cond)
	}
}

func (c *Call) announce(cond v1alpha1.Condition) {
	message := fmt.Sprintf("%s: %s", cond.Type, cond.Message)
	if cond.Message == "" {
		message = fmt.Sprintf("%s: %s", cond.Type, cond.Reason)
	}
	if cond.Warning || cond.Status == metav1.ConditionTrue {
		c.Event(v1alpha1.Event{Reason: cond.Reason, Message: message, Warning: cond.Warning})
	}
}

// Event says that something happened to the composite resource. It is the
// caller's to say it once.
func (c *Call) Event(e v1alpha1.Event) {
	if e.Warning {
		response.Warning(c.rsp, errors.New(e.Message)).WithReason(string(e.Reason))
		return
	}
	response.Normal(c.rsp, e.Message).WithReason(string(e.Reason))
}

func toProto(cond v1alpha1.Condition) *fnv1.Condition {
	out := &fnv1.Condition{
		Type:   string(cond.Type),
		Reason: string(cond.Reason),
		Target: fnv1.Target_TARGET_COMPOSITE.Enum(),
	}
	switch cond.Status {
	case metav1.ConditionTrue:
		out.Status = fnv1.Status_STATUS_CONDITION_TRUE
	case metav1.ConditionFalse:
		out.Status = fnv1.Status_STATUS_CONDITION_FALSE
	case metav1.ConditionUnknown:
		out.Status = fnv1.Status_STATUS_CONDITION_UNKNOWN
	}
	if cond.Message != "" {
		out.Message = &cond.Message
	}
	return out
}

func readiness(ready bool) fnv1.Ready {
	if ready {
		return fnv1.Ready_READY_TRUE
	}
	return fnv1.Ready_READY_FALSE
}

// condition finds a condition of any resource that has the usual ones.
func condition(s *structpb.Struct, conditionType string) metav1.Condition {
	list := s.GetFields()["status"].GetStructValue().GetFields()["conditions"].GetListValue()
	for _, v := range list.GetValues() {
		f := v.GetStructValue().GetFields()
		if f["type"].GetStringValue() != conditionType {
			continue
		}
		return metav1.Condition{
			Type:    conditionType,
			Status:  metav1.ConditionStatus(f["status"].GetStringValue()),
			Reason:  f["reason"].GetStringValue(),
			Message: f["message"].GetStringValue(),

			ObservedGeneration: int64(f["observedGeneration"].GetNumberValue()),
		}
	}
	return metav1.Condition{Type: conditionType, Status: metav1.ConditionUnknown}
}

// decoder knows the types functions read. No function asks who set a field, and
// managedFields, which say it, are half of what Crossplane sends.
var decoder = structjson.NewDecoder(reflect.TypeFor[[]metav1.ManagedFieldsEntry]()) //nolint:gochecknoglobals // What it learns of a type, it learns once.

// decode is tolerant of unknown fields, so that a function may be older than
// the schema of what it reads.
func decode(s *structpb.Struct, into any) error {
	return decoder.Decode(s, into)
}

// encode an object to exactly the fields its JSON has. By way of a map, as
// protojson takes twice the time to read it.
func encode(object any) (*structpb.Struct, error) {
	j, err := json.Marshal(object)
	if err != nil {
		return nil, err
	}
	m := map[string]any{}
	if err := json.Unmarshal(j, &m); err != nil {
		return nil, err
	}
	return structpb.NewStruct(m)
}
