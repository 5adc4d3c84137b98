package preview

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"
)

// A Renderer renders composite resources through the real render engine, with
// our functions served on loopback.
type Renderer struct {
	apis      map[string]*api
	cli       string
	core      string
	dir       string // Scratch.
	functions string // The path of functions.yaml.
	servers   map[string]*server
	stop      func()
}

// Binaries are the programs a preview runs.
type Binaries struct {
	CLI       string            // The Crossplane CLI.
	Core      string            // Crossplane core.
	Functions map[string]string // By name: compose-model-deployment.
}

// NewRenderer serves the functions until it is closed. APIs is the folder of
// XRDs and Compositions.
func NewRenderer(ctx context.Context, apis string, b Binaries) (*Renderer, error) {
	abs, err := filepath.Abs(apis)
	if err != nil {
		return nil, fmt.Errorf("cannot find APIs: %w", err)
	}
	known, err := readAPIs(abs)
	if err != nil {
		return nil, err
	}
	if err := checkFunctions(known, b.Functions); err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "modelplane-preview-")
	if err != nil {
		return nil, fmt.Errorf("cannot make scratch folder: %w", err)
	}
	servers, stop, err := serve(ctx, b.Functions, dir)
	if err != nil {
		_ = os.RemoveAll(dir)
		return nil, err
	}
	r := &Renderer{apis: known, cli: b.CLI, core: b.Core, dir: dir, servers: servers, stop: stop}
	if err := r.writeFunctions(); err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

// Close ends the functions.
func (r *Renderer) Close() {
	r.stop()
	_ = os.RemoveAll(r.dir)
}

// checkFunctions checks that there is a binary of every function that a
// Composition calls.
func checkFunctions(apis map[string]*api, binaries map[string]string) error {
	var errs []error
	for _, a := range apis {
		for _, f := range a.functions {
			if _, ok := binaries[binary(f)]; !ok {
				errs = append(errs, fmt.Errorf("%s calls function %s, but there is no functions/%s", a.composition, f, binary(f)))
			}
		}
	}
	return errors.Join(errs...)
}

// writeFunctions tells the CLI where each function is served.
func (r *Renderer) writeFunctions() error {
	r.functions = filepath.Join(r.dir, "functions.yaml")
	objects := make([]*unstructured.Unstructured, 0, len(r.servers))
	for name, s := range r.servers {
		f := &unstructured.Unstructured{}
		f.SetAPIVersion("pkg.crossplane.io/v1")
		f.SetKind("Function")
		f.SetName(functionPrefix + name)
		f.SetAnnotations(map[string]string{
			"render.crossplane.io/runtime":                    "Development",
			"render.crossplane.io/runtime-development-target": s.target(),
		})
		set(f, "xpkg.crossplane.io/modelplane-go/"+name, "spec", "package")
		objects = append(objects, f)
	}
	return writeYAML(r.functions, objects)
}

// A rendered composite resource.
type rendered struct {
	xr       *unstructured.Unstructured
	composed []*unstructured.Unstructured
	warnings []string
}

// render a composite resource, given what it has composed before and everything
// else there is.
func (r *Renderer) render(ctx context.Context, xr *unstructured.Unstructured, observed, others []*unstructured.Unstructured) (*rendered, error) {
	a, ok := r.apis[xr.GetKind()]
	if !ok {
		return nil, fmt.Errorf("cannot compose a %s", xr.GetKind())
	}
	dir, err := os.MkdirTemp(r.dir, "render-")
	if err != nil {
		return nil, fmt.Errorf("cannot make scratch folder: %w", err)
	}
	defer func() { _ = os.RemoveAll(dir) }()

	path := func(name string) string { return filepath.Join(dir, name+".yaml") }
	args := []string{
		"composition", "render", path("xr"), a.composition, r.functions,
		"--crossplane-binary=" + r.core, "--xrd=" + a.definition, "--include-function-results",
	}
	if err := writeYAML(path("xr"), []*unstructured.Unstructured{xr}); err != nil {
		return nil, err
	}
	if len(observed) > 0 {
		args = append(args, "--observed-resources="+path("observed"))
		if err := writeYAML(path("observed"), observed); err != nil {
			return nil, err
		}
	}
	if len(others) > 0 {
		args = append(args, "--required-resources="+path("required"))
		if err := writeYAML(path("required"), others); err != nil {
			return nil, err
		}
	}
	out, err := r.run(ctx, args)
	if err != nil {
		return nil, fmt.Errorf("cannot render %s: %w%s", title(xr), err, r.logs(a))
	}
	return parse(xr, out)
}

