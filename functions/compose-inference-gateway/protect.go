package main

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
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
		err := in.desireUsage(c, names.KeyServicesUsage, remote.KindClusterUsage, remote.UsageSpec{
			Of:     used(v1alpha1.GroupVersion.String(), v1alpha1.KindInferenceGateway, in.gateway.GetName()),
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
	return in.desireUsage(c, key, remote.KindUsage, remote.UsageSpec{
		Of:             used(remote.HelmAPIVersion, remote.KindRelease, names.TraefikRelease),
		By:             used(gatewayv1.GroupVersion.String(), kind, name),
		ReplayDeletion: new(true),
	})
}

func used(apiVersion, kind, name string) *remote.Used {
	return &remote.Used{APIVersion: apiVersion, Kind: kind, ResourceRef: &remote.Reference{Name: name}}
}

// desireUsage is ready once it exists: what it protects serves without it.
func (in input) desireUsage(c *xfn.Call, key, kind string, spec remote.UsageSpec) error {
	namespace := ""
	if kind == remote.KindUsage {
		namespace = names.SystemNamespace
	}
	return c.Desire(key, &remote.Usage{
		TypeMeta: metav1.TypeMeta{APIVersion: remote.ProtectionAPIVersion, Kind: kind},
		Metadata: remote.Metadata{Name: names.Usage(in.gateway.GetName(), key), Namespace: namespace},
		Spec:     spec,
	}, c.Exists(key))
}
