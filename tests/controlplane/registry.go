package controlplane

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/modelplane-go/modelplane/tests/packages"
)

// packageHost is where our packages, and those they depend on, are published. A
// fleet has them from a registry of its own.
const packageHost = "xpkg.crossplane.io"

// startRegistry serves a registry of packages from memory, and returns its
// address.
func (f *Fleet) startRegistry(ctx context.Context) (string, error) {
	port, err := f.ports.take()
	if err != nil {
		return "", err
	}
	r, err := packages.Serve(ctx, local(port))
	if err != nil {
		return "", err
	}
	f.atEnd(func() { _ = r.Close() })
	return r.Address, nil
}

// serve HTTP until the fleet stops, and return the address.
func (f *Fleet) serve(ctx context.Context, h http.Handler) (string, error) {
	port, err := f.ports.take()
	if err != nil {
		return "", err
	}
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", local(port))
	if err != nil {
		return "", fmt.Errorf("cannot serve: %w", err)
	}
	s := &http.Server{Handler: h, ReadHeaderTimeout: time.Minute}
	go func() { _ = s.Serve(l) }()
	f.atEnd(func() { _ = s.Close() })
	return l.Addr().String(), nil
}

// rewriteImages tells Crossplane to have packages from another registry. What a
// package says it depends on stays as it is.
func (f *Fleet) rewriteImages(ctx context.Context) error {
	u := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "pkg.crossplane.io/v1beta1",
		"kind":       "ImageConfig",
		"metadata":   map[string]any{"name": "fleet-registry"},
		"spec": map[string]any{
			"matchImages":  []any{map[string]any{"type": "Prefix", "prefix": packageHost}},
			"rewriteImage": map[string]any{"prefix": f.registry},
		},
	}}
	return f.ControlPlane.Apply(ctx, u)
}
