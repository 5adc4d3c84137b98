package names

import "strings"

// The control plane's gateway is one for the fleet, so its parts have plain
// names.
const (
	// FrontGatewayClass is the GatewayClass of the FrontGateway.
	FrontGatewayClass = "traefik"

	// HelmProviderConfig lets provider-helm install on the control plane itself.
	HelmProviderConfig = "modelplane-in-cluster"

	// TraefikRelease is the name of the Helm release of the FrontGateway's
	// controller, and of the Service it is reached by.
	TraefikRelease = "traefik"

	// TraefikNamespace is where the FrontGateway's controller runs.
	TraefikNamespace = "traefik-system"

	// RedirectRoute is the HTTPRoute that redirects HTTP to HTTPS.
	RedirectRoute = "modelplane-redirect"

	// GatewayFunction is the Function that composes InferenceGateways, as their
	// Composition calls it.
	GatewayFunction = "modelplane-go-compose-inference-gateway"
)

// Listeners of the FrontGateway. Traefik finds the entry point of a listener by
// its port, and its chart calls the entry points the same.
const (
	ListenerHTTP  = "web"
	ListenerHTTPS = "websecure"
)

// The authorizer is a container beside Traefik, which asks it before it sends a
// request on. It listens where nobody but Traefik reaches it.
const (
	// AuthorizerContainer is the name of the container.
	AuthorizerContainer = "authorizer"

	// AuthorizerCommand is what the binary of the GatewayFunction is told to be the
	// authorizer.
	AuthorizerCommand = "authorize"

	// AuthorizerAddress is where it listens.
	AuthorizerAddress = "127.0.0.1:9099"

	// AuthorizerCallers is the path that says who calls. Its query says of which
	// namespace the service is that is called.
	AuthorizerCallers = "/callers"

	// AuthorizerEndpoints is the path that says what to call an endpoint with. Its
	// query names the Secret, its key and the header.
	AuthorizerEndpoints = "/endpoints"

	// AuthorizerUnavailable is the path that says that a service has no endpoint.
	// Its query names the service.
	AuthorizerUnavailable = "/unavailable"
)

// Parameters of the authorizer's queries.
const (
	ParameterNamespace = "namespace"
	ParameterService   = "service"
	ParameterSecret    = "secret"
	ParameterKey       = "key"
	ParameterHeader    = "header" // Bearer in Authorization, if there is none.
)

// HeaderCaller is the request header that names the caller to an endpoint.
const HeaderCaller = "X-Modelplane-Caller"

// Backend is the name of the Service that stands for a ModelEndpoint in the route
// of a ModelService, of its BackendTLSPolicy, and of the Middleware that
// authenticates with it.
func Backend(namespace, service, endpoint string) string {
	return opaque(MaxLabel, endpoint, namespace, service, endpoint)
}

// EndpointSlice is the name of the slice behind a Backend.
func EndpointSlice(namespace, service, endpoint, addressType string) string {
	return opaque(MaxLabel, endpoint+"-"+strings.ToLower(addressType), namespace, service, endpoint, addressType)
}

// ServiceRoute is the name of a ModelService's HTTPRoute.
func ServiceRoute(namespace, service string) string {
	return opaque(MaxLabel, service, namespace, service)
}

// ServiceRetry is the name of the Middleware that sends a ModelService's requests
// again.
func ServiceRetry(namespace, service string) string {
	return opaque(MaxLabel, service+"-retry", namespace, service, "retry")
}

// ServiceUnavailable is the name of the Middleware that answers for a ModelService
// without endpoints.
func ServiceUnavailable(namespace, service string) string {
	return opaque(MaxLabel, service+"-unavailable", namespace, service, "unavailable")
}

// ServiceCallers is the name of the Middleware that asks who calls a ModelService.
func ServiceCallers(namespace, service string) string {
	return opaque(MaxLabel, service+"-callers", namespace, service, "callers")
}
