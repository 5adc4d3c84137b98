package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A result is all that can be seen of a command.
type result struct {
	Code int
	Out  string
	Err  string
}

const notAll = "plan: not all replicas would be placed, which is exit code 2\n"

// plan in a folder with files.
func planIn(t *testing.T, files map[string]string, stdin string, args ...string) result {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	return planHere(t, stdin, args...)
}

func planHere(t *testing.T, stdin string, args ...string) result {
	t.Helper()
	var out, err bytes.Buffer
	code := run(t.Context(), args, streams{strings.NewReader(stdin), &out, &err})
	return result{Code: code, Out: out.String(), Err: err.String()}
}

func TestHelp(t *testing.T) {
	got := planHere(t, "", "--help")
	for _, want := range []string{
		"make plan FLEET=examples/fits-nowhere/fleet.yaml DEPLOYMENT=examples/fits-nowhere/model.yaml\n",
		"Exit code 0 says that all replicas would be placed, 2 that some would not,",
	} {
		if !strings.Contains(got.Out, want) {
			t.Errorf("help does not say %q:\n%s", want, got.Out)
		}
	}
	if got.Code != 0 || got.Err != "" {
		t.Errorf("help is an error: %+v", got)
	}
}
