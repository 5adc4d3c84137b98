package e2e

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	resourcev1 "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/modelplane-go/modelplane/schemas/modelplane/v1alpha1"
	"github.com/modelplane-go/modelplane/tests/controlplane"
)

// These tests run at the same time, on devices of their own: most of their time
// is that of deletions.

const (
	// busy is soon, for tests that run at the same time.
	busy = 3 * time.Minute

	// labelServing is on every pod that serves: the name of its replica, and a
	// hash.
	labelServing = "modelplane.ai/serving"

	// inBothRegions has replicas on more than one cluster.
	inBothRegions = "\n  spread: [{topologyKey: region}]"
)

// version is a deployment with another version of the engine.
func version(y, v string) string { return strings.ReplaceAll(y, "engine:v1", "engine:"+v) }

// neverRuns is a deployment whose pods no scheduler takes.
func neverRuns(y string) string {
	return strings.ReplaceAll(y, "spec: {containers:", "spec: {schedulerName: nobody, containers:")
}

// TestRollout rolls an image out. Two of three replicas serve at every moment, and
// kubectl shows how far it is.
func TestRollout(t *testing.T) {
	t.Parallel()
	ns := inNamespace(t, "rollout")
	apply(t, ns, model("qwen", 3)+inBothRegions)
	eventually(t, busy, serves(ns, "qwen", 3))

	columns := watching(t, "md/qwen", "--namespace="+ns, "--no-headers")
	revised := watching(t, "md/qwen", "--namespace="+ns, "--no-headers", "--output=custom-columns=:.status.replicas.updated")
	holds := throughout(t, serve(ns, "qwen", 2))
	apply(t, ns, version(model("qwen", 3)+inBothRegions, "v2"))
	eventually(t, busy, rolledOut(ns, "qwen", 3, "engine:v2"))
	holds()

	var serving []string
	for _, line := range columns() {
		serving = append(serving, strings.Fields(line)[1])
	}
	// A pod that starts at once may be missing too shortly to be said.
	s := slices.Compact(serving)
	if s[0] != "3/3" || s[len(s)-1] != "3/3" || slices.ContainsFunc(s, func(n string) bool { return n != "3/3" && n != "2/3" }) {
		t.Errorf("kubectl get md shows %v of 3 replicas, want 3/3, no less than 2/3 in between, and 3/3", s)
	}
	// None is, between the change and when requests are withdrawn from the first.
	got := slices.DeleteFunc(slices.Compact(revised()), func(s string) bool { return s == "0" })
	if want := []string{"3", "1", "2", "3"}; !slices.Equal(got, want) {
		t.Errorf("replicas updated: %v, want %v", got, want)
	}
}

// TestStuckRollout rolls out what never runs. One replica is taken, and the
// others serve on untouched. The old spec brings that one back.
func TestStuckRollout(t *testing.T) {
	t.Parallel()
	ns := inNamespace(t, "stuck-rollout")
	y := on("Arena", "qwen", "replicas: 3"+inBothRegions, 1)
	apply(t, ns, y)
	eventually(t, busy, serves(ns, "qwen", 3))
	others := workloads(t, ns)
	holds := throughout(t, serve(ns, "qwen", 2))

	apply(t, ns, neverRuns(y))
	taken := ""
	eventually(t, busy, func(ctx context.Context) error {
		message, err := progress(ctx, ns, "qwen", v1alpha1.ReasonRollingOut)
		if err != nil {
			return err
		}
		before, after, ok := strings.Cut(message, ": 1 of 3 updated, waiting for ")
		if taken, _, _ = strings.Cut(after, " to be Ready"); !ok || !strings.HasPrefix(before, "revision ") {
			return fmt.Errorf("it does not say what it waits for: %s", message)
		}
		return nil
	})
	maps.DeleteFunc(others, func(name, _ string) bool { return strings.Contains(name, "/"+taken+"-") })
	if len(others) != 4 {
		t.Fatalf("want two replicas beside %s, each a Deployment and a pod: %v", taken, others)
	}
	eventually(t, busy, pending(ns, 1))
	never(t, 5*time.Second, unchanged(ns, others))
	eventually(t, busy, func(ctx context.Context) error {
		out, err := fleet.Kubectl(ctx, fleet.ControlPlane, "get", "md/qwen", "--namespace="+ns, "--no-headers")
		if err == nil && strings.Fields(out)[1] != "2/3" {
			err = fmt.Errorf("kubectl get md shows other than 2/3 replicas: %s", out)
		}
		return err
	})

	apply(t, ns, y)
	eventually(t, busy, rolledOut(ns, "qwen", 3, "engine:v1"))
	if err := errors.Join(unchanged(ns, others)(t.Context()), pending(ns, 0)(t.Context())); err != nil {
		t.Error(err)
	}
	holds()
}

