package main

import (
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/modelplane-go/modelplane/functions/internal/names"
	"github.com/modelplane-go/modelplane/functions/internal/release"
	"github.com/modelplane-go/modelplane/functions/internal/routing"
	"github.com/modelplane-go/modelplane/functions/internal/xfn"
	"github.com/modelplane-go/modelplane/schemas/modelplane/v1alpha1"
)

func write(c *xfn.Call, in input) error {
	if err := c.Desire(names.KeyHelmProviderConfig, release.InClusterProviderConfig(), c.Exists(names.KeyHelmProviderConfig)); err != nil {
		return err
	}
	traefik := release.InCluster(names.TraefikRelease, names.TraefikNamespace, in.chart, release.FrontTraefik())
	if err := c.Desire(names.KeyTraefik, traefik, in.installed); err != nil {
		return err
	}
	if err := desireOnce(c, in.installed, names.KeyGatewayClass, routing.FrontGatewayClass()); err != nil {
		return err
	}
	if err := desireOnce(c, in.installed, names.KeyGateway, routing.FrontGateway()); err != nil {
		return err
	}
	c.Prune()

	c.SetConditions(controllerReady(c, in), gatewayReady(c, in))
	c.SetReady(in.installed && in.accepted && in.address != "")
	return c.SetStatus(v1alpha1.InferenceGatewayStatus{Address: in.address})
}

// desireOnce desires something of the Gateway API once its controller is
// installed, and always if it exists.
func desireOnce(c *xfn.Call, installed bool, key string, object any) error {
	if !installed && !c.Exists(key) {
		return nil
	}
	return c.Desire(key, object, accepted(c, key))
}

func controllerReady(c *xfn.Call, in input) v1alpha1.Condition {
	if in.installed {
		return v1alpha1.ControllerHealthy()
	}
	message := fmt.Sprintf("installing chart %s %s from %s", in.chart.Name, in.chart.Version, in.chart.Repository)
	if synced := c.Condition(names.KeyTraefik, "Synced"); synced.Status == metav1.ConditionFalse {
		message += ": " + synced.Message
	}
	return v1alpha1.ControllerInstalling(message)
}

func gatewayReady(c *xfn.Call, in input) v1alpha1.Condition {
	switch {
	case !in.installed && !c.Exists(names.KeyGateway):
		return v1alpha1.GatewayWaitingForController()
	case !in.accepted:
		return v1alpha1.GatewayWaitingForAcceptance(fmt.Sprintf("Traefik has not accepted %s", refused(c)))
	case in.address == "":
		return v1alpha1.GatewayWaitingForAddress(fmt.Sprintf("the load balancer of Service %s/%s has no address", names.TraefikNamespace, names.TraefikRelease))
	default:
		return v1alpha1.GatewayProgrammed()
	}
}

// refused names what Traefik has not accepted, and why if it said so.
func refused(c *xfn.Call) string {
	key, what := names.KeyGatewayClass, "GatewayClass "+names.FrontGatewayClass
	if accepted(c, key) {
		key, what = names.KeyGateway, "Gateway "+names.SystemNamespace+"/"+names.FrontGateway
	}
	if why := c.Condition(key, "Accepted").Message; why != "" {
		return what + ": " + why
	}
	return what
}
