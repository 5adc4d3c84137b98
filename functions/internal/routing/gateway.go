package routing

import (
	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"
	gatewayv1ac "sigs.k8s.io/gateway-api/applyconfiguration/apis/v1"

	"github.com/modelplane-go/modelplane/functions/internal/names"
)

// traefikController is the name Traefik looks for in GatewayClasses.
const traefikController = "traefik.io/gateway-controller"

// Ports of the front gateway's listeners. Traefik wants those of its entry points,
// which its chart publishes as ports 80 and 443.
const (
	portHTTP  = 8000
	portHTTPS = 8443
)

// FrontGatewayClass is the GatewayClass of the control plane's gateway.
func FrontGatewayClass() *gatewayv1ac.GatewayClassApplyConfiguration {
	return gatewayv1ac.GatewayClass(names.FrontGatewayClass).
		WithSpec(gatewayv1ac.GatewayClassSpec().WithControllerName(traefikController))
}

// A Front is how the control plane's gateway is reached.
type Front struct {
	Hostname    string // Any, if it is empty.
	Certificate string // Name of the Secret. Without one there is no HTTPS.
}

// FrontGateway is the control plane's gateway. ModelServices of any namespace
// attach to it.
func FrontGateway(f Front) *gatewayv1ac.GatewayApplyConfiguration {
	listeners := []*gatewayv1ac.ListenerApplyConfiguration{
		listener(f, names.ListenerHTTP, gatewayv1.HTTPProtocolType, portHTTP),
	}
	if f.Certificate != "" {
		listeners = append(listeners, listener(f, names.ListenerHTTPS, gatewayv1.HTTPSProtocolType, portHTTPS).
			WithTLS(gatewayv1ac.ListenerTLSConfig().
				WithMode(gatewayv1.TLSModeTerminate).
				WithCertificateRefs(gatewayv1ac.SecretObjectReference().
					WithName(gatewayv1.ObjectName(f.Certificate)))))
	}
	return gatewayv1ac.Gateway(names.FrontGateway, names.SystemNamespace).
		WithSpec(gatewayv1ac.GatewaySpec().
			WithGatewayClassName(names.FrontGatewayClass).
			WithListeners(listeners...))
}

func listener(f Front, name string, protocol gatewayv1.ProtocolType, port gatewayv1.PortNumber) *gatewayv1ac.ListenerApplyConfiguration {
	out := gatewayv1ac.Listener().
		WithName(gatewayv1.SectionName(name)).
		WithProtocol(protocol).
		WithPort(port).
		WithAllowedRoutes(gatewayv1ac.AllowedRoutes().
			WithNamespaces(gatewayv1ac.RouteNamespaces().WithFrom(gatewayv1.NamespacesFromAll)))
	if f.Hostname != "" {
		out = out.WithHostname(gatewayv1.Hostname(f.Hostname))
	}
	return out
}

// RedirectRoute redirects what comes by HTTP to HTTPS at the port callers know,
// which is not the listener's. Routes of ModelServices that are still attached to
// the listener win: their paths are longer.
//
// Every release of the Gateway API has 301, and only late ones have 308, with
// which a POST stays a POST. A caller who posts by HTTP fails rather than go on
// to send his key in the clear each time.
func RedirectRoute() *gatewayv1ac.HTTPRouteApplyConfiguration {
	front := gatewayv1ac.ParentReference().
		WithNamespace(names.SystemNamespace).
		WithName(names.FrontGateway).
		WithSectionName(names.ListenerHTTP)
	rule := gatewayv1ac.HTTPRouteRule().
		WithMatches(gatewayv1ac.HTTPRouteMatch().
			WithPath(gatewayv1ac.HTTPPathMatch().
				WithType(gatewayv1.PathMatchPathPrefix).
				WithValue("/"))).
		WithFilters(gatewayv1ac.HTTPRouteFilter().
			WithType(gatewayv1.HTTPRouteFilterRequestRedirect).
			WithRequestRedirect(gatewayv1ac.HTTPRequestRedirectFilter().
				WithScheme("https").
				WithPort(443).
				WithStatusCode(301)))
	return gatewayv1ac.HTTPRoute(names.RedirectRoute, names.SystemNamespace).
		WithSpec(gatewayv1ac.HTTPRouteSpec().WithParentRefs(front).WithRules(rule))
}
