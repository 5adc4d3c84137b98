package remote

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/modelplane-go/modelplane/schemas/modelplane/v1alpha1"
	"github.com/modelplane-go/modelplane/schemas/remote"
)

// A Manifest is an object that belongs on another cluster.
type Manifest struct {
	// Object encodes to the JSON of a Kubernetes object.
	Object any

	// Query is CEL over the variable object that says it is ready. Empty means
	// it is ready once it exists.
	Query string

	// Shared objects have several owners, none of whom may delete them.
	Shared bool

	// ObserveOnly objects are looked at, and neither made nor changed.
	ObserveOnly bool

	// CopyOf is the Secret of the control plane that the object, itself a Secret,
	// is a copy of. The provider copies what it holds, and follows its changes.
	CopyOf *SecretName
}

// A SecretName identifies a Secret of the control plane.
type SecretName struct{ Namespace, Name string }

// Place is where an Object stands on the control plane, and which cluster its
// manifest is for.
type Place struct {
	// Name of the Object.
	Name string

	// Namespace of the Object. Empty for the namespace of a namespaced owner.
	Namespace string

	// ProviderConfig is the name of a ClusterProviderConfig.
	ProviderConfig string
}

// Object wraps a manifest.
func Object(p Place, m Manifest) *remote.Object {
	return &remote.Object{
		TypeMeta: metav1.TypeMeta{APIVersion: remote.KubernetesAPIVersion, Kind: remote.KindObject},
		Metadata: remote.Metadata{Name: p.Name, Namespace: p.Namespace},
		Spec: remote.ObjectSpec{
			ManagementPolicies: policies(m),
			ProviderConfigRef:  &remote.Reference{Kind: remote.KindClusterProviderConfig, Name: p.ProviderConfig},
			Watch:              watch(m),
			Readiness:          readiness(m.Query),
			ForProvider:        &remote.ObjectParameters{Manifest: m.Object},
			References:         references(m.CopyOf),
		},
	}
}

// policies returns nil for an object with one owner: the default is everything.
func policies(m Manifest) []remote.ManagementPolicy {
	switch {
	case m.ObserveOnly:
		return []remote.ManagementPolicy{remote.PolicyObserve}
	case m.Shared:
		return []remote.ManagementPolicy{remote.PolicyObserve, remote.PolicyCreate, remote.PolicyUpdate}
	default:
		return nil
	}
}

// watch an object, but not a Secret: the provider would hold all Secrets of both
// clusters to watch one. It looks at a copy each time it polls.
func watch(m Manifest) *bool {
	if m.CopyOf != nil {
		return nil
	}
	out := true
	return &out
}

// references copy all that a Secret is, besides its name.
func references(s *SecretName) []remote.FieldReference {
	if s == nil {
		return nil
	}
	var out []remote.FieldReference
	for _, field := range []string{"data", "type"} {
		out = append(out, remote.FieldReference{
			PatchesFrom: &remote.FieldSource{
				APIVersion: corev1.SchemeGroupVersion.String(), Kind: "Secret", Namespace: s.Namespace, Name: s.Name, FieldPath: field,
			},
			ToFieldPath: field,
		})
	}
	return out
}

func readiness(query string) *remote.Readiness {
	if query == "" {
		return &remote.Readiness{Policy: remote.ReadinessSuccessfulCreate}
	}
	return &remote.Readiness{Policy: remote.ReadinessDeriveFromCelQuery, CelQuery: query}
}

// A KubeconfigSource is the credentials of a cluster that was brought along.
type KubeconfigSource struct {
	// Secret that holds the kubeconfig.
	Secret remote.SecretKeyReference

	// Identity the kubeconfig relies on, if any, and its type.
	Identity     *remote.SecretKeyReference
	IdentityType v1alpha1.IdentityType
}

// ClusterProviderConfig says how provider-kubernetes reaches a cluster.
func ClusterProviderConfig(name string, s KubeconfigSource) *remote.ClusterProviderConfig {
	out := &remote.ClusterProviderConfig{
		TypeMeta: metav1.TypeMeta{APIVersion: remote.KubernetesAPIVersion, Kind: remote.KindClusterProviderConfig},
		Metadata: remote.Metadata{Name: name},
		Spec: remote.ProviderConfigSpec{
			Credentials: &remote.ProviderCredentials{Source: remote.CredentialsSecret, SecretRef: &s.Secret},
		},
	}
	if s.Identity != nil {
		out.Spec.Identity = &remote.ProviderIdentity{Type: string(s.IdentityType), Source: remote.CredentialsSecret, SecretRef: s.Identity}
	}
	return out
}
