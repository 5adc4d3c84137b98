package main

import (
	"fmt"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/modelplane-go/modelplane/functions/internal/names"
	"github.com/modelplane-go/modelplane/functions/internal/routing"
	"github.com/modelplane-go/modelplane/functions/internal/xfn"
	"github.com/modelplane-go/modelplane/schemas/modelplane/v1alpha1"
)

func allTrue(conditions []v1alpha1.Condition) bool {
	return !slices.ContainsFunc(conditions, func(c v1alpha1.Condition) bool { return c.Status != metav1.ConditionTrue })
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
	case in.certificate() != "" && in.listener.refused != "":
		return v1alpha1.GatewayCertificateInvalid(in.certificateInvalid())
	case in.certificate() != "" && !in.listener.programmed && !in.secure():
		return v1alpha1.GatewayWaitingForAcceptance(fmt.Sprintf("Traefik has not accepted listener %s of Gateway %s/%s",
			names.ListenerHTTPS, names.SystemNamespace, names.FrontGateway))
	case in.address() == "":
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

// certificateInvalid says what serves, why HTTPS does not, and what to do.
func (in input) certificateInvalid() string {
	serves := "the gateway takes no requests"
	if a := in.address(); a != "" && !routing.Secure(a) {
		serves = "the gateway serves HTTP only"
	}
	secret := in.certificate()
	return fmt.Sprintf("%s, for want of a certificate in Secret %s/%s of spec.tls.secretRef (%s): make it with "+
		"kubectl create secret tls %s --namespace %s --cert=<file> --key=<file>",
		serves, names.SystemNamespace, secret, in.listener.refused, secret, names.SystemNamespace)
}

// authenticationReady says whether keys can be checked. ModelServices ask for them
// as soon as they should, so that nobody is let in for want of somebody to check.
func authenticationReady(in input) v1alpha1.Condition {
	switch {
	case in.asked() == v1alpha1.AuthenticationNone || in.authorizes():
		return v1alpha1.AuthenticationInForce()
	case in.image == "":
		return v1alpha1.AuthenticationWithoutAuthorizer(fmt.Sprintf("all callers are refused: there is no Function %s whose image could check keys; "+
			"name that image in spec.authorizer.image", names.GatewayFunction))
	default:
		return v1alpha1.AuthenticationWaitingForAuthorizer("all callers are refused until the authorizer is installed beside Traefik")
	}
}
