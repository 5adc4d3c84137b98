package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// A ModelService is one OpenAI-compatible address over the ModelEndpoints it
// selects in its own namespace.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:resource:scope=Namespaced,path=modelservices,shortName=ms,categories=crossplane;modelplane
// +kubebuilder:printcolumn:name="Address",type=string,JSONPath=`.status.address`
// +kubebuilder:printcolumn:name="Endpoints",type=string,JSONPath=`.status.summary.endpoints`
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`
// +kubebuilder:validation:XValidation:rule="self.metadata.name.matches('^[a-z]([-a-z0-9]*[a-z0-9])?$')",fieldPath=".metadata.name",message="metadata.name must be lower case letters, digits and '-', begin with a letter and end with a letter or digit: Services are named after it"
type ModelService struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitzero"`

	Spec ModelServiceSpec `json:"spec"`
	// +optional
	Status ModelServiceStatus `json:"status,omitzero"`
}

// ModelServiceSpec is what a service selects.
type ModelServiceSpec struct {
	// Endpoints are groups of ModelEndpoints. An endpoint that several groups
	// select belongs to the first of them.
	// +listType=atomic
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=16
	Endpoints []EndpointGroup `json:"endpoints"`
}

// An EndpointGroup is a share of a service's traffic.
type EndpointGroup struct {
	// Selector of the ModelEndpoints of the group, by their labels. It must not
	// be empty.
	// +kubebuilder:validation:XValidation:rule="(has(self.matchLabels) && self.matchLabels.size() > 0) || (has(self.matchExpressions) && self.matchExpressions.size() > 0)",message="selector must have matchLabels or matchExpressions: an empty one would select every ModelEndpoint of the namespace"
	Selector LabelSelector `json:"selector"`

	// Weight of the group's traffic, relative to the other groups. It is split
	// evenly over the group's endpoints.
	// +optional
	// +kubebuilder:default=1
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=1000000
	Weight int32 `json:"weight,omitempty"`

	// Priority of the group. All requests go to the groups of the lowest number
	// that have a ready endpoint: those of 0 first, those of 1 while none of 0 has
	// any, and so on.
	// +optional
	// +kubebuilder:default=0
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=15
	Priority int32 `json:"priority,omitempty"`
}

// ModelServiceStatus is where a service is reached and what it reaches.
type ModelServiceStatus struct {
	// Address of the service: the base URL of its OpenAI-compatible API, which
	// paths such as /v1/models follow.
	// +optional
	Address string `json:"address,omitempty"`

	// Summary says the status in the words of a table's columns.
	// +optional
	Summary *ModelServiceSummary `json:"summary,omitempty"`

	// Endpoints the service selects, by name, and those that its route still leads
	// to although it does not select them any more.
	// +optional
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MaxItems=2000
	Endpoints []ServiceEndpoint `json:"endpoints,omitempty"`

	// Conditions of the service.
	// +optional
	// +listType=map
	// +listMapKey=type
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

// ModelServiceSummary is a service's status as a table shows it.
type ModelServiceSummary struct {
	// Endpoints that get requests, of those selected: 2/3.
	// +optional
	Endpoints string `json:"endpoints,omitempty"`
}

// A ServiceEndpoint is an endpoint a service selects.
type ServiceEndpoint struct {
	// Name of the ModelEndpoint.
	Name string `json:"name"`
	// Weight of the endpoint in the service's route. Zero if it gets no requests:
	// it is not ready, a group of a lower priority number serves, or the route has
	// no room.
	Weight int32 `json:"weight"`
	// Ready says whether requests can be sent to the endpoint.
	Ready bool `json:"ready"`
}
