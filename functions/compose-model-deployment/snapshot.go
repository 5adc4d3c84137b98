package main

import (
	"maps"
	"slices"

	"github.com/modelplane-go/modelplane/functions/internal/fleet"
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
		Deployment: fleet.Deployment(in.deployment, in.selector, in.replicasWanted()+plan.Surge),
		Hold:       holdPlacement,
	}
	for _, name := range slices.Sorted(maps.Keys(in.clusters)) {
		out.Clusters = append(out.Clusters, fleet.Cluster(in.clusters[name]))
	}
	for _, r := range in.replicas {
		out.Replicas = append(out.Replicas, scheduling.Replica{
			Name:     r.GetName(),
			Cluster:  r.id.Cluster,
			Index:    r.id.Index,
			Ready:    r.ready,
			Update:   in.current(r) || slices.Contains(plan.Update, r.GetName()),
			Outdated: !in.current(r),
			Engines:  fleet.Placed(fleet.Engines(r.Spec.Engines)),
		})
	}
	return out
}
