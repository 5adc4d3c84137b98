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
			Ready:   r.serves && (r.settled || !in.current(r)),
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

// snapshot is what the scheduler decides on, but for what a rollout has to say.
func (in *input) snapshot(holdPlacement bool) scheduling.Snapshot {
	out := scheduling.Snapshot{
		Deployment: fleet.Deployment(in.deployment, in.selector, in.replicasWanted()),
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
			Ready:    r.serves,
			Failing:  in.failing(r),
			Outdated: !in.current(r),
			Engines:  fleet.Placed(fleet.Engines(r.Spec.Engines)),
		})
	}
	return out
}

// follow a rollout's plan: who takes the deployment's engines now, and how many
// more there are to be.
func (in *input) follow(plan rollout.Output, s scheduling.Snapshot) scheduling.Snapshot {
	s.Deployment.Replicas = in.replicasWanted() + plan.Surge
	s.Replicas = slices.Clone(s.Replicas)
	for i, r := range s.Replicas {
		s.Replicas[i].Update = !r.Outdated || slices.Contains(plan.Update, r.Name)
	}
	return s
}
