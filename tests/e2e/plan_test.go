package e2e

import (
	"errors"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestPlan asks what would have to change for a model to fit the fleet that runs.
func TestPlan(t *testing.T) {
	plan := filepath.Join(t.TempDir(), "plan")
	build := exec.CommandContext(t.Context(), "go", "build", "-o", plan, "./functions/cmd/plan")
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}

	model := filepath.Join(root, "examples", "fits-nowhere", "model.yaml")
	out, err := exec.CommandContext(t.Context(), plan, "--kubeconfig="+fleet.ControlPlane.Kubeconfig, model).Output()
	if code := new(exec.ExitError); !errors.As(err, &code) || code.ExitCode() != 2 {
		t.Errorf("exits with %v, want 2: not all would be placed", err)
	}
	for _, want := range []string{
		"ModelDeployment ml-team/too-big: 0 of 2 replicas would be placed",
		"rack     -",
		"label tier=production",
		"short by",
		"more node",
		"no class in the fleet publishes attribute",
	} {
		if !strings.Contains(string(out), want) {
			t.Errorf("does not say %q:\n%s", want, out)
		}
	}
}
