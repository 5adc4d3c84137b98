package structjson

import (
	"fmt"
	"reflect"
	"sync"

	"google.golang.org/protobuf/types/known/structpb"
)

// A Decoder decodes Structs. It may be used by any number of goroutines at once.
type Decoder struct {
	skip map[reflect.Type]bool

	mu    sync.RWMutex
	plans map[reflect.Type]*plan
}

// NewDecoder returns a Decoder that passes fields of the supplied types over, as
// if the types that have them did not.
func NewDecoder(skip ...reflect.Type) *Decoder {
	d := &Decoder{skip: map[reflect.Type]bool{}, plans: map[reflect.Type]*plan{}}
	for _, t := range skip {
		d.skip[t] = true
	}
	return d
}

// Decode a Struct into what into points to. What the Struct does not say stays as
// it is.
func (d *Decoder) Decode(s *structpb.Struct, into any) error {
	v := reflect.ValueOf(into)
	if v.Kind() != reflect.Pointer || v.IsNil() {
		return fmt.Errorf("cannot decode into %T: it is no pointer, or nil", into)
	}
	return d.plan(v.Type().Elem()).decode(v.Elem(), structpb.NewStructValue(s))
}

// A plan is how to decode values of a type. Plans of types that contain
// themselves refer to themselves, so it is filled in after it is made.
type plan struct {
	decode decodeFunc
}

// A decodeFunc sets a value, which is settable.
type decodeFunc func(into reflect.Value, from *structpb.Value) error

// plan of a type, made once.
func (d *Decoder) plan(t reflect.Type) *plan {
	d.mu.RLock()
	p, ok := d.plans[t]
	d.mu.RUnlock()
	if ok {
		return p
	}

	// Whoever looks a plan up waits until all it refers to are filled in.
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.make(t)
}

// make the plan of a type, and of those it is made of.
func (d *Decoder) make(t reflect.Type) *plan {
	if p, ok := d.plans[t]; ok {
		return p
	}
	p := &plan{}
	d.plans[t] = p
	p.decode = d.choose(t)
	return p
}
