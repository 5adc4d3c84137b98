package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

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
// +kubebuilder:printcolumn:name="Authentication",type=string,JSONPath=`.status.authentication`
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

// A GatewayAuthentication is what a gateway asks of callers.
// +kubebuilder:validation:Enum=None;APIKeys
type GatewayAuthentication string

// What a gateway may ask of callers.
const (
	// AuthenticationNone lets everybody call who reaches the gateway.
	AuthenticationNone GatewayAuthentication = "None"
	// AuthenticationAPIKeys lets those call who bring a key of a Secret that is
	// labelled modelplane.ai/gateway-secret: caller.
	AuthenticationAPIKeys GatewayAuthentication = "APIKeys"
)

// InferenceGatewaySpec is what a gateway runs on, and how it is reached.
type InferenceGatewaySpec struct {
	// Backend of the gateway.
	// +optional
	// +kubebuilder:default=Traefik
	Backend GatewayBackend `json:"backend,omitempty"`

	// Traefik configures the backend Traefik.
	// +optional
	Traefik *Traefik `json:"traefik,omitempty"`

	// Hostname at which callers reach the gateway. It takes no requests for
	// others then. Whoever manages its DNS has it lead to the gateway's load
	// balancer. Without it the gateway is reached at the load balancer's address.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	// +kubebuilder:validation:XValidation:rule="!format.dns1123Subdomain().validate(self).hasValue()",message="hostname must be a lower case DNS name without scheme, port and wildcard, such as models.example.com"
	// +kubebuilder:validation:XValidation:rule="!self.matches('^[0-9.]+$')",message="hostname must be a DNS name: remove it to be reached at an IP address"
	Hostname string `json:"hostname,omitempty"`

	// TLS has the gateway serve HTTPS, and redirect HTTP to it.
	// +optional
	TLS *GatewayTLS `json:"tls,omitempty"`

	// Replicas of the gateway. Two let it be upgraded, and lose a node, without a
	// request that is turned away.
	// +optional
	// +kubebuilder:default=2
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=100
	Replicas int32 `json:"replicas,omitempty"`

	// LoadBalancer of the gateway.
	// +optional
	LoadBalancer *GatewayLoadBalancer `json:"loadBalancer,omitempty"`

	// Authentication of callers: with APIKeys they bring a key, as
	// Authorization: Bearer or x-api-key, of a Secret in the namespace of the
	// ModelService they call, or in modelplane-system, that is labelled
	// modelplane.ai/gateway-secret: caller.
	// +optional
	// +kubebuilder:default=None
	Authentication GatewayAuthentication `json:"authentication,omitempty"`

	// Authorizer configures what checks keys.
	// +optional
	Authorizer *GatewayAuthorizer `json:"authorizer,omitempty"`
}

// GatewayTLS is how a gateway serves HTTPS.
type GatewayTLS struct {
	// SecretRef refers to the certificate and its key.
	SecretRef CertificateSecretReference `json:"secretRef"`
}

// A CertificateSecretReference refers to a Secret in modelplane-system.
type CertificateSecretReference struct {
	// Name of the Secret of type kubernetes.io/tls in the namespace
	// modelplane-system.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	// +kubebuilder:validation:XValidation:rule="!format.dns1123Subdomain().validate(self).hasValue()",message="name must be that of a Secret in modelplane-system, such as front-door-tls"
	Name string `json:"name"`
}

// A GatewayLoadBalancer is what brings requests to a gateway.
type GatewayLoadBalancer struct {
	// Class of the load balancer, where a cluster has more than one. Kubernetes
	// does not let it be changed on a Service that has one.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=317
	// +kubebuilder:validation:XValidation:rule="!format.qualifiedName().validate(self).hasValue()",message="class must be the name of a load balancer class, such as service.k8s.aws/nlb"
	Class string `json:"class,omitempty"`

	// Annotations of the gateway's Service, which load balancers are configured
	// by.
	// +optional
	Annotations Annotations `json:"annotations,omitempty"`
}

// A GatewayAuthorizer is the container beside the gateway that checks keys.
type GatewayAuthorizer struct {
	// Image of the authorizer. It is that of the function
	// compose-inference-gateway, which Crossplane says; name a copy of it here
	// where nodes pull images from elsewhere.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=1024
	// +kubebuilder:validation:XValidation:rule="self.matches('^[-a-zA-Z0-9._/:@]+$')",message="image must be the name of an image without spaces, such as registry.example.com/modelplane/compose-inference-gateway:v0.1.0"
	Image string `json:"image,omitempty"`
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

	// Values of the Helm chart, over those Modelplane sets: objects are merged,
	// and all else is replaced, lists too. The authorizer stays.
	// +optional
	// +kubebuilder:pruning:PreserveUnknownFields
	// +kubebuilder:validation:Type=object
	Values *runtime.RawExtension `json:"values,omitempty"`
}

// InferenceGatewayStatus is where a gateway is reached.
type InferenceGatewayStatus struct {
	// Address of the gateway: the URL that a ModelService's path follows, such as
	// https://models.example.com or http://203.0.113.1.
	// +optional
	Address string `json:"address,omitempty"`

	// Authentication that is asked of callers: with APIKeys nobody calls a model
	// without a key, and while keys cannot be checked nobody at all.
	// +optional
	Authentication GatewayAuthentication `json:"authentication,omitempty"`

	// Conditions of the gateway.
	// +optional
	// +listType=map
	// +listMapKey=type
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}
