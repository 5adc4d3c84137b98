package main

import (
	"maps"
	"strconv"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/modelplane-go/modelplane/functions/internal/devices"
	"github.com/modelplane-go/modelplane/functions/internal/fleet"
	"github.com/modelplane-go/modelplane/functions/internal/names"
	"github.com/modelplane-go/modelplane/functions/internal/routing"
	"github.com/modelplane-go/modelplane/functions/internal/scheduling"
	"github.com/modelplane-go/modelplane/schemas/modelplane/v1alpha1"
)

// modelReplica is the ModelReplica of a placement: a new one, or the existing
// one with what may change of it.
func (in *input) modelReplica(p placement) *v1alpha1.ModelReplica {
	out := &v1alpha1.ModelReplica{
		TypeMeta:   metav1.TypeMeta{APIVersion: v1alpha1.GroupVersion.String(), Kind: v1alpha1.KindModelReplica},
		ObjectMeta: metav1.ObjectMeta{Name: p.id.Name(), Namespace: p.id.Namespace},
	}
	revision := in.revision
	if p.replica != nil {
		out.Name = p.replica.GetName()
		out.Spec = p.replica.Spec
		revision = p.replica.GetLabels()[names.LabelRevision]
	}
	if p.engines != nil {
		out.Spec.Engines = replicaEngines(in.deployment.Spec.Engines, p.engines)
		out.Spec.Serving = in.deployment.Spec.Serving
		out.Spec.Secrets = in.deployment.Spec.Secrets
		revision = in.revision
	}
	out.Spec.ClusterName = p.id.Cluster
	out.Spec.Priority = in.deployment.Spec.Priority
	reach(&out.Spec, in.clusters[p.id.Cluster])

	out.Labels, out.Annotations = in.metadata(p.id)
	out.Labels[names.LabelRevision] = revision
	return out
}

// reach says how a replica's cluster is reached. What the cluster does not say
// stays as it was.
func reach(spec *v1alpha1.ModelReplicaSpec, ic *v1alpha1.InferenceCluster) {
	if ic == nil {
		return
	}
	if ref := ic.Status.ProviderConfigRef; ref != nil {
		spec.ProviderConfigRef = *ref
	}
	if g := ic.Status.Gateway; g != nil && g.ParentRef != nil {
		spec.Gateway = *g.ParentRef
	}
}

// metadata of a replica and its endpoint: the user's, and Modelplane's over it.
func (in *input) metadata(id names.Replica) (labels, annotations map[string]string) {
	labels = map[string]string{}
	if m := in.deployment.Spec.ReplicaMetadata; m != nil {
		for k, v := range m.Labels {
			labels[k] = string(v)
		}
		annotations = make(map[string]string, len(m.Annotations))
		for k, v := range m.Annotations {
			annotations[k] = string(v)
		}
	}
	maps.Copy(labels, map[string]string{
		names.LabelDeployment:   id.Deployment,
		names.LabelCluster:      id.Cluster,
		names.LabelReplicaIndex: strconv.Itoa(id.Index),
	})
	return labels, annotations
}

// replicaEngines are the deployment's engines as the scheduler placed them.
func replicaEngines(engines []v1alpha1.Engine, placed []scheduling.EnginePlacement) []v1alpha1.ReplicaEngine {
	out := make([]v1alpha1.ReplicaEngine, len(engines))
	for i, e := range engines {
		out[i] = v1alpha1.ReplicaEngine{Name: e.Name, Copies: e.Copies, Members: make([]v1alpha1.ReplicaMember, len(e.Members))}
		for j, m := range e.Members {
			p := placed[i].Members[j]
			out[i].Members[j] = v1alpha1.ReplicaMember{
				Role:           m.Role,
				Worker:         m.Worker,
				NodePoolName:   placed[i].Pool,
				DeviceRequests: deviceRequests(p.Claims),
				Devices:        fleet.NodeDevices(p.Devices),
				SharesNode:     p.SharesNode,
				Template:       m.Template,
			}
		}
	}
	return out
}

func deviceRequests(claims []devices.Claim) []v1alpha1.ResolvedDeviceRequest {
	out := make([]v1alpha1.ResolvedDeviceRequest, len(claims))
	for i, c := range claims {
		out[i] = v1alpha1.ResolvedDeviceRequest{
			Name:            c.Name,
			DeviceClassName: c.DeviceClassName,
			Count:           int32(c.Count), //nolint:gosec // At most 64.
		}
		for _, s := range c.Selectors {
			out[i].Selectors = append(out[i].Selectors, v1alpha1.DeviceSelector{CEL: s})
		}
	}
	return out
}

// modelEndpoint is where a replica is reached through its cluster's gateway.
func (in *input) modelEndpoint(p placement, name, address string) *v1alpha1.ModelEndpoint {
	out := &v1alpha1.ModelEndpoint{
		TypeMeta:   metav1.TypeMeta{APIVersion: v1alpha1.GroupVersion.String(), Kind: v1alpha1.KindModelEndpoint},
		ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: p.id.Namespace},
		Spec: v1alpha1.ModelEndpointSpec{
			URL:         routing.URL(routing.Origin(address), p.id.Namespace, name) + "/v1",
			RewritePath: routing.Path(p.id.Namespace, name),
		},
	}
	out.Labels, out.Annotations = in.metadata(p.id)
	return out
}
