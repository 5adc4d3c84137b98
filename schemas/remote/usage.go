package remote

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// ProtectionAPIVersion is the API version of Crossplane's usages.
const ProtectionAPIVersion = "protection.crossplane.io/v1beta1"

// Kinds of usages.
const (
	KindClusterUsage = "ClusterUsage" // Of something cluster-scoped.
	KindUsage        = "Usage"        // Of something in its own namespace.
)

// A Usage has Crossplane refuse to delete what is in use. ClusterUsages are of
// the same shape.
type Usage struct {
	metav1.TypeMeta `json:",inline"`

	Metadata Metadata  `json:"metadata,omitzero"`
	Spec     UsageSpec `json:"spec,omitzero"`
}

// A UsageSpec says what is in use, and by what, or why, in words for who tries to
// delete it.
type UsageSpec struct {
	Of *Used `json:"of,omitempty"`

	// By what it is used. The Usage stays until that is gone. It is in the Usage's
	// namespace, or in none.
	By *Used `json:"by,omitempty"`

	Reason string `json:"reason,omitempty"`

	// ReplayDeletion deletes what was refused to be deleted, once it is no longer
	// in use.
	ReplayDeletion *bool `json:"replayDeletion,omitempty"`
}

// Used is what is in use.
type Used struct {
	APIVersion  string     `json:"apiVersion,omitempty"`
	Kind        string     `json:"kind,omitempty"`
	ResourceRef *Reference `json:"resourceRef,omitempty"`
}

// Use of the thing of a kind and name.
func Use(apiVersion, kind, name string) *Used {
	return &Used{APIVersion: apiVersion, Kind: kind, ResourceRef: &Reference{Name: name}}
}
