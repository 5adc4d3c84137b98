package e2e

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/modelplane-go/modelplane/schemas/modelplane/v1alpha1"
)

// usesSecrets is a deployment that refers to Secrets in all the ways there are.
// It is without secrets: Project.
var usesSecrets = strings.Replace(model("qwen", 1), `      template: {spec: {containers: [{name: engine, image: "engine:v1"}]}}
`, `      template:
        spec:
          imagePullSecrets: [{name: registry}]
          initContainers:
          - {name: fetch, image: "fetch:v1", envFrom: [{secretRef: {name: settings}}]}
          containers:
          - name: engine
            image: engine:v1
            env: [{name: HF_TOKEN, valueFrom: {secretKeyRef: {name: hugging-face, key: token}}}]
            volumeMounts: [{name: certificates, mountPath: /etc/certificates}]
          volumes: [{name: certificates, secret: {secretName: certificates}}]
`, 1)

// projects is the same with secrets: Project.
var projects = strings.Replace(usesSecrets, "\nspec:\n", "\nspec:\n  secrets: Project\n", 1)

// sentinel begins what a Secret holds that nobody may see. Its length makes it the
// beginning in base64 too.
const sentinel = "sentinel:"

// TestSecrets copies Secrets to the clusters of replicas, follows their changes,
// and takes them away. Nobody but the provider ever has what they hold.
func TestSecrets(t *testing.T) {
	a, b, existing := inNamespace(t, "secrets-a"), inNamespace(t, "secrets-b"), inNamespace(t, "secrets-existing")
	for _, ns := range []string{a, b} {
		put(t, ns, "registry", corev1.SecretTypeDockerConfigJson, corev1.DockerConfigJsonKey, `{"auths":{"`+ns+`":{}}}`)
		put(t, ns, "settings", corev1.SecretTypeOpaque, "LEVEL", ns)
		put(t, ns, "hugging-face", corev1.SecretTypeOpaque, "token", sentinel+ns)
	}
	put(t, b, "certificates", corev1.SecretTypeOpaque, "ca.crt", b)
	put(t, existing, "settings", corev1.SecretTypeOpaque, "LEVEL", existing)
	apply(t, a, projects)
	apply(t, b, projects)
	apply(t, existing, usesSecrets)

	// One Secret is missing: the replica says so, and has everything else.
	eventually(t, soon, accepts(a, "Secret certificates is missing: create it in namespace "+a+" of the control plane"))
	eventually(t, soon, copied(a, "registry", "settings", "hugging-face"))
	put(t, a, "certificates", corev1.SecretTypeOpaque, "ca.crt", a)

	for _, ns := range []string{a, b} {
		eventually(t, soon, serves(ns, "qwen", 1))
		eventually(t, soon, accepts(ns, ""))
		eventually(t, soon, copied(ns, "registry", "settings", "hugging-face", "certificates"))
		eventually(t, soon, refers(ns, 4))
		eventually(t, soon, projectsFour(ns))
	}
	eventually(t, soon, serves(existing, "qwen", 1))
	eventually(t, soon, copied(existing))
	private(t, a)

	// A changed Secret is a changed copy.
	put(t, a, "hugging-face", corev1.SecretTypeOpaque, "token", sentinel+"rotated")
	eventually(t, soon, copied(a, "registry", "settings", "hugging-face", "certificates"))
	private(t, a)

	// What nothing refers to any more goes, once no pod needs it.
	apply(t, a, strings.NewReplacer(
		"            volumeMounts: [{name: certificates, mountPath: /etc/certificates}]\n", "",
		"          volumes: [{name: certificates, secret: {secretName: certificates}}]\n", "").Replace(projects))
	eventually(t, deletion, copied(a, "registry", "settings", "hugging-face"))
	eventually(t, soon, serves(a, "qwen", 1))

	// So does what is not to be copied any more. The pods refer to what is there.
	apply(t, b, usesSecrets)
	kubectl(t, "delete", "md/qwen", "--namespace="+a, "--wait=false")
	eventually(t, deletion, gone(a))
	eventually(t, deletion, copied(b))
	eventually(t, soon, says(b, "qwen", v1alpha1.TypeSecretsProjected, v1alpha1.ReasonNotProjected))
	eventually(t, soon, unreferenced(a))
}

