package packages

import (
	"archive/tar"
	"bytes"
	"fmt"
	"io"
	"os"

	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
)

const (
	// nonroot is the user distroless images call by that name.
	nonroot = "65532:65532"

	// functionPort is the one Crossplane calls functions at.
	functionPort = "9443/tcp"

	// versionLabel says of which version an image is. It also makes packages that
	// differ in nothing else differ: Crossplane takes equal digests for one revision.
	versionLabel = "org.opencontainers.image.version"
)

// runtimeImage returns an image that runs a binary, and holds nothing else. Its
// digest depends on nothing but the arguments: it bears no time.
func runtimeImage(binary, version, arch string) (v1.Image, error) {
	layer, err := binaryLayer(binary)
	if err != nil {
		return nil, err
	}
	img, err := mutate.AppendLayers(empty.Image, layer)
	if err != nil {
		return nil, fmt.Errorf("cannot make an image of %s: %w", binary, err)
	}
	cfg, err := img.ConfigFile()
	if err != nil {
		return nil, fmt.Errorf("cannot make an image of %s: %w", binary, err)
	}
	cfg = cfg.DeepCopy()
	cfg.OS, cfg.Architecture = "linux", arch
	cfg.Config = v1.Config{
		Entrypoint:   []string{"/function"},
		User:         nonroot,
		ExposedPorts: map[string]struct{}{functionPort: {}},
		Labels:       map[string]string{versionLabel: version},
	}
	return mutate.ConfigFile(img, cfg)
}

// labelledImage returns an image that holds nothing but its version.
func labelledImage(version string) (v1.Image, error) {
	return mutate.Config(empty.Image, v1.Config{Labels: map[string]string{versionLabel: version}})
}

// binaryLayer returns a layer that holds a binary as /function.
func binaryLayer(binary string) (v1.Layer, error) {
	b, err := os.ReadFile(binary)
	if err != nil {
		return nil, fmt.Errorf("cannot read a function's binary: %w", err)
	}
	var buf bytes.Buffer
	w := tar.NewWriter(&buf)
	if err := w.WriteHeader(&tar.Header{Name: "function", Mode: 0o755, Size: int64(len(b))}); err != nil {
		return nil, fmt.Errorf("cannot archive %s: %w", binary, err)
	}
	if _, err := w.Write(b); err != nil {
		return nil, fmt.Errorf("cannot archive %s: %w", binary, err)
	}
	if err := w.Close(); err != nil {
		return nil, fmt.Errorf("cannot archive %s: %w", binary, err)
	}
	open := func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(buf.Bytes())), nil }
	return tarball.LayerFromOpener(open, tarball.WithCompressedCaching)
}

// save an image where the Crossplane CLI can read it.
func save(img v1.Image, path string) error {
	tag, err := name.NewTag("runtime:latest")
	if err != nil {
		return fmt.Errorf("cannot name an image: %w", err)
	}
	if err := tarball.WriteToFile(path, tag, img); err != nil {
		return fmt.Errorf("cannot save an image: %w", err)
	}
	return nil
}
