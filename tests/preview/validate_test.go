package preview

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/modelplane-go/modelplane/tests/tools"
)

// TestValidate shows that crossplane resource validate takes every example
// together with our APIs, without a network.
func TestValidate(t *testing.T) {
	names, err := Examples(examples)
	if err != nil {
		t.Fatal(err)
	}
	cache := crossplaneSchemas(t)
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			cmd := exec.CommandContext(t.Context(), renderer.cli, "resource", "validate", "--cache-dir="+cache,
				apis, filepath.Join(examples, name))
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

// crossplaneSchemas returns a cache with the schemas of Crossplane's own kinds,
// where the CLI looks before it downloads them.
func crossplaneSchemas(t *testing.T) string {
	t.Helper()
	module, err := tools.ModuleDir(t.Context(), tools.CrossplaneCore().Requires)
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(module, "cluster", "crds", "apiextensions.crossplane.io_*.yaml"))
	if err != nil || len(files) == 0 {
		t.Fatalf("cannot find Crossplane's CRDs: %v", err)
	}
	all := &bytes.Buffer{}
	for _, f := range files {
		y, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(y)
		all.WriteString("\n---\n")
	}

	cache := t.TempDir()
	dir := filepath.Join(cache, "xpkg.crossplane.io", "crossplane", "crossplane@stable")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "package.yaml"), all.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return cache
}
