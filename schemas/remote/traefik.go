package remote

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// TraefikAPIVersion is the API version of Traefik's own resources.
const TraefikAPIVersion = "traefik.io/v1alpha1"

// TraefikGroup is the API group of Traefik's own resources.
const TraefikGroup = "traefik.io"

// KindMiddleware is the kind of what Traefik does to a request on its way, which
// a route refers to as a filter.
const KindMiddleware = "Middleware"

// A Middleware does one thing to a request on its way.
type Middleware struct {
	metav1.TypeMeta `json:",inline"`

	Metadata Metadata       `json:"metadata,omitzero"`
	Spec     MiddlewareSpec `json:"spec,omitzero"`
}

// A MiddlewareSpec is the one thing a Middleware does.
type MiddlewareSpec struct {
	ForwardAuth *ForwardAuth `json:"forwardAuth,omitempty"`
	Retry       *Retry       `json:"retry,omitempty"`
}

// ForwardAuth asks a server about a request before it is sent on. If the server
// answers with a status other than 2xx, that is the answer to the request.
type ForwardAuth struct {
	// Address of the server, a URL.
	Address string `json:"address,omitempty"`

	// AuthRequestHeaders are the headers of the request that the server gets. All
	// of them if empty.
	AuthRequestHeaders []string `json:"authRequestHeaders,omitempty"`

	// AuthResponseHeaders of the server's answer take the place of those of the
	// request. One that the answer lacks is removed from the request.
	AuthResponseHeaders []string `json:"authResponseHeaders,omitempty"`

	// TrustForwardHeader says whether X-Forwarded headers of the request are
	// passed to the server.
	TrustForwardHeader *bool `json:"trustForwardHeader,omitempty"`

	// MaxResponseBodySize of the server's answer, in bytes.
	MaxResponseBodySize *int64 `json:"maxResponseBodySize,omitempty"`
}

// Retry sends a request again, each time to the backend whose turn it is.
type Retry struct {
	// Attempts in all, the first included.
	Attempts int `json:"attempts,omitempty"`

	// InitialInterval before the second attempt, a duration. The last is twice as
	// long.
	InitialInterval string `json:"initialInterval,omitempty"`

	// Status codes of an answer that has the request sent again.
	Status []string `json:"status,omitempty"`

	// RetryNonIdempotentMethod says whether that is so of a POST too.
	RetryNonIdempotentMethod *bool `json:"retryNonIdempotentMethod,omitempty"`

	// MaxRequestBodyBytes is the largest body that is kept to be sent again.
	MaxRequestBodyBytes *int64 `json:"maxRequestBodyBytes,omitempty"`
}
