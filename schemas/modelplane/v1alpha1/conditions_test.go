package v1alpha1

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestEveryReasonIsExplained: docs/operations.md says what to do about every
// reason for which a condition is False.
func TestEveryReasonIsExplained(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "operations.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(page), "\n## Conditions\n")

	files, err := filepath.Glob("conditions_*.go")
	if err != nil {
		t.Fatal(err)
	}
	reasons, seen := map[string]string{}, 0
	for _, name := range files {
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if v, ok := n.(*ast.ValueSpec); ok && len(v.Values) == 1 {
				if lit, ok := v.Values[0].(*ast.BasicLit); ok {
					reasons[v.Names[0].Name] = strings.Trim(lit.Value, `"`)
				}
			}
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			if fn, ok := call.Fun.(*ast.Ident); !ok || fn.Name != "isFalse" {
				return true
			}
			for _, arg := range call.Args[:2] {
				seen++
				if id, ok := arg.(*ast.Ident); !ok || !strings.Contains(table, "`"+reasons[id.Name]+"`") {
					t.Errorf("%s: docs/operations.md does not explain %v, %q", name, arg, reasons[id.Name])
				}
			}
			return true
		})
	}
	if seen == 0 {
		t.Error("there are no conditions that are False")
	}
}