// TestRolloutWaitsForStatus rolls out while no replica is composed, as if
// Crossplane were slow. What the first one says is of its former spec: it does
// not let the second go.
func TestRolloutWaitsForStatus(t *testing.T) {
	t.Parallel()
	ns := inNamespace(t, "uncomposed")
	y := on("NVIDIA H200", "qwen", "replicas: 3", 8)
	apply(t, ns, y)
	eventually(t, busy, serves(ns, "qwen", 3))

	pause := func(annotation string) { kubectl(t, "annotate", "mr", "--all", "--namespace="+ns, annotation) }
	pause("crossplane.io/paused=true")
	t.Cleanup(func() {
		_, _ = fleet.Kubectl(context.WithoutCancel(t.Context()), fleet.ControlPlane, "annotate", "mr", "--all", "--namespace="+ns, "crossplane.io/paused-")
	})
	apply(t, ns, version(y, "v2"))
	eventually(t, busy, updated(ns, "qwen", 1))
	never(t, 15*time.Second, updated(ns, "qwen", 1))
	pause("crossplane.io/paused-")
	eventually(t, busy, rolledOut(ns, "qwen", 3, "engine:v2"))
}

// TestLabelsDoNotRoll changes what only labels a deployment and its replicas.
func TestLabelsDoNotRoll(t *testing.T) {
	t.Parallel()
	ns := inNamespace(t, "labels")
	y := on("Arena", "qwen", "replicas: 2"+inBothRegions, 1)
	apply(t, ns, y)
	eventually(t, busy, serves(ns, "qwen", 2))
	before := workloads(t, ns)

	y = strings.Replace(y, "replicas: 2", "replicas: 2\n  replicaMetadata: {labels: {team: search}}", 1)
	apply(t, ns, strings.Replace(y, "namespace: NAMESPACE", "namespace: NAMESPACE, labels: {owner: search}", 1))
	eventually(t, busy, func(ctx context.Context) error {
		mrs, err := replicas(ctx, ns)
		for _, mr := range mrs {
			if mr.GetLabels()["team"] != "search" || mr.GetLabels()["owner"] != "" {
				err = errors.Join(err, fmt.Errorf("%s has labels %v, want team=search and not the deployment's own", mr.GetName(), mr.GetLabels()))
			}
		}
		return err
	})
	never(t, 5*time.Second, unchanged(ns, before))
	eventually(t, busy, serves(ns, "qwen", 2))
}

// TestRolloutOnFullPool updates replicas that have every device there is: first
// as it is by default, and then asked for an extra replica there is no room for.
func TestRolloutOnFullPool(t *testing.T) {
	t.Parallel()
	ns := inNamespace(t, "full-pool")
	y := on("Shared", "qwen", "replicas: 2", 8)
	apply(t, ns, y)
	eventually(t, busy, serves(ns, "qwen", 2))

	holds := throughout(t, serve(ns, "qwen", 1))
	apply(t, ns, version(y, "v2"))
	eventually(t, busy, rolledOut(ns, "qwen", 2, "engine:v2"))

	y = strings.Replace(y, "replicas: 2", "replicas: 2\n  strategy: {rollingUpdate: {maxSurge: 1}}", 1)
	apply(t, ns, version(y, "v3"))
	eventually(t, busy, rolledOut(ns, "qwen", 2, "engine:v3"))
	holds()
}

