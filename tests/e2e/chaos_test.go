package e2e

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/modelplane-go/modelplane/schemas/modelplane/v1alpha1"
	"github.com/modelplane-go/modelplane/tests/controlplane"
	"github.com/modelplane-go/modelplane/tests/typed"
)

const (
	// envChaos, if it is all, has every component killed by itself. Otherwise
	// components of a kind are killed together.
	envChaos = "CHAOS"

	// absence is how long what was killed stays away.
	absence = 3 * time.Second

	// breather is between one rollout and the next where there are many. Crossplane
	// hears of ten changes a second for long, and one rollout is 150 of them.
	breather = 12 * time.Second

	// recovery may take as long as whoever waits for what was killed waits
	// before it tries again.
	recovery = 2 * time.Minute

	// rolled is the deployment of TestChaos that is rolled out, over and over.
	rolled = "rolled"
)

// A victim is what is killed at the same time.
type victim struct {
	name       string
	components []string
}

// victims in the order they are killed. The first is nobody, to compare with.
func victims() []victim {
	out := []victim{{name: "nobody"}}
	if os.Getenv(envChaos) == "all" {
		for _, c := range fleet.Components() {
			if !strings.HasSuffix(c, "-prod-us") && !strings.HasSuffix(c, "-rack") {
				out = append(out, victim{name: c, components: []string{c}})
			}
		}
		return out
	}
	functions := slices.DeleteFunc(fleet.Components(), func(c string) bool { return !strings.HasPrefix(c, "compose-") })
	return append(out,
		victim{"a cluster's API server", []string{controlplane.APIServer("prod-eu")}},
		victim{"a cluster's controllers", []string{"kube-controller-manager-prod-eu", "kube-scheduler-prod-eu"}},
		victim{"the control plane's API server", []string{controlplane.APIServer("control-plane")}},
		victim{"the control plane's controllers", []string{"kube-controller-manager-control-plane"}},
		victim{"Crossplane", []string{"crossplane"}},
		victim{"the functions", functions},
		victim{"the providers", []string{"provider-kubernetes", "provider-helm"}},
	)
}

// TestChaos kills what the fleet stands on in the middle of rollouts. Nothing that
// serves is lost by it, and every rollout ends once what was killed is back.
func TestChaos(t *testing.T) {
	ns := inNamespace(t, "chaos")
	eventually(t, soon, clustersReady)
	y := on("Arena", rolled, "replicas: 3"+inBothRegions, 1)
	apply(t, ns, y)
	apply(t, ns, model("steady", 2)+inBothRegions)
	apply(t, ns, on("NVIDIA GB200", "rack", "replicas: 1", 1))
	eventually(t, soon, serves(ns, rolled, 3))
	eventually(t, soon, serves(ns, "steady", 2))
	eventually(t, soon, serves(ns, "rack", 1))

	w := &witness{namespace: ns, answers: map[string]int{}}
	before := w.look(t.Context())
	if len(before.asked) != 4 || len(before.clusters) != 3 {
		t.Fatalf("want replicas on all three clusters, got %+v", before)
	}
	holds := throughout(t, w.same(before))

	var table strings.Builder
	for i, v := range victims() {
		image := fmt.Sprintf("v%d", i+2)
		t.Run(v.name, func(t *testing.T) {
			apply(t, ns, version(y, image))
			eventually(t, soon, underWay(ns, "engine:"+image))
			start := time.Now()
			t.Cleanup(func() { restart(t, v) })
			for _, c := range v.components {
				if err := fleet.Kill(c); err != nil {
					t.Fatal(err)
				}
			}
			time.Sleep(absence)
			restart(t, v)
			v.components = nil // They are back.
			eventually(t, recovery, rolledOut(ns, rolled, 3, "engine:"+image))
			fmt.Fprintf(&table, "%5.1f s  %s\n", time.Since(start).Seconds(), v.name)
			if os.Getenv(envChaos) == "all" {
				time.Sleep(breather)
			}
		})
	}
	eventually(t, soon, serves(ns, "steady", 2))
	eventually(t, soon, serves(ns, "rack", 1))
	holds()
	t.Logf("until a rollout was over, killed in the middle of which was\n%slooks: %v, of which %d too slow to count replicas by", &table, w.answers, w.slow)
}

// restart what was killed, those first which others need.
func restart(t *testing.T, v victim) {
	t.Helper()
	for _, c := range v.components {
		if err := fleet.Restart(context.WithoutCancel(t.Context()), c); err != nil {
			t.Fatal(err)
		}
	}
}

