package fleet

import (
	"k8s.io/apimachinery/pkg/labels"

	"github.com/modelplane-go/modelplane/functions/internal/devices"
	"github.com/modelplane-go/modelplane/functions/internal/scheduling"
	"github.com/modelplane-go/modelplane/schemas/modelplane/v1alpha1"
)

// Deployment is what is to be placed of a ModelDeployment: so many replicas, on
// clusters that the selector selects.
func Deployment(md *v1alpha1.ModelDeployment, selector labels.Selector, replicas int) scheduling.Deployment {
	spec := md.Spec
	out := scheduling.Deployment{
		Namespace: md.GetNamespace(),
		Name:      md.GetName(),
		Replicas:  replicas,
		Selector:  selector,
		Priority:  int(spec.Priority),
	}
	if f := spec.Failover; f != nil {
		out.Failover = max(1, int(f.MaxConcurrent))
	}
	for _, t := range spec.Tolerations {
		out.Tolerations = append(out.Tolerations, scheduling.Toleration{
			Key:    t.Key,
			Exists: t.Operator == v1alpha1.TolerationExists,
			Value:  t.Value,
			Effect: scheduling.Effect(t.Effect),
		})
	}
	for _, s := range spec.Spread {
		out.Spread = append(out.Spread, scheduling.Spread{
			TopologyKey: s.TopologyKey,
			MaxSkew:     max(1, int(s.MaxSkew)),
			Required:    s.WhenUnsatisfiable != v1alpha1.SpreadScheduleAnyway,
		})
	}
	for _, e := range spec.Engines {
		out.Engines = append(out.Engines, engine(e))
	}
	return out
}

// ReplicasWanted of a deployment: one if it does not say.
func ReplicasWanted(md *v1alpha1.ModelDeployment) int {
	if n := md.Spec.Replicas; n != nil {
		return int(*n)
	}
	return 1
}

func engine(e v1alpha1.Engine) scheduling.Engine {
	out := scheduling.Engine{Name: e.Name, Copies: max(1, int(e.Copies))}
	for _, m := range e.Members {
		member := scheduling.Member{Name: string(m.Role), Pods: Pods(m.Worker)}
		if m.NodeSelector != nil {
			for _, q := range m.NodeSelector.Devices {
				member.Requests = append(member.Requests, request(q))
			}
		}
		out.Members = append(out.Members, member)
	}
	return out
}

func request(q v1alpha1.DeviceRequest) devices.Request {
	out := devices.Request{Name: q.Name, Count: max(1, int(q.Count))}
	for _, s := range q.Selectors {
		out.Selectors = append(out.Selectors, s.CEL)
	}
	return out
}

// Pods of a member: one for each node it spans.
func Pods(w *v1alpha1.Worker) int {
	if w == nil {
		return 1
	}
	return max(1, int(w.Nodes))
}
