package e2e

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/modelplane-go/modelplane/schemas/modelplane/v1alpha1"
)

// TestDrain drains a cluster. The replica on it serves until another does
// elsewhere.
func TestDrain(t *testing.T) {
	ns := inNamespace(t, "drain")
	eventually(t, recovery, clustersReady)
	apply(t, ns, model("qwen", 2))
	eventually(t, soon, serves(ns, "qwen", 2))
	cluster := placements(t, ns, "qwen")[0].Cluster
	t.Cleanup(func() { taint(t, cluster, "[]") })

	holds := throughout(t, serve(ns, "qwen", 2))
	taint(t, cluster, `[{"key":"maintenance","effect":"NoExecute"}]`)
	eventually(t, soon, all(serves(ns, "qwen", 2), notOn(ns, "qwen", cluster)))
	holds()
}

// TestFailover loses a cluster's API server for good, as far as anyone can tell.
// A deployment that asked for failover is replaced elsewhere, one that did not
// stays, and what was left behind is cleared away when the cluster returns.
func TestFailover(t *testing.T) {
	ns := inNamespace(t, "failover")
	eventually(t, recovery, clustersReady)
	moves := strings.Replace(model("moves", 1), "spec:\n", "spec:\n  failover: {afterSeconds: 10}\n", 1)
	apply(t, ns, moves)
	eventually(t, soon, serves(ns, "moves", 1))
	was := placements(t, ns, "moves")[0]
	region := strings.TrimPrefix(was.Cluster, "prod-")
	apply(t, ns, strings.Replace(model("stays", 1), "tier: production", "region: "+region, 1))
	eventually(t, soon, serves(ns, "stays", 1))
	before := workloads(t, ns)

	restart := outage(t, was.Cluster)
	eventually(t, deletion, elsewhere(ns, "moves", was.Cluster))
	if err := restart(); err != nil {
		t.Fatal(err)
	}
	maps.DeleteFunc(before, func(name, _ string) bool { return strings.Contains(name, "/moves-") })
	eventually(t, deletion, all(serves(ns, "moves", 1), notOn(ns, "moves", was.Cluster), serves(ns, "stays", 1), func(ctx context.Context) error {
		found, err := everything(ctx, ns)
		for _, f := range found {
			if strings.HasPrefix(f, was.Cluster+"/") && strings.Contains(f, "/moves-") {
				err = errors.Join(err, fmt.Errorf("%s is still there", f))
			}
		}
		return err
	}))
	if err := unchanged(ns, before)(t.Context()); err != nil {
		t.Error(err)
	}
}

// taint a cluster with a JSON list of taints.
func taint(t *testing.T, cluster, taints string) {
	t.Helper()
	ctx := context.WithoutCancel(t.Context())
	if _, err := fleet.Kubectl(ctx, fleet.ControlPlane, "patch", "ic/"+cluster, "--type=merge", `--patch={"spec":{"taints":`+taints+`}}`); err != nil {
		t.Fatal(err)
	}
}

// placements of a deployment.
func placements(t testing.TB, namespace, name string) []v1alpha1.Placement {
	t.Helper()
	md, err := deployment(t.Context(), namespace, name)
	if err != nil {
		t.Fatal(err)
	}
	if len(md.Status.Placements) == 0 {
		t.Fatalf("%s/%s has no replica", namespace, name)
	}
	return md.Status.Placements
}

// notOn checks that no replica of a deployment is on a cluster.
func notOn(namespace, name, cluster string) func(ctx context.Context) error {
	return func(ctx context.Context) error {
		md, err := deployment(ctx, namespace, name)
		if err != nil {
			return err
		}
		for _, p := range md.Status.Placements {
			if p.Cluster == cluster {
				return fmt.Errorf("replica %s is on %s", p.Replica, cluster)
			}
		}
		return nil
	}
}

// elsewhere checks that a replica of a deployment serves, and not on a cluster.
func elsewhere(namespace, name, cluster string) func(ctx context.Context) error {
	return func(ctx context.Context) error {
		md, err := deployment(ctx, namespace, name)
		if err != nil {
			return err
		}
		for _, p := range md.Status.Placements {
			if p.Cluster != cluster && p.Ready {
				return nil
			}
		}
		return fmt.Errorf("no replica of %s serves but on %s: %+v", name, cluster, md.Status.Placements)
	}
}
