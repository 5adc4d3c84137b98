package workload

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation"
	corev1ac "k8s.io/client-go/applyconfigurations/core/v1"

	"github.com/modelplane-go/modelplane/functions/internal/names"
	"github.com/modelplane-go/modelplane/functions/internal/remote"
	"github.com/modelplane-go/modelplane/schemas/modelplane/v1alpha1"
)

// A Secret is one that the templates of engines refer to.
type Secret struct {
	Name     string
	Optional bool // All that refers to it can do without.
}

// Secrets that the templates of engines refer to, by name.
func Secrets(engines []v1alpha1.ReplicaEngine) []Secret {
	optional := map[string]bool{}
	for _, e := range engines {
		for _, m := range e.Members {
			for _, r := range secretRefs(&m.Template.Spec) {
				was, seen := optional[*r.name]
				optional[*r.name] = r.optional && (was || !seen)
			}
		}
	}
	out := make([]Secret, 0, len(optional))
	for _, name := range slices.Sorted(maps.Keys(optional)) {
		out = append(out, Secret{Name: name, Optional: optional[name]})
	}
	return out
}

// nameSecrets returns an error about the first reference to a Secret that no
// Secret can have the name of.
func nameSecrets(engines []v1alpha1.ReplicaEngine) error {
	for _, s := range Secrets(engines) {
		if errs := validation.IsDNS1123Subdomain(s.Name); len(errs) > 0 {
			return fmt.Errorf("no Secret can be named %q, which a template refers to: %s", s.Name, strings.Join(errs, "; "))
		}
	}
	return nil
}

// SecretCopies are a replica's own copies of the Secrets its engines refer to.
// They say nothing of what those hold: the provider copies it.
func SecretCopies(r Replica, engines []v1alpha1.ReplicaEngine) []Keyed {
	var out []Keyed
	for _, s := range Secrets(engines) {
		out = append(out, Keyed{
			Key: names.KeySecret(s.Name),
			Manifest: remote.Manifest{
				Object: corev1ac.Secret(names.Secret(r.Name, s.Name), r.Namespace),
				CopyOf: &remote.SecretName{Namespace: r.Namespace, Name: s.Name},
			},
			Optional: s.Optional,
		})
	}
	return out
}

// Projection says that Secrets of a namespace are copied and who can read them by
// that, or that none is any more. Where none ever was there is nothing to say.
func Projection(namespace string, copies int, was []metav1.Condition) []v1alpha1.Condition {
	switch {
	case copies > 0:
		return []v1alpha1.Condition{v1alpha1.SecretsProjected(copies, namespace)}
	case meta.FindStatusCondition(was, string(v1alpha1.TypeSecretsProjected)) != nil:
		return []v1alpha1.Condition{v1alpha1.SecretsNotProjected()}
	default:
		return nil
	}
}

// withCopies returns a pod that refers to a replica's own copies of Secrets.
func withCopies(replica string, in v1alpha1.PodSpec) v1alpha1.PodSpec {
	out := in.DeepCopy()
	for _, r := range secretRefs(out) {
		*r.name = names.Secret(replica, *r.name)
	}
	return *out
}

// A secretRef is a place in a pod that names a Secret.
type secretRef struct {
	name     *string
	optional bool
}

// secretRefs are all places in a pod that name a Secret.
func secretRefs(p *v1alpha1.PodSpec) []secretRef {
	var out []secretRef
	for i := range p.InitContainers {
		out = append(out, containerSecrets(&p.InitContainers[i])...)
	}
	for i := range p.Containers {
		out = append(out, containerSecrets(&p.Containers[i])...)
	}
	for i := range p.Volumes {
		out = append(out, volumeSecrets(&p.Volumes[i].VolumeSource)...)
	}
	for i := range p.ImagePullSecrets {
		out = append(out, secretRef{name: &p.ImagePullSecrets[i].Name})
	}
	return slices.DeleteFunc(out, func(r secretRef) bool { return *r.name == "" })
}

func containerSecrets(c *v1alpha1.Container) []secretRef {
	var out []secretRef
	for i := range c.Env {
		if from := c.Env[i].ValueFrom; from != nil && from.SecretKeyRef != nil {
			out = append(out, secretRef{name: &from.SecretKeyRef.Name, optional: isTrue(from.SecretKeyRef.Optional)})
		}
	}
	for i := range c.EnvFrom {
		if ref := c.EnvFrom[i].SecretRef; ref != nil {
			out = append(out, secretRef{name: &ref.Name, optional: isTrue(ref.Optional)})
		}
	}
	return out
}

func volumeSecrets(v *corev1.VolumeSource) []secretRef {
	var out []secretRef
	if v.Secret != nil {
		out = append(out, secretRef{name: &v.Secret.SecretName, optional: isTrue(v.Secret.Optional)})
	}
	if v.Projected != nil {
		for i := range v.Projected.Sources {
			if s := v.Projected.Sources[i].Secret; s != nil {
				out = append(out, secretRef{name: &s.Name, optional: isTrue(s.Optional)})
			}
		}
	}
	if v.AzureFile != nil {
		out = append(out, secretRef{name: &v.AzureFile.SecretName})
	}
	for _, ref := range driverSecrets(v) {
		if ref != nil {
			out = append(out, secretRef{name: &ref.Name})
		}
	}
	return out
}

// driverSecrets are those by which a volume's driver reaches its storage.
func driverSecrets(v *corev1.VolumeSource) []*corev1.LocalObjectReference {
	var out []*corev1.LocalObjectReference
	if v.CSI != nil {
		out = append(out, v.CSI.NodePublishSecretRef)
	}
	if v.CephFS != nil {
		out = append(out, v.CephFS.SecretRef)
	}
	if v.FlexVolume != nil {
		out = append(out, v.FlexVolume.SecretRef)
	}
	if v.ISCSI != nil {
		out = append(out, v.ISCSI.SecretRef)
	}
	if v.RBD != nil {
		out = append(out, v.RBD.SecretRef)
	}
	if v.ScaleIO != nil {
		out = append(out, v.ScaleIO.SecretRef)
	}
	if v.StorageOS != nil {
		out = append(out, v.StorageOS.SecretRef)
	}
	return out
}

func isTrue(b *bool) bool {
	return b != nil && *b
}
