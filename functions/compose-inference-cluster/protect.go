package main

import (
	"fmt"
	"strings"

	"github.com/modelplane-go/modelplane/functions/internal/names"
	"github.com/modelplane-go/modelplane/functions/internal/xfn"
	"github.com/modelplane-go/modelplane/schemas/modelplane/v1alpha1"
	"github.com/modelplane-go/modelplane/schemas/remote"
)

// protect the cluster while replicas are on it, and the classes its pools are of.
// What is not known leaves the usages there are.
//
// A usage says why in its spec, where a count would be a write for each replica
// that comes or goes.
func protect(c *xfn.Call, in input) error {
	cluster := in.cluster.GetName()

	occupied, known := in.occupied()
	if occupied || !known && c.Exists(names.KeyReplicasUsage) {
		err := c.Protect(cluster, names.KeyReplicasUsage, "", remote.UsageSpec{
			Of: remote.Use(v1alpha1.GroupVersion.String(), v1alpha1.KindInferenceCluster, cluster),
			Reason: "ModelReplicas are on it, or not all of them are gone from it yet: " +
				"drain it with a NoExecute taint, or delete their ModelDeployments",
		})
		if err != nil {
			return err
		}
	}

	for _, name := range classNames(in.cluster.Spec.NodePools) {
		key := names.KeyClassUsage(name)
		class, read := in.classes[name]
		if class == nil && (read || !c.Exists(key)) {
			continue
		}
		err := c.Protect(cluster, key, "", remote.UsageSpec{
			Of:     remote.Use(v1alpha1.GroupVersion.String(), v1alpha1.KindInferenceClass, name),
			Reason: fmt.Sprintf("InferenceCluster %s has nodes of it in %s", cluster, poolsOf(in.cluster, name)),
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// occupied says whether replicas are on the cluster, or Objects of theirs that
// are not gone yet: those need the cluster's credentials. It says whether that is
// known, too.
func (in input) occupied() (occupied, known bool) {
	if in.replicas.State == xfn.Present || in.users > 1 {
		return true, true
	}
	return false, in.replicas.State == xfn.Absent && in.users == 1
}

// poolsOf a class.
func poolsOf(ic *v1alpha1.InferenceCluster, class string) string {
	out := []string{}
	for _, p := range ic.Spec.NodePools {
		if p.ClassName == class {
			out = append(out, p.Name)
		}
	}
	if len(out) == 1 {
		return "pool " + out[0]
	}
	return "pools " + xfn.Join(out, ", ")
}

// protectSecrets that the cluster is reached with. Those it was reached with
// before stay protected until the provider config refers to others.
//
// Nothing protects the provider config itself: provider-kubernetes keeps a
// finalizer on it, in-use.crossplane.io, until no Object uses it.
func protectSecrets(c *xfn.Call, cluster string, e *v1alpha1.ExistingCluster) error {
	if ref := e.IdentitySecretRef; ref != nil {
		if err := protectSecret(c, cluster, ref.Name, "identitySecretRef"); err != nil {
			return err
		}
	}
	// If both are one Secret, it is the kubeconfig's.
	if err := protectSecret(c, cluster, e.SecretRef.Name, "secretRef"); err != nil {
		return err
	}
	if !c.Applied(names.KeyProviderConfig) {
		c.KeepAll(func(key string) bool { return strings.HasPrefix(key, names.PrefixSecretUsage) })
	}
	return nil
}

func protectSecret(c *xfn.Call, cluster, name, field string) error {
	return c.Protect(cluster, names.KeySecretUsage(name), names.SystemNamespace, remote.UsageSpec{
		Of:     remote.Use("v1", "Secret", name),
		Reason: fmt.Sprintf("InferenceCluster %s is reached with it: name another in spec.cluster.existing.%s, or delete the InferenceCluster first", cluster, field),
	})
}