// TestRecreate takes all replicas at once.
func TestRecreate(t *testing.T) {
	t.Parallel()
	ns := inNamespace(t, "recreate")
	y := strings.Replace(model("qwen", 2), "replicas: 2", "replicas: 2\n  strategy: {type: Recreate}", 1) + inBothRegions
	apply(t, ns, y)
	eventually(t, busy, serves(ns, "qwen", 2))

	// All wait for pods that never run: none has waited for another.
	apply(t, ns, neverRuns(y))
	eventually(t, busy, pending(ns, 2))
	if ps := allPods(t.Context(), t, ns); len(ps) != 2 {
		t.Errorf("there are %d pods, want 2", len(ps))
	}
	apply(t, ns, version(y, "v2"))
	eventually(t, busy, rolledOut(ns, "qwen", 2, "engine:v2"))
}

// TestShapeChange makes a gang of a Standalone engine, and the other way around.
// Nothing of the former shape stays. Requests may go to both shapes until the
// cluster has heard that the former is to go, and to that one never again.
func TestShapeChange(t *testing.T) {
	t.Parallel()
	const product = "NVIDIA A100-SXM4-40GB"
	ns := inNamespace(t, "shape")
	standalone := on(product, "qwen", "replicas: 1", 2)
	gang := on(product, "qwen", `replicas: 1
  engines:
  - name: main
    members:
    - {role: Leader, DEVICES, TEMPLATE}
    - {role: Worker, worker: {nodes: 1}, DEVICES, TEMPLATE}`, 2)

	apply(t, ns, standalone)
	eventually(t, busy, serves(ns, "qwen", 1))
	for _, y := range []string{gang, standalone} {
		before := ofShape(t, ns)
		apply(t, ns, y)
		eventually(t, soon, unserved(ns, before))
		holds := throughout(t, unserved(ns, before))
		eventually(t, deletion, replaced(ns, before))
		eventually(t, busy, rolledOut(ns, "qwen", 1, "engine:v1"))
		holds()
	}
}

// TestClaimChange asks for more devices. Claims are immutable: there is another
// template, and the former one goes once nothing is made of it.
func TestClaimChange(t *testing.T) {
	t.Parallel()
	const product = "NVIDIA GB200"
	ns := inNamespace(t, "claim")
	apply(t, ns, on(product, "qwen", "replicas: 1", 1))
	eventually(t, busy, serves(ns, "qwen", 1))
	before := claimTemplates(t, ns)

	holds := throughout(t, usable(ns, before))
	apply(t, ns, version(on(product, "qwen", "replicas: 1", 2), "v2"))
	eventually(t, busy, rolledOut(ns, "qwen", 1, "engine:v2"))
	eventually(t, deletion, replaced(ns, before))
	holds()
	if after := claimTemplates(t, ns); len(before) != 1 || len(after) != 1 || after[0] == before[0] {
		t.Errorf("claim templates were %v and are %v, want another one", before, after)
	}
	for _, p := range allPods(t.Context(), t, ns) {
		claims := &resourcev1.ResourceClaimList{}
		if err := fleet.Remote("rack").Client.List(t.Context(), claims, client.InNamespace(ns)); err != nil {
			t.Fatal(err)
		}
		if len(claims.Items) != 1 || len(claims.Items[0].Status.Allocation.Devices.Results) != 2 {
			t.Errorf("pod %s has claims %+v, want one of two devices", p.GetName(), claims.Items)
		}
	}
}

// progress of a deployment, if it is for the supplied reason.
func progress(ctx context.Context, namespace, name string, r v1alpha1.ConditionReason) (string, error) {
	md, err := deployment(ctx, namespace, name)
	if err != nil {
		return "", err
	}
	return because(namespace+"/"+name, md.Status.Conditions, v1alpha1.TypeProgressing, r)
}

