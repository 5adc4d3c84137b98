package routing

import (
	"cmp"
	"slices"

	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"
	gatewayv1ac "sigs.k8s.io/gateway-api/applyconfiguration/apis/v1"

	"github.com/modelplane-go/modelplane/functions/internal/names"
)

// A Service is a ModelService and where its requests go.
type Service struct {
	Namespace string
	Name      string
	Backends  []Backend // At most MaxBackends.
}

// A Backend is a share of a service's requests.
type Backend struct {
	Service string // Name of the Service that stands for the endpoint.
	Port    int32
	Weight  int32

	// Rewrite is what stands for the service's path in requests.
	Rewrite string

	// Hostname stands for the one in requests, unless it is empty.
	Hostname string
}

// ServiceRoute is the HTTPRoute from the control plane's gateway to the
// endpoints of a ModelService.
//
// Without backends the route stays, so that callers are told that the service
// does not serve rather than that it does not exist. The Gateway API wants a 500
// of a rule with neither backends nor filters, and leaves open what one with
// filters answers: Traefik answers 503. Hence a filter that does nothing.
func ServiceRoute(s Service) *gatewayv1ac.HTTPRouteApplyConfiguration {
	rule := prefixRule(Path(s.Namespace, s.Name))
	if len(s.Backends) == 0 {
		rule = rule.WithFilters(rewrite("/"))
	}
	for _, b := range slices.SortedFunc(slices.Values(s.Backends), func(a, b Backend) int { return cmp.Compare(a.Service, b.Service) }) {
		rule = rule.WithBackendRefs(backendRef(b))
	}
	front := Gateway{Namespace: names.SystemNamespace, Name: names.FrontGateway}
	return route(s.Namespace, names.ServiceRoute(s.Namespace, s.Name), front, rule)
}

func backendRef(b Backend) *gatewayv1ac.HTTPBackendRefApplyConfiguration {
	filter := rewrite(b.Rewrite)
	if b.Hostname != "" {
		filter.URLRewrite.WithHostname(gatewayv1.PreciseHostname(b.Hostname))
	}
	return gatewayv1ac.HTTPBackendRef().
		WithName(gatewayv1.ObjectName(b.Service)).
		WithPort(b.Port).
		WithWeight(b.Weight).
		WithFilters(filter)
}
