package xfn

import (
	"maps"
	"slices"

	fnv1 "github.com/crossplane/function-sdk-go/proto/v1"
	"google.golang.org/protobuf/types/known/structpb"
	corev1 "k8s.io/api/core/v1"

	"github.com/modelplane-go/modelplane/schemas/remote"
)

// forgetSecrets leaves out what observed Secrets hold. provider-kubernetes writes
// the Secret it copies into its Object's own manifest, and Crossplane sends that
// to functions. None needs it, and one that desired it again would take it from
// the provider, which could not follow a change of the Secret any more.
func forgetSecrets(req *fnv1.RunFunctionRequest) {
	for _, r := range req.GetObserved().GetResources() {
		object := r.GetResource()
		if object.GetFields()["kind"].GetStringValue() != remote.KindObject {
			continue
		}
		forgetContent(structAt(object, "spec", "forProvider", "manifest"))
		forgetContent(structAt(object, "status", "atProvider", "manifest"))
	}
}

// forgetContent leaves of a Secret what says which it is. A provider that patches
// notes the whole of what it applied in an annotation.
func forgetContent(manifest *structpb.Struct) {
	f := manifest.GetFields()
	if f["apiVersion"].GetStringValue() != corev1.SchemeGroupVersion.String() || f["kind"].GetStringValue() != "Secret" {
		return
	}
	maps.DeleteFunc(f, func(k string, _ *structpb.Value) bool {
		return !slices.Contains([]string{"apiVersion", "kind", "metadata"}, k)
	})
	delete(structAt(manifest, "metadata", "annotations").GetFields(), corev1.LastAppliedConfigAnnotation)
}

// structAt is what stands at a path, or nil.
func structAt(s *structpb.Struct, path ...string) *structpb.Struct {
	for _, k := range path {
		s = s.GetFields()[k].GetStructValue()
	}
	return s
}
