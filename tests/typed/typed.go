// Package typed reads objects of our kinds from an API server as the types of
// schemas, which have no client of their own: functions need none.
package typed

import (
	"context"
	"encoding/json"
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/modelplane-go/modelplane/schemas/modelplane/v1alpha1"
)

// List all objects of a kind.
func List[T any](ctx context.Context, c client.Reader, kind string, opts ...client.ListOption) ([]T, error) {
	found := &unstructured.UnstructuredList{}
	found.SetGroupVersionKind(v1alpha1.GroupVersion.WithKind(kind + "List"))
	if err := c.List(ctx, found, opts...); err != nil {
		return nil, fmt.Errorf("cannot list %ss: %w", kind, err)
	}
	out := make([]T, 0, len(found.Items))
	return out, convert(kind, found.Items, &out)
}

// Get an object of a kind.
func Get[T any](ctx context.Context, c client.Reader, kind string, key client.ObjectKey) (T, error) {
	var out T
	found := &unstructured.Unstructured{}
	found.SetGroupVersionKind(v1alpha1.GroupVersion.WithKind(kind))
	if err := c.Get(ctx, key, found); err != nil {
		return out, fmt.Errorf("cannot get %s %s: %w", kind, key, err)
	}
	return out, convert(kind, found, &out)
}

func convert(kind string, from, into any) error {
	j, err := json.Marshal(from)
	if err != nil {
		return fmt.Errorf("cannot encode %s: %w", kind, err)
	}
	if err := json.Unmarshal(j, into); err != nil {
		return fmt.Errorf("cannot decode %s: %w", kind, err)
	}
	return nil
}