// put a Secret of one key on the control plane.
func put(t *testing.T, namespace, name string, typ corev1.SecretType, key, value string) {
	t.Helper()
	s := &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name},
		Type:       typ,
		Data:       map[string][]byte{key: []byte(value)},
	}
	if err := fleet.ControlPlane.Apply(t.Context(), s); err != nil {
		t.Fatal(err)
	}
}

// accepts checks that the only replica of a namespace is accepted, or waits for
// what it is to say.
func accepts(namespace, waits string) func(ctx context.Context) error {
	return func(ctx context.Context) error {
		mr, err := onlyReplica(ctx, namespace)
		if err != nil {
			return err
		}
		c := meta.FindStatusCondition(mr.Status.Conditions, string(v1alpha1.TypeModelAccepted))
		if c == nil || c.Message != waits || (c.Status == metav1.ConditionTrue) != (waits == "") {
			return fmt.Errorf("replica %s/%s: condition ModelAccepted is %+v, want message %q", namespace, mr.GetName(), c, waits)
		}
		return nil
	}
}

func onlyReplica(ctx context.Context, namespace string) (*v1alpha1.ModelReplica, error) {
	mrs, err := replicas(ctx, namespace)
	if err != nil {
		return nil, err
	}
	if len(mrs) != 1 {
		return nil, fmt.Errorf("namespace %s has %d replicas, want 1", namespace, len(mrs))
	}
	return &mrs[0], nil
}

