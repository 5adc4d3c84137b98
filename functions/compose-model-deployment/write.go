package main

import (
	"fmt"
	"slices"

	"github.com/modelplane-go/modelplane/functions/internal/names"
	"github.com/modelplane-go/modelplane/functions/internal/scheduling"
	"github.com/modelplane-go/modelplane/functions/internal/workload"
	"github.com/modelplane-go/modelplane/functions/internal/xfn"
	"github.com/modelplane-go/modelplane/schemas/modelplane/v1alpha1"
)

func write(c *xfn.Call, in *input, d decision) error {
	for _, p := range d.placements {
		if err := in.writePlacement(c, p, d.held); err != nil {
			return err
		}
	}
	in.withdraw(c, d.drops)
	c.Prune()
	in.watchTheClock(c)

	status := in.status(d)
	ready := readyOf(status, in.replicasWanted())
	c.SetConditions(d.scheduled, ready, d.progress, current(d))
	c.SetConditions(in.projection()...)
	for _, e := range in.events(d, status.Placements) {
		c.Event(e)
	}
	c.SetReady(isTrue(d.scheduled) && isTrue(ready))
	return c.SetStatus(status)
}

// withdraw the replicas that go: first the endpoint, then, once no ModelService
// leads there any more, the replica. So no request is on its way to a replica that
// is gone.
func (in *input) withdraw(c *xfn.Call, drops []scheduling.Drop) {
	for _, r := range in.replicas {
		gone := func(d scheduling.Drop) bool { return d.Replica == r.GetName() }
		if r.reached && slices.ContainsFunc(drops, gone) {
			c.Await()
			c.Keep(r.id.Key())
		}
	}
}

// writePlacement desires a replica, and while it serves an endpoint for it.
func (in *input) writePlacement(c *xfn.Call, p placement, held bool) error {
	if held {
		keepPlacement(c, p)
		return nil
	}

	if p.withdrawn {
		c.Await()
	}
	mr := in.modelReplica(p)
	if err := c.Desire(p.id.Key(), mr, p.replica != nil && p.replica.ready); err != nil || !p.routed() {
		return err
	}
	address := in.gatewayAddress(p.id.Cluster)
	if address == "" {
		c.Keep(p.id.EndpointKey())
		return nil
	}
	return c.Desire(p.id.EndpointKey(), in.modelEndpoint(p, mr.GetName(), address), c.Ready(p.id.EndpointKey()))
}

// routed says whether requests may reach a replica. Those that do go on while it
// is ready, and they begin once its cluster runs all of it.
func (p placement) routed() bool {
	return p.replica != nil && !p.withdrawn && (p.replica.serves || p.replica.settled && p.engines == nil)
}

// keepPlacement desires a replica as it is, and while it serves its endpoint.
func keepPlacement(c *xfn.Call, p placement) {
	c.Keep(p.id.Key())
	if p.replica.ready {
		c.Keep(p.id.EndpointKey())
	}
}

func (in *input) gatewayAddress(cluster string) string {
	ic, ok := in.clusters[cluster]
	if !ok || ic.Status.Gateway == nil {
		return ""
	}
	return ic.Status.Gateway.Address
}

func (in *input) status(d decision) v1alpha1.ModelDeploymentStatus {
	counts := &v1alpha1.ReplicaCounts{Total: int32(len(d.placements))} //nolint:gosec // At most 2,000.
	out := v1alpha1.ModelDeploymentStatus{Replicas: counts}
	clusters := []string{}
	for _, p := range d.placements {
		placed := in.statusPlacement(p, d.held)
		out.Placements = append(out.Placements, placed)
		clusters = append(clusters, placed.Cluster)
		if placed.Ready {
			counts.Ready++
		}
		if placed.Revision == in.revision {
			counts.Updated++
		}
	}
	slices.Sort(clusters)
	out.Summary = &v1alpha1.ModelDeploymentSummary{
		Replicas: fmt.Sprintf("%d/%d", counts.Ready, in.replicasWanted()),
		Updated:  fmt.Sprintf("%d/%d", counts.Updated, counts.Total),
		Clusters: xfn.Join(slices.Compact(clusters), ", "),
	}
	return out
}

func (in *input) statusPlacement(p placement, held bool) v1alpha1.Placement {
	mr := in.modelReplica(p)
	if held {
		mr = p.replica.ModelReplica
	}
	out := v1alpha1.Placement{
		Replica:  mr.GetName(),
		Cluster:  p.id.Cluster,
		Revision: mr.GetLabels()[names.LabelRevision],
		Ready:    p.replica != nil && p.replica.ready,
	}
	for _, e := range mr.Spec.Engines {
		out.Pools = append(out.Pools, v1alpha1.EnginePool{Engine: e.Name, Pool: e.Members[0].NodePoolName})
	}
	return out
}

func readyOf(s v1alpha1.ModelDeploymentStatus, wanted int) v1alpha1.Condition {
	message := fmt.Sprintf("%d of %d replicas serve", s.Replicas.Ready, wanted)
	switch {
	case wanted == 0 && s.Replicas.Total == 0:
		return v1alpha1.ReplicasScaledToZero()
	case s.Replicas.Total == 0:
		return v1alpha1.ReplicasUnscheduled()
	case int(s.Replicas.Ready) >= wanted:
		return v1alpha1.ReplicasReady(message)
	default:
		return v1alpha1.ReplicasStarting(message)
	}
}

func current(d decision) v1alpha1.Condition {
	if len(d.drifts) == 0 {
		return v1alpha1.PlacementsMatch()
	}
	return v1alpha1.PlacementsDrifted(xfn.Join(d.drifts, "; "))
}

// projection says how many Secrets the deployment's spec has each replica copy.
func (in *input) projection() []v1alpha1.Condition {
	copies := 0
	if in.deployment.Spec.Secrets == v1alpha1.SecretsProject {
		copies = len(workload.Secrets(workload.Serving(in.deployment.Spec.Engines)))
	}
	return workload.Projection(in.deployment.GetNamespace(), copies, in.deployment.Status.Conditions)
}

func isTrue(c v1alpha1.Condition) bool {
	return c.Status == "True"
}
