package e2e

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/modelplane-go/modelplane/schemas/modelplane/v1alpha1"
	"github.com/modelplane-go/modelplane/tests/controlplane"
	"github.com/modelplane-go/modelplane/tests/typed"
)

// TestExamples runs the models of all the examples, as they are written, on one
// fleet at the same time.
func TestExamples(t *testing.T) {
	for _, ns := range []string{"ml-team", "search-team"} {
		inNamespace(t, ns)
	}
	objects := map[string][]client.Object{}
	for _, dir := range examples(t) {
		name := filepath.Base(dir)
		var err error
		if objects[name], err = controlplane.ReadObjects(filepath.Join(dir, "model.yaml")); err != nil {
			t.Fatal(err)
		}
		if err := fleet.ControlPlane.Apply(t.Context(), objects[name]...); err != nil {
			t.Fatal(err)
		}
	}

	for name, os := range objects {
		t.Run(name, func(t *testing.T) {
			for _, o := range os {
				if o.GetObjectKind().GroupVersionKind().Kind != v1alpha1.KindModelDeployment {
					continue
				}
				if name == "fits-nowhere" {
					eventually(t, soon, says(o.GetNamespace(), o.GetName(), v1alpha1.TypeReplicasScheduled, v1alpha1.ReasonInsufficientCapacity))
					continue
				}
				runs(t, o)
			}
		})
	}

	t.Run("Columns", func(t *testing.T) {
		for kind, header := range map[string]string{
			"ic": "NAME SOURCE NODES GATEWAY SYNCED READY COMPOSITION AGE",
			"md": "NAMESPACE NAME REPLICAS UPDATED SCHEDULED CLUSTERS SYNCED READY COMPOSITION AGE",
			"mr": "NAMESPACE NAME CLUSTER REASON SYNCED READY COMPOSITION AGE",
			"me": "NAMESPACE NAME URL SYNCED READY COMPOSITION AGE",
			"ms": "NAMESPACE NAME ADDRESS ENDPOINTS SYNCED READY COMPOSITION AGE",
		} {
			args := []string{"get", kind}
			if strings.HasPrefix(header, "NAMESPACE") {
				args = append(args, "--all-namespaces")
			}
			out := kubectl(t, args...)
			first, _, _ := strings.Cut(out, "\n")
			if got := strings.Join(strings.Fields(first), " "); got != header {
				t.Errorf("kubectl get %s:\nwant %s\ngot  %s", kind, header, got)
			}
		}
		t.Logf("\n%s", kubectl(t, "get", "ic,md,mr,me,ms", "--all-namespaces"))
	})
}

// runs checks that all a deployment wants runs where it was placed: its pods on
// the nodes of the pool, their claims allocated by the cluster's scheduler.
func runs(t *testing.T, o client.Object) {
	t.Helper()
	md := &v1alpha1.ModelDeployment{}
	eventually(t, soon, func(ctx context.Context) error {
		found, err := deployment(ctx, o.GetNamespace(), o.GetName())
		if err != nil {
			return err
		}
		*md = found
		if !meta.IsStatusConditionTrue(md.Status.Conditions, "Ready") {
			return fmt.Errorf("%s is not Ready", o.GetName())
		}
		return nil
	})
	for _, p := range md.Status.Placements {
		placed(t, md.GetNamespace(), p)
	}
}

func placed(t *testing.T, namespace string, p v1alpha1.Placement) {
	t.Helper()
	r := fleet.Remote(p.Cluster)
	if r == nil {
		t.Fatalf("replica %s is on cluster %s, which there is not", p.Replica, p.Cluster)
	}
	all, err := pods(t.Context(), r, namespace)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, pod := range all {
		if !strings.HasPrefix(pod.GetName(), p.Replica+"-") {
			continue
		}
		n++
		if err := errors.Join(onPool(t.Context(), r, pod, p), claimed(t.Context(), r, pod)); err != nil {
			t.Errorf("pod %s of replica %s: %v", pod.GetName(), p.Replica, err)
		}
	}
	if want := podsOf(t, namespace, p.Replica); n != want {
		t.Errorf("replica %s has %d pods on %s, want %d", p.Replica, n, p.Cluster, want)
	}
}

// podsOf counts the pods that a replica is to have: gangs are complete, or of no
// use.
func podsOf(t *testing.T, namespace, name string) int {
	t.Helper()
	mr, err := typed.Get[v1alpha1.ModelReplica](t.Context(), fleet.ControlPlane.Client, v1alpha1.KindModelReplica, client.ObjectKey{Namespace: namespace, Name: name})
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, e := range mr.Spec.Engines {
		for _, m := range e.Members {
			pods := 1
			if m.Worker != nil {
				pods = int(m.Worker.Nodes)
			}
			n += pods * int(e.Copies)
		}
	}
	return n
}

// onPool checks that a pod runs, on a node of the pool it was placed on.
func onPool(ctx context.Context, r *controlplane.Remote, pod corev1.Pod, p v1alpha1.Placement) error {
	if pod.Status.Phase != corev1.PodRunning {
		return fmt.Errorf("it is %s", pod.Status.Phase)
	}
	node := &corev1.Node{}
	if err := r.Client.Get(ctx, client.ObjectKey{Name: pod.Spec.NodeName}, node); err != nil {
		return err
	}
	for _, e := range p.Pools {
		if node.GetLabels()[labelPool] == e.Pool {
			return nil
		}
	}
	return fmt.Errorf("it is on node %s, of none of the pools %v", node.GetName(), p.Pools)
}

// claimed checks that every claim of a pod is allocated, and reserved for it.
func claimed(ctx context.Context, r *controlplane.Remote, pod corev1.Pod) error {
	for _, s := range pod.Status.ResourceClaimStatuses {
		claim := &resourcev1.ResourceClaim{}
		if err := r.Client.Get(ctx, client.ObjectKey{Namespace: pod.GetNamespace(), Name: *s.ResourceClaimName}, claim); err != nil {
			return err
		}
		if claim.Status.Allocation == nil || len(claim.Status.ReservedFor) != 1 || claim.Status.ReservedFor[0].Name != pod.GetName() {
			return fmt.Errorf("claim %s is not allocated to it", claim.GetName())
		}
	}
	if len(pod.Spec.ResourceClaims) != len(pod.Status.ResourceClaimStatuses) {
		return fmt.Errorf("it has %d claims of %d", len(pod.Status.ResourceClaimStatuses), len(pod.Spec.ResourceClaims))
	}
	return nil
}
