package tools

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestPins checks that every tool's module pins its version, and has its sums.
func TestPins(t *testing.T) {
	root, err := Root()
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range All() {
		dir := filepath.Join(root, "tests", "tools", "upstream", tool.Module)
		v, err := version(dir, tool.Requires)
		if err != nil {
			t.Errorf("%s: %v", tool.Name, err)
		}
		sums, err := os.ReadFile(filepath.Join(dir, "go.sum"))
		if err != nil {
			t.Errorf("%s: %v", tool.Name, err)
		}
		if want := tool.Requires + " " + v + " h1:"; !strings.Contains(string(sums), want) {
			t.Errorf("%s: go.sum lacks %q; run `GOWORK=off go mod tidy` in %s", tool.Name, want, dir)
		}
		if tool.Env == "" || tool.Title == "" || !strings.HasPrefix(tool.Package, tool.Requires) {
			t.Errorf("%s: the row is not whole: %+v", tool.Name, tool)
		}
	}
}

func TestKey(t *testing.T) {
	write := func(dir, name, content string) {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	keyOf := func(dir string, args ...string) string {
		t.Helper()
		k, err := key(dir, args)
		if err != nil {
			t.Fatal(err)
		}
		return k
	}

	a, b := t.TempDir(), t.TempDir()
	for _, dir := range []string{a, b} {
		write(dir, "go.mod", "module m")
		write(dir, "stub/stub.go", "package stub")
	}
	same := keyOf(a, "-trimpath", "go1.26")
	if got := keyOf(b, "-trimpath", "go1.26"); got != same {
		t.Errorf("key: folders of the same content have keys %s and %s", same, got)
	}
	if keyOf(a, "-trimpath", "go1.27") == same {
		t.Error("key: a key does not change with the Go release")
	}
	write(b, "stub/stub.go", "package stub // Changed.")
	if keyOf(b, "-trimpath", "go1.26") == same {
		t.Error("key: a key does not change with a file of the module")
	}
}

// TestBuildUsesWhatIsAtHand names a binary by environment variable.
func TestBuildUsesWhatIsAtHand(t *testing.T) {
	tool := CrossplaneCore()
	path := filepath.Join(t.TempDir(), "crossplane")

	t.Setenv(tool.Env, path)
	want := "cannot use Crossplane core: CROSSPLANE_CORE=" + path + " is not a file"
	if _, err := Build(t.Context(), tool, NewProgress(io.Discard)); err == nil || err.Error() != want {
		t.Errorf("Build: want error %q, got %v", want, err)
	}

	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := Build(t.Context(), tool, NewProgress(io.Discard)); got != path || err != nil {
		t.Errorf("Build: want %s, got %s, %v", path, got, err)
	}
}

// TestBuildAllUsesWhatIsAtHand names every binary by environment variable.
func TestBuildAllUsesWhatIsAtHand(t *testing.T) {
	dir, want := t.TempDir(), map[string]string{}
	for _, tool := range Fleet() {
		path := filepath.Join(dir, tool.Name)
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		t.Setenv(tool.Env, path)
		want[tool.Name] = path
	}
	got, err := BuildAll(t.Context(), Fleet(), NewProgress(io.Discard))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("BuildAll: -want, +got:\n%s", diff)
	}

	t.Setenv(Kwok().Env, dir)
	if _, err := BuildAll(t.Context(), Fleet(), NewProgress(io.Discard)); err == nil {
		t.Error("BuildAll: a folder was taken for a binary")
	}
}

// TestNames checks that neither a name nor an environment variable stands for two
// tools.
func TestNames(t *testing.T) {
	seen := map[string]bool{}
	for _, tool := range All() {
		for _, name := range []string{tool.Name, tool.Env} {
			if seen[name] {
				t.Errorf("%s is the name of two tools", name)
			}
			seen[name] = true
		}
	}
}

