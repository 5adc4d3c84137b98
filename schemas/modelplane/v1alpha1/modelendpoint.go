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

// ModelEndpointSpec is where an endpoint is, and how it is spoken to.
//
// +kubebuilder:validation:XValidation:rule="!has(self.tls) || self.url.startsWith('https://')",fieldPath=".tls",message="tls applies to a url of scheme https: write https, or leave tls out"
// +kubebuilder:validation:XValidation:rule="!has(self.tls) || has(self.tls.serverName) || !self.url.matches('^https://([0-9.]+|[[][^]]*[]])(:|/|$)')",fieldPath=".tls",message="tls needs a serverName if the host of url is an IP address: the name its certificate is for"
type ModelEndpointSpec struct {
	// URL of the endpoint's OpenAI-compatible API: http or https, a host, and
	// optionally a port and a path.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=1024
	// +kubebuilder:validation:XValidation:rule="isURL(self) && self.matches('^https?://')",message="url must be absolute and of scheme http or https, such as https://api.example.com/v1"
	// +kubebuilder:validation:XValidation:rule="self.matches('^[a-z]+://([^/]*@)?([a-z0-9]([-a-z0-9]*[a-z0-9])?([.][a-z0-9]([-a-z0-9]*[a-z0-9])?)*|[[][0-9a-f:.]+[]])(:[0-9]|[/?#]|$)')",message="url must have a host that is a lower case DNS name or an IP address, such as https://api.example.com/v1"
	// +kubebuilder:validation:XValidation:rule="!isURL(self) || url(self).getPort().size() == 0 || (url(self).getPort().size() <= 5 && int(url(self).getPort()) >= 1 && int(url(self).getPort()) <= 65535)",message="url must have a port from 1 to 65535, or none"
	// +kubebuilder:validation:XValidation:rule="!self.matches('^[^/]*//[^/]*@') && !self.contains('?') && !self.contains('#')",message="url may not have a user, a query or a fragment: they would not be sent to the endpoint"
	// +kubebuilder:validation:XValidation:rule="!self.matches('^[a-z]+://(0[.]0[.]0[.]0|127[.][0-9.]+|169[.]254[.][0-9.]+|[[]::1?[]]|[[]fe[89ab][0-9a-f]:[^]]*[]])(:|/|$)')",message="url must have a host that other machines reach: this address leads nowhere from the gateway"
	// +kubebuilder:validation:XValidation:rule="!self.matches('^[a-z]+://([^/:]*[.])?[0-9]+(:|/|$)') || self.matches('^[a-z]+://((25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])[.]){3}(25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])(:|/|$)')",message="url must have a host that is a DNS name or an IP address: one that ends in a number is a mistyped address"
	URL string `json:"url"`

	// RewritePath replaces the service's path prefix in requests to the
	// endpoint. It begins with a slash. Without one the path of the URL does,
	// less a trailing /v1.
	// +optional
	// +kubebuilder:validation:MaxLength=1024
	// +kubebuilder:validation:Pattern=`^/`
	RewritePath string `json:"rewritePath,omitempty"`

	// TLS says how the certificate of an https endpoint is verified. Without it
	// the certificate must be for the URL's host, and of a CA that the gateway's
	// system trusts.
	// +optional
	TLS *EndpointTLS `json:"tls,omitempty"`

	// Auth is what the gateway presents to the endpoint, in the place of what the
	// caller presented.
	// +optional
	Auth *EndpointAuth `json:"auth,omitempty"`
}

// EndpointTLS is how the certificate of an endpoint is verified. It says at least
// one thing.
//
// +kubebuilder:validation:MinProperties=1
type EndpointTLS struct {
	// ServerName is the DNS name that the certificate must be for, which the
	// endpoint is told when the connection is made (SNI). The URL's host without
	// it. Where the URL's host is an IP address requests are for this name too.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	// +kubebuilder:validation:Pattern=`^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$`
	ServerName string `json:"serverName,omitempty"`

	// CAConfigMapRef refers to the ConfigMap in the endpoint's namespace whose key
	// ca.crt holds the certificates of the CAs that are trusted, in PEM, in the
	// place of the system's.
	// +optional
	CAConfigMapRef *LocalReference `json:"caConfigMapRef,omitempty"`
}

// A LocalReference refers to an object in the same namespace.
type LocalReference struct {
	// Name of the object.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	Name string `json:"name"`
}

// EndpointAuth is a credential. The gateway reads it where it is, for every
// request: it is in no route and in no status.
type EndpointAuth struct {
	// SecretRef refers to a key of a Secret in the endpoint's namespace. The
	// Secret must bear the label modelplane.ai/gateway-secret: endpoint, by which
	// its owner lets the gateway send it to endpoints.
	SecretRef EndpointSecretReference `json:"secretRef"`

	// Header to send the credential in, as it is. Without one it is sent as a
	// bearer token, in the header Authorization.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=64
	// +kubebuilder:validation:Pattern=`^[A-Za-z0-9-]+$`
	// +kubebuilder:validation:XValidation:rule="!(self.lowerAscii() in ['host', 'connection', 'content-length', 'transfer-encoding', 'upgrade', 'te', 'trailer', 'keep-alive'])",message="header may not be one that HTTP itself uses"
	Header string `json:"header,omitempty"`
}

// An EndpointSecretReference refers to a key of a Secret in the same namespace.
type EndpointSecretReference struct {
	// Name of the Secret.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	Name string `json:"name"`

	// Key of the Secret.
	// +optional
	// +kubebuilder:default=apiKey
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	// +kubebuilder:validation:Pattern=`^[-._a-zA-Z0-9]+$`
	Key string `json:"key,omitempty"`
}

// ModelEndpointStatus is whether requests can be sent to an endpoint.
type ModelEndpointStatus struct {
	// Conditions of the endpoint.
	// +optional
	// +listType=map
	// +listMapKey=type
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}
