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
// +kubebuilder:validation:XValidation:rule="self.metadata.name.matches('^[a-z]([-a-z0-9]*[a-z0-9])?$')",fieldPath=".metadata.name",message="metadata.name must be lower case letters, digits and '-', begin with a letter and end with a letter or digit: Services are named after it"
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
	// +kubebuilder:validation:XValidation:rule="isURL(self) && self.matches('^https?://')",message="url must be absolute and of scheme http or https, such as https://api.example.com/v1"
	// +kubebuilder:validation:XValidation:rule="self.matches('^[a-z]+://([^/]*@)?([a-z0-9]([-a-z0-9]*[a-z0-9])?([.][a-z0-9]([-a-z0-9]*[a-z0-9])?)*|[[][0-9a-f:.]+[]])(:[0-9]|[/?#]|$)')",message="url must have a host that is a lower case DNS name or an IP address, such as https://api.example.com/v1"
	// +kubebuilder:validation:XValidation:rule="!isURL(self) || url(self).getPort().size() == 0 || (url(self).getPort().size() <= 5 && int(url(self).getPort()) >= 1 && int(url(self).getPort()) <= 65535)",message="url must have a port from 1 to 65535, or none"
	// +kubebuilder:validation:XValidation:rule="!self.matches('^[^/]*//[^/]*@') && !self.contains('?') && !self.contains('#')",message="url may not have a user, a query or a fragment: they would not be sent to the endpoint"
	URL string `json:"url"`

	// RewritePath replaces the service's path prefix in requests to the
	// endpoint. It begins with a slash. Without one the path of the URL does,
	// less a trailing /v1.
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
