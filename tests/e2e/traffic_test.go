package e2e

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/modelplane-go/modelplane/schemas/modelplane/v1alpha1"
	"github.com/modelplane-go/modelplane/tests/controlplane"
	"github.com/modelplane-go/modelplane/tests/typed"
)

// takesEffect is how long a change of a service may take until requests follow it.
const takesEffect = 2 * time.Second

// TestWeights counts who answers, and how long it takes until a change does.
func TestWeights(t *testing.T) {
	needsGateways(t)
	ns := inNamespace(t, "weights")
	apply(t, ns, model("a", 3))
	apply(t, ns, model("b", 1))
	eventually(t, soon, all(serves(ns, "a", 3), serves(ns, "b", 1)))
	c := call{url: url(ns, "qwen")}

	// Of three replicas on two clusters, one cluster has one and the other two.
	on := map[string]int{}
	for _, p := range placements(t, ns, "a") {
		on[p.Cluster]++
	}
	some := func(weight, replicas int) string {
		for cluster, n := range on {
			if n == replicas {
				return fmt.Sprintf("{selector: {matchLabels: {modelplane.ai/deployment: a, modelplane.ai/cluster: %s}}, weight: %d}", cluster, weight)
			}
		}
		t.Fatalf("no cluster has %d replicas: %v", replicas, on)
		return ""
	}
	cases := []struct {
		name   string
		groups []string
		calls  int
		want   map[string][]int
	}{
		{"90/10", []string{some(90, 1), of("b", 10)}, 200, map[string][]int{"a": {180}, "b": {20}}},
		{"3 over 2, 1 over 1", []string{some(3, 2), of("b", 1)}, 80, map[string][]int{"a": {30, 30}, "b": {20}}},
		{"1 over 3, 1 over 1", []string{of("a", 1), of("b", 1)}, 60, map[string][]int{"a": {10, 10, 10}, "b": {30}}},
		{"3 over 2 of one group", []string{some(3, 2)}, 60, map[string][]int{"a": {30, 30}}},
	}
	apply(t, ns, over("qwen", of("a", 1), of("b", 1)))
	eventually(t, soon, allAnswer(c, 4))
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			apply(t, ns, over("qwen", tc.groups...))
			exactly(t, tc.want, func() (map[string][]int, error) {
				got, err := count(t.Context(), c, tc.calls)
				return shares(got), err
			})
		})
	}

	t.Run("TakesEffect", func(t *testing.T) {
		stop := callers(t, 2, c)
		time.Sleep(500 * time.Millisecond)
		changed := time.Now()
		apply(t, ns, over("qwen", of("b", 1)))
		time.Sleep(2 * takesEffect)
		y := unfailing(t, "a change of weights", stop)
		for server, last := range y.last {
			took := last.Sub(changed)
			if !strings.HasPrefix(replicaOfServer(server), "b-") && took > takesEffect {
				t.Errorf("%s still answered %s after requests were to go elsewhere", server, took)
			}
			t.Logf("%s answered last %s after the change", server, took.Round(time.Millisecond))
		}
	})
}

// exactly counts until the counts are what they should be. Traefik begins anew
// whenever any route changes, in the middle of a count too.
func exactly(t *testing.T, want map[string][]int, counts func() (map[string][]int, error)) {
	t.Helper()
	diff := ""
	for end := time.Now().Add(soon); time.Now().Before(end); time.Sleep(pace) {
		got, err := counts()
		if diff = cmp.Diff(want, got); diff == "" && err == nil {
			return
		}
		t.Logf("counted %v, %v", got, err)
	}
	t.Errorf("-want, +got:\n%s", diff)
}

