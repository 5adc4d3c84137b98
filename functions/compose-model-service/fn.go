package main

import (
	"github.com/modelplane-go/modelplane/functions/internal/xfn"
	"github.com/modelplane-go/modelplane/schemas/modelplane/v1alpha1"
)

// compose a ModelService: read the endpoints of its namespace and the gateway,
// decide which endpoints get which share, write the route.
func compose(c *xfn.Call) error {
	in, err := read(c)
	if err != nil {
		return err
	}
	if !in.resolved() {
		return hold(c, in, v1alpha1.EndpointsResolving())
	}

	groups, err := selectors(in.service.Spec.Endpoints)
	if err != nil {
		return hold(c, in, v1alpha1.EndpointSelectorInvalid(err.Error()))
	}
	return write(c, in, choose(groups, in.endpoints.Items))
}

// hold everything as it is, the status too.
func hold(c *xfn.Call, in input, why v1alpha1.Condition) error {
	c.SetConditions(why, v1alpha1.RouteConfiguring("the route stays as it is: "+why.Message))
	return c.SetStatus(in.service.Status)
}
