package controlplane

import (
	"context"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// startReleases stands in for provider-helm where it cannot have an identity of
// its own, and so cannot install anything on the control plane: it says that what
// is to be installed is.
func (f *Fleet) startReleases(ctx context.Context) error {
	if f.programs.Isolated {
		return nil
	}
	kind := &unstructured.Unstructured{}
	kind.SetGroupVersionKind(schema.GroupVersionKind{Group: "helm.m.crossplane.io", Version: "v1beta1", Kind: "Release"})
	return f.watch(ctx, f.ControlPlane, kind, f.releaseChanged)
}

func (f *Fleet) releaseChanged(ctx context.Context, _ client.ObjectKey, o client.Object) error {
	r, ok := o.(*unstructured.Unstructured)
	if !ok || r.GetDeletionTimestamp() != nil {
		return nil
	}
	conditions, _, err := unstructured.NestedSlice(r.Object, "status", "conditions")
	if err != nil {
		return fmt.Errorf("cannot read a release: %w", err)
	}
	for _, c := range conditions {
		if c, ok := c.(map[string]any); ok && c["type"] == "Ready" && c["status"] == "True" {
			return nil
		}
	}

	u := &unstructured.Unstructured{Object: map[string]any{"status": map[string]any{"conditions": []any{map[string]any{
		"type":               "Ready",
		"status":             "True",
		"reason":             reasonStandIn,
		"message":            "Nothing is installed. This says that it is.",
		"lastTransitionTime": time.Now().UTC().Format(time.RFC3339),
	}}}}}
	u.SetGroupVersionKind(r.GroupVersionKind())
	u.SetNamespace(r.GetNamespace())
	u.SetName(r.GetName())
	err = f.ControlPlane.Client.Status().Apply(ctx, client.ApplyConfigurationFromUnstructured(u), client.FieldOwner(standIn), client.ForceOwnership)
	if err != nil {
		return fmt.Errorf("cannot stand in for a release: %w", err)
	}
	return nil
}
