package fleet

import (
	"k8s.io/apimachinery/pkg/api/meta"

	"github.com/modelplane-go/modelplane/functions/internal/devices"
	"github.com/modelplane-go/modelplane/functions/internal/scheduling"
	"github.com/modelplane-go/modelplane/schemas/modelplane/v1alpha1"
)

// Cluster is an InferenceCluster and its ledger. A pool that is in the spec and
// not in the ledger is not known; one that is in the ledger only is gone.
func Cluster(ic *v1alpha1.InferenceCluster) scheduling.Cluster {
	out := scheduling.Cluster{
		Name:   ic.GetName(),
		Labels: ic.GetLabels(),
		// A cluster that is being deleted takes no more replicas.
		Ready: meta.IsStatusConditionTrue(ic.Status.Conditions, "Ready") &&
			ic.Status.ProviderConfigRef != nil && ic.GetDeletionTimestamp() == nil,
	}
	if g := ic.Status.Gateway; g != nil {
		out.Address = g.Address
	}
	for _, t := range ic.Spec.Taints {
		out.Taints = append(out.Taints, scheduling.Taint{Key: t.Key, Value: t.Value, Effect: scheduling.Effect(t.Effect)})
	}
	for _, np := range ic.Spec.NodePools {
		out.Pools = append(out.Pools, pool(np, ic.Status.GPUPools))
	}
	return out
}

func pool(np v1alpha1.NodePool, published []v1alpha1.GPUPool) scheduling.Pool {
	for i := range published {
		if published[i].Name == np.Name {
			return publishedPool(np, &published[i])
		}
	}
	return scheduling.Pool{Name: np.Name}
}

func publishedPool(np v1alpha1.NodePool, p *v1alpha1.GPUPool) scheduling.Pool {
	out := scheduling.Pool{
		Name:       np.Name,
		Known:      true,
		Nodes:      int(p.Nodes),
		WholeNodes: np.Sharing == v1alpha1.SharingNode,
		Devices:    devices.From(p.Devices),
		Charges:    make([]scheduling.Charge, len(p.Charges)),
	}
	for i, c := range p.Charges {
		out.Charges[i] = scheduling.Charge{
			Namespace:  c.Namespace,
			Deployment: c.Deployment,
			Index:      int(c.Index),
			Priority:   int(c.Priority),
			Groups:     groups(c.Groups),
			Yield:      c.Yield,
		}
	}
	return out
}

func groups(in []v1alpha1.PodGroup) []scheduling.Group {
	out := make([]scheduling.Group, len(in))
	for i, g := range in {
		out[i] = scheduling.Group{Copies: max(1, int(g.Copies)), Pods: make([]scheduling.Pod, len(g.Pods))}
		for j, p := range g.Pods {
			out[i].Pods[j] = scheduling.Pod{Count: max(1, int(p.Count)), Devices: Numbers(p.Devices)}
		}
	}
	return out
}
