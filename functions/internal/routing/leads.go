package routing

import (
	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"

	"github.com/modelplane-go/modelplane/functions/internal/names"
)

// A Ref is something a route refers to. The Middlewares and the Services of a
// route may have names in common.
type Ref struct {
	Middleware bool
	Name       string
}

// Refs that a service's route has or may have: to all its Parts.
func Refs(s Service) []Ref {
	out := []Ref{
		{Middleware: true, Name: names.ServiceRetry(s.Namespace, s.Name)},
		{Middleware: true, Name: names.ServiceUnavailable(s.Namespace, s.Name)},
	}
	if s.Callers {
		out = append(out, Ref{Middleware: true, Name: names.ServiceCallers(s.Namespace, s.Name)})
	}
	for _, b := range s.Backends {
		out = append(out, Ref{Name: s.backend(b)})
		if b.Credential != nil {
			out = append(out, Ref{Middleware: true, Name: s.backend(b)})
		}
	}
	return out
}

// Leads says what a route refers to, and the weights of its backends.
func Leads(route *gatewayv1.HTTPRoute) map[Ref]int32 {
	out := map[Ref]int32{}
	for _, rule := range route.Spec.Rules {
		pass(rule.Filters, out)
		for _, b := range rule.BackendRefs {
			weight := int32(1)
			if b.Weight != nil {
				weight = *b.Weight
			}
			out[Ref{Name: string(b.Name)}] = weight
			pass(b.Filters, out)
		}
	}
	return out
}

// pass notes the Middlewares that requests pass through.
func pass(filters []gatewayv1.HTTPRouteFilter, out map[Ref]int32) {
	for _, f := range filters {
		if f.ExtensionRef != nil {
			out[Ref{Middleware: true, Name: string(f.ExtensionRef.Name)}] = 0
		}
	}
}
