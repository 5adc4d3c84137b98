package remote

import (
	"encoding/json"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// An Object is an object on another cluster, kept by provider-kubernetes.
type Object struct {
	metav1.TypeMeta `json:",inline"`

	Metadata Metadata      `json:"metadata,omitzero"`
	Spec     ObjectSpec    `json:"spec,omitzero"`
	Status   *ObjectStatus `json:"status,omitempty"`
}

// An ObjectSpec is what an object on another cluster should be.
type ObjectSpec struct {
	ManagementPolicies []ManagementPolicy `json:"managementPolicies,omitempty"`
	ProviderConfigRef  *Reference         `json:"providerConfigRef,omitempty"`

	// Watch the object, rather than poll it.
	Watch       *bool             `json:"watch,omitempty"`
	Readiness   *Readiness        `json:"readiness,omitempty"`
	ForProvider *ObjectParameters `json:"forProvider,omitempty"`

	// References to objects of the control plane that the provider copies fields
	// of the manifest from.
	References []FieldReference `json:"references,omitempty"`
}

// A FieldReference is a field of the manifest that is copied from an object of
// the control plane.
type FieldReference struct {
	PatchesFrom *FieldSource `json:"patchesFrom,omitempty"`
	ToFieldPath string       `json:"toFieldPath,omitempty"`
}

// A FieldSource is a field of an object of the control plane.
type FieldSource struct {
	APIVersion string `json:"apiVersion,omitempty"`
	Kind       string `json:"kind,omitempty"`
	Namespace  string `json:"namespace,omitempty"`
	Name       string `json:"name,omitempty"`
	FieldPath  string `json:"fieldPath,omitempty"`
}

// A ReadinessPolicy is how an Object's readiness is found.
type ReadinessPolicy string

// How an Object's readiness may be found.
const (
	ReadinessSuccessfulCreate   ReadinessPolicy = "SuccessfulCreate"
	ReadinessDeriveFromCelQuery ReadinessPolicy = "DeriveFromCelQuery"
)

// Readiness is how an Object's readiness is found.
type Readiness struct {
	Policy ReadinessPolicy `json:"policy,omitempty"`

	// CelQuery is CEL over the variable object, and must be a bool.
	CelQuery string `json:"celQuery,omitempty"`
}

// ObjectParameters are the object's manifest. Anything that encodes to the
// JSON of a Kubernetes object may be one.
type ObjectParameters struct {
	Manifest any `json:"manifest,omitempty"`
}

// An ObjectStatus is how an object on another cluster is.
type ObjectStatus struct {
	ResourceStatus `json:",inline"`

	AtProvider *ObjectObservation `json:"atProvider,omitempty"`
}

// An ObjectObservation is the object as its cluster has it.
type ObjectObservation struct {
	Manifest json.RawMessage `json:"manifest,omitempty"`
}

// A ClusterProviderConfig says how provider-kubernetes reaches a cluster.
type ClusterProviderConfig struct {
	metav1.TypeMeta `json:",inline"`

	Metadata Metadata              `json:"metadata,omitzero"`
	Spec     ProviderConfigSpec    `json:"spec,omitzero"`
	Status   *ProviderConfigStatus `json:"status,omitempty"`
}

// A ProviderConfigStatus says what uses a provider config.
type ProviderConfigStatus struct {
	// Users are how many Objects go by it, those that are being deleted too. The
	// provider leaves out a zero.
	Users int64 `json:"users,omitempty"`
}

// A CredentialsSource is where a provider finds its credentials.
type CredentialsSource string

// Where a provider may find its credentials.
const (
	CredentialsSecret           CredentialsSource = "Secret"
	CredentialsInjectedIdentity CredentialsSource = "InjectedIdentity"
)

// A ProviderConfigSpec says how a provider reaches a cluster.
type ProviderConfigSpec struct {
	Credentials *ProviderCredentials `json:"credentials,omitempty"`
	Identity    *ProviderIdentity    `json:"identity,omitempty"`
}

// ProviderCredentials are a kubeconfig, or the provider's own identity.
type ProviderCredentials struct {
	Source    CredentialsSource   `json:"source,omitempty"`
	SecretRef *SecretKeyReference `json:"secretRef,omitempty"`
}

// A ProviderIdentity is a credential that a kubeconfig relies on.
type ProviderIdentity struct {
	Type      string              `json:"type,omitempty"`
	Source    CredentialsSource   `json:"source,omitempty"`
	SecretRef *SecretKeyReference `json:"secretRef,omitempty"`
}
