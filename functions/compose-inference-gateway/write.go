package main

import (
	"github.com/modelplane-go/modelplane/functions/internal/names"
	"github.com/modelplane-go/modelplane/functions/internal/release"
	"github.com/modelplane-go/modelplane/functions/internal/routing"
	"github.com/modelplane-go/modelplane/functions/internal/xfn"
	"github.com/modelplane-go/modelplane/schemas/modelplane/v1alpha1"
)

func write(c *xfn.Call, in input) error {
	if err := writeController(c, in); err != nil {
		return err
	}
	if err := writeGateway(c, in); err != nil {
		return err
	}
	if err := protect(c, in); err != nil {
		return err
	}
	c.Prune()

	conditions := []v1alpha1.Condition{controllerReady(c, in), gatewayReady(c, in), authenticationReady(in)}
	c.SetConditions(conditions...)
	c.SetReady(allTrue(conditions))
	return c.SetStatus(v1alpha1.InferenceGatewayStatus{Address: in.address(), Authentication: in.asked()})
}

// writeController desires the controller, and what installs it.
func writeController(c *xfn.Call, in input) error {
	if err := c.Desire(names.KeyHelmProviderConfig, release.InClusterProviderConfig(), c.Exists(names.KeyHelmProviderConfig)); err != nil {
		return err
	}
	values, err := in.values()
	if err != nil {
		return err
	}
	traefik := release.InCluster(names.TraefikRelease, names.TraefikNamespace, in.chart, values)
	return c.Desire(names.KeyTraefik, traefik, in.installed)
}

// values of the chart: ours, and the user's over them.
func (in input) values() (any, error) {
	front := release.Front{Replicas: in.replicas(), AuthorizerImage: in.image}
	if lb := in.gateway.Spec.LoadBalancer; lb != nil {
		front.LoadBalancerClass = lb.Class
		front.Annotations = map[string]string{}
		for k, v := range lb.Annotations {
			front.Annotations[k] = string(v)
		}
	}
	var theirs []byte
	if t := in.gateway.Spec.Traefik; t != nil && t.Values != nil {
		theirs = t.Values.Raw
	}
	return release.Merge(release.FrontTraefik(front), theirs)
}

// writeGateway desires what is of the Gateway API, once its controller is
// installed, and always what exists. HTTP is redirected once there is HTTPS.
func writeGateway(c *xfn.Call, in input) error {
	if err := desireOnce(c, in.installed, names.KeyGatewayClass, routing.FrontGatewayClass()); err != nil {
		return err
	}
	front := routing.Front{Hostname: in.gateway.Spec.Hostname, Certificate: in.certificate()}
	if err := desireOnce(c, in.installed, names.KeyGateway, routing.FrontGateway(front)); err != nil {
		return err
	}
	if !in.secure() {
		return nil
	}
	return c.Desire(names.KeyRedirect, routing.RedirectRoute(), c.Exists(names.KeyRedirect))
}

// desireOnce desires something of the Gateway API once its controller is
// installed, and always if it exists.
func desireOnce(c *xfn.Call, installed bool, key string, object any) error {
	if !installed && !c.Exists(key) {
		return nil
	}
	return c.Desire(key, object, accepted(c, key))
}
