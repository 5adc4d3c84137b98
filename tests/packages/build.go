package packages

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"golang.org/x/mod/semver"
	"golang.org/x/sync/errgroup"

	"github.com/modelplane-go/modelplane/tests/tools"
)

// Options of a build. The zero value builds DefaultVersion for this machine.
type Options struct {
	// Version of the packages, such as v0.1.0.
	Version string

	// Arch is the architecture functions run on, such as arm64. They always run on
	// Linux.
	Arch string

	// Dir is the folder packages are written to, below which each version has its
	// own. _output if empty.
	Dir string
}

// Build makes every Modelplane package: the Functions, in order of their names,
// and the Configuration last.
func Build(ctx context.Context, o Options, p *tools.Progress) ([]Package, error) {
	o, root, err := o.complete()
	if err != nil {
		return nil, err
	}
	cli, err := tools.Build(ctx, tools.CrossplaneCLI(), p)
	if err != nil {
		return nil, err
	}
	binaries, err := tools.FunctionsFor(ctx, p, "linux", o.Arch)
	if err != nil {
		return nil, err
	}
	b, err := newBuilder(cli, filepath.Join(o.Dir, o.Version))
	if err != nil {
		return nil, err
	}
	defer b.close()

	start := time.Now()
	names := sortedNames(binaries)
	built := make([]Package, len(names)+1)
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.NumCPU())
	for i, name := range names {
		built[i] = Package{Repository: Organization + "/" + name, Version: o.Version, Path: b.path(name + "-linux-" + o.Arch)}
		g.Go(func() error {
			s := source{root: filepath.Join(root, "functions", name, "package"), binary: binaries[name], arch: o.Arch}
			return b.build(ctx, s, built[i])
		})
	}
	last := len(names)
	built[last] = Package{Repository: Organization + "/" + ConfigurationName, Version: o.Version, Path: b.path(ConfigurationName)}
	g.Go(func() error { return b.configuration(ctx, root, built[last]) })
	if err := g.Wait(); err != nil {
		return nil, err
	}
	p.Sayf("packaged %d functions and the configuration in %s", len(names), time.Since(start).Round(100*time.Millisecond))
	return built, nil
}

// complete options that are left out, and refuse those that make no sense.
func (o Options) complete() (Options, string, error) {
	root, err := tools.Root()
	if err != nil {
		return o, "", err
	}
	if o.Version == "" {
		o.Version = DefaultVersion
	}
	if semver.Canonical(o.Version) != o.Version {
		return o, "", fmt.Errorf("cannot package version %q: name it as in v0.1.0", o.Version)
	}
	if o.Arch == "" {
		o.Arch = runtime.GOARCH
	}
	if o.Dir == "" {
		o.Dir = filepath.Join(root, "_output")
	}
	return o, root, nil
}

// A builder builds packages into a folder.
type builder struct {
	cli string
	dir string
	tmp string // A folder of its own within dir, so that files move in one step.
}

func newBuilder(cli, dir string) (*builder, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("cannot make folder of packages: %w", err)
	}
	tmp, err := os.MkdirTemp(dir, ".building-")
	if err != nil {
		return nil, fmt.Errorf("cannot make folder of packages: %w", err)
	}
	return &builder{cli: cli, dir: dir, tmp: tmp}, nil
}

func (b *builder) close() { _ = os.RemoveAll(b.tmp) }

// path of a package's file.
func (b *builder) path(name string) string { return filepath.Join(b.dir, name+".xpkg") }

// configuration builds the Configuration of a work tree.
func (b *builder) configuration(ctx context.Context, root string, p Package) error {
	staged := filepath.Join(b.tmp, ConfigurationName)
	if err := stage(root, staged); err != nil {
		return err
	}
	return b.build(ctx, source{root: staged}, p)
}

// A source is what a package is built from.
type source struct {
	root   string // The folder of its crossplane.yaml.
	binary string // What it runs, if anything.
	arch   string
}

// image returns the image a package is built on top of.
func (s source) image(version string) (v1.Image, error) {
	if s.binary == "" {
		return labelledImage(version)
	}
	return runtimeImage(s.binary, version, s.arch)
}

// build a package, unless its file is what would be built.
func (b *builder) build(ctx context.Context, s source, p Package) error {
	k, err := key(s.root, b.cli, s.binary, s.arch, p)
	if err != nil || fresh(p.Path, k) {
		return err
	}
	img, err := s.image(p.Version)
	if err != nil {
		return fmt.Errorf("cannot build package %s: %w", p.Name(), err)
	}
	base := filepath.Join(b.tmp, p.Name()+".tar")
	if err := save(img, base); err != nil {
		return fmt.Errorf("cannot build package %s: %w", p.Name(), err)
	}
	built := filepath.Join(b.tmp, p.Name()+".xpkg")
	err = run(ctx, b.tmp, b.cli, "xpkg", "build",
		"--package-root="+s.root, "--embed-runtime-image-tarball="+base, "--package-file="+built)
	if err != nil {
		return fmt.Errorf("cannot build package %s: %w", p.Name(), err)
	}

	// The key last: a file without one is built anew.
	_ = os.Remove(keyPath(p.Path))
	if err := os.Rename(built, p.Path); err != nil {
		return fmt.Errorf("cannot put package %s in place: %w", p.Name(), err)
	}
	if err := os.WriteFile(keyPath(p.Path), []byte(k), 0o644); err != nil {
		return fmt.Errorf("cannot put package %s in place: %w", p.Name(), err)
	}
	return nil
}

func sortedNames(binaries map[string]string) []string {
	names := make([]string, 0, len(binaries))
	for name := range binaries {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
