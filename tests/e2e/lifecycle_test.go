package e2e

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/modelplane-go/modelplane/schemas/modelplane/v1alpha1"
)

// labelPool is on the nodes of a pool.
const labelPool = "modelplane.ai/pool"

// TestScale scales a deployment up, to nothing, and back, by kubectl and by the
// scale subresource.
func TestScale(t *testing.T) {
	ns := inNamespace(t, "scale")
	apply(t, ns, model("qwen", 1))
	eventually(t, soon, serves(ns, "qwen", 1))

	kubectl(t, "scale", "md/qwen", "--namespace="+ns, "--replicas=3")
	eventually(t, soon, serves(ns, "qwen", 3))

	if got := kubectl(t, "get", "md/qwen", "--namespace="+ns, "--subresource=scale", "--output=jsonpath={.spec.replicas} {.status.replicas}"); got != "3 3" {
		t.Errorf("the scale subresource says %q, want 3 3", got)
	}
	kubectl(t, "patch", "md/qwen", "--namespace="+ns, "--subresource=scale", "--type=merge", `--patch={"spec":{"replicas":0}}`)
	eventually(t, soon, serves(ns, "qwen", 0))
	eventually(t, soon, says(ns, "qwen", v1alpha1.TypeReplicasReady, v1alpha1.ReasonScaledToZero))

	kubectl(t, "scale", "md/qwen", "--namespace="+ns, "--replicas=1")
	eventually(t, soon, serves(ns, "qwen", 1))
}

// TestNamesakes runs two deployments of one name in two namespaces, side by side.
func TestNamesakes(t *testing.T) {
	a, b := inNamespace(t, "namesake-a"), inNamespace(t, "namesake-b")
	apply(t, a, model("qwen", 1))
	apply(t, b, model("qwen", 1))
	eventually(t, soon, serves(a, "qwen", 1))
	eventually(t, soon, serves(b, "qwen", 1))

	names := []string{}
	for _, ns := range []string{a, b} {
		n := 0
		for _, r := range fleet.Remotes {
			ps, err := pods(t.Context(), r, ns)
			if err != nil {
				t.Fatal(err)
			}
			n += len(ps)
			for _, p := range ps {
				names = append(names, p.GetName())
			}
		}
		if n != 1 {
			t.Errorf("namespace %s has %d pods, want 1", ns, n)
		}
	}
	slices.Sort(names)
	if len(slices.Compact(names)) != 2 {
		t.Errorf("pods are not apart: %v", names)
	}

	// To delete one leaves the other.
	kubectl(t, "delete", "md/qwen", "--namespace="+a, "--wait=false")
	eventually(t, deletion, gone(a))
	if err := serves(b, "qwen", 1)(t.Context()); err != nil {
		t.Error(err)
	}
}

// TestBadSelector edits a selector that does not compile into a deployment that
// serves: a condition changes, and nothing else.
func TestBadSelector(t *testing.T) {
	ns := inNamespace(t, "bad-selector")
	apply(t, ns, model("qwen", 1))
	eventually(t, soon, serves(ns, "qwen", 1))
	before := workloads(t, ns)

	apply(t, ns, strings.Replace(model("qwen", 1), "architecture ==", "architecture ===", 1))
	eventually(t, soon, says(ns, "qwen", v1alpha1.TypeReplicasScheduled, v1alpha1.ReasonInvalidNodeSelector))
	never(t, 3*time.Second, unchanged(ns, before))

	apply(t, ns, model("qwen", 1))
	eventually(t, soon, serves(ns, "qwen", 1))
	if err := unchanged(ns, before)(t.Context()); err != nil {
		t.Error(err)
	}
}

// TestClusterOutage kills the API server of a cluster that serves. Nothing is
// deleted, and everything is as it was when it returns.
func TestClusterOutage(t *testing.T) {
	ns := inNamespace(t, "outage")
	apply(t, ns, model("qwen", 2))
	eventually(t, soon, serves(ns, "qwen", 2))
	before := workloads(t, ns)
	cluster := "prod-eu"

	restart := outage(t, cluster)
	never(t, 20*time.Second, func(ctx context.Context) error {
		mrs, err := replicas(ctx, ns)
		if err != nil {
			return err
		}
		for _, mr := range mrs {
			if mr.GetDeletionTimestamp() != nil {
				return fmt.Errorf("replica %s on %s is being deleted", mr.GetName(), mr.Spec.ClusterName)
			}
		}
		if len(mrs) != 2 {
			return fmt.Errorf("there are %d replicas, want 2", len(mrs))
		}
		return nil
	})

	if err := restart(); err != nil {
		t.Fatal(err)
	}
	eventually(t, 2*time.Minute, serves(ns, "qwen", 2))
	if err := unchanged(ns, before)(t.Context()); err != nil {
		t.Error(err)
	}
}

// TestDeletion deletes a deployment: everything it had on clusters goes, and
// nothing else does.
func TestDeletion(t *testing.T) {
	ns := inNamespace(t, "deletion")
	apply(t, ns, model("goes", 1))
	apply(t, ns, model("stays", 1))
	eventually(t, soon, serves(ns, "goes", 1))
	eventually(t, soon, serves(ns, "stays", 1))

	kubectl(t, "delete", "md/goes", "--namespace="+ns, "--wait=false")
	eventually(t, deletion, func(ctx context.Context) error {
		found, err := everything(ctx, ns)
		for _, what := range found {
			if strings.Contains(what, "/goes-") {
				err = errors.Join(err, fmt.Errorf("%s is still there", what))
			}
		}
		return err
	})
	eventually(t, soon, serves(ns, "stays", 1))
	found, err := everything(t.Context(), ns)
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range []string{"Deployment", "ResourceClaimTemplate", "Service", "HTTPRoute", "Pod"} {
		if !slices.ContainsFunc(found, func(s string) bool { return strings.Contains(s, kind+"/stays-") }) {
			t.Errorf("the other deployment has lost its %s: %v", kind, found)
		}
	}
}

