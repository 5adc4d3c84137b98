package e2e

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/modelplane-go/modelplane/schemas/modelplane/v1alpha1"
	"github.com/modelplane-go/modelplane/schemas/remote"
	"github.com/modelplane-go/modelplane/tests/controlplane"
	"github.com/modelplane-go/modelplane/tests/typed"
)

// system is the namespace of Modelplane on the control plane.
const system = "modelplane-system"

// spare is a second InferenceCluster on a cluster of the fleet: one that may be
// deleted. It has a class of its own.
const spare = `
apiVersion: modelplane.ai/v1alpha1
kind: InferenceClass
metadata: {name: spare-5x}
spec:
  description: Five GPUs of a cluster that may be deleted.
  devices:
  - {name: gpu, driver: gpu.nvidia.com, deviceClassName: gpu.nvidia.com, count: 5, attributes: {type: {string: gpu}, productName: {string: Arena}}}
---
apiVersion: modelplane.ai/v1alpha1
kind: InferenceCluster
metadata: {name: spare, labels: {tier: spare}}
spec:
  cluster: {source: Existing, existing: {secretRef: {name: spare-kubeconfig}, gateway: {address: 192.0.2.9}}}
  nodePools:
  - {name: arena, className: spare-5x, nodeCount: 1}
`

// TestDelete deletes things in the wrong order. What is deleted is waited for
// together, because Objects are not deleted before they are half a minute old.
func TestDelete(t *testing.T) {
	cluster, namespace, unreachable := deleteClusterFirst(t), deleteNamespace(t), deleteWhileUnreachable(t)

	t.Run("ClusterFirst", cluster)
	t.Run("WhileUnreachable", unreachable)
	t.Run("Namespace", namespace) // Last, for it looks at all clusters.
}

// deleteClusterFirst deletes a cluster that serves, which is refused, and its
// provider config, which waits. Once the model is gone the cluster goes, and all
// that was its own.
func deleteClusterFirst(t *testing.T) func(t *testing.T) {
	t.Helper()
	ns := inNamespace(t, "cluster-first")
	secret := kubeconfig(t, "prod-us")
	secret.Name = "spare-kubeconfig"
	if err := fleet.ControlPlane.Apply(t.Context(), secret); err != nil {
		t.Fatal(err)
	}
	apply(t, ns, spare)
	apply(t, ns, on("Arena", "qwen", "clusterSelector: {matchLabels: {tier: spare}}", 1))
	eventually(t, soon, serves(ns, "qwen", 1))
	before := workloads(t, ns)

	protected(t, "ic", "spare")
	refused(t, "drain it with a NoExecute taint, or delete their ModelDeployments", "ic", "spare")
	refused(t, "ModelReplicas are on it", "ic", "spare", "--cascade=foreground")
	// Its provider config is not refused to go, and does not before its Objects.
	configs, err := named(t.Context(), remote.KubernetesAPIVersion, remote.KindClusterProviderConfig, "", "spare-")
	if err != nil || len(configs) != 1 {
		t.Fatalf("there are provider configs %v, want one: %v", configs, err)
	}
	kubectl(t, "delete", strings.Replace(configs[0], "/", ".kubernetes.m.crossplane.io/", 1), "--wait=false")
	never(t, 2*time.Second, all(unchanged(ns, before), serves(ns, "qwen", 1)))

	kubectl(t, "delete", "md/qwen", "--namespace="+ns, "--wait=false")
	return func(t *testing.T) {
		t.Helper()
		// The replica is gone before what it had on the cluster is. Until that is,
		// the cluster is needed.
		eventually(t, deletion, func(ctx context.Context) error {
			_, err := fleet.Kubectl(ctx, fleet.ControlPlane, "delete", "ic", "spare", "--wait=false")
			return err
		})
		if err := noObjects(ns)(t.Context()); err != nil {
			t.Errorf("the cluster may be deleted, and %v", err)
		}
		eventually(t, soon, all(
			none(v1alpha1.GroupVersion.String(), v1alpha1.KindInferenceCluster, "", "spare"),
			none(remote.KubernetesAPIVersion, remote.KindClusterProviderConfig, "", "spare-"),
			none(remote.KubernetesAPIVersion, remote.KindObject, "", "spare-"),
			none(remote.ProtectionAPIVersion, remote.KindClusterUsage, "", "spare-"),
			none(remote.ProtectionAPIVersion, remote.KindUsage, "", "spare-"),
		))
		kubectl(t, "delete", "secret", "spare-kubeconfig", "--namespace="+system)
		kubectl(t, "delete", "inferenceclass", "spare-5x")
	}
}

