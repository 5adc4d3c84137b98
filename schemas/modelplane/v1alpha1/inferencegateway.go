package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// An InferenceGateway is the front door of the fleet: the gateway on the
// control plane that sends requests to the clusters that serve them.
// ModelServices use the one named default.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:validation:XValidation:rule="self.metadata.name == 'default'",fieldPath=".metadata.name",message="metadata.name must be default: a control plane has one front door"
// +kubebuilder:resource:scope=Cluster,path=inferencegateways,shortName=ig,categories=crossplane;modelplane
// +kubebuilder:printcolumn:name="Backend",type=string,JSONPath=`.spec.backend`
// +kubebuilder:printcolumn:name="Address",type=string,JSONPath=`.status.address`
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`
type InferenceGateway struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitzero"`

	Spec InferenceGatewaySpec `json:"spec"`
	// +optional
	Status InferenceGatewayStatus `json:"status,omitzero"`
}

// A GatewayBackend is an implementation of the Gateway API.
// +kubebuilder:validation:Enum=Traefik
type GatewayBackend string

// BackendTraefik is Traefik Proxy, installed by its Helm chart.
const BackendTraefik GatewayBackend = "Traefik"

// InferenceGatewaySpec is what a gateway runs on.
type InferenceGatewaySpec struct {
	// Backend of the gateway.
	// +optional
	// +kubebuilder:default=Traefik
	Backend GatewayBackend `json:"backend,omitempty"`

	// Traefik configures the backend Traefik.
	// +optional
	Traefik *Traefik `json:"traefik,omitempty"`
}

// Traefik says which Traefik is installed.
type Traefik struct {
	// Repository of the Helm chart, where the public one cannot be reached.
	// +optional
	// +kubebuilder:validation:MaxLength=1024
	Repository string `json:"repository,omitempty"`

	// Version of the Helm chart.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=64
	Version string `json:"version,omitempty"`
}

// InferenceGatewayStatus is where a gateway is reached.
type InferenceGatewayStatus struct {
	// Address of the gateway: an IP address or a DNS name.
	// +optional
	Address string `json:"address,omitempty"`

	// Conditions of the gateway.
	// +optional
	// +listType=map
	// +listMapKey=type
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}
