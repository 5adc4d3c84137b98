package e2e

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/modelplane-go/modelplane/schemas/modelplane/v1alpha1"
	"github.com/modelplane-go/modelplane/tests/controlplane"
	"github.com/modelplane-go/modelplane/tests/typed"
)

const (
	soon = 60 * time.Second

	// deletion of an Object takes until it is 30 s old: provider-kubernetes
	// gives what it has just created that long to be found. It tries again at
	// intervals of up to a minute.
	deletion = 240 * time.Second

	pace = 200 * time.Millisecond
)

// eventually waits until a check returns nil, and fails the test with what it
// returned last.
func eventually(t testing.TB, within time.Duration, check func(ctx context.Context) error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), within)
	defer cancel()
	for {
		err := check(ctx)
		if err == nil {
			return
		}
		select {
		case <-ctx.Done():
			t.Fatalf("within %s: %v\n%s", within, err, situation(t))
		case <-time.After(pace):
		}
	}
}

// never fails the test if a check returns an error within a time.
func never(t *testing.T, within time.Duration, check func(ctx context.Context) error) {
	t.Helper()
	for end := time.Now().Add(within); time.Now().Before(end); time.Sleep(pace) {
		if err := check(t.Context()); err != nil {
			t.Fatalf("%v\n%s", err, situation(t))
		}
	}
}

// throughout checks something at pace, until the function it returns is called or
// the test ends. That fails the test with the first error there was.
func throughout(t *testing.T, check func(ctx context.Context) error) (end func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	var first error
	looks := 0
	done := make(chan struct{})
	go func() {
		defer close(done)
		for ; ctx.Err() == nil; time.Sleep(pace) {
			looks++
			if err := check(ctx); err != nil && ctx.Err() == nil && first == nil {
				first = fmt.Errorf("at %s: %w", time.Now().Format("15:04:05.000"), err)
			}
		}
	}()
	end = sync.OnceFunc(func() {
		cancel()
		<-done
		if first != nil {
			t.Errorf("at all times, of which there were %d: %v", looks, first)
		}
	})
	t.Cleanup(end)
	return end
}

// watching returns a function that returns what kubectl get prints of something
// until then, whenever that changes.
func watching(t *testing.T, args ...string) func() []string {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	printed := make(chan string, 1)
	go func() {
		out, _ := fleet.Kubectl(ctx, fleet.ControlPlane, append([]string{"get", "--watch"}, args...)...)
		printed <- out
	}()
	return func() []string {
		cancel()
		return strings.Split(strings.TrimSpace(<-printed), "\n")
	}
}

// situation is what a person would look at first.
func situation(t testing.TB) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), 10*time.Second)
	defer cancel()
	out, err := fleet.Kubectl(ctx, fleet.ControlPlane, "get", "ic,md,mr,me,ms", "--all-namespaces")
	if err != nil {
		return err.Error()
	}
	mds, err := typed.List[v1alpha1.ModelDeployment](ctx, fleet.ControlPlane.Client, v1alpha1.KindModelDeployment)
	for _, md := range mds {
		out += fmt.Sprintf("%s/%s:\n%s", md.GetNamespace(), md.GetName(), list(md.Status.Conditions))
	}
	mrs, err2 := typed.List[v1alpha1.ModelReplica](ctx, fleet.ControlPlane.Client, v1alpha1.KindModelReplica)
	for _, mr := range mrs {
		out += fmt.Sprintf("%s/%s:\n%s", mr.GetNamespace(), mr.GetName(), list(mr.Status.Conditions))
	}
	if err := errors.Join(err, err2); err != nil {
		out += err.Error()
	}
	return out
}

func list(conditions []metav1.Condition) string {
	b := &strings.Builder{}
	for _, c := range conditions {
		fmt.Fprintf(b, "  %s=%s %s %s\n", c.Type, c.Status, c.Reason, c.Message)
	}
	return b.String()
}

// inNamespace makes a namespace on the control plane, deletes what of ours is in
// it when the test ends, and waits until that is gone.
func inNamespace(t testing.TB, name string) string {
	t.Helper()
	ns := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}
	if err := fleet.ControlPlane.Apply(t.Context(), ns); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), deletion)
		defer cancel()
		if _, err := fleet.Kubectl(ctx, fleet.ControlPlane, "delete", "md,ms,me", "--all", "--namespace="+name, "--wait=false"); err != nil {
			t.Error(err)
		}
		for ctx.Err() == nil {
			mrs, err := replicas(ctx, name)
			if err == nil && len(mrs) == 0 {
				return
			}
			time.Sleep(pace)
		}
		t.Errorf("ModelReplicas of namespace %s are not gone after %s\n%s", name, deletion, situation(t))
	})
	return name
}