// deleteNamespace deletes the namespace of a team that serves. Nothing of it is
// left but the namespaces on the clusters, and another team's namesake serves on.
func deleteNamespace(t *testing.T) func(t *testing.T) {
	t.Helper()
	leaves, stays := inNamespace(t, "team-leaves"), inNamespace(t, "team-stays")
	for _, ns := range []string{leaves, stays} {
		apply(t, ns, model("qwen", 1)+`
---
apiVersion: modelplane.ai/v1alpha1
kind: ModelService
metadata: {name: qwen, namespace: NAMESPACE}
spec: {endpoints: [{selector: {matchLabels: {modelplane.ai/deployment: qwen}}}]}
`)
	}
	for _, ns := range []string{leaves, stays} {
		eventually(t, soon, serves(ns, "qwen", 1))
		eventually(t, soon, routes(ns, "qwen"))
	}
	before := workloads(t, stays)
	mrs, err := replicas(t.Context(), leaves)
	if err != nil || len(mrs) != 1 {
		t.Fatalf("there are %d replicas, want 1: %v", len(mrs), err)
	}
	cluster := mrs[0].Spec.ClusterName

	kubectl(t, "delete", "namespace", leaves, "--wait=false")
	return func(t *testing.T) {
		t.Helper()
		eventually(t, deletion, all(gone(leaves), none("v1", "Namespace", "", leaves)))
		if err := fleet.Remote(cluster).Client.Get(t.Context(), client.ObjectKey{Name: leaves}, &corev1.Namespace{}); err != nil {
			t.Errorf("namespace %s of cluster %s is not ours to delete: %v", leaves, cluster, err)
		}
		if err := all(serves(stays, "qwen", 1), routes(stays, "qwen"), unchanged(stays, before))(t.Context()); err != nil {
			t.Error(err)
		}
	}
}

// deleteWhileUnreachable deletes a model while its cluster cannot be reached.
// What it has there goes once it can be, and until then the cluster stays.
func deleteWhileUnreachable(t *testing.T) func(t *testing.T) {
	t.Helper()
	const cluster = "rack"
	ns := inNamespace(t, "unreachable")
	apply(t, ns, on("NVIDIA GB200", "qwen", "replicas: 1", 1))
	eventually(t, soon, serves(ns, "qwen", 1))

	restart := outage(t, cluster)
	kubectl(t, "delete", "md/qwen", "--namespace="+ns, "--wait=false")
	return func(t *testing.T) {
		t.Helper()
		eventually(t, soon, none(v1alpha1.GroupVersion.String(), v1alpha1.KindModelReplica, ns, ""))
		never(t, 5*time.Second, func(ctx context.Context) error {
			if err := noObjects(ns)(ctx); err == nil {
				return errors.New("Objects are gone that nobody has deleted from the cluster")
			}
			return nil
		})
		refused(t, "not all of them are gone from it yet", "ic", cluster, "--dry-run=server")

		if err := restart(); err != nil {
			t.Fatal(err)
		}
		eventually(t, deletion, all(gone(ns), noObjects(ns)))
		eventually(t, 2*time.Minute, reached(cluster))
	}
}

// TestDeleteClassFirst deletes a class that a cluster has nodes of, which is
// refused, and one that none has, which is not.
func TestDeleteClassFirst(t *testing.T) {
	mend(t)
	unused, _, _ := strings.Cut(spare, "---")
	apply(t, "", strings.ReplaceAll(unused, "spare-5x", "unused-5x"))
	kubectl(t, "delete", "inferenceclass", "unused-5x")

	protected(t, "inferenceclass", "gb200-nvl72")
	refused(t, "InferenceCluster rack has nodes of it in pool rack-1", "inferenceclass", "gb200-nvl72")
}

// TestDeleteSecretFirst deletes the kubeconfig that a cluster is reached with,
// which is refused.
func TestDeleteSecretFirst(t *testing.T) {
	mend(t)
	protected(t, "secret", "rack-kubeconfig", "--namespace="+system)
	refused(t, "InferenceCluster rack is reached with it: name another in spec.cluster.existing.secretRef",
		"secret", "rack-kubeconfig", "--namespace="+system)
}

// mend what a test has deleted that it should have been refused.
func mend(t *testing.T) {
	t.Helper()
	secret := kubeconfig(t, "rack")
	t.Cleanup(func() {
		if !t.Failed() {
			return
		}
		ctx := context.WithoutCancel(t.Context())
		if err := errors.Join(fleet.ControlPlane.Apply(ctx, secret), fleet.Register(ctx)); err != nil {
			t.Error(err)
		}
	})
}

