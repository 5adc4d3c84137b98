package preview

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/modelplane-go/modelplane/tests/tools"
)

const (
	examples = "../../examples"
	apis     = "../../apis"
)

var (
	update   = flag.Bool("update", false, "write the goldens anew")
	renderer *Renderer
)

func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(run(m))
}

// run the tests with the functions served. They are ended whatever happens.
func run(m *testing.M) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	bin, err := Build(ctx, tools.NewProgress(os.Stderr))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	renderer, err = NewRenderer(ctx, apis, bin)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer renderer.Close()
	return m.Run()
}

// TestExamples previews every example, and compares each with its golden.
func TestExamples(t *testing.T) {
	names, err := Examples(examples)
	if err != nil {
		t.Fatal(err)
	}
	if len(names) == 0 {
		t.Fatalf("there is no example in %s", examples)
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, err := renderer.Preview(t.Context(), filepath.Join(examples, name), t.Logf)
			if err != nil {
				t.Fatal(err)
			}
			var got bytes.Buffer
			if err := p.Write(&got, false); err != nil {
				t.Fatal(err)
			}
			if _, err := decode(got.Bytes()); err != nil {
				t.Errorf("the preview is not YAML: %v", err)
			}
			golden(t, filepath.Join("testdata", name+".yaml"), got.String())

			written := templateZeros(p)
			for _, o := range p.Emitted() {
				for _, b := range blemishes(o, written) {
					t.Errorf("%s: %s", title(o), b)
				}
			}
		})
	}
}

// TestGoldens checks that no golden is left behind by an example that is gone.
func TestGoldens(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "*.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		name := filepath.Base(f[:len(f)-len(".yaml")])
		if _, err := os.Stat(filepath.Join(examples, name)); err != nil {
			t.Errorf("%s is the golden of no example: %v", f, err)
		}
	}
}

// TestRefused previews objects that are to be refused, and checks that the
// message says what to mend.
func TestRefused(t *testing.T) {
	empty := t.TempDir()
	names, err := Examples(examples)
	if err != nil {
		t.Fatal(err)
	}
	cases := map[string]struct {
		reason string
		yaml   string
		dir    string
		want   string
	}{
		"UnknownField": {
			reason: "A typo is named, not dropped.",
			yaml:   "{apiVersion: modelplane.ai/v1alpha1, kind: InferenceGateway, metadata: {name: default}, spec: {back: Traefik}}",
			want:   "InferenceGateway default of model.yaml is refused:\nstrict decoding error: unknown field \"spec.back\"",
		},
		"BadValue": {
			reason: "The API server's message is passed on.",
			yaml:   "{apiVersion: modelplane.ai/v1alpha1, kind: InferenceGateway, metadata: {name: default}, spec: {backend: Nginx}}",
			want:   "InferenceGateway default of model.yaml is refused:\nspec.backend: Unsupported value: \"Nginx\": supported values: \"Traefik\"",
		},
		"UnknownKind": {
			reason: "A kind that is not ours cannot be composed.",
			yaml:   "{apiVersion: modelplane.ai/v1alpha1, kind: ModelThing, metadata: {name: a}}",
			want: "cannot use ModelThing a of model.yaml: there is no such kind; there are " +
				"[InferenceClass InferenceCluster InferenceGateway ModelDeployment ModelEndpoint ModelReplica ModelService]",
		},
		"NoSuchExample": {
			reason: "Whoever mistypes a name is told the names.",
			dir:    examples + "/quickstrat",
			want:   "cannot find example \"quickstrat\"; there are " + strings.Join(names, ", "),
		},
		"Nothing": {
			reason: "An empty folder is a mistake.",
			dir:    empty,
			want:   "cannot find an example: " + empty + " has no YAML file",
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if tc.dir == "" {
				tc.dir = t.TempDir()
				if err := os.WriteFile(filepath.Join(tc.dir, "model.yaml"), []byte(tc.yaml), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			_, err := renderer.Preview(t.Context(), tc.dir, t.Logf)
			if err == nil {
				t.Fatalf("%s\nPreview: got no error", tc.reason)
			}
			if diff := cmp.Diff(tc.want, err.Error()); diff != "" {
				t.Errorf("%s\nPreview: -want error, +got error:\n%s", tc.reason, diff)
			}
		})
	}
}

// golden compares text with a file, or writes the file anew.
func golden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v; write it with `make golden`", err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("the preview has changed; review the difference, and write it with `make golden` if it is meant: -want, +got:\n%s", diff)
	}
}
