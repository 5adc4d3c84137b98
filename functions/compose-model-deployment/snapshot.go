package main

import (
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/api/meta"

	"github.com/modelplane-go/modelplane/functions/internal/devices"
	"github.com/modelplane-go/modelplane/functions/internal/rollout"
	"github.com/modelplane-go/modelplane/functions/internal/scheduling"
	"github.com/modelplane-go/modelplane/schemas/modelplane/v1alpha1"
)

// rollout is what decides which of the replicas take the deployment's engines
// now.
func (in *input) rollout(replicas []*replica) rollout.Input {
	out := rollout.Input{Wanted: in.replicasWanted(), Strategy: strategy(in.deployment.Spec.Strategy)}
	for _, r := range replicas {
		out.Replicas = append(out.Replicas, rollout.Replica{
			Name:    r.GetName(),
			Ready:   r.settled || r.ready && !in.current(r),
			Current: in.current(r),
		})
	}
	return out
}

// strategy with what its schema defaults.
func strategy(s *v1alpha1.Strategy) rollout.Strategy {
	out := rollout.Strategy{Type: rollout.RollingUpdate, MaxUnavailable: 1}
	if s == nil {
		return out
	}
	if s.Type == v1alpha1.StrategyRecreate {
		return rollout.Strategy{Type: rollout.Recreate}
	}
	if s.RollingUpdate == nil {
		return out
	}
	if n := s.RollingUpdate.MaxUnavailable; n != nil {
		out.MaxUnavailable = int(*n)
	}
	if n := s.RollingUpdate.MaxSurge; n != nil {
		out.MaxSurge = int(*n)
	}
	return out
}

// snapshot is what the scheduler decides on.
func (in *input) snapshot(plan rollout.Output, holdPlacement bool) scheduling.Snapshot {
	out := scheduling.Snapshot{
		Deployment: in.schedulingDeployment(in.replicasWanted() + plan.Surge),
		Hold:       holdPlacement,
	}
	for _, name := range slices.Sorted(maps.Keys(in.clusters)) {
		out.Clusters = append(out.Clusters, schedulingCluster(in.clusters[name]))
	}
	for _, r := range in.replicas {
		out.Replicas = append(out.Replicas, scheduling.Replica{
			Name:     r.GetName(),
			Cluster:  r.id.Cluster,
			Index:    r.id.Index,
			Ready:    r.ready,
			Update:   in.current(r) || slices.Contains(plan.Update, r.GetName()),
			Outdated: !in.current(r),
			Engines:  placedEngines(r.Spec.Engines),
		})
	}
	return out
}

func (in *input) schedulingDeployment(replicas int) scheduling.Deployment {
	spec := in.deployment.Spec
	out := scheduling.Deployment{
		Namespace: in.deployment.GetNamespace(),
		Name:      in.deployment.GetName(),
		Replicas:  replicas,
		Selector:  in.selector,
		Priority:  int(spec.Priority),
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
		out.Engines = append(out.Engines, schedulingEngine(e))
	}
	return out
}

func schedulingEngine(e v1alpha1.Engine) scheduling.Engine {
	out := scheduling.Engine{Name: e.Name, Copies: max(1, int(e.Copies))}
	for _, m := range e.Members {
		member := scheduling.Member{Name: string(m.Role), Pods: pods(m.Worker)}
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

// pods of a member: one for each node it spans.
func pods(w *v1alpha1.Worker) int {
	if w == nil {
		return 1
	}
	return max(1, int(w.Nodes))
}

// placedEngines are an observed replica's engines, and what each is charged for.
func placedEngines(engines []v1alpha1.ReplicaEngine) []scheduling.PlacedEngine {
	out := make([]scheduling.PlacedEngine, len(engines))
	for i, e := range engines {
		out[i] = scheduling.PlacedEngine{Name: e.Name}
		for _, m := range e.Members {
			out[i].Pool = m.NodePoolName
			if len(m.DeviceRequests) > 0 {
				out[i].Nodes += pods(m.Worker) * max(1, int(e.Copies))
			}
		}
	}
	return out
}

func schedulingCluster(ic *v1alpha1.InferenceCluster) scheduling.Cluster {
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
	published := map[string]v1alpha1.GPUPool{}
	for _, p := range ic.Status.GPUPools {
		published[p.Name] = p
	}
	for _, np := range ic.Spec.NodePools {
		p, ok := published[np.Name]
		out.Pools = append(out.Pools, schedulingPool(np.Name, ok, p))
	}
	return out
}

func schedulingPool(name string, known bool, p v1alpha1.GPUPool) scheduling.Pool {
	out := scheduling.Pool{Name: name, Known: known, Nodes: int(p.Nodes)}
	out.Devices = devices.From(p.Devices)
	for _, c := range p.Charges {
		out.Charges = append(out.Charges, scheduling.Charge{
			Namespace:  c.Namespace,
			Deployment: c.Deployment,
			Index:      int(c.Index),
			Nodes:      int(c.Nodes),
			Priority:   int(c.Priority),
			Yield:      c.Yield,
		})
	}
	return out
}
