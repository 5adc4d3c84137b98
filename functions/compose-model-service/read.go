package main

import (
	"fmt"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/labels"
	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"

	"github.com/modelplane-go/modelplane/functions/internal/labelselector"
	"github.com/modelplane-go/modelplane/functions/internal/names"
	"github.com/modelplane-go/modelplane/functions/internal/routing"
	"github.com/modelplane-go/modelplane/functions/internal/xfn"
	"github.com/modelplane-go/modelplane/schemas/modelplane/v1alpha1"
)

// An input is everything the function read.
type input struct {
	service   *v1alpha1.ModelService
	endpoints xfn.Answer[v1alpha1.ModelEndpoint]
	gateway   xfn.Answer[v1alpha1.InferenceGateway]

	routed   bool                  // The route exists.
	accepted bool                  // A gateway has taken it.
	leads    map[routing.Ref]int32 // What the route refers to, and the weights of its backends.
}

func read(c *xfn.Call) (input, error) {
	in := input{service: &v1alpha1.ModelService{}}
	if err := c.Composite(in.service); err != nil {
		return input{}, err
	}

	var err error
	in.endpoints, err = xfn.Require[v1alpha1.ModelEndpoint](c, "endpoints", xfn.Selector{
		APIVersion: v1alpha1.GroupVersion.String(),
		Kind:       v1alpha1.KindModelEndpoint,
		Namespace:  in.service.GetNamespace(),
	})
	if err != nil {
		return input{}, err
	}
	in.gateway, err = xfn.Require[v1alpha1.InferenceGateway](c, "gateway", xfn.Selector{
		APIVersion: v1alpha1.GroupVersion.String(),
		Kind:       v1alpha1.KindInferenceGateway,
		Name:       names.DefaultInferenceGateway,
	})
	if err != nil {
		return input{}, err
	}

	route := &gatewayv1.HTTPRoute{}
	in.routed, err = c.Observed(names.KeyServiceRoute, route)
	in.accepted = accepted(route)
	in.leads = routing.Leads(route)
	return in, err
}

// resolved says whether all that the function requires was read.
func (in input) resolved() bool {
	return in.endpoints.State != xfn.Unresolved && in.gateway.State != xfn.Unresolved
}

// gatewayAddress is empty while there is no gateway or it has none.
func (in input) gatewayAddress() string {
	if in.gateway.State != xfn.Present {
		return ""
	}
	return in.gateway.Items[0].Status.Address
}

// takesRoutes says whether the gateway is there, and its API with it.
func (in input) takesRoutes() bool {
	if in.gateway.State != xfn.Present {
		return false
	}
	return in.gatewayAddress() != "" || meta.IsStatusConditionTrue(in.gateway.Items[0].Status.Conditions, string(v1alpha1.TypeGatewayReady))
}

func accepted(route *gatewayv1.HTTPRoute) bool {
	for _, p := range route.Status.Parents {
		if meta.IsStatusConditionTrue(p.Conditions, string(gatewayv1.RouteConditionAccepted)) {
			return true
		}
	}
	return false
}

// A group is a share of the service's traffic.
type group struct {
	selector labels.Selector
	weight   int32
	priority int32
}

func selectors(in []v1alpha1.EndpointGroup) ([]group, error) {
	out := make([]group, 0, len(in))
	for i, g := range in {
		s, err := labelselector.New(&g.Selector)
		if err != nil {
			return nil, fmt.Errorf("spec.endpoints[%d].selector: %w", i, err)
		}
		if s.Empty() {
			// The API refuses it. Elsewhere it would mean everything.
			s = labels.Nothing()
		}
		out = append(out, group{selector: s, weight: g.Weight, priority: g.Priority})
	}
	return out, nil
}
