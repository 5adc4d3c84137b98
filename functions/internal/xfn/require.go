package xfn

import (
	"github.com/crossplane/function-sdk-go/errors"
	fnv1 "github.com/crossplane/function-sdk-go/proto/v1"
	"google.golang.org/protobuf/types/known/structpb"
)

// A State of a required resource is what is known of it.
type State int

// What may be known of a required resource.
const (
	// Unresolved resources were not fetched yet: nothing is known of them, and
	// nothing may be concluded.
	Unresolved State = iota
	// Absent resources were looked for, and do not exist.
	Absent
	// Present resources exist.
	Present
)

// An Answer is what a function learns when it requires resources.
type Answer[T any] struct {
	State State
	Items []T // Sorted by namespace and name. Empty unless Present.
}

// A Selector says which resources are required: the one named, or all of a kind
// that carry the labels, in one namespace or in all of them.
type Selector struct {
	APIVersion string
	Kind       string
	Name       string
	Namespace  string
	Labels     map[string]string
}

// Require resources. A requirement must be repeated on every call on which it
// still stands; the answer comes with the next call that Crossplane makes, at
// once, because the requirements changed.
func Require[T any](c *Call, key string, s Selector) (Answer[T], error) {
	if c.rsp.GetRequirements() == nil {
		c.rsp.Requirements = &fnv1.Requirements{Resources: map[string]*fnv1.ResourceSelector{}}
	}
	c.rsp.Requirements.Resources[key] = s.toProto()

	items, ok, err := c.required(key)
	if err != nil {
		return Answer[T]{}, errors.Wrapf(err, "cannot read required %s of %q", s.Kind, key)
	}
	if !ok {
		return Answer[T]{State: Unresolved}, nil
	}
	if len(items) == 0 {
		return Answer[T]{State: Absent}, nil
	}
	a := Answer[T]{State: Present, Items: make([]T, len(items))}
	for i, object := range items {
		o, err := object()
		if err == nil {
			err = decode(o, &a.Items[i])
		}
		if err != nil {
			return Answer[T]{}, errors.Wrapf(err, "cannot decode required %s of %q", s.Kind, key)
		}
	}
	return a, nil
}

// An object makes a Struct of a resource when it is called.
type object func() (*structpb.Struct, error)

// required resources of a key. It returns false if there are none of the key.
func (c *Call) required(key string) ([]object, bool, error) {
	if found, ok := c.req.GetRequiredResources()[key]; ok {
		out := make([]object, len(found.GetItems()))
		for i, r := range found.GetItems() {
			out[i] = func() (*structpb.Struct, error) { return r.GetResource(), nil }
		}
		return out, true, nil
	}
	items, ok, err := unread(c.req, key)
	out := make([]object, len(items))
	for i, b := range items {
		out[i] = func() (*structpb.Struct, error) { return unmarshalObject(b) }
	}
	return out, ok, err
}

func (s Selector) toProto() *fnv1.ResourceSelector {
	out := &fnv1.ResourceSelector{ApiVersion: s.APIVersion, Kind: s.Kind}
	if s.Namespace != "" {
		out.Namespace = &s.Namespace
	}
	switch {
	case s.Name != "":
		out.Match = &fnv1.ResourceSelector_MatchName{MatchName: s.Name}
	case len(s.Labels) > 0:
		out.Match = &fnv1.ResourceSelector_MatchLabels{MatchLabels: &fnv1.MatchLabels{Labels: s.Labels}}
	}
	return out
}
