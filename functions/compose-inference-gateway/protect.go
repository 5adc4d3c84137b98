package main

import (
	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"

	"github.com/modelplane-go/modelplane/functions/internal/names"
	"github.com/modelplane-go/modelplane/functions/internal/xfn"
	"github.com/modelplane-go/modelplane/schemas/modelplane/v1alpha1"
	"github.com/modelplane-go/modelplane/schemas/remote"
)

// protect the gateway while ModelServices exist, and its controller until what it
// looks after is gone. What is not known leaves the usages there are.
//
// Nothing protects the ProviderConfig of the Release: provider-helm keeps a
// finalizer on it, in-use.crossplane.io, until no Release uses it.
func protect(c *xfn.Call, in input) error {
	if in.services == xfn.Present || in.services == xfn.Unresolved && c.Exists(names.KeyServicesUsage) {
		err := c.Protect(in.gateway.GetName(), names.KeyServicesUsage, "", remote.UsageSpec{
			Of:     remote.Use(v1alpha1.GroupVersion.String(), v1alpha1.KindInferenceGateway, in.gateway.GetName()),
			Reason: "ModelServices are reached through it: delete them first",
		})
		if err != nil {
			return err
		}
	}
	if err := in.finalise(c, names.KeyGatewayUsage, names.KeyGateway, "Gateway", names.FrontGateway); err != nil {
		return err
	}
	return in.finalise(c, names.KeyGatewayClassUsage, names.KeyGatewayClass, "GatewayClass", names.FrontGatewayClass)
}

// finalise keeps the controller until something it looks after is gone, and then
// deletes it if someone has tried to. Crossplane looks for what uses a namespaced
// thing in the Usage's namespace, or in none if its kind has none, as GatewayClass
// does.
func (in input) finalise(c *xfn.Call, key, by, kind, name string) error {
	if !c.Exists(by) && !c.Exists(key) {
		return nil
	}
	return c.Protect(in.gateway.GetName(), key, names.SystemNamespace, remote.UsageSpec{
		Of:             remote.Use(remote.HelmAPIVersion, remote.KindRelease, names.TraefikRelease),
		By:             remote.Use(gatewayv1.GroupVersion.String(), kind, name),
		ReplayDeletion: new(true),
	})
}
