package e2e

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"syscall"
	"testing"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/modelplane-go/modelplane/schemas/modelplane/v1alpha1"
	"github.com/modelplane-go/modelplane/tests/controlplane"
	"github.com/modelplane-go/modelplane/tests/tools"
)

// The fleet that all tests share, and the root of the repository.
var (
	fleet *controlplane.Fleet
	root  string
)

func TestMain(m *testing.M) {
	flag.Parse()
	if testing.Short() {
		fmt.Fprintln(os.Stderr, "SKIPPED: with -short there is no fleet to test on")
		os.Exit(0)
	}
	code, err := run(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, "cannot test:", err)
		code = 1
	}
	os.Exit(code)
}

func run(m *testing.M) (int, error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	p := tools.NewProgress(os.Stderr)
	programs, err := controlplane.Enter(ctx, p)
	if err != nil {
		return 0, err
	}
	root = programs.Root

	clusters, err := clusters()
	if err != nil {
		return 0, err
	}
	fleet, err = controlplane.Start(ctx, controlplane.Options{Programs: programs, Clusters: clusters, Progress: p})
	if err != nil {
		return 0, err
	}
	defer fleet.Stop()
	if err := fleet.Register(ctx); err != nil {
		return 0, err
	}

	// Tests that run at the same time wait for the fleet, not for a core.
	if err := flag.Set("test.parallel", "8"); err != nil {
		return 0, fmt.Errorf("cannot run tests at the same time: %w", err)
	}
	return m.Run(), nil
}

// clusters of the fleet, with the classes of the examples.
func clusters() ([]controlplane.Cluster, error) {
	objects, err := controlplane.ReadObjects(filepath.Join("testdata", "fleet.yaml"))
	if err != nil {
		return nil, err
	}
	examples, err := filepath.Glob(filepath.Join(root, "examples", "*", "fleet.yaml"))
	if err != nil {
		return nil, err
	}
	for _, path := range examples {
		example, err := controlplane.ReadObjects(path)
		if err != nil {
			return nil, err
		}
		objects = append(objects, slices.DeleteFunc(example, func(o client.Object) bool {
			return o.GetObjectKind().GroupVersionKind().Kind != v1alpha1.KindInferenceClass
		})...)
	}
	return controlplane.Clusters(objects)
}
