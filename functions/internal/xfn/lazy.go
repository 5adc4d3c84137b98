package xfn

import (
	"slices"

	fnv1 "github.com/crossplane/function-sdk-go/proto/v1"
	"google.golang.org/grpc/encoding"
	encodingproto "google.golang.org/grpc/encoding/proto"
	"google.golang.org/grpc/mem"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"
)

// Numbers of fields of a RunFunctionRequest.
const (
	fieldObserved          protowire.Number = 2
	fieldRequiredResources protowire.Number = 8
)

// Numbers of fields of what is in it. A map is a list of entries.
const (
	fieldComposite protowire.Number = 1 // State
	fieldComposed  protowire.Number = 2 // State
	fieldItems     protowire.Number = 1 // Resources
	fieldResource  protowire.Number = 1 // Resource
	fieldFields    protowire.Number = 1 // Struct
	fieldStruct    protowire.Number = 5 // Value
	fieldKey       protowire.Number = 1 // An entry.
	fieldValue     protowire.Number = 2 // An entry.
)

// A lazyCodec is gRPC's, but that it has UnmarshalRequest unmarshal requests.
type lazyCodec struct{ encoding.CodecV2 }

// useLazyCodec has every gRPC server of this process unmarshal requests lazily. It
// must be called before there is one.
func useLazyCodec() {
	encoding.RegisterCodecV2(lazyCodec{encoding.GetCodecV2(encodingproto.Name)})
}

// Unmarshal a message.
func (c lazyCodec) Unmarshal(data mem.BufferSlice, into any) error {
	req, ok := into.(*fnv1.RunFunctionRequest)
	if !ok {
		return c.CodecV2.Unmarshal(data, into)
	}
	buf := data.MaterializeToBuffer(mem.DefaultBufferPool())
	defer buf.Free()
	return UnmarshalRequest(buf.ReadOnlyData(), req)
}

// UnmarshalRequest unmarshals what of a request a function may ask for.
//
// Required resources may be the whole fleet, and Structs take ten times the memory
// of their bytes. So the bytes are left as they are, among the request's unknown
// fields: Require makes a Struct of one at a time. Nobody asks who set the fields
// of an object, and managedFields, which say it, are half of most objects: they
// are left out.
func UnmarshalRequest(b []byte, req *fnv1.RunFunctionRequest) error {
	later := make([]byte, 0, len(b))
	err := eachField(b, func(f wireField) error {
		if f.number == fieldRequiredResources {
			later = append(later, f.whole...)
			return nil
		}
		whole, err := withoutManagedFields(f.whole, hop{number: fieldObserved}, hop{number: fieldComposite})
		if err != nil {
			return err
		}
		whole, err = withoutManagedFields(whole, hop{number: fieldObserved}, hop{number: fieldComposed}, hop{number: fieldValue})
		if err != nil {
			return err
		}
		return proto.UnmarshalOptions{Merge: true}.Unmarshal(whole, req)
	})
	if err != nil {
		return err
	}
	if m := req.ProtoReflect(); len(later) > 0 {
		m.SetUnknown(append(later, m.GetUnknown()...))
	}
	return nil
}

// unread returns the Resources of a key that were not unmarshalled yet, and false
// if there are none.
func unread(req *fnv1.RunFunctionRequest, key string) (items [][]byte, found bool, err error) {
	err = eachField(req.ProtoReflect().GetUnknown(), func(f wireField) error {
		if f.number != fieldRequiredResources {
			return nil
		}
		k, resources, err := f.entry()
		if err != nil || k != key {
			return err
		}
		items, found = nil, true // The last entry of a key counts.
		return eachField(resources, func(item wireField) error {
			if item.number == fieldItems {
				items = append(items, item.content)
			}
			return nil
		})
	})
	return items, found, err
}

// unmarshalObject makes a Struct of the bytes of a Resource.
func unmarshalObject(resource []byte) (*structpb.Struct, error) {
	b, err := withoutManagedFields(resource)
	if err != nil {
		return nil, err
	}
	r := &fnv1.Resource{}
	err = proto.Unmarshal(b, r)
	return r.GetResource(), err
}

// A hop is from a message to one in it: that of a field, or if the field is a map
// and the hop has a key, the entry of the key.
type hop struct {
	number protowire.Number
	key    string
}

// withoutManagedFields returns a message without those of the Resource at a path.
func withoutManagedFields(message []byte, path ...hop) ([]byte, error) {
	return without(message, append(path,
		hop{number: fieldResource},
		hop{number: fieldFields, key: "metadata"},
		hop{number: fieldValue},
		hop{number: fieldStruct},
		hop{number: fieldFields, key: "managedFields"},
	)...)
}

// without returns a message without what is at a path.
func without(message []byte, path ...hop) ([]byte, error) {
	return appendWithout(make([]byte, 0, len(message)), message, path)
}

func appendWithout(out, message []byte, path []hop) ([]byte, error) {
	err := eachField(message, func(f wireField) error {
		on, err := f.on(path[0])
		if err != nil {
			return err
		}
		if !on {
			out = append(out, f.whole...)
			return nil
		}
		if len(path) == 1 {
			return nil
		}
		out = protowire.AppendTag(out, f.number, protowire.BytesType)
		start := len(out)
		out, err = appendWithout(out, f.content, path[1:])
		out = slices.Insert(out, start, protowire.AppendVarint(nil, uint64(len(out)-start))...) //nolint:gosec // It did not shrink.
		return err
	})
	return out, err
}

// A wireField is a field of a message as it was sent.
type wireField struct {
	number  protowire.Number
	whole   []byte
	content []byte // Of a message, a string or bytes. Nil of anything else.
}

// eachField of a message, in order.
func eachField(message []byte, do func(f wireField) error) error {
	for len(message) > 0 {
		number, typ, tag := protowire.ConsumeTag(message)
		if tag < 0 {
			return protowire.ParseError(tag)
		}
		n := protowire.ConsumeFieldValue(number, typ, message[tag:])
		if n < 0 {
			return protowire.ParseError(n)
		}
		f := wireField{number: number, whole: message[:tag+n]}
		if typ == protowire.BytesType {
			f.content, _ = protowire.ConsumeBytes(message[tag:])
		}
		if err := do(f); err != nil {
			return err
		}
		message = message[tag+n:]
	}
	return nil
}

// on says whether a field is where a hop leads.
func (f wireField) on(h hop) (bool, error) {
	if f.number != h.number || f.content == nil {
		return false, nil
	}
	if h.key == "" {
		return true, nil
	}
	key, _, err := f.entry()
	return key == h.key, err
}

// entry of a map.
func (f wireField) entry() (key string, value []byte, err error) {
	err = eachField(f.content, func(part wireField) error {
		switch part.number {
		case fieldKey:
			key = string(part.content)
		case fieldValue:
			value = part.content
		default:
		}
		return nil
	})
	return key, value, err
}