// apply YAML to the control plane, in a namespace.
func apply(t testing.TB, namespace, y string) {
	t.Helper()
	if err := fleet.ControlPlane.ApplyYAML(t.Context(), strings.ReplaceAll(y, "NAMESPACE", namespace)); err != nil {
		t.Fatal(err)
	}
}

// model is a ModelDeployment that needs one GPU with 16Gi or more.
func model(name string, replicas int) string {
	return fmt.Sprintf(`
apiVersion: modelplane.ai/v1alpha1
kind: ModelDeployment
metadata: {name: %s, namespace: NAMESPACE}
spec:
  replicas: %d
  clusterSelector: {matchLabels: {tier: production}}
  engines:
  - name: main
    members:
    - nodeSelector:
        devices:
        - {name: gpu, selectors: [{cel: 'device.attributes["gpu.nvidia.com"].architecture == "Ada Lovelace"'}]}
      template: {spec: {containers: [{name: engine, image: "engine:v1"}]}}
`, name, replicas)
}

func deployment(ctx context.Context, namespace, name string) (v1alpha1.ModelDeployment, error) {
	return typed.Get[v1alpha1.ModelDeployment](ctx, fleet.ControlPlane.Client, v1alpha1.KindModelDeployment, client.ObjectKey{Namespace: namespace, Name: name})
}

func replicas(ctx context.Context, namespace string) ([]v1alpha1.ModelReplica, error) {
	return typed.List[v1alpha1.ModelReplica](ctx, fleet.ControlPlane.Client, v1alpha1.KindModelReplica, client.InNamespace(namespace))
}

// serves checks that a deployment has so many replicas, all of which serve.
func serves(namespace, name string, n int32) func(ctx context.Context) error {
	return func(ctx context.Context) error {
		md, err := deployment(ctx, namespace, name)
		if err != nil {
			return err
		}
		if r := md.Status.Replicas; r == nil || r.Total != n || r.Ready != n {
			return fmt.Errorf("%s/%s: %+v of %d replicas serve", namespace, name, r, n)
		}
		if !meta.IsStatusConditionTrue(md.Status.Conditions, "Ready") {
			return fmt.Errorf("%s/%s is not Ready", namespace, name)
		}
		mrs, err := replicas(ctx, namespace)
		if err != nil {
			return err
		}
		for _, mr := range mrs {
			if mr.GetDeletionTimestamp() == nil && !meta.IsStatusConditionTrue(mr.Status.Conditions, "Ready") {
				return fmt.Errorf("%s/%s is not Ready", namespace, mr.GetName())
			}
		}
		return nil
	}
}

// says checks the reason of a deployment's condition.
func says(namespace, name string, t v1alpha1.ConditionType, r v1alpha1.ConditionReason) func(ctx context.Context) error {
	return func(ctx context.Context) error {
		md, err := deployment(ctx, namespace, name)
		if err != nil {
			return err
		}
		_, err = because(namespace+"/"+name, md.Status.Conditions, t, r)
		return err
	}
}

// because returns the message of a condition, if it has a reason.
func because(of string, conditions []metav1.Condition, t v1alpha1.ConditionType, r v1alpha1.ConditionReason) (string, error) {
	c := meta.FindStatusCondition(conditions, string(t))
	if c == nil || c.Reason != string(r) {
		return "", fmt.Errorf("%s: condition %s is %+v, want reason %s", of, t, c, r)
	}
	return c.Message, nil
}

// pods of a namespace on a cluster, by name.
func pods(ctx context.Context, r *controlplane.Remote, namespace string) ([]corev1.Pod, error) {
	found := &corev1.PodList{}
	if err := r.Client.List(ctx, found, client.InNamespace(namespace)); err != nil {
		return nil, fmt.Errorf("cannot list pods of %s: %w", r.Name, err)
	}
	slices.SortFunc(found.Items, func(a, b corev1.Pod) int { return strings.Compare(a.GetName(), b.GetName()) })
	return found.Items, nil
}

// kubectl against the control plane.
func kubectl(t *testing.T, args ...string) string {
	t.Helper()
	out, err := fleet.Kubectl(t.Context(), fleet.ControlPlane, args...)
	if err != nil {
		t.Fatal(err)
	}
	return out
}