// updated checks that so many replicas of a deployment have its spec.
func updated(namespace, name string, n int32) func(ctx context.Context) error {
	return func(ctx context.Context) error {
		md, err := deployment(ctx, namespace, name)
		if err != nil {
			return err
		}
		if r := md.Status.Replicas; r == nil || r.Updated != n {
			return fmt.Errorf("%s/%s: replicas are %+v, want %d updated", namespace, name, r, n)
		}
		return nil
	}
}

// rolledOut checks that a deployment has so many replicas, all of which serve
// and run an image, and that it says so.
func rolledOut(namespace, name string, n int, image string) func(ctx context.Context) error {
	return func(ctx context.Context) error {
		if _, err := progress(ctx, namespace, name, v1alpha1.ReasonUpToDate); err != nil {
			return err
		}
		if err := serves(namespace, name, int32(n))(ctx); err != nil {
			return err
		}
		of, err := servedBy(ctx, namespace, name, fleet.Remotes...)
		if err != nil {
			return err
		}
		for replica, p := range of {
			if p.Spec.Containers[0].Image != image {
				return fmt.Errorf("%s runs %s, want %s", replica, p.Spec.Containers[0].Image, image)
			}
		}
		if len(of) != n {
			return fmt.Errorf("pods serve %d of %d replicas", len(of), n)
		}
		return nil
	}
}

// serve checks that pods serve so many replicas of a deployment at least, and
// that as many ModelReplicas say so.
func serve(namespace, name string, n int) func(ctx context.Context) error {
	return func(ctx context.Context) error {
		start := time.Now()
		of, err := servedBy(ctx, namespace, name, fleet.Remotes...)
		if err != nil {
			return err
		}
		// Clusters are asked one after the other. A look that takes longer is at
		// one replica before another, and at that one after it.
		if took := time.Since(start); took < pace && len(of) < n {
			return fmt.Errorf("pods serve %d replicas of %s/%s, want %d or more: %v", len(of), namespace, name, n, slices.Sorted(maps.Keys(of)))
		}
		mrs, err := replicas(ctx, namespace)
		if err != nil {
			return err
		}
		ready := 0
		for _, mr := range mrs {
			if meta.IsStatusConditionTrue(mr.Status.Conditions, "Ready") {
				ready++
			}
		}
		if ready < n {
			return fmt.Errorf("%d ModelReplicas of %s/%s are Ready, want %d or more", ready, namespace, name, n)
		}
		return nil
	}
}

// servedBy returns the pods that are Ready to serve a deployment on some
// clusters, by replica.
func servedBy(ctx context.Context, namespace, name string, clusters ...*controlplane.Remote) (map[string]corev1.Pod, error) {
	out := map[string]corev1.Pod{}
	for _, r := range clusters {
		ps, err := pods(ctx, r, namespace)
		if err != nil {
			return nil, err
		}
		for _, p := range ps {
			replica := replicaOf(p)
			if strings.HasPrefix(replica, name+"-") && p.GetDeletionTimestamp() == nil && isReady(p) {
				out[replica] = p
			}
		}
	}
	return out, nil
}

// replicaOf a pod that serves: its name. Empty for one that does not.
func replicaOf(p corev1.Pod) string {
	serving := p.GetLabels()[labelServing]
	return serving[:max(0, strings.LastIndex(serving, "-"))]
}

func isReady(p corev1.Pod) bool {
	return slices.ContainsFunc(p.Status.Conditions, func(c corev1.PodCondition) bool {
		return c.Type == corev1.PodReady && c.Status == corev1.ConditionTrue
	})
}

// pending checks that so many pods of a namespace wait for a node.
func pending(namespace string, n int) func(ctx context.Context) error {
	return func(ctx context.Context) error {
		waiting := 0
		for _, r := range fleet.Remotes {
			ps, err := pods(ctx, r, namespace)
			if err != nil {
				return err
			}
			for _, p := range ps {
				if p.Spec.NodeName == "" {
					waiting++
				}
			}
		}
		if waiting != n {
			return fmt.Errorf("%d pods wait for a node, want %d", waiting, n)
		}
		return nil
	}
}

