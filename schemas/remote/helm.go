package remote

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// A ProviderConfig says how provider-helm reaches a cluster.
type ProviderConfig struct {
	metav1.TypeMeta `json:",inline"`

	Metadata Metadata           `json:"metadata,omitzero"`
	Spec     ProviderConfigSpec `json:"spec,omitzero"`
}

// A Release is a Helm release, kept by provider-helm.
type Release struct {
	metav1.TypeMeta `json:",inline"`

	Metadata Metadata        `json:"metadata,omitzero"`
	Spec     ReleaseSpec     `json:"spec,omitzero"`
	Status   *ResourceStatus `json:"status,omitempty"`
}

// A ReleaseSpec is what a Helm release should be.
type ReleaseSpec struct {
	ProviderConfigRef *Reference         `json:"providerConfigRef,omitempty"`
	ForProvider       *ReleaseParameters `json:"forProvider,omitempty"`
}

// ReleaseParameters are a chart and its values.
type ReleaseParameters struct {
	Chart     *Chart `json:"chart,omitempty"`
	Namespace string `json:"namespace,omitempty"`

	// Wait for what the chart installs to be ready.
	Wait *bool `json:"wait,omitempty"`

	// Values of the chart. Anything that encodes to a JSON object may be one.
	Values any `json:"values,omitempty"`
}

// A Chart is a version of a Helm chart in a repository.
type Chart struct {
	Repository string `json:"repository,omitempty"`
	Name       string `json:"name,omitempty"`
	Version    string `json:"version,omitempty"`
}
