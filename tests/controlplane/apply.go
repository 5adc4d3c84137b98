package controlplane

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/apiutil"
)

const (
	// fieldManager is who applies what tests apply.
	fieldManager = "fleet"

	// How long the API server may not know a kind, or not reach a webhook, after
	// it was told of it.
	applyTimeout = 30 * time.Second
)

// Apply objects, in order, and wait for each to be taken: the API server may be
// about to learn of its kind.
func (s *Server) Apply(ctx context.Context, objects ...client.Object) error {
	for _, o := range objects {
		u, err := toUnstructured(o)
		if err != nil {
			return err
		}
		if err := s.apply(ctx, u); err != nil {
			return fmt.Errorf("cannot apply %s %s to %s: %w", u.GetKind(), u.GetName(), s.Name, err)
		}
	}
	return nil
}

func (s *Server) apply(ctx context.Context, u *unstructured.Unstructured) error {
	var no error
	err := eventually(ctx, applyTimeout, func(ctx context.Context) error {
		err := s.Client.Apply(ctx, client.ApplyConfigurationFromUnstructured(u.DeepCopy()), client.FieldOwner(fieldManager), client.ForceOwnership)
		if final(err) {
			no = err
			return nil
		}
		return err
	})
	return errors.Join(no, err)
}

// final says whether an API server will not change its mind about an object.
func final(err error) bool {
	return apierrors.IsInvalid(err) || apierrors.IsBadRequest(err) || apierrors.IsForbidden(err)
}

// ApplyYAML applies the objects of a text.
func (s *Server) ApplyYAML(ctx context.Context, text string) error {
	objects, err := decode(strings.NewReader(text))
	if err != nil {
		return err
	}
	return s.Apply(ctx, objects...)
}

// ApplyFiles applies the objects of files, and of all YAML files of folders.
func (s *Server) ApplyFiles(ctx context.Context, paths ...string) error {
	for _, p := range paths {
		objects, err := ReadObjects(p)
		if err != nil {
			return err
		}
		if err := s.Apply(ctx, objects...); err != nil {
			return err
		}
	}
	return nil
}

// applyAtOnce applies the objects of files and folders in no order.
func (s *Server) applyAtOnce(ctx context.Context, paths ...string) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(8)
	for _, p := range paths {
		objects, err := ReadObjects(p)
		if err != nil {
			return err
		}
		for _, o := range objects {
			g.Go(func() error { return s.Apply(ctx, o) })
		}
	}
	return g.Wait()
}

// ReadObjects reads the objects of a file, or of all YAML files of a folder.
func ReadObjects(path string) ([]client.Object, error) {
	files := []string{path}
	if fi, err := os.Stat(path); err == nil && fi.IsDir() {
		files, err = filepath.Glob(filepath.Join(path, "*.yaml"))
		if err != nil || len(files) == 0 {
			return nil, errors.Join(fmt.Errorf("cannot find YAML files in %s", path), err)
		}
	}
	slices.Sort(files)

	var out []client.Object
	for _, path := range files {
		f, err := os.Open(path)
		if err != nil {
			return nil, fmt.Errorf("cannot read objects: %w", err)
		}
		objects, err := decode(f)
		_ = f.Close()
		if err != nil {
			return nil, fmt.Errorf("cannot read objects of %s: %w", path, err)
		}
		out = append(out, objects...)
	}
	return out, nil
}

// decode the objects of a YAML stream.
func decode(r io.Reader) ([]client.Object, error) {
	var out []client.Object
	d := yaml.NewYAMLOrJSONDecoder(r, 4096)
	for {
		u := &unstructured.Unstructured{}
		err := d.Decode(u)
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return nil, fmt.Errorf("cannot decode YAML: %w", err)
		}
		if len(u.Object) > 0 {
			out = append(out, u)
		}
	}
}

// toUnstructured returns what an object says, without what only its server does.
func toUnstructured(o client.Object) (*unstructured.Unstructured, error) {
	if u, ok := o.(*unstructured.Unstructured); ok {
		return u, nil
	}
	gvk := o.GetObjectKind().GroupVersionKind()
	if gvk.Empty() {
		var err error
		if gvk, err = apiutil.GVKForObject(o, scheme()); err != nil {
			return nil, fmt.Errorf("cannot tell the kind of an object: %w", err)
		}
	}
	m, err := runtime.DefaultUnstructuredConverter.ToUnstructured(o)
	if err != nil {
		return nil, fmt.Errorf("cannot convert an object: %w", err)
	}
	u := &unstructured.Unstructured{Object: m}
	u.SetGroupVersionKind(gvk)
	unstructured.RemoveNestedField(u.Object, "status")
	unstructured.RemoveNestedField(u.Object, "metadata", "creationTimestamp")
	return u, nil
}

// eventually calls a function until it returns nil, and returns its last error
// if it never does.
func eventually(ctx context.Context, within time.Duration, f func(ctx context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	var last error
	for {
		err := f(ctx)
		if err == nil {
			return nil
		}
		if last == nil || ctx.Err() == nil {
			last = err
		}
		select {
		case <-ctx.Done():
			return errors.Join(last, ctx.Err())
		case <-time.After(100 * time.Millisecond):
		}
	}
}
