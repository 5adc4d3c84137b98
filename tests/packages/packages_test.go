package packages

import (
	"archive/tar"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"sigs.k8s.io/yaml"

	"github.com/modelplane-go/modelplane/tests/tools"
)

// TestRuntimeImage checks what an image holds, and that nothing but its content
// and version decides its digest.
func TestRuntimeImage(t *testing.T) {
	binary := func(content string, modified time.Time) string {
		t.Helper()
		path := filepath.Join(t.TempDir(), "any-name")
		write(t, path, content)
		if err := os.Chtimes(path, modified, modified); err != nil {
			t.Fatal(err)
		}
		return path
	}
	image := func(binary, version string) v1.Image {
		t.Helper()
		img, err := runtimeImage(binary, version, "arm64")
		if err != nil {
			t.Fatal(err)
		}
		return img
	}
	old := binary("ELF", time.Unix(0, 0))
	img := image(old, "v0.1.0")

	if got := digest(t, image(binary("ELF", time.Now()), "v0.1.0")); got != digest(t, img) {
		t.Errorf("runtimeImage: equal binaries give digests %s and %s", digest(t, img), got)
	}
	if digest(t, image(binary("ELF!", time.Now()), "v0.1.0")) == digest(t, img) {
		t.Error("runtimeImage: different binaries give one digest")
	}
	if digest(t, image(old, "v0.2.0")) == digest(t, img) {
		t.Error("runtimeImage: different versions give one digest")
	}

	got, err := img.ConfigFile()
	if err != nil {
		t.Fatal(err)
	}
	want := v1.ConfigFile{OS: "linux", Architecture: "arm64", Config: v1.Config{
		Entrypoint:   []string{"/function"},
		User:         "65532:65532",
		ExposedPorts: map[string]struct{}{"9443/tcp": {}},
		Labels:       map[string]string{"org.opencontainers.image.version": "v0.1.0"},
	}}
	if diff := cmp.Diff(want, v1.ConfigFile{OS: got.OS, Architecture: got.Architecture, Created: got.Created, Config: got.Config}); diff != "" {
		t.Errorf("runtimeImage: -want, +got:\n%s", diff)
	}
	if diff := cmp.Diff(map[string]string{"function": "ELF"}, files(t, img)); diff != "" {
		t.Errorf("runtimeImage: files: -want, +got:\n%s", diff)
	}
}

// TestStage checks that a Configuration is laid out of what belongs to it.
func TestStage(t *testing.T) {
	root, dir := t.TempDir(), t.TempDir()
	for _, f := range []string{
		"package/crossplane.yaml", "package/activation.yaml", "package/prerequisites.yaml",
		"apis/as/definition.yaml", "apis/as/composition.yaml", "apis/as/README.md", "examples/a/a.yaml",
	} {
		write(t, filepath.Join(root, f), f)
	}
	if err := stage(root, dir); err != nil {
		t.Fatal(err)
	}
	want := []string{"activation.yaml", "apis/as/composition.yaml", "apis/as/definition.yaml", "crossplane.yaml"}
	if diff := cmp.Diff(want, tree(t, dir)); diff != "" {
		t.Errorf("stage: -want, +got:\n%s", diff)
	}

	if err := stage(t.TempDir(), t.TempDir()); err == nil {
		t.Error("stage: a folder without APIs was staged")
	}
}

func TestVersion(t *testing.T) {
	for _, v := range []string{"0.1.0", "v0.1", "latest"} {
		if _, _, err := (Options{Version: v}).complete(); err == nil {
			t.Errorf("complete: version %q was taken", v)
		}
	}
}

// TestPackages builds every package twice, pushes them to a registry as a user
// would, and looks at what is there.
func TestPackages(t *testing.T) {
	p := tools.NewProgress(os.Stderr)
	build := func(dir string) []Package {
		t.Helper()
		o := Options{Dir: dir}
		own, err := Build(t.Context(), o, p)
		if err != nil {
			t.Fatal(err)
		}
		providers, err := Providers(t.Context(), o, p)
		if err != nil {
			t.Fatal(err)
		}
		return append(own, providers...)
	}
	all, again := build(t.TempDir()), build(t.TempDir())
	for i := range all {
		if read(t, all[i].Path) != read(t, again[i].Path) {
			t.Errorf("Build: %s is not the same the second time", all[i].Name())
		}
	}

	r, err := Serve(t.Context(), "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Close() }()
	cli, err := tools.Build(t.Context(), tools.CrossplaneCLI(), p)
	if err != nil {
		t.Fatal(err)
	}
	if err := Push(t.Context(), cli, r.Address, all...); err != nil {
		t.Fatal(err)
	}

	pushed := map[string]bool{}
	for _, pkg := range all {
		pushed[pkg.Repository] = true
	}
	for _, pkg := range all {
		img := pull(t, pkg.Reference(r.Address))
		objects := packageObjects(t, img)
		t.Run(pkg.Name(), func(t *testing.T) {
			switch {
			case pkg.Name() == ConfigurationName:
				checkConfiguration(t, objects)
				checkDependencies(t, objects, pushed)
			case strings.HasPrefix(pkg.Repository, Organization):
				checkFunction(t, pkg, img, objects)
			default:
				checkProvider(t, pkg, objects)
			}
		})
	}
}

// checkConfiguration checks that every API is part of the Configuration, and what
// a Configuration cannot hold is not.
func checkConfiguration(t *testing.T, objects []object) {
	t.Helper()
	kinds := map[string]int{}
	for _, o := range objects {
		kinds[o.Kind]++
	}
	want := map[string]int{
		"Configuration":                   1,
		"ManagedResourceActivationPolicy": 1,
		"CompositeResourceDefinition":     7,
		"Composition":                     7,
	}
	if diff := cmp.Diff(want, kinds); diff != "" {
		t.Errorf("configuration: kinds: -want, +got:\n%s", diff)
	}
}

// checkFunction checks that a Function is alone in its package, with what it runs.
func checkFunction(t *testing.T, pkg Package, img v1.Image, objects []object) {
	t.Helper()
	want := []object{{Kind: "Function", Metadata: metadata{Name: pkg.Name()}}}
	if diff := cmp.Diff(want, objects); diff != "" {
		t.Errorf("function: -want, +got:\n%s", diff)
	}
	cfg, err := img.ConfigFile()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"/function"}, cfg.Config.Entrypoint); diff != "" {
		t.Errorf("function: entrypoint: -want, +got:\n%s", diff)
	}
	if !strings.HasPrefix(files(t, img)["function"], "\x7fELF") {
		t.Error("function: the image does not hold a Linux binary")
	}
}

