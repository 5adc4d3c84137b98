package main

import (
	"fmt"

	"github.com/modelplane-go/modelplane/functions/internal/names"
	"github.com/modelplane-go/modelplane/functions/internal/routing"
	"github.com/modelplane-go/modelplane/functions/internal/xfn"
	"github.com/modelplane-go/modelplane/schemas/modelplane/v1alpha1"
)

// compose a ModelEndpoint: read its URL, write the Service and the slice that
// lead there.
func compose(c *xfn.Call) error {
	endpoint := &v1alpha1.ModelEndpoint{}
	if err := c.Composite(endpoint); err != nil {
		return err
	}

	target, err := routing.ParseTarget(endpoint.Spec.URL)
	if err != nil {
		c.SetConditions(v1alpha1.URLInvalid(fmt.Sprintf("spec.url %q %v", endpoint.Spec.URL, err)))
		return c.SetStatus(v1alpha1.ModelEndpointStatus{Routing: endpoint.Status.Routing})
	}
	return write(c, routing.Endpoint{Namespace: endpoint.GetNamespace(), Name: endpoint.GetName(), Target: target})
}

func write(c *xfn.Call, e routing.Endpoint) error {
	slice := names.KeyEndpointSlice(string(e.Target.Type))
	service, leads := c.Exists(names.KeyBackendService), c.Exists(slice)

	if err := c.Desire(names.KeyBackendService, routing.BackendService(e), service); err != nil {
		return err
	}
	if err := c.Desire(slice, routing.BackendSlice(e), leads); err != nil {
		return err
	}
	if service && leads {
		// Only now may a slice of another type of address go.
		c.Prune()
	}

	c.SetConditions(routingReady(service, leads))
	c.SetReady(service && leads)
	return c.SetStatus(v1alpha1.ModelEndpointStatus{
		Routing: &v1alpha1.EndpointRouting{BackendName: names.Backend(e.Namespace, e.Name), Port: e.Target.Port},
	})
}

func routingReady(service, slice bool) v1alpha1.Condition {
	switch {
	case !service:
		return v1alpha1.BackendWaiting("waiting for the Service that stands for the endpoint")
	case !slice:
		return v1alpha1.BackendWaiting("waiting for the EndpointSlice that leads to the endpoint")
	default:
		return v1alpha1.BackendConfigured()
	}
}
