package scheduling

import (
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestImports keeps the pure packages pure: what they may import is listed, and
// of the standard library nothing that reaches out of the process, tells the
// time or throws dice.
func TestImports(t *testing.T) {
	const own = "github.com/modelplane-go/modelplane/functions/internal/"
	allowed := map[string][]string{
		".":          {own + "devices", "k8s.io/apimachinery/pkg/labels"},
		"../rollout": {},
		"../devices": {
			"github.com/blang/semver/v4",
			"github.com/google/cel-go/cel",
			"github.com/google/cel-go/common/ast",
			"github.com/google/cel-go/common/operators",
			"github.com/google/cel-go/common/types",
			"github.com/google/cel-go/parser",
			"github.com/modelplane-go/modelplane/schemas/modelplane/v1alpha1",
			"k8s.io/api/resource/v1",
			"k8s.io/apimachinery/pkg/api/resource",
			"k8s.io/apimachinery/pkg/util/validation",
			"k8s.io/apiserver/pkg/cel/environment",
			"k8s.io/dynamic-resource-allocation/cel",
		},
	}
	forbidden := []string{"crypto", "io", "log", "math/rand", "net", "os", "plugin", "reflect", "runtime", "syscall", "testing", "time", "unsafe"}

	for dir, more := range allowed {
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("no files in %s: %v", dir, err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			for _, path := range imports(t, file) {
				if slices.Contains(more, path) {
					continue
				}
				if first, _, _ := strings.Cut(path, "/"); strings.Contains(first, ".") {
					t.Errorf("%s imports %s", file, path)
				}
				if slices.ContainsFunc(forbidden, func(f string) bool { return path == f || strings.HasPrefix(path, f+"/") }) {
					t.Errorf("%s imports %s", file, path)
				}
			}
		}
	}
}

func imports(t *testing.T, file string) []string {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, spec := range f.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, path)
	}
	return out
}
