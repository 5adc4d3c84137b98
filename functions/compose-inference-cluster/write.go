package main

import (
	"fmt"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	corev1ac "k8s.io/client-go/applyconfigurations/core/v1"

	"github.com/modelplane-go/modelplane/functions/internal/fleet"
	"github.com/modelplane-go/modelplane/functions/internal/names"
	"github.com/modelplane-go/modelplane/functions/internal/remote"
	"github.com/modelplane-go/modelplane/functions/internal/xfn"
	"github.com/modelplane-go/modelplane/schemas/modelplane/v1alpha1"
	remotev1 "github.com/modelplane-go/modelplane/schemas/remote"
)

func write(c *xfn.Call, in input, l *fleet.Ledger) error {
	if err := protect(c, in); err != nil {
		return err
	}

	name := names.ProviderConfig(in.cluster.GetName())
	existing := in.cluster.Spec.Cluster.Existing
	if existing == nil {
		c.SetConditions(append(in.ledgerConditions(l), v1alpha1.ClusterConnecting("spec.cluster.existing is required when the source is Existing"))...)
		return c.SetStatus(in.cluster.Status)
	}

	if err := c.Desire(names.KeyProviderConfig, remote.ClusterProviderConfig(name, kubeconfig(existing)), c.Exists(names.KeyProviderConfig)); err != nil {
		return err
	}
	if err := c.Desire(names.KeyConnection, connection(in.cluster.GetName(), name), c.Ready(names.KeyConnection)); err != nil {
		return err
	}
	if err := protectSecrets(c, in.cluster.GetName(), existing); err != nil {
		return err
	}
	c.Prune()

	reached := clusterReady(c)
	c.SetConditions(append(in.ledgerConditions(l), reached)...)
	c.SetReady(reached.Status == metav1.ConditionTrue && !l.Unknown)
	return c.SetStatus(v1alpha1.InferenceClusterStatus{
		Summary:           &v1alpha1.InferenceClusterSummary{Nodes: summary(l.Pools)},
		ProviderConfigRef: &v1alpha1.ProviderConfigReference{Name: name},
		Gateway:           &v1alpha1.GatewayStatus{Address: existing.Gateway.Address, ParentRef: parentRef(existing.Gateway.ParentRef)},
		GPUPools:          l.Pools,
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

func (in input) ledgerConditions(l *fleet.Ledger) []v1alpha1.Condition {
	return []v1alpha1.Condition{poolsResolved(l), in.capacityCharged(l)}
}

func poolsResolved(l *fleet.Ledger) v1alpha1.Condition {
	switch {
	case len(l.Missing) > 0:
		return v1alpha1.PoolClassNotFound(strings.Join(l.Missing, "; "))
	case len(l.Waiting) > 0:
		return v1alpha1.PoolsWaiting("waiting to read " + strings.Join(l.Waiting, ", "))
	default:
		return v1alpha1.PoolsResolved()
	}
}

func (in input) capacityCharged(l *fleet.Ledger) v1alpha1.Condition {
	switch {
	case in.replicas.State == xfn.Unresolved:
		return v1alpha1.LedgerWaiting()
	case len(l.Overdrawn) > 0:
		return v1alpha1.OverCommitted(overdrawn(l.Overdrawn))
	default:
		return v1alpha1.WithinCapacity()
	}
}

func overdrawn(pools []fleet.Overdrawn) string {
	out := make([]string, len(pools))
	for i, p := range pools {
		out[i] = fmt.Sprintf("pool %s: what is charged takes %d nodes and it has %d; to yield: %s",
			p.Pool, p.Charged, p.Nodes, xfn.Join(p.Yield, ", "))
	}
	return strings.Join(out, "; ")
}

// summary of the nodes charged, of those the pools have.
func summary(pools []v1alpha1.GPUPool) string {
	charged, nodes := int32(0), int32(0)
	for _, p := range pools {
		charged += p.NodesCharged
		nodes += p.Nodes
	}
	return fmt.Sprintf("%d/%d", charged, nodes)
}