// checkProvider checks that a provider's package has its CRDs, and those of
// namespaced managed resources among them.
func checkProvider(t *testing.T, pkg Package, objects []object) {
	t.Helper()
	if !slices.ContainsFunc(objects, func(o object) bool { return o.Kind == "Provider" && o.Metadata.Name == pkg.Name() }) {
		t.Errorf("provider: no Provider %s among %v", pkg.Name(), objects)
	}
	if !slices.ContainsFunc(objects, func(o object) bool {
		return o.Kind == "CustomResourceDefinition" && strings.HasSuffix(o.Metadata.Name, ".m.crossplane.io")
	}) {
		t.Errorf("provider: no CRD of a namespaced kind among %v", objects)
	}
}

// checkDependencies checks that a Configuration depends on everything that is
// pushed, but for itself, and on nothing else.
func checkDependencies(t *testing.T, objects []object, pushed map[string]bool) {
	t.Helper()
	got := map[string]bool{Organization + "/" + ConfigurationName: true}
	for _, o := range objects {
		for _, d := range o.Spec.DependsOn {
			got[strings.TrimPrefix(d.Package, "xpkg.crossplane.io/")] = true
		}
	}
	if diff := cmp.Diff(pushed, got); diff != "" {
		t.Errorf("configuration: dependencies: -pushed, +wanted:\n%s", diff)
	}
}

// An object of a package, as far as the tests look at it.
type object struct {
	Kind     string   `json:"kind"`
	Metadata metadata `json:"metadata"`
	Spec     spec     `json:"spec"`
}

type metadata struct {
	Name string `json:"name"`
}

type spec struct {
	DependsOn []dependency `json:"dependsOn"`
}

type dependency struct {
	Package string `json:"package"`
}

// packageObjects returns the objects in the layer Crossplane reads: the one that is
// annotated as the package.
func packageObjects(t *testing.T, img v1.Image) []object {
	t.Helper()
	m, err := img.Manifest()
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(m.Layers, func(d v1.Descriptor) bool { return d.Annotations["io.crossplane.xpkg"] == "base" })
	if i < 0 {
		t.Fatal("no layer is annotated as the package")
	}
	l, err := img.LayerByDigest(m.Layers[i].Digest)
	if err != nil {
		t.Fatal(err)
	}
	rc, err := l.Uncompressed()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rc.Close() }()

	var objects []object
	for doc := range strings.SplitSeq(untar(t, rc)["package.yaml"], "\n---\n") {
		var o object
		if err := yaml.Unmarshal([]byte(strings.TrimPrefix(doc, "---\n")), &o); err != nil {
			t.Fatal(err)
		}
		if o.Kind != "" {
			objects = append(objects, o)
		}
	}
	return objects
}

func pull(t *testing.T, reference string) v1.Image {
	t.Helper()
	ref, err := name.ParseReference(reference)
	if err != nil {
		t.Fatal(err)
	}
	img, err := remote.Image(ref, remote.WithContext(t.Context()))
	if err != nil {
		t.Fatal(err)
	}
	return img
}

func digest(t *testing.T, img v1.Image) string {
	t.Helper()
	d, err := img.Digest()
	if err != nil {
		t.Fatal(err)
	}
	return d.String()
}

// files returns the content of every file of an image, by name.
func files(t *testing.T, img v1.Image) map[string]string {
	t.Helper()
	rc := mutate.Extract(img)
	defer func() { _ = rc.Close() }()
	return untar(t, rc)
}

func untar(t *testing.T, r io.Reader) map[string]string {
	t.Helper()
	content := map[string]string{}
	for tr := tar.NewReader(r); ; {
		h, err := tr.Next()
		if errors.Is(err, io.EOF) {
			return content
		}
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(tr)
		if err != nil {
			t.Fatal(err)
		}
		content[h.Name] = string(b)
	}
}

func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// tree returns every file below a folder, sorted.
func tree(t *testing.T, dir string) []string {
	t.Helper()
	var found []string
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		found = append(found, rel)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}
