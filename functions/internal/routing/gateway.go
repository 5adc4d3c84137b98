package routing

import (
	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"
	gatewayv1ac "sigs.k8s.io/gateway-api/applyconfiguration/apis/v1"

	"github.com/modelplane-go/modelplane/functions/internal/names"
)

// traefikController is the name Traefik looks for in GatewayClasses.
const traefikController = "traefik.io/gateway-controller"

// frontPort is the port of the front gateway's listener. Traefik wants that of
// its entry point web, which its chart publishes as port 80.
const frontPort = 8000

// FrontGatewayClass is the GatewayClass of the control plane's gateway.
func FrontGatewayClass() *gatewayv1ac.GatewayClassApplyConfiguration {
	return gatewayv1ac.GatewayClass(names.FrontGatewayClass).
		WithSpec(gatewayv1ac.GatewayClassSpec().WithControllerName(traefikController))
}

// FrontGateway is the control plane's gateway. ModelServices of any namespace
// attach to it.
func FrontGateway() *gatewayv1ac.GatewayApplyConfiguration {
	return gatewayv1ac.Gateway(names.FrontGateway, names.SystemNamespace).
		WithSpec(gatewayv1ac.GatewaySpec().
			WithGatewayClassName(names.FrontGatewayClass).
			WithListeners(gatewayv1ac.Listener().
				WithName("web").
				WithProtocol(gatewayv1.HTTPProtocolType).
				WithPort(frontPort).
				WithAllowedRoutes(gatewayv1ac.AllowedRoutes().
					WithNamespaces(gatewayv1ac.RouteNamespaces().WithFrom(gatewayv1.NamespacesFromAll)))))
}