// TestCanary brings out a model beside another, moves all requests to it, and
// deletes the other. Nobody who calls all along notices.
func TestCanary(t *testing.T) {
	needsGateways(t)
	ns := inNamespace(t, "canary")
	c := call{url: url(ns, "qwen")}
	apply(t, ns, model("stable", 2))
	apply(t, ns, over("qwen", of("stable", 1)))
	eventually(t, soon, all(serves(ns, "stable", 2), answers(c, "stable")))

	plain := callers(t, 2, c)
	streams := callers(t, 2, call{url: c.url, stream: true})
	apply(t, ns, model("canary", 1))
	apply(t, ns, over("qwen", of("stable", 95), of("canary", 5)))
	eventually(t, soon, all(serves(ns, "canary", 1), answers(c, "canary")))
	time.Sleep(time.Second)
	apply(t, ns, model("canary", 2))
	eventually(t, soon, serves(ns, "canary", 2))
	apply(t, ns, over("qwen", of("canary", 100), of("stable", 1)))
	apply(t, ns, over("qwen", of("canary", 100)))
	eventually(t, soon, notLedTo(ns, "qwen", "stable"))
	kubectl(t, "delete", "md/stable", "--namespace="+ns, "--wait=false")
	eventually(t, deletion, noPodsOf(ns, "stable"))
	unfailing(t, "non-streaming", plain)
	unfailing(t, "streaming", streams)
	if err := answers(c, "canary")(t.Context()); err != nil {
		t.Error(err)
	}
}

// notLedTo checks that a service leads to no endpoint of a deployment.
func notLedTo(namespace, name, deployment string) func(ctx context.Context) error {
	return func(ctx context.Context) error {
		ms, err := typed.Get[v1alpha1.ModelService](ctx, fleet.ControlPlane.Client, v1alpha1.KindModelService, client.ObjectKey{Namespace: namespace, Name: name})
		if err != nil {
			return err
		}
		for _, e := range ms.Status.Endpoints {
			if strings.HasPrefix(e.Name, deployment+"-") && e.Weight > 0 {
				return fmt.Errorf("%s still leads to %s", name, e.Name)
			}
		}
		return nil
	}
}

// noPodsOf a deployment checks that the fleet has.
func noPodsOf(namespace, deployment string) func(ctx context.Context) error {
	return func(ctx context.Context) error {
		for _, r := range fleet.Remotes {
			found, err := pods(ctx, r, namespace)
			if err != nil {
				return err
			}
			for _, p := range found {
				if strings.HasPrefix(p.GetName(), deployment+"-") {
					return fmt.Errorf("pod %s is still on %s", p.GetName(), r.Name)
				}
			}
		}
		return nil
	}
}

// TestScaleUnderLoad scales a model up and down while it is called, and looks at
// what arrived at each replica, and when.
func TestScaleUnderLoad(t *testing.T) {
	needsGateways(t)
	ns := inNamespace(t, "scale")
	c := call{url: url(ns, "qwen")}
	apply(t, ns, model("qwen", 1))
	apply(t, ns, over("qwen", of("qwen", 1)))
	eventually(t, soon, all(serves(ns, "qwen", 1), answers(c, "qwen")))

	ready, gone := lives(t, ns)
	plain := callers(t, 3, c)
	streams := callers(t, 2, call{url: c.url, stream: true})
	apply(t, ns, model("qwen", 3))
	eventually(t, soon, all(serves(ns, "qwen", 3), allAnswer(c, 3)))
	apply(t, ns, model("qwen", 1))
	eventually(t, deletion, func(ctx context.Context) error {
		n := 0
		for _, r := range fleet.Remotes {
			found, err := pods(ctx, r, ns)
			if err != nil {
				return err
			}
			n += len(found)
		}
		if n != 1 {
			return fmt.Errorf("there are %d pods, want 1", n)
		}
		return nil
	})
	unfailing(t, "non-streaming", plain)
	unfailing(t, "streaming", streams)

	arrived := map[string]int{}
	for _, r := range fleet.Remotes {
		for _, q := range r.Requests(ns) {
			replica := replicaOfServer(q.Server)
			arrived[replica]++
			if at, ok := ready()[replica]; ok && q.Time.Before(at.Add(-time.Second)) { // Conditions are told to the second.
				t.Errorf("a request reached %s at %s, which was Ready at %s", replica, q.Time, at)
			}
			if at, ok := gone()[replica]; ok && q.Time.After(at) {
				t.Errorf("a request reached %s %s after it was deleted", replica, q.Time.Sub(at))
			}
		}
	}
	t.Logf("requests that arrived, by replica: %v", arrived)
	if len(arrived) != 3 {
		t.Errorf("want requests at three replicas, got %v", arrived)
	}
}

