package controlplane

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/modelplane-go/modelplane/schemas/modelplane/v1alpha1"
	"github.com/modelplane-go/modelplane/tests/tools"
)

const (
	skipped = "SKIPPED: with -short there is no fleet to test"

	namespace = "ml-team" // Of the quickstart.
)

// fleet of the tests: a control plane and the quickstart's first cluster.
var fleet *Fleet

func TestMain(m *testing.M) {
	flag.Parse()
	if os.Getenv(envOutlive) != "" {
		outlive()
	}
	if testing.Short() {
		fmt.Fprintln(os.Stderr, skipped)
		os.Exit(m.Run())
	}
	code, err := run(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

func run(m *testing.M) (int, error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	p := tools.NewProgress(os.Stderr)
	programs, err := Enter(ctx, p)
	if err != nil {
		return 0, err
	}
	objects, err := ReadObjects(filepath.Join(programs.Root, "examples", "quickstart", "fleet.yaml"))
	if err != nil {
		return 0, err
	}
	clusters, err := Clusters(objects)
	if err != nil {
		return 0, err
	}
	fleet, err = Start(ctx, Options{Programs: programs, Clusters: clusters[:1], Progress: p})
	if err != nil {
		return 0, err
	}
	defer fleet.Stop()
	return m.Run(), nil
}

// TestFleet runs the quickstart, breaks what it stands on, and upgrades it. The
// steps stand on each other.
func TestFleet(t *testing.T) {
	if fleet == nil {
		t.Skip(skipped)
	}
	steps := []struct {
		name string
		do   func(ctx context.Context) error
	}{
		{"Quickstart", quickstart},
		{"PodsRun", podsRun},
		{"ClaimsAreAllocated", claimsAreAllocated},
		{"EverythingIsReady", everythingIsReady},
		{"Answers", answers},
		{"Streams", streams},
		{"AsksAnother", asksAnother},
		{"ScalesUp", scalesUp},
		{"FinishesWhatItBegan", finishesWhatItBegan},
		{"Crashes", crashes},
		{"GatewayComesBack", gatewayComesBack},
		{"WholeClusterComesBack", wholeClusterComesBack},
		{"ClusterComesBack", clusterComesBack},
		{"Upgrade", upgrade},
		{"EverythingIsStillReady", everythingIsReady},
	}
	for _, s := range steps {
		ok := t.Run(s.name, func(t *testing.T) {
			if err := s.do(t.Context()); err != nil {
				t.Error(err)
			}
		})
		if !ok {
			t.Fatal("what follows stands on this")
		}
	}

	total := int64(0)
	for _, u := range fleet.Memory() {
		total += u.Memory
		t.Logf("%5d MiB  %s", u.Memory>>20, u.Component)
	}
	t.Logf("%5d MiB  in all", total>>20)
}

func quickstart(ctx context.Context) error {
	if err := fleet.Register(ctx); err != nil {
		return err
	}
	if err := fleet.ControlPlane.Apply(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespace}}); err != nil {
		return err
	}
	if err := fleet.ControlPlane.ApplyFiles(ctx, filepath.Join(fleet.programs.Root, "examples", "quickstart", "model.yaml")); err != nil {
		return err
	}
	return eventually(ctx, time.Minute, func(ctx context.Context) error {
		md, err := deployment(ctx)
		if err != nil {
			return err
		}
		return isReady(md, md.Status.Conditions)
	})
}

func deployment(ctx context.Context) (*v1alpha1.ModelDeployment, error) {
	md := &v1alpha1.ModelDeployment{}
	return md, fleet.ControlPlane.Client.Get(ctx, client.ObjectKey{Namespace: namespace, Name: "qwen3-8b"}, md)
}

// podsRun looks for the pods on the nodes of the pool with the GPUs they need.
func podsRun(ctx context.Context) error {
	pods := &corev1.PodList{}
	if err := fleet.Remotes[0].Client.List(ctx, pods, client.InNamespace(namespace)); err != nil {
		return err
	}
	if len(pods.Items) != 1 {
		return fmt.Errorf("want 1 pod, got %d", len(pods.Items))
	}
	p := pods.Items[0]
	if p.Status.Phase != corev1.PodRunning || !strings.HasPrefix(p.Spec.NodeName, "medium-") || !strings.HasPrefix(p.Status.PodIP, "10.244.1.") {
		return fmt.Errorf("want a pod that runs on a node of pool medium, with an address of its cluster's, got %s on %q at %q", p.Status.Phase, p.Spec.NodeName, p.Status.PodIP)
	}
	return nil
}

