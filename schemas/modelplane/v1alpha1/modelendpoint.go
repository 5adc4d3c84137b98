package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// A ModelEndpoint is one place that serves a model: a replica's, composed by
// its ModelDeployment, or an external one.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:resource:scope=Namespaced,path=modelendpoints,shortName=me,categories=crossplane;modelplane
// +kubebuilder:printcolumn:name="URL",type=string,JSONPath=`.spec.url`
// +kubebuilder:printcolumn:name="Ready",type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].status`
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`
type ModelEndpoint struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitzero"`

	Spec ModelEndpointSpec `json:"spec"`
	// +optional
	Status ModelEndpointStatus `json:"status,omitzero"`
}

// ModelEndpointSpec is where an endpoint is.
type ModelEndpointSpec struct {
	// URL of the endpoint's OpenAI-compatible API: http or https, a host, and
	// optionally a port and a path.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=2048
	URL string `json:"url"`

	// RewritePath replaces the service's path prefix in requests to the
	// endpoint. It begins with a slash.
	// +optional
	// +kubebuilder:validation:MaxLength=1024
	// +kubebuilder:validation:Pattern=`^/`
	RewritePath string `json:"rewritePath,omitempty"`
}

// ModelEndpointStatus is how the control plane's gateway reaches an endpoint.
type ModelEndpointStatus struct {
	// Routing says what a route refers to.
	// +optional
	Routing *EndpointRouting `json:"routing,omitempty"`

	// Conditions of the endpoint.
	// +optional
	// +listType=map
	// +listMapKey=type
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

// EndpointRouting is what a route to an endpoint refers to.
type EndpointRouting struct {
	// BackendName of the Service that stands for the endpoint.
	BackendName string `json:"backendName"`
	// Port of that Service.
	Port int32 `json:"port"`
}
