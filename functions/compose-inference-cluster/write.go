package main

import (
	"fmt"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	corev1ac "k8s.io/client-go/applyconfigurations/core/v1"

	"github.com/modelplane-go/modelplane/functions/internal/names"
	"github.com/modelplane-go/modelplane/functions/internal/remote"
	"github.com/modelplane-go/modelplane/functions/internal/xfn"
	"github.com/modelplane-go/modelplane/schemas/modelplane/v1alpha1"
	remotev1 "github.com/modelplane-go/modelplane/schemas/remote"
)

func write(c *xfn.Call, in input, l *ledger) error {
	name := names.ProviderConfig(in.cluster.GetName())
	existing := in.cluster.Spec.Cluster.Existing
	if existing == nil {
		c.SetConditions(append(l.conditions(), v1alpha1.ClusterConnecting("spec.cluster.existing is required when the source is Existing"))...)
		return c.SetStatus(in.cluster.Status)
	}

	if err := c.Desire(names.KeyProviderConfig, remote.ClusterProviderConfig(name, kubeconfig(existing)), c.Exists(names.KeyProviderConfig)); err != nil {
		return err
	}
	if err := c.Desire(names.KeyConnection, connection(in.cluster.GetName(), name), c.Ready(names.KeyConnection)); err != nil {
		return err
	}
	c.Prune()

	reached := clusterReady(c)
	c.SetConditions(append(l.conditions(), reached)...)
	c.SetReady(reached.Status == metav1.ConditionTrue && !l.unknown)
	return c.SetStatus(v1alpha1.InferenceClusterStatus{
		Summary:           &v1alpha1.InferenceClusterSummary{Nodes: l.summary()},
		ProviderConfigRef: &v1alpha1.ProviderConfigReference{Name: name},
		Gateway:           &v1alpha1.GatewayStatus{Address: existing.Gateway.Address, ParentRef: parentRef(existing.Gateway.ParentRef)},
		GPUPools:          l.pools,
	})
}

func kubeconfig(e *v1alpha1.ExistingCluster) remote.KubeconfigSource {
	out := remote.KubeconfigSource{Secret: secretKey(e.SecretRef.Name, e.SecretRef.Key, "kubeconfig")}
	if id := e.IdentitySecretRef; id != nil {
		key := secretKey(id.Name, id.Key, "private_key")
		out.Identity = &key
		out.IdentityType = id.Type
	}
	return out
}

func secretKey(name, key, otherwise string) remotev1.SecretKeyReference {
	if key == "" {
		key = otherwise
	}
	return remotev1.SecretKeyReference{Namespace: names.SystemNamespace, Name: name, Key: key}
}

// parentRef of the cluster's gateway, with what its schema defaults.
func parentRef(ref *v1alpha1.GatewayReference) *v1alpha1.GatewayReference {
	out := &v1alpha1.GatewayReference{Name: names.ClusterGateway, Namespace: names.SystemNamespace}
	if ref != nil && ref.Name != "" {
		out.Name = ref.Name
	}
	if ref != nil && ref.Namespace != "" {
		out.Namespace = ref.Namespace
	}
	return out
}

// connection looks at a namespace that every cluster has. That it can is how we
// know that the cluster is reached.
func connection(cluster, providerConfig string) *remotev1.Object {
	return remote.Object(remote.Place{
		Name:           names.Object(cluster, names.KeyConnection),
		Namespace:      names.SystemNamespace,
		ProviderConfig: providerConfig,
	}, remote.Manifest{Object: corev1ac.Namespace(metav1.NamespaceSystem), ObserveOnly: true})
}

func clusterReady(c *xfn.Call) v1alpha1.Condition {
	synced := c.Condition(names.KeyConnection, "Synced")
	switch {
	case synced.Status == metav1.ConditionFalse:
		return v1alpha1.ClusterUnreachable(fmt.Sprintf("cannot reach the cluster with the kubeconfig of spec.cluster.existing.secretRef: %s", synced.Message))
	case synced.Status == metav1.ConditionTrue && c.Ready(names.KeyConnection):
		return v1alpha1.ClusterRunning()
	default:
		return v1alpha1.ClusterConnecting("waiting for the first connection")
	}
}

func (l *ledger) conditions() []v1alpha1.Condition {
	return []v1alpha1.Condition{l.poolsResolved(), l.capacityCharged()}
}

func (l *ledger) poolsResolved() v1alpha1.Condition {
	switch {
	case len(l.missing) > 0:
		return v1alpha1.PoolClassNotFound(strings.Join(l.missing, "; "))
	case len(l.waiting) > 0:
		return v1alpha1.PoolsWaiting("waiting to read " + strings.Join(l.waiting, ", "))
	default:
		return v1alpha1.PoolsResolved()
	}
}

func (l *ledger) capacityCharged() v1alpha1.Condition {
	switch {
	case l.unread:
		return v1alpha1.LedgerWaiting()
	case len(l.overdrawn) > 0:
		return v1alpha1.OverCommitted(strings.Join(l.overdrawn, "; "))
	default:
		return v1alpha1.WithinCapacity()
	}
}

// summary of the nodes charged, of those the pools have.
func (l *ledger) summary() string {
	charged, nodes := int32(0), int32(0)
	for _, p := range l.pools {
		charged += p.NodesCharged
		nodes += p.Nodes
	}
	return fmt.Sprintf("%d/%d", charged, nodes)
}