// lives returns functions that say when replicas became Ready, and when they were
// seen to be deleted, by name.
func lives(t *testing.T, namespace string) (ready, gone func() map[string]time.Time) {
	t.Helper()
	readyAt, goneAt := map[string]time.Time{}, map[string]time.Time{}
	end := throughout(t, func(ctx context.Context) error {
		mrs, err := replicas(ctx, namespace)
		for _, mr := range mrs {
			if mr.GetDeletionTimestamp() != nil {
				if _, ok := goneAt[mr.GetName()]; !ok {
					goneAt[mr.GetName()] = time.Now()
				}
				continue
			}
			for _, c := range mr.Status.Conditions {
				if _, ok := readyAt[mr.GetName()]; c.Type == "Ready" && c.Status == "True" && !ok {
					readyAt[mr.GetName()] = c.LastTransitionTime.Time
				}
			}
		}
		return err
	})
	return func() map[string]time.Time { end(); return readyAt }, func() map[string]time.Time { end(); return goneAt }
}

// allAnswer checks that so many replicas answer.
func allAnswer(c call, n int) func(ctx context.Context) error {
	return func(ctx context.Context) error {
		got, err := count(ctx, c, 3*n)
		if err == nil && len(got) != n {
			err = fmt.Errorf("%v answer, want %d replicas", got, n)
		}
		return err
	}
}

// TestDeaths kills a pod, a cluster's gateway and a whole cluster, one after the
// other, and says what callers see of it.
func TestDeaths(t *testing.T) {
	needsGateways(t)
	ns := inNamespace(t, "deaths")
	eventually(t, recovery, clustersReady)
	c := call{url: url(ns, "qwen")}
	apply(t, ns, model("qwen", 2))
	apply(t, ns, over("qwen", of("qwen", 1)))
	eventually(t, soon, all(serves(ns, "qwen", 2), allAnswer(c, 2)))
	placed := placements(t, ns, "qwen")
	if placed[0].Cluster == placed[1].Cluster {
		t.Fatalf("want replicas on two clusters, got %+v", placed)
	}
	remote := fleet.Remote(placed[0].Cluster)

	t.Run("Pod", func(t *testing.T) {
		plain, streams := callers(t, 3, c), callers(t, 1, call{url: c.url, stream: true})
		time.Sleep(time.Second)
		crash(t, remote, ns)
		time.Sleep(5 * time.Second)
		eventually(t, soon, all(serves(ns, "qwen", 2), allAnswer(c, 2)))
		unfailing(t, "non-streaming, while a pod died", plain)
		y := streams()
		t.Logf("streaming, while a pod died: %s", y)
		if len(y.failures) > 1 {
			t.Errorf("want at most the stream to fail that the pod was sending, got %v", y.failures)
		}
	})

	t.Run("Gateway", func(t *testing.T) {
		plain := callers(t, 3, c)
		time.Sleep(time.Second)
		if err := fleet.Kill(controlplane.Gateway(remote.Name)); err != nil {
			t.Fatal(err)
		}
		time.Sleep(5 * time.Second)
		unfailing(t, "non-streaming, while a cluster's gateway was down", plain)

		// Traefik answers 404 until it has read its routes.
		plain = callers(t, 3, c)
		if err := fleet.Restart(t.Context(), controlplane.Gateway(remote.Name)); err != nil {
			t.Fatal(err)
		}
		eventually(t, soon, allAnswer(c, 2))
		y := plain()
		t.Logf("non-streaming, while a cluster's gateway came back: %s", y)
		for _, f := range y.failures {
			if !strings.Contains(f, "404 page not found") {
				t.Error(f)
			}
		}
	})

	t.Run("Cluster", func(t *testing.T) {
		plain := callers(t, 3, c)
		time.Sleep(time.Second)
		if err := fleet.StopCluster(remote); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := fleet.StartCluster(context.WithoutCancel(t.Context()), remote); err != nil {
				t.Fatal(err)
			}
		})
		eventually(t, 2*time.Minute, clusterSays(remote.Name, v1alpha1.ReasonUnreachable))
		time.Sleep(2 * time.Second)
		unfailing(t, "non-streaming, while a cluster died", plain)
	})
	eventually(t, recovery, all(serves(ns, "qwen", 2), allAnswer(c, 2)))
}