// copied checks that the Secrets of a namespace on all clusters are copies, named
// for the replica, of just these of the control plane.
func copied(namespace string, names ...string) func(ctx context.Context) error {
	return func(ctx context.Context) error {
		mr, err := onlyReplica(ctx, namespace)
		if err != nil {
			return err
		}
		want := map[string]corev1.Secret{}
		for _, name := range names {
			s := corev1.Secret{}
			if err := fleet.ControlPlane.Client.Get(ctx, client.ObjectKey{Namespace: namespace, Name: name}, &s); err != nil {
				return err
			}
			want[name] = corev1.Secret{Type: s.Type, Data: s.Data}
		}

		got := map[string]corev1.Secret{}
		for _, r := range fleet.Remotes {
			found := &corev1.SecretList{}
			if err := r.Client.List(ctx, found, client.InNamespace(namespace)); err != nil {
				return err
			}
			for _, s := range found.Items {
				of := strings.TrimPrefix(s.GetName(), mr.GetName()+"-")
				got[of[:max(0, strings.LastIndex(of, "-"))]] = corev1.Secret{Type: s.Type, Data: s.Data}
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			return fmt.Errorf("copies of Secrets of namespace %s: -want, +got:\n%s", namespace, diff)
		}
		return nil
	}
}

// refers checks that the pods of a namespace refer to so many Secrets, all of
// which are there.
func refers(namespace string, n int) func(ctx context.Context) error {
	return func(ctx context.Context) error {
		mr, err := onlyReplica(ctx, namespace)
		if err != nil {
			return err
		}
		r := fleet.Remote(mr.Spec.ClusterName)
		ps, err := pods(ctx, r, namespace)
		if err != nil {
			return err
		}
		if len(ps) == 0 {
			return fmt.Errorf("namespace %s has no pods", namespace)
		}
		for _, p := range ps {
			names := podSecrets(p.Spec)
			if len(names) != n {
				return fmt.Errorf("pod %s refers to Secrets %v, want %d", p.GetName(), names, n)
			}
			for _, name := range names {
				if err := r.Client.Get(ctx, client.ObjectKey{Namespace: namespace, Name: name}, &corev1.Secret{}); err != nil {
					return fmt.Errorf("pod %s: %w", p.GetName(), err)
				}
			}
		}
		return nil
	}
}

// podSecrets are the names of the Secrets that a pod of this test refers to.
func podSecrets(p corev1.PodSpec) []string {
	var out []string
	for _, r := range p.ImagePullSecrets {
		out = append(out, r.Name)
	}
	for _, c := range slices.Concat(p.InitContainers, p.Containers) {
		for _, e := range c.EnvFrom {
			out = append(out, e.SecretRef.Name)
		}
		for _, e := range c.Env {
			if e.ValueFrom != nil && e.ValueFrom.SecretKeyRef != nil {
				out = append(out, e.ValueFrom.SecretKeyRef.Name)
			}
		}
	}
	for _, v := range p.Volumes {
		if v.Secret != nil {
			out = append(out, v.Secret.SecretName)
		}
	}
	return out
}

// projectsFour checks that a deployment and its replica say that four Secrets are
// copied, and who can read them.
func projectsFour(namespace string) func(ctx context.Context) error {
	want := v1alpha1.SecretsProjected(4, namespace)
	return func(ctx context.Context) error {
		mr, err := onlyReplica(ctx, namespace)
		if err != nil {
			return err
		}
		md, err := deployment(ctx, namespace, "qwen")
		if err != nil {
			return err
		}
		for _, conditions := range [][]metav1.Condition{mr.Status.Conditions, md.Status.Conditions} {
			if c := meta.FindStatusCondition(conditions, string(want.Type)); c == nil || c.Status != want.Status || c.Message != want.Message {
				return fmt.Errorf("condition %s is %+v, want %+v", want.Type, c, want)
			}
		}
		return nil
	}
}

// private checks that only the provider has what the copied Secrets of a
// namespace hold: Crossplane owns nothing of it, and no status says it.
func private(t *testing.T, namespace string) {
	t.Helper()
	found := objects(t, namespace)
	copies := 0
	for _, o := range found {
		if kind, _, _ := unstructured.NestedString(o.Object, "spec", "forProvider", "manifest", "kind"); kind != "Secret" {
			continue
		}
		copies++
		fields := &strings.Builder{}
		for _, m := range o.GetManagedFields() {
			if strings.HasPrefix(m.Manager, "apiextensions.crossplane.io/composed/") {
				fields.WriteString(m.FieldsV1.GetRawString())
			}
		}
		owned := fields.String()
		if !strings.Contains(owned, `"f:manifest"`) || strings.Contains(owned, `"f:data"`) || strings.Contains(owned, `"f:type"`) {
			t.Errorf("Crossplane owns of Object %s: %s", o.GetName(), owned)
		}
		status, err := json.Marshal(o.Object["status"])
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(status, []byte(sentinel)) || bytes.Contains(status, []byte(base64.StdEncoding.EncodeToString([]byte(sentinel)))) {
			t.Errorf("the status of Object %s says what it copied: %s", o.GetName(), status)
		}
	}
	if copies == 0 {
		t.Errorf("no Object of namespace %s copies a Secret", namespace)
	}
}

// objects of provider-kubernetes in a namespace.
func objects(t *testing.T, namespace string) []unstructured.Unstructured {
	t.Helper()
	found := &unstructured.UnstructuredList{}
	found.SetAPIVersion("kubernetes.m.crossplane.io/v1alpha1")
	found.SetKind("ObjectList")
	if err := fleet.ControlPlane.Client.List(t.Context(), found, client.InNamespace(namespace)); err != nil {
		t.Fatal(err)
	}
	return found.Items
}

// unreferenced checks that nothing holds on to the Secrets of a namespace on the
// control plane.
func unreferenced(namespace string) func(ctx context.Context) error {
	return func(ctx context.Context) error {
		found := &corev1.SecretList{}
		if err := fleet.ControlPlane.Client.List(ctx, found, client.InNamespace(namespace)); err != nil {
			return err
		}
		for _, s := range found.Items {
			if len(s.GetFinalizers()) > 0 {
				return fmt.Errorf("Secret %s has finalizers %v", s.GetName(), s.GetFinalizers())
			}
		}
		return nil
	}
}