// clustersReady checks that all clusters take replicas.
func clustersReady(ctx context.Context) error {
	ics, err := typed.List[v1alpha1.InferenceCluster](ctx, fleet.ControlPlane.Client, v1alpha1.KindInferenceCluster)
	for _, ic := range ics {
		if !meta.IsStatusConditionTrue(ic.Status.Conditions, "Ready") {
			err = errors.Join(err, fmt.Errorf("cluster %s is not Ready", ic.GetName()))
		}
	}
	return err
}

// underWay checks that a rollout of an image has begun and not ended.
func underWay(namespace, image string) func(ctx context.Context) error {
	return func(ctx context.Context) error {
		n := 0
		for _, r := range fleet.Remotes {
			ps, err := pods(ctx, r, namespace)
			if err != nil {
				return err
			}
			for _, p := range ps {
				if p.Spec.Containers[0].Image == image {
					n++
				}
			}
		}
		if n == 0 {
			return fmt.Errorf("no pod runs %s", image)
		}
		return nil
	}
}

// A witness looks at what may not change, whoever is killed.
type witness struct {
	namespace string
	answers   map[string]int // Of each API server.
	slow      int            // Looks that took too long to count replicas by.
}

// A sight is what a witness saw.
type sight struct {
	asked    map[string]bool      // The API servers that answered.
	uids     map[string]types.UID // Of Deployments, of pods that are not rolled out, and of replicas, by API server, kind and name.
	clusters map[string][]string  // Those of replicas that are rolled out, by name.
	served   map[string]bool      // Replicas that are rolled out and that a pod serves.
	took     time.Duration
}

// look at all API servers that answer. What is being deleted is not there.
func (w *witness) look(ctx context.Context) *sight {
	s := &sight{asked: map[string]bool{}, uids: map[string]types.UID{}, clusters: map[string][]string{}, served: map[string]bool{}}
	start := time.Now()
	for _, r := range fleet.Remotes {
		if err := w.lookAt(ctx, r, s); err == nil {
			s.asked[r.Name] = true
			w.answers[r.Name]++
		}
	}
	s.took = time.Since(start)

	mrs, err := replicas(ctx, w.namespace)
	if err != nil {
		return s
	}
	for _, mr := range mrs {
		s.see("control-plane", "ModelReplica", &mr)
		s.clusters[mr.Spec.ClusterName] = append(s.clusters[mr.Spec.ClusterName], mr.GetName())
	}
	s.asked["control-plane"] = true
	w.answers["control-plane"]++
	return s
}

// lookAt a cluster.
func (w *witness) lookAt(ctx context.Context, r *controlplane.Remote, s *sight) error {
	found := &appsv1.DeploymentList{}
	if err := r.Client.List(ctx, found, client.InNamespace(w.namespace)); err != nil {
		return err
	}
	ps, err := pods(ctx, r, w.namespace)
	if err != nil {
		return err
	}
	for _, d := range found.Items {
		s.see(r.Name, "Deployment", &d)
	}
	for _, p := range ps {
		if !strings.HasPrefix(p.GetName(), rolled+"-") {
			s.see(r.Name, "Pod", &p)
			continue
		}
		if p.GetDeletionTimestamp() == nil && isReady(p) {
			s.served[replicaOf(p)] = true
		}
	}
	return nil
}

func (s *sight) see(server, kind string, o client.Object) {
	if o.GetDeletionTimestamp() == nil {
		s.uids[server+"/"+kind+"/"+o.GetName()] = o.GetUID()
	}
}

// same checks that all that was there is, wherever an API server answers, and
// that not more than one replica that is rolled out is not served.
func (w *witness) same(before *sight) func(ctx context.Context) error {
	return func(ctx context.Context) error {
		now := w.look(ctx)
		var err error
		for what, uid := range before.uids {
			server, _, _ := strings.Cut(what, "/")
			if now.asked[server] && now.uids[what] != uid {
				err = errors.Join(err, fmt.Errorf("%s was %s, and is %q", what, uid, now.uids[what]))
			}
		}
		// Clusters are asked one after the other. A look that takes longer is at
		// one replica before another, and at that one after it.
		if now.took >= pace {
			w.slow++
			return err
		}
		var down []string
		for _, cluster := range slices.Sorted(maps.Keys(before.clusters)) {
			for _, replica := range before.clusters[cluster] {
				if strings.HasPrefix(replica, rolled+"-") && now.asked[cluster] && !now.served[replica] {
					down = append(down, replica+" on "+cluster)
				}
			}
		}
		if len(down) > 1 {
			err = errors.Join(err, fmt.Errorf("no pod serves %v", down))
		}
		return err
	}
}
