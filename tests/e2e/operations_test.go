package e2e

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/modelplane-go/modelplane/schemas/modelplane/v1alpha1"
	"github.com/modelplane-go/modelplane/tests/typed"
)

// prodFR is a cluster for operators to work on: another InferenceCluster on
// prod-us.
const prodFR = `
apiVersion: modelplane.ai/v1alpha1
kind: InferenceCluster
metadata: {name: prod-fr, labels: {region: fr}}
spec:
  cluster: {source: Existing, existing: {secretRef: {name: prod-fr-kubeconfig}, gateway: {address: 192.0.2.7}}}
  nodePools:
  - {name: arena, className: arena-5x, nodeCount: 1}
`

// inEUAndFR selects prod-eu and prod-fr, so that each has one of two replicas.
const inEUAndFR = "replicas: 2\n  clusterSelector: {matchExpressions: [{key: region, operator: In, values: [eu, fr]}]}"

// TestOperations runs every command of docs/operations.md, in order, and checks
// that what the page says of it comes true.
func TestOperations(t *testing.T) {
	ns := inNamespace(t, "ml-team")
	eventually(t, recovery, clustersReady)
	folder := t.TempDir()
	good := on("Arena", "qwen3-8b", inEUAndFR, 1)
	write(t, folder, "qwen3-8b.yaml", strings.ReplaceAll(good, "NAMESPACE", ns))
	write(t, folder, "qwen3-8b-v2.yaml", strings.ReplaceAll(neverRuns(good), "NAMESPACE", ns))
	rotated := rotate(t, folder, "prod-us")
	rotated("prod-us")

	apply(t, ns, prodFR)
	t.Cleanup(func() {
		_, _ = fleet.Kubectl(context.WithoutCancel(t.Context()), fleet.ControlPlane, "delete", "ic/prod-fr", "--ignore-not-found", "--wait=false")
	})
	kubectl(t, "create", "secret", "generic", "prod-fr-kubeconfig", "--namespace=modelplane-system", "--from-file=kubeconfig="+filepath.Join(folder, "prod-fr.kubeconfig"))
	eventually(t, soon, reached("prod-fr"))
	apply(t, ns, good)
	eventually(t, soon, serves(ns, "qwen3-8b", 2))
	eventually(t, soon, elsewhere(ns, "qwen3-8b", "prod-eu"))

	sections := commands(t)
	run := func(title string, check func(t *testing.T, run func())) {
		t.Helper()
		blocks := sections[title]
		delete(sections, title)
		if len(blocks) == 0 {
			t.Errorf("docs/operations.md has no commands in %q", title)
		}
		t.Run(title, func(t *testing.T) {
			check(t, func() {
				t.Helper()
				if len(blocks) == 0 {
					t.Fatalf("docs/operations.md has no more commands in %q", title)
				}
				out, err := fleet.Shell(t.Context(), folder, blocks[0])
				t.Logf("%s\n%s", blocks[0], out)
				if err != nil {
					t.Fatalf("%v\n%s", err, situation(t))
				}
				blocks = blocks[1:]
			})
			if len(blocks) > 0 {
				t.Errorf("nothing runs %q", blocks)
			}
		})
	}

	run("Look", func(t *testing.T, run func()) {
		t.Helper()
		run()
	})

	run("Drain a cluster", func(t *testing.T, run func()) {
		t.Helper()
		holds := throughout(t, serve(ns, "qwen3-8b", 2))
		run()
		holds()
		eventually(t, soon, all(serves(ns, "qwen3-8b", 2), notOn(ns, "qwen3-8b", "prod-fr")))
		run() // There is nothing left to delete.
		run()
		never(t, 2*time.Second, notOn(ns, "qwen3-8b", "prod-fr"))
	})

	run("Roll a model out, and back", func(t *testing.T, run func()) {
		t.Helper()
		holds := throughout(t, serve(ns, "qwen3-8b", 1))
		run()
		eventually(t, soon, says(ns, "qwen3-8b", v1alpha1.TypeProgressing, v1alpha1.ReasonRollingOut))
		never(t, 5*time.Second, serve(ns, "qwen3-8b", 1))
		run()
		eventually(t, soon, serves(ns, "qwen3-8b", 2))
		holds()
	})

	run("Fail over", func(t *testing.T, run func()) {
		t.Helper()
		run()
		eventually(t, soon, serves(ns, "qwen3-8b", 2))
	})

	run("Rotate a kubeconfig", func(t *testing.T, run func()) {
		t.Helper()
		rotated("prod-eu") // An identity that prod-us does not know.
		kubectl(t, "create", "secret", "generic", "other", "--namespace="+ns, "--from-file=kubeconfig="+filepath.Join(folder, "prod-fr.kubeconfig"))
		kubectl(t, "patch", "secret/prod-fr-kubeconfig", "--namespace=modelplane-system", "--type=merge",
			`--patch={"data":{"kubeconfig":"`+kubectl(t, "get", "secret/other", "--namespace="+ns, "--output=jsonpath={.data.kubeconfig}")+`"}}`)
		eventually(t, 2*time.Minute, clusterSays("prod-fr", v1alpha1.ReasonUnreachable))

		rotated("prod-us")
		run()
		if err := clusterSays("prod-fr", v1alpha1.ReasonClusterRunning)(t.Context()); err != nil {
			t.Error(err)
		}
	})

	run("Remove a cluster", func(t *testing.T, run func()) {
		t.Helper()
		run()
		eventually(t, soon, none(v1alpha1.GroupVersion.String(), v1alpha1.KindInferenceCluster, "", "prod-fr"))
		eventually(t, soon, serves(ns, "qwen3-8b", 2))
	})

	for title := range sections {
		t.Errorf("nothing runs the commands of %q", title)
	}
}

// commands of docs/operations.md, by the title of their section.
func commands(t *testing.T) map[string][]string {
	t.Helper()
	page, err := os.ReadFile(filepath.Join(root, "docs", "operations.md"))
	if err != nil {
		t.Fatal(err)
	}
	return blocks(string(page), "sh")
}

// rotate returns a function that writes the kubeconfig of a new administrator of a
// cluster, for whom another vouches.
func rotate(t *testing.T, folder, cluster string) func(vouches string) {
	t.Helper()
	n := 0
	return func(vouches string) {
		t.Helper()
		n++
		config, err := fleet.Remote(cluster).NewKubeconfig(fmt.Sprintf("operator-%d", n), fleet.Remote(vouches).Server)
		if err != nil {
			t.Fatal(err)
		}
		write(t, folder, "prod-fr.kubeconfig", string(config))
	}
}

func write(t *testing.T, folder, name, content string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

// clusterSays checks the reason of a cluster's condition ClusterReady.
func clusterSays(name string, r v1alpha1.ConditionReason) func(ctx context.Context) error {
	return func(ctx context.Context) error {
		ic, err := typed.Get[v1alpha1.InferenceCluster](ctx, fleet.ControlPlane.Client, v1alpha1.KindInferenceCluster, client.ObjectKey{Name: name})
		if err != nil {
			return err
		}
		_, err = because("cluster "+name, ic.Status.Conditions, v1alpha1.TypeClusterReady, r)
		return err
	}
}