// ofShape is everything on clusters but what a replica has in any shape: its
// Service and its route, which have its name.
func ofShape(t *testing.T, namespace string) []string {
	t.Helper()
	found, err := everything(t.Context(), namespace)
	if err != nil {
		t.Fatal(err)
	}
	mrs, err := replicas(t.Context(), namespace)
	if err != nil {
		t.Fatal(err)
	}
	for _, mr := range mrs {
		found = slices.DeleteFunc(found, func(what string) bool { return strings.HasSuffix(what, "/"+mr.GetName()) })
	}
	return found
}

// replaced checks that nothing of what was there still is.
func replaced(namespace string, before []string) func(ctx context.Context) error {
	return func(ctx context.Context) error {
		found, err := everything(ctx, namespace)
		for _, what := range before {
			if slices.Contains(found, what) {
				err = errors.Join(err, fmt.Errorf("%s is still there", what))
			}
		}
		return err
	}
}

// unserved checks that no request goes to pods that were there.
func unserved(namespace string, before []string) func(ctx context.Context) error {
	return func(ctx context.Context) error {
		to, err := endpoints(ctx, namespace)
		for pod := range to {
			if slices.Contains(before, pod) {
				err = errors.Join(err, fmt.Errorf("requests go to %s", pod))
			}
		}
		return err
	}
}

// endpoints are the pods behind the Services of replicas, as everything has them.
func endpoints(ctx context.Context, namespace string) (map[string]corev1.Pod, error) {
	mrs, err := replicas(ctx, namespace)
	if err != nil {
		return nil, err
	}
	out := map[string]corev1.Pod{}
	for _, mr := range mrs {
		r := fleet.Remote(mr.Spec.ClusterName)
		ps, err := pods(ctx, r, namespace)
		if err != nil {
			return nil, err
		}
		found := &discoveryv1.EndpointSliceList{}
		if err := r.Client.List(ctx, found, client.InNamespace(namespace), client.MatchingLabels{discoveryv1.LabelServiceName: mr.GetName()}); err != nil {
			return nil, err
		}
		ready := map[string]bool{}
		for _, s := range found.Items {
			for _, e := range s.Endpoints {
				ready[e.TargetRef.Name] = e.Conditions.Ready == nil || *e.Conditions.Ready
			}
		}
		for _, p := range ps {
			if ready[p.GetName()] {
				out[r.Name+"/Pod/"+p.GetName()] = p
			}
		}
	}
	return out, nil
}

// claimTemplates in a namespace on all clusters, as everything has them.
func claimTemplates(t *testing.T, namespace string) []string {
	t.Helper()
	found, err := everything(t.Context(), namespace)
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(found, func(what string) bool { return !strings.Contains(what, "/ResourceClaimTemplate/") })
}

// usable checks that claim templates are there as long as a Deployment refers to
// them: a pod may be made of them at any time.
func usable(namespace string, templates []string) func(ctx context.Context) error {
	return func(ctx context.Context) error {
		for _, r := range fleet.Remotes {
			found := &appsv1.DeploymentList{}
			if err := r.Client.List(ctx, found, client.InNamespace(namespace)); err != nil {
				return err
			}
			for _, d := range found.Items {
				for _, c := range d.Spec.Template.Spec.ResourceClaims {
					name := *c.ResourceClaimTemplateName
					if !slices.Contains(templates, r.Name+"/ResourceClaimTemplate/"+name) {
						continue
					}
					if err := r.Client.Get(ctx, client.ObjectKey{Namespace: namespace, Name: name}, &resourcev1.ResourceClaimTemplate{}); err != nil {
						return fmt.Errorf("%s refers to a claim template: %w", d.GetName(), err)
					}
				}
			}
		}
		return nil
	}
}