func claimsAreAllocated(ctx context.Context) error {
	claims := &resourcev1.ResourceClaimList{}
	if err := fleet.Remotes[0].Client.List(ctx, claims, client.InNamespace(namespace)); err != nil {
		return err
	}
	if len(claims.Items) != 1 || claims.Items[0].Status.Allocation == nil {
		return fmt.Errorf("want 1 allocated claim, got %d: %+v", len(claims.Items), claims.Items)
	}
	results := claims.Items[0].Status.Allocation.Devices.Results
	for i := range results {
		results[i].Pool = "" // Which of the pool's nodes is the scheduler's choice.
	}
	want := []resourcev1.DeviceRequestAllocationResult{{Request: "gpu", Driver: "gpu.nvidia.com", Device: "gpu-0"}}
	if diff := cmp.Diff(want, results); diff != "" {
		return fmt.Errorf("-want, +got:\n%s", diff)
	}
	return nil
}

// everythingIsReady looks at every kind, up to the front door.
func everythingIsReady(ctx context.Context) error {
	return eventually(ctx, time.Minute, func(ctx context.Context) error {
		md, err := deployment(ctx)
		if err != nil {
			return err
		}
		if len(md.Status.Placements) != 1 {
			return fmt.Errorf("want 1 placement, got %+v", md.Status.Placements)
		}
		replica := md.Status.Placements[0].Replica

		mr, me, ms := &v1alpha1.ModelReplica{}, &v1alpha1.ModelEndpoint{}, &v1alpha1.ModelService{}
		ic, ig := &v1alpha1.InferenceCluster{}, &v1alpha1.InferenceGateway{}
		return errors.Join(
			isReady(md, md.Status.Conditions),
			ready(ctx, client.ObjectKey{Namespace: namespace, Name: replica}, mr, &mr.Status.Conditions),
			ready(ctx, client.ObjectKey{Namespace: namespace, Name: replica}, me, &me.Status.Conditions),
			ready(ctx, client.ObjectKey{Namespace: namespace, Name: "qwen"}, ms, &ms.Status.Conditions),
			ready(ctx, client.ObjectKey{Name: fleet.Remotes[0].Name}, ic, &ic.Status.Conditions),
			ready(ctx, client.ObjectKey{Name: "default"}, ig, &ig.Status.Conditions),
		)
	})
}

func ready(ctx context.Context, key client.ObjectKey, o client.Object, conditions *[]metav1.Condition) error {
	if err := fleet.ControlPlane.Client.Get(ctx, key, o); err != nil {
		return err
	}
	return isReady(o, *conditions)
}

func isReady(o client.Object, conditions []metav1.Condition) error {
	if meta.IsStatusConditionTrue(conditions, "Ready") {
		return nil
	}
	return fmt.Errorf("%T %s is not ready: %+v", o, o.GetName(), conditions)
}

// clusterComesBack kills a cluster's API server, and starts it again with what it
// held.
func clusterComesBack(ctx context.Context) error {
	r := fleet.Remotes[0]
	if err := fleet.Kill(APIServer(r.Name)); err != nil {
		return err
	}
	if err := r.Client.List(ctx, &corev1.PodList{}); err == nil {
		return errors.New("an API server that was killed still answers")
	}
	if err := fleet.Restart(ctx, APIServer(r.Name)); err != nil {
		return err
	}
	return podsRun(ctx)
}

// upgrade to another version, and look for its functions.
func upgrade(ctx context.Context) error {
	before, err := pid("compose-model-replica")
	if err != nil {
		return err
	}
	if err := fleet.InstallVersion(ctx, "v0.1.1"); err != nil {
		return err
	}
	after, err := pid("compose-model-replica")
	if err != nil {
		return err
	}
	if before == after {
		return errors.New("the function of the earlier version still runs")
	}
	out, err := fleet.Kubectl(ctx, fleet.ControlPlane, "get", "configurations,functions", "-o", "jsonpath={.items[*].spec.package}")
	if err != nil {
		return err
	}
	for p := range strings.FieldsSeq(out) {
		if !strings.HasSuffix(p, ":v0.1.1") {
			return fmt.Errorf("%s has not been upgraded", p)
		}
	}
	return nil
}

func pid(component string) (int, error) {
	p, err := fleet.processes.get(component)
	if err != nil {
		return 0, err
	}
	return p.pid(), nil
}

// TestComponents pins the names of components, which tests kill by them.
func TestComponents(t *testing.T) {
	if fleet == nil {
		t.Skip(skipped)
	}
	want := []string{
		"compose-inference-class", "compose-inference-cluster", "compose-inference-gateway", "compose-model-deployment",
		"compose-model-endpoint", "compose-model-replica", "compose-model-service",
		"crossplane", "etcd", "kube-apiserver-control-plane", "kube-apiserver-prod-eu",
		"kube-controller-manager-control-plane", "kube-controller-manager-prod-eu", "kube-scheduler-prod-eu",
		"kwok-prod-eu", "lws-prod-eu", "provider-helm", "provider-kubernetes",
	}
	if fleet.programs.Isolated {
		want = append(want, Gateway("prod-eu"))
	}
	// The control plane's gateway comes with an InferenceGateway.
	got := slices.DeleteFunc(fleet.Components(), func(c string) bool { return c == traefik || c == authorizer })
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want, +got:\n%s", diff)
	}
	if err := fleet.Kill("kubelet"); err == nil {
		t.Error("a component that is not there should not be killed")
	}
}
