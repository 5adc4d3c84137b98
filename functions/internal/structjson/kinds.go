package structjson

import (
	"encoding"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"

	"google.golang.org/protobuf/types/known/structpb"
)

// choose how to decode values of a type.
func (d *Decoder) choose(t reflect.Type) decodeFunc {
	switch {
	case t.Kind() == reflect.Pointer:
		return d.pointer(t)
	case implements[json.Unmarshaler](t):
		return unmarshaler
	case implements[encoding.TextUnmarshaler](t), t == reflect.TypeFor[json.Number]():
		return viaJSON
	}

	switch t.Kind() {
	case reflect.Struct:
		return d.structure(t)
	case reflect.Slice:
		if t.Elem().Kind() != reflect.Uint8 { // Bytes are encoded.
			return d.slice(t)
		}
	case reflect.Map:
		if t.Key().Kind() == reflect.String && !implements[encoding.TextUnmarshaler](t.Key()) {
			return d.dictionary(t)
		}
	case reflect.Interface:
		if t.NumMethod() == 0 {
			return anything
		}
	case reflect.String:
		return text
	case reflect.Bool:
		return boolean
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return integer
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return natural
	case reflect.Float32, reflect.Float64:
		return float
	default:
	}
	return viaJSON
}

// implements says whether a pointer to the type has the methods of an interface.
func implements[T any](t reflect.Type) bool {
	return reflect.PointerTo(t).Implements(reflect.TypeFor[T]())
}

// isNull says whether a value is null, or says nothing.
func isNull(v *structpb.Value) bool {
	switch v.GetKind().(type) {
	case nil, *structpb.Value_NullValue:
		return true
	}
	return false
}

func (d *Decoder) pointer(t reflect.Type) decodeFunc {
	elem := d.make(t.Elem())
	return func(into reflect.Value, from *structpb.Value) error {
		if isNull(from) {
			into.SetZero()
			return nil
		}
		if into.IsNil() {
			into.Set(reflect.New(t.Elem()))
		}
		return elem.decode(into.Elem(), from)
	}
}

func (d *Decoder) slice(t reflect.Type) decodeFunc {
	elem := d.make(t.Elem())
	return func(into reflect.Value, from *structpb.Value) error {
		if isNull(from) {
			into.SetZero()
			return nil
		}
		list, ok := from.GetKind().(*structpb.Value_ListValue)
		if !ok {
			return mismatch(into, from)
		}
		values := list.ListValue.GetValues()
		out := reflect.MakeSlice(t, len(values), len(values))
		for i, v := range values {
			if err := elem.decode(out.Index(i), v); err != nil {
				return within("["+strconv.Itoa(i)+"]", err)
			}
		}
		into.Set(out)
		return nil
	}
}

func (d *Decoder) dictionary(t reflect.Type) decodeFunc {
	elem := d.make(t.Elem())
	return func(into reflect.Value, from *structpb.Value) error {
		if isNull(from) {
			into.SetZero()
			return nil
		}
		s, ok := from.GetKind().(*structpb.Value_StructValue)
		if !ok {
			return mismatch(into, from)
		}
		fields := s.StructValue.GetFields()
		if into.IsNil() {
			into.Set(reflect.MakeMapWithSize(t, len(fields)))
		}
		key, value := reflect.New(t.Key()).Elem(), reflect.New(t.Elem()).Elem()
		for name, v := range fields {
			key.SetString(name)
			value.SetZero()
			if err := elem.decode(value, v); err != nil {
				return within("["+strconv.Quote(name)+"]", err)
			}
			into.SetMapIndex(key, value)
		}
		return nil
	}
}

func anything(into reflect.Value, from *structpb.Value) error {
	if isNull(from) {
		into.SetZero()
		return nil
	}
	into.Set(reflect.ValueOf(from.AsInterface()))
	return nil
}

func text(into reflect.Value, from *structpb.Value) error {
	s, ok := from.GetKind().(*structpb.Value_StringValue)
	if !ok {
		return mismatch(into, from)
	}
	into.SetString(s.StringValue)
	return nil
}

func boolean(into reflect.Value, from *structpb.Value) error {
	b, ok := from.GetKind().(*structpb.Value_BoolValue)
	if !ok {
		return mismatch(into, from)
	}
	into.SetBool(b.BoolValue)
	return nil
}

// The first whole numbers that an int64 and a uint64 cannot hold.
const (
	beyondInt64  = 1 << 63
	beyondUint64 = 1 << 64
)

func integer(into reflect.Value, from *structpb.Value) error {
	n, ok := from.GetKind().(*structpb.Value_NumberValue)
	if !ok {
		return mismatch(into, from)
	}
	f := n.NumberValue
	if f != math.Trunc(f) || f < -beyondInt64 || f >= beyondInt64 || into.OverflowInt(int64(f)) {
		return mismatch(into, from)
	}
	into.SetInt(int64(f))
	return nil
}

func natural(into reflect.Value, from *structpb.Value) error {
	n, ok := from.GetKind().(*structpb.Value_NumberValue)
	if !ok {
		return mismatch(into, from)
	}
	f := n.NumberValue
	if f != math.Trunc(f) || math.Signbit(f) || f >= beyondUint64 || into.OverflowUint(uint64(f)) {
		return mismatch(into, from)
	}
	into.SetUint(uint64(f))
	return nil
}

func float(into reflect.Value, from *structpb.Value) error {
	n, ok := from.GetKind().(*structpb.Value_NumberValue)
	if !ok {
		return mismatch(into, from)
	}
	f := n.NumberValue
	if math.IsNaN(f) || math.IsInf(f, 0) || into.OverflowFloat(f) {
		return mismatch(into, from)
	}
	into.SetFloat(f)
	return nil
}

// unmarshaler has a type decode itself.
func unmarshaler(into reflect.Value, from *structpb.Value) error {
	j, err := toJSON(from)
	if err != nil {
		return err
	}
	u, _ := into.Addr().Interface().(json.Unmarshaler)
	return u.UnmarshalJSON(j)
}

// viaJSON leaves a value to encoding/json.
func viaJSON(into reflect.Value, from *structpb.Value) error {
	j, err := toJSON(from)
	if err != nil {
		return err
	}
	return json.Unmarshal(j, into.Addr().Interface())
}

func toJSON(v *structpb.Value) ([]byte, error) {
	s, ok := v.GetKind().(*structpb.Value_StringValue)
	if ok && plain(s.StringValue) {
		return []byte(`"` + s.StringValue + `"`), nil
	}
	return json.Marshal(v.AsInterface())
}

// plain says whether a string is the same in JSON, as times and quantities are.
func plain(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool {
		return r < ' ' || r > '~' || r == '"' || r == '\\'
	}) < 0
}

// mismatch is the error of a value that a type cannot hold. Null fits any type,
// and changes nothing.
func mismatch(into reflect.Value, from *structpb.Value) error {
	if isNull(from) {
		return nil
	}
	return fmt.Errorf("cannot decode %s as %s", describe(from), into.Type())
}

func describe(v *structpb.Value) string {
	switch k := v.GetKind().(type) {
	case *structpb.Value_NumberValue:
		return "the number " + strconv.FormatFloat(k.NumberValue, 'g', -1, 64)
	case *structpb.Value_StringValue:
		return "a string"
	case *structpb.Value_BoolValue:
		return "a boolean"
	case *structpb.Value_StructValue:
		return "an object"
	case *structpb.Value_ListValue:
		return "a list"
	}
	return "null"
}