// crash the pod of a namespace on a cluster.
func crash(t *testing.T, r *controlplane.Remote, namespace string) {
	t.Helper()
	found, err := pods(t.Context(), r, namespace)
	if err != nil || len(found) == 0 {
		t.Fatalf("want a pod of %s on %s, got %v, %v", namespace, r.Name, found, err)
	}
	if err := r.Crash(t.Context(), client.ObjectKeyFromObject(&found[0])); err != nil {
		t.Fatal(err)
	}
}

// TestTenantsTraffic runs models and services of the same names, with the same
// labels, in two namespaces.
func TestTenantsTraffic(t *testing.T) {
	needsGateways(t)
	teams := []string{inNamespace(t, "tenant-a"), inNamespace(t, "tenant-b")}
	for _, ns := range teams {
		apply(t, ns, model("qwen", 1))
		apply(t, ns, over("qwen", of("qwen", 1)))
	}
	for _, ns := range teams {
		c := call{url: url(ns, "qwen")}
		eventually(t, soon, all(serves(ns, "qwen", 1), answers(c, "qwen")))
	}
	for _, ns := range teams {
		for range 20 {
			server, err := call{url: url(ns, "qwen")}.make(t.Context(), http.DefaultClient)
			if err != nil || !strings.Contains(server, "/"+ns+"/") {
				t.Errorf("a request to %s was answered by %q, %v", ns, server, err)
			}
		}
	}
	for _, r := range fleet.Remotes {
		for i, ns := range teams {
			for _, q := range r.Requests(teams[1-i]) {
				if strings.Contains(q.Server, "/"+ns+"/") {
					t.Errorf("%+v reached %s", q, ns)
				}
			}
		}
	}
}

// noneAnswers takes all replicas away, and looks at what callers are told.
func noneAnswers(t *testing.T, namespace string, c call) {
	t.Helper()
	kubectl(t, "patch", "md/first", "--namespace="+namespace, "--type=merge", `--patch={"spec":{"replicas":0}}`)
	kubectl(t, "patch", "md/second", "--namespace="+namespace, "--type=merge", `--patch={"spec":{"replicas":0}}`)
	eventually(t, soon, refuses(c, "503", "ModelService "+namespace+"/qwen has no ready endpoint"))
}

// TestPriority has another endpoint take over while a model has none that is ready.
func TestPriority(t *testing.T) {
	needsGateways(t)
	ns := inNamespace(t, "priority")
	c := call{url: url(ns, "qwen")}
	apply(t, ns, model("first", 1))
	apply(t, ns, model("second", 1))
	apply(t, ns, over("qwen", of("first", 1), strings.Replace(of("second", 1), "weight: 1", "priority: 1", 1)))
	eventually(t, soon, all(serves(ns, "first", 1), serves(ns, "second", 1), answers(c, "first")))
	if got, err := count(t.Context(), c, 20); err != nil || len(shares(got)["second"]) > 0 {
		t.Errorf("want all requests at the first, got %v, %v", got, err)
	}
	plain := callers(t, 2, c)
	kubectl(t, "patch", "md/first", "--namespace="+ns, "--type=merge", `--patch={"spec":{"replicas":0}}`)
	eventually(t, soon, answers(c, "second"))
	kubectl(t, "patch", "md/first", "--namespace="+ns, "--type=merge", `--patch={"spec":{"replicas":1}}`)
	eventually(t, soon, answers(c, "first"))
	defer noneAnswers(t, ns, c)
	y := unfailing(t, "while the first tier went and came back", plain)
	if servers := shares(y.replicas()); len(servers) != 2 {
		t.Errorf("want answers of both tiers, got %v", maps.Clone(y.servers))
	}
}