func TestArgs(t *testing.T) {
	cases := map[string]struct {
		tool Tool
		want string
	}{
		"Version":  {tool: CrossplaneCore(), want: "-s -w -X github.com/crossplane/crossplane-runtime/v2/pkg/version.version=v1.36.4"},
		"NoStamps": {tool: Etcd(), want: "-s -w"},
		"Parts": {
			tool: Tool{Stamps: []string{"v.git={version}", "v.major={major}", "v.minor={minor}", "v.tree=clean"}},
			want: "-s -w -X v.git=v1.36.4 -X v.major=1 -X v.minor=36 -X v.tree=clean",
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			want := []string{"-mod=readonly", "-trimpath", "-buildvcs=false", "-ldflags=" + tc.want}
			if diff := cmp.Diff(want, tc.tool.args("v1.36.4")); diff != "" {
				t.Errorf("args: -want, +got:\n%s", diff)
			}
		})
	}
}

// TestModuleDir checks that the files a fleet needs of its programs are where it
// looks for them.
func TestModuleDir(t *testing.T) {
	cases := map[string]struct {
		module string
		files  []string
	}{
		"Crossplane":         {module: CrossplaneCore().Requires, files: []string{"cluster/crds/*.yaml", "cluster/webhookconfigurations/*.yaml"}},
		"ProviderKubernetes": {module: ProviderKubernetes().Requires, files: []string{"package/crossplane.yaml", "package/crds/*.yaml"}},
		"ProviderHelm":       {module: ProviderHelm().Requires, files: []string{"package/crossplane.yaml", "package/crds/*.yaml"}},
		"LWS":                {module: LWS().Requires, files: []string{"config/crd/bases/*.yaml", "config/webhook/manifests.yaml"}},
		"Kwok": {module: Kwok().Requires, files: []string{
			"kustomize/stage/node/fast/*.yaml", "kustomize/stage/node/heartbeat-with-lease/*.yaml", "kustomize/stage/pod/fast/*.yaml",
		}},
		"GatewayAPI": {module: GatewayAPI, files: []string{"config/crd/standard/*.yaml"}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			dir, err := ModuleDir(t.Context(), tc.module)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range tc.files {
				if found, err := filepath.Glob(filepath.Join(dir, f)); err != nil || len(found) == 0 {
					t.Errorf("ModuleDir: %s has no %s: %v", tc.module, f, err)
				}
			}
		})
	}

	if _, err := ModuleDir(t.Context(), "example.org/unknown"); err == nil {
		t.Error("ModuleDir: a module that is not pinned was found")
	}
}

func TestLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	unlock, err := lock(t.Context(), path, func() { t.Error("lock: waited for nobody") })
	if err != nil {
		t.Fatal(err)
	}

	waited := false
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := lock(ctx, path, func() { waited = true }); err == nil || !waited {
		t.Errorf("lock: a lock that is held: want to wait in vain, got error %v, waited %t", err, waited)
	}

	unlock()
	unlock, err = lock(t.Context(), path, func() {})
	if err != nil {
		t.Errorf("lock: a lock that was given up: %v", err)
	}
	unlock()
}

func TestAdvice(t *testing.T) {
	tool := CrossplaneCore()
	cases := map[string]struct {
		out  string
		want string
	}{
		"NoProxy":  {out: `go: foo: Get "https://proxy.example.org/foo": dial tcp: lookup proxy.example.org: no such host`, want: "A Go module could not be had."},
		"Refused":  {out: "go: foo@v1: reading https://proxy.example.org/foo/@v/v1.mod: 403 Forbidden", want: "A Go module could not be had."},
		"FullDisk": {out: "write /tmp/x: no space left on device", want: "The disk is full"},
		"Other":    {out: "undefined: foo", want: "Try the build again"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if got := tool.advice(tc.out); !strings.HasPrefix(got, tc.want) {
				t.Errorf("advice: want %q..., got %q", tc.want, got)
			}
		})
	}
}
