package xfn

import (
	"maps"
	"strings"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"
)

// crossplaneDomain is the domain of the labels, annotations and the field of an
// XR's spec that are Crossplane's own to write.
const crossplaneDomain = "crossplane.io/"

// partial returns of an observed resource what a function may desire: its
// identity, its labels and annotations, and everything else it states, but not
// its status, nor what the API server and Crossplane keep in it.
func partial(observed *structpb.Struct) *structpb.Struct {
	out, _ := proto.Clone(observed).(*structpb.Struct)
	delete(out.GetFields(), "status")

	// An XR's spec.crossplane says which Composition it uses and what it
	// composed. Only its own reconciler may write that.
	delete(out.GetFields()["spec"].GetStructValue().GetFields(), "crossplane")

	meta := out.GetFields()["metadata"].GetStructValue().GetFields()
	kept := map[string]*structpb.Value{}
	for _, k := range []string{"name", "namespace"} {
		if v, ok := meta[k]; ok {
			kept[k] = v
		}
	}
	for _, k := range []string{"labels", "annotations"} {
		m := meta[k].GetStructValue().GetFields()
		maps.DeleteFunc(m, func(key string, _ *structpb.Value) bool { return strings.Contains(key, crossplaneDomain) })
		if len(m) > 0 {
			kept[k] = meta[k]
		}
	}
	out.Fields["metadata"] = structpb.NewStructValue(&structpb.Struct{Fields: kept})
	return out
}

// contains says whether a value has all that another states. Lists are compared
// as a whole.
func contains(have, want *structpb.Value) bool {
	ws, ok := want.GetKind().(*structpb.Value_StructValue)
	if !ok {
		return proto.Equal(have, want)
	}
	for k, v := range ws.StructValue.GetFields() {
		if !contains(have.GetStructValue().GetFields()[k], v) {
			return false
		}
	}
	return true
}