// kubeconfig of a cluster, as a Secret that may be applied.
func kubeconfig(t *testing.T, cluster string) *corev1.Secret {
	t.Helper()
	s := &corev1.Secret{}
	key := client.ObjectKey{Namespace: system, Name: controlplane.KubeconfigSecret(cluster)}
	if err := fleet.ControlPlane.Client.Get(t.Context(), key, s); err != nil {
		t.Fatal(err)
	}
	return &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: key.Namespace, Name: key.Name}, Data: s.Data}
}

// protected waits until Crossplane protects an object.
func protected(t *testing.T, args ...string) {
	t.Helper()
	eventually(t, soon, func(ctx context.Context) error {
		out, err := fleet.Kubectl(ctx, fleet.ControlPlane, append([]string{"get", "--show-labels"}, args...)...)
		if err == nil && !strings.Contains(out, "crossplane.io/in-use=true") {
			err = fmt.Errorf("%s is not protected", strings.Join(args, " "))
		}
		return err
	})
}

// refused checks that it is refused to delete an object, and why.
func refused(t *testing.T, why string, args ...string) {
	t.Helper()
	out, err := fleet.Kubectl(t.Context(), fleet.ControlPlane, append([]string{"delete"}, args...)...)
	if err == nil {
		t.Fatalf("%s is deleted: %s", strings.Join(args, " "), out)
	}
	if !strings.Contains(err.Error(), why) {
		t.Errorf("%s is not deleted, and nobody learns that %q: %v", strings.Join(args, " "), why, err)
	}
	t.Logf("%v", err)
}

// routes checks that a ModelService leads to what it selects.
func routes(namespace, name string) func(ctx context.Context) error {
	return func(ctx context.Context) error {
		ms, err := typed.Get[v1alpha1.ModelService](ctx, fleet.ControlPlane.Client, v1alpha1.KindModelService, client.ObjectKey{Namespace: namespace, Name: name})
		if err == nil && !meta.IsStatusConditionTrue(ms.Status.Conditions, "Ready") {
			err = fmt.Errorf("ModelService %s/%s is not Ready:\n%s", namespace, name, list(ms.Status.Conditions))
		}
		return err
	}
}

// reached checks that a cluster is Ready.
func reached(name string) func(ctx context.Context) error {
	return func(ctx context.Context) error {
		ic, err := typed.Get[v1alpha1.InferenceCluster](ctx, fleet.ControlPlane.Client, v1alpha1.KindInferenceCluster, client.ObjectKey{Name: name})
		if err == nil && !meta.IsStatusConditionTrue(ic.Status.Conditions, "Ready") {
			err = fmt.Errorf("InferenceCluster %s is not Ready:\n%s", name, list(ic.Status.Conditions))
		}
		return err
	}
}

// outage kills the API server of a cluster. It returns what starts it again, at
// the end of the test at the latest.
func outage(t *testing.T, cluster string) func() error {
	t.Helper()
	if err := fleet.Kill(controlplane.APIServer(cluster)); err != nil {
		t.Fatal(err)
	}
	restart := sync.OnceValue(func() error {
		return fleet.Restart(context.WithoutCancel(t.Context()), controlplane.APIServer(cluster))
	})
	t.Cleanup(func() {
		if err := restart(); err != nil {
			t.Error(err)
		}
	})
	return restart
}

// named are the names of objects of a kind on the control plane that begin with a
// prefix, of one namespace or of all.
func named(ctx context.Context, apiVersion, kind, namespace, prefix string) ([]string, error) {
	found := &unstructured.UnstructuredList{}
	found.SetAPIVersion(apiVersion)
	found.SetKind(kind + "List")
	if err := fleet.ControlPlane.Client.List(ctx, found, client.InNamespace(namespace)); err != nil {
		return nil, fmt.Errorf("cannot list %ss: %w", kind, err)
	}
	out := []string{}
	for _, o := range found.Items {
		if strings.HasPrefix(o.GetName(), prefix) {
			out = append(out, kind+"/"+o.GetName())
		}
	}
	return out, nil
}

// none checks that no objects of a kind begin with a prefix.
func none(apiVersion, kind, namespace, prefix string) func(ctx context.Context) error {
	return func(ctx context.Context) error {
		found, err := named(ctx, apiVersion, kind, namespace, prefix)
		if err == nil && len(found) > 0 {
			err = fmt.Errorf("%s are still there", strings.Join(found, ", "))
		}
		return err
	}
}

// noObjects checks that a namespace of the control plane has no Objects.
func noObjects(namespace string) func(ctx context.Context) error {
	return none(remote.KubernetesAPIVersion, remote.KindObject, namespace, "")
}

// all checks in turn.
func all(checks ...func(ctx context.Context) error) func(ctx context.Context) error {
	return func(ctx context.Context) error {
		var err error
		for _, check := range checks {
			err = errors.Join(err, check(ctx))
		}
		return err
	}
}
