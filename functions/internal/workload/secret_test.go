package workload

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"

	"github.com/modelplane-go/modelplane/functions/internal/names"
	"github.com/modelplane-go/modelplane/schemas/modelplane/v1alpha1"
)

// everyReference is a pod that names a Secret in every place there is, and other
// things where a Secret might be.
const everyReference = `
initContainers:
- name: sidecar
  image: i
  restartPolicy: Always
  env: [{name: A, valueFrom: {secretKeyRef: {name: init-env, key: k}}}]
  envFrom: [{secretRef: {name: init-env-from}}]
containers:
- name: metrics
  image: i
  env: [{name: A, valueFrom: {secretKeyRef: {name: sidecar-env, key: k}}}]
- name: engine
  image: i
  env:
  - {name: PLAIN, value: env}
  - {name: FIELD, valueFrom: {fieldRef: {fieldPath: metadata.name}}}
  - {name: CONFIG, valueFrom: {configMapKeyRef: {name: config, key: k}}}
  - {name: SECRET, valueFrom: {secretKeyRef: {name: env, key: k}}}
  envFrom: [{configMapRef: {name: config}}, {secretRef: {name: env-from}}]
  volumeMounts: [{name: env, mountPath: /env}]
volumes:
- {name: env, emptyDir: {}}
- {name: secret, secret: {secretName: volume}}
- {name: projected, projected: {sources: [{configMap: {name: config}}, {secret: {name: projected}}]}}
- {name: azure, azureFile: {secretName: azure-file, shareName: s}}
- {name: csi, csi: {driver: d, nodePublishSecretRef: {name: csi}}}
- {name: ceph, cephfs: {monitors: [m], secretRef: {name: ceph-fs}}}
- {name: flex, flexVolume: {driver: d, secretRef: {name: flex-volume}}}
- {name: iscsi, iscsi: {targetPortal: t, iqn: q, lun: 0, secretRef: {name: iscsi}}}
- {name: rbd, rbd: {monitors: [m], image: i, secretRef: {name: rbd}}}
- {name: scale, scaleIO: {gateway: g, system: s, secretRef: {name: scale-io}}}
- {name: storage, storageos: {secretRef: {name: storage-os}}}
imagePullSecrets: [{name: pull}, {name: ""}]
`

func podSpec(t *testing.T, y string) v1alpha1.PodSpec {
	t.Helper()
	p := v1alpha1.PodSpec{}
	if err := yaml.UnmarshalStrict([]byte(y), &p); err != nil {
		t.Fatal(err)
	}
	return p
}

// member whose pods are as YAML says.
func member(t *testing.T, y string) v1alpha1.ReplicaMember {
	t.Helper()
	return v1alpha1.ReplicaMember{Template: v1alpha1.PodTemplate{Spec: podSpec(t, y)}}
}

