package e2e

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"

	"github.com/modelplane-go/modelplane/schemas/modelplane/v1alpha1"
)

// on is a ModelDeployment of engines whose pods claim so many GPUs of a product.
func on(product, name, spec string, gpus int) string {
	devices := fmt.Sprintf(`nodeSelector: {devices: [{name: gpu, count: %d, selectors: [{cel: 'device.attributes["gpu.nvidia.com"].productName == "%s"'}]}]}`, gpus, product)
	template := `template: {spec: {containers: [{name: engine, image: "engine:v1"}]}}`
	if !strings.Contains(spec, "members:") {
		spec += "\n  engines: [{name: main, members: [{DEVICES, TEMPLATE}]}]"
	}
	return fmt.Sprintf(`
apiVersion: modelplane.ai/v1alpha1
kind: ModelDeployment
metadata: {name: %s, namespace: NAMESPACE}
spec:
  %s
`, name, strings.NewReplacer("DEVICES", devices, "TEMPLATE", template).Replace(spec))
}

// TestPacking runs eight replicas of one GPU and one of eight on two nodes of
// eight: kube-scheduler, which would spread the eight by itself, packs them as
// the ledger does, and leaves a node to the ninth.
func TestPacking(t *testing.T) {
	ns := inNamespace(t, "packing")
	apply(t, ns, on("Shared", "small", "replicas: 8", 1))
	eventually(t, soon, serves(ns, "small", 8))
	apply(t, ns, on("Shared", "big", "replicas: 1", 8))
	eventually(t, soon, serves(ns, "big", 1))

	want := map[int]int{8: 1, 1: 1} // Nodes by how many pods they run.
	if got := podsOfNodes(t, ns); !maps.Equal(got, want) {
		t.Errorf("nodes by pods: %v, want %v", got, want)
	}
}

// TestGangsApart runs two copies of a gang of two pods, each of which takes half
// of a node, on two nodes: no node has two pods of one copy.
func TestGangsApart(t *testing.T) {
	ns := inNamespace(t, "apart")
	apply(t, ns, on("Shared", "gang", `replicas: 1
  engines:
  - name: main
    copies: 2
    members:
    - {role: Leader, DEVICES, TEMPLATE}
    - {role: Worker, worker: {nodes: 1}, DEVICES, TEMPLATE}`, 4))
	eventually(t, soon, serves(ns, "gang", 1))

	nodes := map[string][]string{}
	for _, p := range allPods(t.Context(), t, ns) {
		group := p.GetLabels()["leaderworkerset.sigs.k8s.io/group-index"]
		nodes[group] = append(nodes[group], p.Spec.NodeName)
	}
	if len(nodes) != 2 {
		t.Errorf("%d groups run, want 2: %v", len(nodes), nodes)
	}
	for group, on := range nodes {
		if slices.Sort(on); len(slices.Compact(on)) != 2 {
			t.Errorf("the pods of group %s are on %v, want two nodes", group, on)
		}
	}
}

// TestContest applies twenty deployments at once where there is room for ten. Ten
// serve and ten say why not, and no pod waits for a node.
func TestContest(t *testing.T) {
	const deployments, room = 20, 10
	ns := inNamespace(t, "contest")
	var all strings.Builder
	for i := range deployments {
		all.WriteString("---" + on("Arena", fmt.Sprintf("model-%02d", i), "replicas: 1", 1))
	}
	apply(t, ns, all.String())

	settled := func(ctx context.Context) error {
		serve, explained := 0, 0
		for i := range deployments {
			md, err := deployment(ctx, ns, fmt.Sprintf("model-%02d", i))
			if err != nil {
				return err
			}
			c := meta.FindStatusCondition(md.Status.Conditions, string(v1alpha1.TypeReplicasScheduled))
			switch {
			case meta.IsStatusConditionTrue(md.Status.Conditions, "Ready"):
				serve++
			case c != nil && c.Reason == string(v1alpha1.ReasonInsufficientCapacity) && strings.Contains(c.Message, "not enough room"):
				explained++
			}
		}
		mrs, err := replicas(ctx, ns)
		if err != nil {
			return err
		}
		mrs = slices.DeleteFunc(mrs, func(mr v1alpha1.ModelReplica) bool { return mr.GetDeletionTimestamp() != nil })
		if serve != room || explained != deployments-room || len(mrs) != room {
			return fmt.Errorf("%d serve and %d say why not, with %d replicas; want %d and %d, with %d", serve, explained, len(mrs), room, deployments-room, room)
		}
		return nil
	}
	eventually(t, deletion, settled)
	never(t, 3*time.Second, settled)

	// The pods of those that yielded go with them.
	eventually(t, deletion, func(ctx context.Context) error {
		ps := allPods(ctx, t, ns)
		if len(ps) != room {
			return fmt.Errorf("%d pods, want %d", len(ps), room)
		}
		for _, p := range ps {
			if p.Status.Phase != corev1.PodRunning {
				return fmt.Errorf("pod %s is %s", p.GetName(), p.Status.Phase)
			}
		}
		return nil
	})
}

// TestPreemption lets a deployment of higher priority take the place of one of
// lower priority, and no more than it needs. The loser says for whom.
func TestPreemption(t *testing.T) {
	ns := inNamespace(t, "preemption")
	apply(t, ns, on("Shared", "batch", "replicas: 2\n  priority: -10", 8))
	eventually(t, soon, serves(ns, "batch", 2))
	apply(t, ns, on("Shared", "vip", "replicas: 1\n  priority: 10", 8))
	eventually(t, deletion, serves(ns, "vip", 1))
	eventually(t, soon, says(ns, "batch", v1alpha1.TypeReplicasScheduled, v1alpha1.ReasonInsufficientCapacity))

	md, err := deployment(t.Context(), ns, "batch")
	if err != nil {
		t.Fatal(err)
	}
	if r := md.Status.Replicas; r.Total != 1 || r.Ready != 1 {
		t.Errorf("batch has %+v replicas, want the other one to serve", r)
	}
	// Crossplane writes its events one after the other, behind all it said of
	// the tests before.
	eventually(t, deletion, func(ctx context.Context) error {
		events, err := fleet.Kubectl(ctx, fleet.ControlPlane, "get", "events", "--namespace="+ns, "--output=jsonpath={range .items[*]}{.involvedObject.name}: {.message}{'\\n'}{end}")
		if err != nil {
			return err
		}
		for _, want := range []string{
			"batch: Pipeline step \"compose-model-deployment\": lost batch-",
			ns + "/vip of priority 10 goes before priority -10",
			ns + "/batch/1 of priority -10 must make way",
		} {
			if !strings.Contains(events, want) {
				return fmt.Errorf("no event says %q:\n%s", want, events)
			}
		}
		return nil
	})
}

// allPods of a namespace, on all clusters.
func allPods(ctx context.Context, t *testing.T, namespace string) []corev1.Pod {
	t.Helper()
	var out []corev1.Pod
	for _, r := range fleet.Remotes {
		ps, err := pods(ctx, r, namespace)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, ps...)
	}
	return out
}

// podsOfNodes counts nodes by how many pods of a namespace they run.
func podsOfNodes(t *testing.T, namespace string) map[int]int {
	t.Helper()
	byNode := map[string]int{}
	for _, p := range allPods(t.Context(), t, namespace) {
		byNode[p.Spec.NodeName]++
	}
	out := map[int]int{}
	for _, n := range byNode {
		out[n]++
	}
	return out
}
