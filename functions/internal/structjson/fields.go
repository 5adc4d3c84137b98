package structjson

import (
	"cmp"
	"errors"
	"reflect"
	"slices"
	"strings"

	"google.golang.org/protobuf/types/known/structpb"
)

// A field of a struct, or of one embedded in it.
type field struct {
	name   string // In JSON.
	tagged bool   // The name is of a tag.
	index  []int  // As reflect.Value.FieldByIndex takes it.
	typ    reflect.Type
}

func (d *Decoder) structure(t reflect.Type) decodeFunc {
	fields, ok := fieldsOf(t)
	if !ok {
		return viaJSON
	}
	fields = slices.DeleteFunc(fields, func(f field) bool { return d.skip[f.typ] })
	plans := make([]*plan, len(fields))
	for i, f := range fields {
		plans[i] = d.make(f.typ)
	}

	return func(into reflect.Value, from *structpb.Value) error {
		s, ok := from.GetKind().(*structpb.Value_StructValue)
		if !ok {
			return mismatch(into, from)
		}
		values := s.StructValue.GetFields()
		for i := range fields {
			v, ok := values[fields[i].name]
			if !ok {
				continue
			}
			if err := plans[i].decode(into.FieldByIndex(fields[i].index), v); err != nil {
				return within("."+fields[i].name, err)
			}
		}
		return nil
	}
}

// fieldsOf lists the fields that encoding/json decodes into, in their order. It
// returns false where only encoding/json knows.
func fieldsOf(t reflect.Type) ([]field, bool) {
	all, ok := collect(t, nil)
	if !ok {
		return nil, false
	}

	// Of fields of one name the outermost counts, and among those the one that is
	// tagged. If that leaves several, none counts.
	slices.SortStableFunc(all, func(a, b field) int {
		return cmp.Or(cmp.Compare(a.name, b.name), cmp.Compare(len(a.index), len(b.index)), compareTagged(a, b))
	})
	var out []field
	for i, f := range all {
		if i > 0 && all[i-1].name == f.name {
			continue
		}
		if i+1 < len(all) && all[i+1].name == f.name && len(all[i+1].index) == len(f.index) && all[i+1].tagged == f.tagged {
			continue
		}
		out = append(out, f)
	}
	slices.SortFunc(out, func(a, b field) int { return slices.Compare(a.index, b.index) })
	return out, true
}

func compareTagged(a, b field) int {
	switch {
	case a.tagged == b.tagged:
		return 0
	case a.tagged:
		return -1
	default:
		return 1
	}
}

// collect the fields of a struct and those embedded in it.
func collect(t reflect.Type, outer []int) ([]field, bool) {
	var out []field
	for i := range t.NumField() {
		sf := t.Field(i)
		name, ok := nameOf(sf)
		if !ok {
			return nil, false
		}
		index := append(slices.Clone(outer), i)
		switch {
		case sf.Tag.Get("json") == "-":
		case sf.Anonymous && name == "" && sf.Type.Kind() == reflect.Struct:
			inner, ok := collect(sf.Type, index)
			if !ok {
				return nil, false
			}
			out = append(out, inner...)
		case sf.Anonymous && name == "" && sf.Type.Kind() == reflect.Pointer:
			return nil, false
		case sf.IsExported():
			out = append(out, field{name: cmp.Or(name, sf.Name), tagged: name != "", index: index, typ: sf.Type})
		}
	}
	return out, true
}

// nameOf a field by its tag, or nothing. It returns false if only encoding/json
// knows what the tag means.
func nameOf(sf reflect.StructField) (string, bool) {
	name, options, _ := strings.Cut(sf.Tag.Get("json"), ",")
	return name, strings.Trim(name, letters) == "" && !slices.Contains(strings.Split(options, ","), "string")
}

// letters of the names that are taken from tags. encoding/json knows of others.
const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.$"

// A pathError is an error somewhere in a value.
type pathError struct {
	path string
	err  error
}

// within puts a step before the path of an error.
func within(step string, err error) error {
	if inner, ok := errors.AsType[*pathError](err); ok {
		return &pathError{path: step + inner.path, err: inner.err}
	}
	return &pathError{path: step, err: err}
}

func (e *pathError) Error() string {
	return strings.TrimPrefix(e.path, ".") + ": " + e.err.Error()
}

func (e *pathError) Unwrap() error { return e.err }
