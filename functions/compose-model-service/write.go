package main

import (
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/modelplane-go/modelplane/functions/internal/names"
	"github.com/modelplane-go/modelplane/functions/internal/routing"
	"github.com/modelplane-go/modelplane/functions/internal/xfn"
	"github.com/modelplane-go/modelplane/schemas/modelplane/v1alpha1"
)

func write(c *xfn.Call, in input, ch choice) error {
	ready := routingReady(in, ch)
	service := in.target(ch)
	if in.routed || in.takesRoutes() {
		if err := in.writeRoute(c, service); err != nil {
			return err
		}
	}
	c.Prune()

	c.SetConditions(endpointsResolved(in, ch), ready)
	c.SetReady(ready.Status == metav1.ConditionTrue)
	return c.SetStatus(v1alpha1.ModelServiceStatus{
		Address:   address(in),
		Summary:   &v1alpha1.ModelServiceSummary{Endpoints: fmt.Sprintf("%d/%d", len(ch.backends), len(ch.endpoints))},
		Endpoints: in.statusEndpoints(c, service, ch),
	})
}

// address of the service. One that was known stays while the gateway has none.
func address(in input) string {
	a := in.gatewayAddress()
	if a == "" {
		return in.service.Status.Address
	}
	return routing.URL(a, in.service.GetNamespace(), in.service.GetName())
}

func endpointsResolved(in input, ch choice) v1alpha1.Condition {
	if len(ch.endpoints) == 0 {
		return v1alpha1.EndpointsNone(fmt.Sprintf("spec.endpoints selects no ModelEndpoint of namespace %s: "+
			"compare its selectors to the labels that kubectl get modelendpoints --show-labels shows", in.service.GetNamespace()))
	}
	message := fmt.Sprintf("%d of %d selected ModelEndpoints get requests", len(ch.backends), len(ch.endpoints))
	if len(ch.backends) > 0 && ch.tier > 0 {
		message += fmt.Sprintf("; those of priority %d, for want of a ready one before them", ch.tier)
	}
	if len(ch.standby) > 0 {
		message += "; standing by: " + xfn.Join(ch.standby, ", ")
	}
	if len(ch.waiting) > 0 {
		message += "; not ready: " + xfn.Join(ch.waiting, ", ")
	}
	if ch.left == 0 {
		return v1alpha1.EndpointsResolved(message)
	}
	return v1alpha1.EndpointsTooMany(fmt.Sprintf("%s; %d more are ready and get none, because a route has room for %d: divide them among ModelServices",
		message, ch.left, routing.MaxBackends))
}

func routingReady(in input, ch choice) v1alpha1.Condition {
	switch {
	case in.gateway.State == xfn.Absent:
		return v1alpha1.RouteWaitingForGateway(fmt.Sprintf("there is no InferenceGateway named %s: create one", names.DefaultInferenceGateway))
	case in.gatewayAddress() == "":
		return v1alpha1.RouteWaitingForGateway(fmt.Sprintf("InferenceGateway %s has no address yet", names.DefaultInferenceGateway))
	case len(ch.backends) == 0:
		return v1alpha1.RouteConfiguring("no selected ModelEndpoint is ready: requests are answered with 503")
	case !in.accepted:
		return v1alpha1.RouteConfiguring("waiting for the gateway to accept the HTTPRoute")
	default:
		return v1alpha1.RouteConfigured()
	}
}
