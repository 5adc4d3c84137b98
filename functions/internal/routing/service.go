package routing

import (
	"cmp"
	"slices"

	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"
	gatewayv1ac "sigs.k8s.io/gateway-api/applyconfiguration/apis/v1"

	"github.com/modelplane-go/modelplane/functions/internal/names"
	"github.com/modelplane-go/modelplane/schemas/remote"
)

// A Service is a ModelService and where its requests go.
type Service struct {
	Namespace string
	Name      string

	// Listener of the front gateway that requests come in by.
	Listener string

	// Callers must say who they are.
	Callers bool

	Backends []Backend // At most MaxBackends.
}

// ServiceRoute is the HTTPRoute from the control plane's gateway to the
// endpoints of a ModelService.
//
// Without backends the route stays, so that callers are told that the service
// does not serve rather than that it does not exist.
func ServiceRoute(s Service) *gatewayv1ac.HTTPRouteApplyConfiguration {
	rule := prefixRule(Path(s.Namespace, s.Name))
	if s.Callers {
		rule = rule.WithFilters(through(names.ServiceCallers(s.Namespace, s.Name)))
	}
	if len(s.Backends) == 0 {
		rule = rule.WithFilters(through(names.ServiceUnavailable(s.Namespace, s.Name)))
	} else {
		rule = rule.WithFilters(through(names.ServiceRetry(s.Namespace, s.Name)))
	}
	for _, b := range slices.SortedFunc(slices.Values(s.Backends), func(a, b Backend) int { return cmp.Compare(a.Endpoint, b.Endpoint) }) {
		rule = rule.WithBackendRefs(s.backendRef(b))
	}
	front := Gateway{Namespace: names.SystemNamespace, Name: names.FrontGateway}
	out := route(s.Namespace, names.ServiceRoute(s.Namespace, s.Name), front, rule)
	out.Spec.ParentRefs[0].WithSectionName(gatewayv1.SectionName(s.Listener))
	return out
}

func (s Service) backendRef(b Backend) *gatewayv1ac.HTTPBackendRefApplyConfiguration {
	out := gatewayv1ac.HTTPBackendRef().
		WithName(gatewayv1.ObjectName(s.backend(b))).
		WithPort(b.Target.Port).
		WithWeight(b.Weight)
	if b.Credential != nil {
		out.WithFilters(through(s.backend(b)))
	}
	filter := rewrite(b.Rewrite)
	if h := b.Hostname(); h != "" {
		filter.URLRewrite.WithHostname(gatewayv1.PreciseHostname(h))
	}
	return out.WithFilters(filter)
}

// through a Middleware of the route's namespace.
func through(middleware string) *gatewayv1ac.HTTPRouteFilterApplyConfiguration {
	return gatewayv1ac.HTTPRouteFilter().
		WithType(gatewayv1.HTTPRouteFilterExtensionRef).
		WithExtensionRef(gatewayv1ac.LocalObjectReference().
			WithGroup(remote.TraefikGroup).
			WithKind(remote.KindMiddleware).
			WithName(gatewayv1.ObjectName(middleware)))
}

// A Part is something a service's route refers to, and must exist before it does.
type Part struct {
	Key    string
	Object any
}

// Parts that a service's route refers to. Those for when it has backends and when it
// has none are always there, so that neither has to be waited for.
func Parts(s Service) []Part {
	out := []Part{{names.KeyServiceRetry, ServiceRetry(s)}, {names.KeyServiceUnavailable, ServiceUnavailable(s)}}
	if s.Callers {
		out = append(out, Part{names.KeyServiceCallers, ServiceCallers(s)})
	}
	for _, b := range s.Backends {
		out = append(out,
			Part{names.KeyBackend(b.Endpoint), BackendService(s, b)},
			Part{names.KeyEndpointSlice(b.Endpoint, string(b.Target.Type)), BackendSlice(s, b)})
		if b.TLS != nil {
			out = append(out, Part{names.KeyBackendTLSPolicy(b.Endpoint), BackendTLSPolicy(s, b)})
		}
		if b.Credential != nil {
			out = append(out, Part{names.KeyBackendAuth(b.Endpoint), BackendAuth(s, b)})
		}
	}
	return out
}
