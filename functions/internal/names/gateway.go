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
)

// Backend is the name of the Service that stands for a ModelEndpoint on the
// control plane.
func Backend(namespace, endpoint string) string {
	return opaque(MaxLabel, endpoint, namespace, endpoint)
}

// EndpointSlice is the name of the slice behind a ModelEndpoint's Service.
func EndpointSlice(namespace, endpoint, addressType string) string {
	return opaque(MaxLabel, endpoint+"-"+strings.ToLower(addressType), namespace, endpoint, addressType)
}

// ServiceRoute is the name of a ModelService's HTTPRoute.
func ServiceRoute(namespace, service string) string {
	return opaque(MaxLabel, service, namespace, service)
}