// TestUpgrade installs a second version of all packages. What runs is not
// restarted.
func TestUpgrade(t *testing.T) {
	ns := inNamespace(t, "upgrade")
	apply(t, ns, model("qwen", 2))
	eventually(t, soon, serves(ns, "qwen", 2))
	before := workloads(t, ns)

	if err := fleet.InstallVersion(t.Context(), "v0.1.1"); err != nil {
		t.Fatal(err)
	}
	// The new functions do work: they scale what the old ones made.
	kubectl(t, "scale", "md/qwen", "--namespace="+ns, "--replicas=3")
	eventually(t, soon, serves(ns, "qwen", 3))
	for name, was := range before {
		if now, ok := workloads(t, ns)[name]; !ok || now != was {
			t.Errorf("%s was %s, and is %s", name, was, now)
		}
	}
}

// TestTrace shows that crossplane resource trace finds all that a deployment is
// made of.
func TestTrace(t *testing.T) {
	ns := inNamespace(t, "trace")
	apply(t, ns, model("qwen", 1))
	eventually(t, soon, serves(ns, "qwen", 1))

	out, err := fleet.CrossplaneCLI(t.Context(), "resource", "trace", "modeldeployments.modelplane.ai/qwen", "--namespace="+ns)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"ModelDeployment/qwen", "ModelReplica/qwen-", "ModelEndpoint/qwen-", "Object/qwen-"} {
		if !strings.Contains(out, want) {
			t.Errorf("crossplane resource trace does not show %s:\n%s", want, out)
		}
	}
	t.Logf("\n%s", out)
}

// examples are the folders of all examples.
func examples(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(root, "examples", "*", "model.yaml"))
	if err != nil || len(files) == 0 {
		t.Fatalf("cannot find examples: %v", err)
	}
	for i := range files {
		files[i] = filepath.Dir(files[i])
	}
	return files
}

// workloads of a namespace on all clusters: their UIDs and generations, and the
// UIDs of their pods, by cluster and name.
func workloads(t *testing.T, namespace string) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, r := range fleet.Remotes {
		found := &appsv1.DeploymentList{}
		if err := r.Client.List(t.Context(), found, client.InNamespace(namespace)); err != nil {
			t.Fatal(err)
		}
		for _, d := range found.Items {
			out[r.Name+"/"+d.GetName()] = fmt.Sprintf("%s at generation %d", d.GetUID(), d.GetGeneration())
		}
		ps, err := pods(t.Context(), r, namespace)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range ps {
			out[r.Name+"/"+p.GetName()] = string(p.GetUID())
		}
	}
	return out
}

// unchanged checks that the workloads of a namespace are what they were.
func unchanged(namespace string, before map[string]string) func(ctx context.Context) error {
	return func(ctx context.Context) error {
		for name, was := range before {
			cluster, name, _ := strings.Cut(name, "/")
			r := fleet.Remote(cluster)
			var o client.Object = &corev1.Pod{}
			if strings.Contains(was, "generation") {
				o = &appsv1.Deployment{}
			}
			if err := r.Client.Get(ctx, client.ObjectKey{Namespace: namespace, Name: name}, o); err != nil {
				return fmt.Errorf("%s on %s is not as it was: %w", name, cluster, err)
			}
			now := string(o.GetUID())
			if strings.Contains(was, "generation") {
				now = fmt.Sprintf("%s at generation %d", o.GetUID(), o.GetGeneration())
			}
			if now != was {
				return fmt.Errorf("%s on %s was %s, and is %s", name, cluster, was, now)
			}
		}
		return nil
	}
}

// everything of ours in a namespace on all clusters, as cluster/Kind/name.
func everything(ctx context.Context, namespace string) ([]string, error) {
	out := []string{}
	for _, r := range fleet.Remotes {
		for _, kind := range []struct{ group, version, kind string }{
			{"apps", "v1", "Deployment"},
			{"", "v1", "Pod"},
			{"", "v1", "Service"},
			{"", "v1", "Secret"},
			{"resource.k8s.io", "v1", "ResourceClaimTemplate"},
			{"resource.k8s.io", "v1", "ResourceClaim"},
			{"leaderworkerset.x-k8s.io", "v1", "LeaderWorkerSet"},
			{"gateway.networking.k8s.io", "v1", "HTTPRoute"},
		} {
			found := &unstructured.UnstructuredList{}
			found.SetAPIVersion(strings.TrimPrefix(kind.group+"/"+kind.version, "/"))
			found.SetKind(kind.kind + "List")
			if err := r.Client.List(ctx, found, client.InNamespace(namespace)); err != nil {
				return nil, fmt.Errorf("cannot list %ss of %s: %w", kind.kind, r.Name, err)
			}
			for _, o := range found.Items {
				out = append(out, r.Name+"/"+kind.kind+"/"+o.GetName())
			}
		}
	}
	return out, nil
}

// gone checks that nothing of ours is left in a namespace on any cluster.
func gone(namespace string) func(ctx context.Context) error {
	return func(ctx context.Context) error {
		found, err := everything(ctx, namespace)
		if err != nil {
			return err
		}
		if len(found) > 0 {
			return fmt.Errorf("%s are still there", strings.Join(found, ", "))
		}
		return nil
	}
}