func TestSecrets(t *testing.T) {
	const (
		required = `{containers: [{name: engine, image: i, envFrom: [{secretRef: {name: a}}]}]}`
		optional = `{containers: [{name: engine, image: i, envFrom: [{secretRef: {name: a, optional: true}}], env: [{name: E, valueFrom: {secretKeyRef: {name: b, key: k, optional: true}}}]}],
  volumes: [{name: c, secret: {secretName: c, optional: true}}, {name: d, projected: {sources: [{secret: {name: d, optional: true}}]}}]}`
	)
	engines := func(members ...string) []v1alpha1.ReplicaEngine {
		var out []v1alpha1.ReplicaEngine
		for _, m := range members {
			out = append(out, v1alpha1.ReplicaEngine{Members: []v1alpha1.ReplicaMember{member(t, m)}})
		}
		return out
	}
	allOptional := []Secret{{"a", true}, {"b", true}, {"c", true}, {"d", true}}
	mixed := []Secret{{"a", false}, {"b", true}, {"c", true}, {"d", true}}

	cases := map[string]struct {
		reason  string
		engines []v1alpha1.ReplicaEngine
		want    []Secret
	}{
		"None": {
			reason:  "A pod that refers to no Secret has none.",
			engines: engines(`{containers: [{name: engine, image: i}]}`),
			want:    []Secret{},
		},
		"Everywhere": {
			reason:  "Every place that names a Secret counts, and nothing else.",
			engines: engines(everyReference),
			want: []Secret{
				{Name: "azure-file"},
				{Name: "ceph-fs"},
				{Name: "csi"},
				{Name: "env"},
				{Name: "env-from"},
				{Name: "flex-volume"},
				{Name: "init-env"},
				{Name: "init-env-from"},
				{Name: "iscsi"},
				{Name: "projected"},
				{Name: "pull"},
				{Name: "rbd"},
				{Name: "scale-io"},
				{Name: "sidecar-env"},
				{Name: "storage-os"},
				{Name: "volume"},
			},
		},
		"Optional": {
			reason:  "A Secret is optional if all that refers to it can do without.",
			engines: engines(optional, optional),
			want:    allOptional,
		},
		"RequiredFirst": {
			reason:  "A Secret that something cannot do without is required.",
			engines: engines(required, optional),
			want:    mixed,
		},
		"RequiredLast": {
			reason:  "A Secret that something cannot do without is required, in whatever order.",
			engines: engines(optional, required),
			want:    mixed,
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, Secrets(tc.engines)); diff != "" {
				t.Errorf("\n%s\nSecrets(...): -want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}

// TestWithCopies shows that every place that names a Secret names the replica's
// copy instead, that nothing else changes, and that the template does not.
func TestWithCopies(t *testing.T) {
	in := podSpec(t, everyReference)
	out := withCopies("r", in)

	if diff := cmp.Diff(podSpec(t, everyReference), in); diff != "" {
		t.Errorf("withCopies changed its template: -want, +got:\n%s", diff)
	}
	was, is := secretRefs(&in), secretRefs(&out)
	for i := range was {
		if want := names.Secret("r", *was[i].name); *is[i].name != want {
			t.Errorf("withCopies: %s is %s, want %s", *was[i].name, *is[i].name, want)
		}
		*is[i].name = *was[i].name
	}
	if diff := cmp.Diff(in, out); diff != "" {
		t.Errorf("withCopies changed more than names: -want, +got:\n%s", diff)
	}
}

// TestEngineWithCopies shows that the pods of both kinds of workload refer to the
// replica's copies, those of every member.
func TestEngineWithCopies(t *testing.T) {
	const container = `{containers: [{name: engine, image: i, envFrom: [{secretRef: {name: s}}]}]}`
	cases := map[string]struct {
		reason string
		roles  []v1alpha1.MemberRole
	}{
		"Standalone": {reason: "A Deployment's pods refer to the copy.", roles: []v1alpha1.MemberRole{v1alpha1.RoleStandalone}},
		"Gang":       {reason: "A gang's leader and workers refer to the copy.", roles: []v1alpha1.MemberRole{v1alpha1.RoleLeader, v1alpha1.RoleWorker}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			e := v1alpha1.ReplicaEngine{Name: "main"}
			for _, role := range tc.roles {
				m := member(t, container)
				m.Role = role
				e.Members = append(e.Members, m)
			}
			built, err := Engine(Replica{Name: "r", Namespace: "ml-team", CopiesSecrets: true}, e)
			if err != nil {
				t.Fatal(err)
			}
			y, err := yaml.Marshal(built[len(built)-1].Object)
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Count(string(y), "name: "+names.Secret("r", "s")); got != len(tc.roles) {
				t.Errorf("\n%s\n%d references, want %d:\n%s", tc.reason, got, len(tc.roles), y)
			}
		})
	}
}

func TestCheck(t *testing.T) {
	refers := func(secret string) []v1alpha1.ReplicaEngine {
		return []v1alpha1.ReplicaEngine{{Members: []v1alpha1.ReplicaMember{
			member(t, `{containers: [{name: engine, image: i}], imagePullSecrets: [{name: `+secret+`}]}`),
		}}}
	}
	cases := map[string]struct {
		reason  string
		engines []v1alpha1.ReplicaEngine
		secrets v1alpha1.SecretsMode
		want    string
	}{
		"Named":    {reason: "A Secret may have dots in its name.", engines: refers("registry.example.com"), secrets: v1alpha1.SecretsProject},
		"Existing": {reason: "What is not copied is the cluster's to judge.", engines: refers("My_Secret"), secrets: v1alpha1.SecretsExisting},
		"Misnamed": {
			reason:  "There can be no Secret of that name to copy.",
			engines: refers("My_Secret"),
			secrets: v1alpha1.SecretsProject,
			want:    `no Secret can be named "My_Secret", which a template refers to: `,
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got := ""
			if err := Check(tc.engines, tc.secrets); err != nil {
				got = err.Error()
			}
			if (got == "") != (tc.want == "") || !strings.HasPrefix(got, tc.want) {
				t.Errorf("\n%s\nCheck(...): want %q, got %q", tc.reason, tc.want, got)
			}
		})
	}
}

func TestProjection(t *testing.T) {
	was := []metav1.Condition{{Type: string(v1alpha1.TypeSecretsProjected)}}
	cases := map[string]struct {
		reason string
		copies int
		was    []metav1.Condition
		want   []v1alpha1.Condition
	}{
		"Never":  {reason: "Where no Secret ever was copied there is nothing to say."},
		"Copies": {reason: "It is said how many are copied.", copies: 2, want: []v1alpha1.Condition{v1alpha1.SecretsProjected(2, "ml-team")}},
		"NoMore": {reason: "Crossplane keeps what nobody takes back.", was: was, want: []v1alpha1.Condition{v1alpha1.SecretsNotProjected()}},
		"GoesOn": {reason: "What is copied on is said on.", copies: 1, was: was, want: []v1alpha1.Condition{v1alpha1.SecretsProjected(1, "ml-team")}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, Projection("ml-team", tc.copies, tc.was)); diff != "" {
				t.Errorf("\n%s\nProjection(...): -want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}
