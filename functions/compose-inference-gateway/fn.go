package main

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"

	"github.com/modelplane-go/modelplane/functions/internal/names"
	"github.com/modelplane-go/modelplane/functions/internal/release"
	"github.com/modelplane-go/modelplane/functions/internal/xfn"
	"github.com/modelplane-go/modelplane/schemas/modelplane/v1alpha1"
	"github.com/modelplane-go/modelplane/schemas/remote"
)

// compose an InferenceGateway: read what is installed, write the controller and
// its gateway.
func compose(c *xfn.Call) error {
	in, err := read(c)
	if err != nil {
		return err
	}
	return write(c, in)
}

// An input is everything the function read.
type input struct {
	chart     remote.Chart
	installed bool // The controller is.
	accepted  bool // The GatewayClass and the Gateway are, by the controller.
	address   string
}

func read(c *xfn.Call) (input, error) {
	gateway := &v1alpha1.InferenceGateway{}
	if err := c.Composite(gateway); err != nil {
		return input{}, err
	}
	observed := &gatewayv1.Gateway{}
	if _, err := c.Observed(names.KeyGateway, observed); err != nil {
		return input{}, err
	}

	in := input{
		chart:     release.Traefik(),
		installed: c.Ready(names.KeyTraefik),
		accepted:  accepted(c, names.KeyGatewayClass) && accepted(c, names.KeyGateway),
		address:   gateway.Status.Address,
	}
	if t := gateway.Spec.Traefik; t != nil {
		in.chart = release.Override(in.chart, t.Repository, t.Version)
	}
	if a := observed.Status.Addresses; len(a) > 0 && a[0].Value != "" {
		in.address = a[0].Value
	}
	return in, nil
}

func accepted(c *xfn.Call, key string) bool {
	return c.Condition(key, string(gatewayv1.GatewayConditionAccepted)).Status == metav1.ConditionTrue
}