// run the CLI and return what it prints.
func (r *Renderer) run(ctx context.Context, args []string) ([]byte, error) {
	var out, errout bytes.Buffer
	cmd := exec.CommandContext(ctx, r.cli, args...)
	cmd.Dir = r.dir
	cmd.Stdout, cmd.Stderr = &out, &errout
	cmd.SysProcAttr = processGroup()
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, fmt.Errorf("%w\n%s", err, strings.TrimSpace(errout.String()))
	}
	return out.Bytes(), nil
}

// logs returns what the functions of a kind have printed last.
func (r *Renderer) logs(a *api) string {
	var b strings.Builder
	for _, f := range a.functions {
		s := r.servers[binary(f)]
		if tail := s.tail(); tail != "" {
			fmt.Fprintf(&b, "\n%s printed:\n%s", s.name, tail)
		}
	}
	return b.String()
}

// parse what the CLI prints: the XR, what it composes, and the results of its
// functions.
func parse(xr *unstructured.Unstructured, out []byte) (*rendered, error) {
	objects, err := decode(out)
	if err != nil {
		return nil, fmt.Errorf("cannot read the render of %s: %w", title(xr), err)
	}
	if len(objects) == 0 || objects[0].GetKind() != xr.GetKind() {
		return nil, fmt.Errorf("cannot read the render of %s: it does not begin with it", title(xr))
	}
	rd := &rendered{xr: objects[0]}
	for _, o := range objects[1:] {
		if o.GetAPIVersion() != "render.crossplane.io/v1beta1" {
			rd.composed = append(rd.composed, o)
			continue
		}
		if o.Object["severity"] == "Warning" {
			rd.warnings = append(rd.warnings, fmt.Sprint(o.Object["message"]))
		}
	}
	return rd, nil
}

func writeYAML(path string, objects []*unstructured.Unstructured) error {
	b, err := encode(objects)
	if err != nil {
		return fmt.Errorf("cannot write %s: %w", filepath.Base(path), err)
	}
	if err := os.WriteFile(path, b, 0o600); err != nil {
		return fmt.Errorf("cannot write input of a render: %w", err)
	}
	return nil
}

// encode objects as a stream of YAML documents.
func encode(objects []*unstructured.Unstructured) ([]byte, error) {
	var b bytes.Buffer
	for _, o := range objects {
		y, err := yaml.Marshal(o.Object)
		if err != nil {
			return nil, err
		}
		b.WriteString("---\n")
		b.Write(y)
	}
	return b.Bytes(), nil
}

// digest of objects, to tell whether anything changed.
func digest(objects ...*unstructured.Unstructured) (string, error) {
	b, err := encode(objects)
	if err != nil {
		return "", fmt.Errorf("cannot compare objects: %w", err)
	}
	sum := sha256.Sum256(b)
	return string(sum[:]), nil
}

// title names an object for people.
func title(o *unstructured.Unstructured) string {
	return strings.Join(slices.DeleteFunc([]string{o.GetKind(), path(o)}, func(s string) bool { return s == "" }), " ")
}

// path names an object among those of its kind.
func path(o *unstructured.Unstructured) string {
	if o.GetNamespace() == "" {
		return o.GetName()
	}
	return o.GetNamespace() + "/" + o.GetName()
}

// set a field. The path always leads through maps: the objects are our own.
func set(o *unstructured.Unstructured, value any, fields ...string) {
	if err := unstructured.SetNestedField(o.Object, value, fields...); err != nil {
		panic(err)
	}
}
