package main

import (
	"fmt"
	"slices"

	"github.com/modelplane-go/modelplane/functions/internal/scheduling"
	"github.com/modelplane-go/modelplane/functions/internal/xfn"
	"github.com/modelplane-go/modelplane/schemas/modelplane/v1alpha1"
)

// events say how the placements differ from those that were published last. So
// what happened is said once, however often it is decided.
func (in *input) events(d decision, now []v1alpha1.Placement) []v1alpha1.Event {
	var out []v1alpha1.Event
	before := in.deployment.Status.Placements
	if placed := d.placed(beyond(now, before)); len(placed) > 0 {
		out = append(out, v1alpha1.ReplicasPlaced("placed "+xfn.Join(placed, ", ")))
	}
	lost, removed := d.left(beyond(before, now))
	if len(lost) > 0 {
		out = append(out, v1alpha1.ReplicasLost("lost "+xfn.Join(lost, "; ")))
	}
	if len(removed) > 0 {
		out = append(out, v1alpha1.ReplicasRemoved("removed "+xfn.Join(removed, ", ")))
	}
	return out
}

// beyond are the placements whose replicas are not among others.
func beyond(placements, others []v1alpha1.Placement) []v1alpha1.Placement {
	known := make(map[string]bool, len(others))
	for _, p := range others {
		known[p.Replica] = true
	}
	var out []v1alpha1.Placement
	for _, p := range placements {
		if !known[p.Replica] {
			out = append(out, p)
		}
	}
	return out
}

// placed says where new replicas are, and who has to make way for them.
func (d decision) placed(ps []v1alpha1.Placement) []string {
	evicts := map[string][]scheduling.Evicted{}
	for _, p := range d.placements {
		if len(p.evicts) > 0 {
			evicts[p.id.Name()] = p.evicts
		}
	}
	out := make([]string, 0, len(ps))
	for _, p := range ps {
		text := fmt.Sprintf("%s on %s", p.Replica, p.Cluster)
		if gone := evicts[p.Replica]; len(gone) > 0 {
			text += ", where " + evicted(gone)
		}
		out = append(out, text)
	}
	return out
}

// evicted says who has to make way.
func evicted(gone []scheduling.Evicted) string {
	out := make([]string, len(gone))
	for i, e := range gone {
		out[i] = fmt.Sprintf("%s/%s/%d of priority %d", e.Namespace, e.Deployment, e.Index, e.Priority)
	}
	return xfn.Join(out, ", ") + " must make way"
}

// left says which replicas are gone: those that lost their place, with the
// reason, and those that are not wanted or were replaced.
func (d decision) left(ps []v1alpha1.Placement) (lost, removed []string) {
	for _, p := range ps {
		text := fmt.Sprintf("%s on %s", p.Replica, p.Cluster)
		i := slices.IndexFunc(d.drops, func(d scheduling.Drop) bool { return d.Replica == p.Replica })
		switch {
		case i < 0:
			lost = append(lost, text+": it was deleted")
		case d.drops[i].Reason == scheduling.DropScaledDown:
			removed = append(removed, text)
		case d.replaced(d.drops[i]):
			removed = append(removed, text+": "+d.drops[i].Detail)
		default:
			lost = append(lost, text+": "+d.drops[i].Detail)
		}
	}
	return lost, removed
}

// replaced says whether others serve in the place of a replica that had to leave.
func (d decision) replaced(drop scheduling.Drop) bool {
	switch drop.Reason {
	case scheduling.DropTainted, scheduling.DropPoolRemoved, scheduling.DropFailing:
		return isTrue(d.scheduled)
	case scheduling.DropClusterGone, scheduling.DropNoLongerFit, scheduling.DropYielded, scheduling.DropScaledDown, scheduling.DropDuplicate:
	}
	return false
}

// yielded says which replicas make way for others.
func (d decision) yielded() []string {
	var out []string
	for _, drop := range d.drops {
		if drop.Reason == scheduling.DropYielded {
			out = append(out, fmt.Sprintf("%s on %s makes way: %s", drop.Replica, drop.Cluster, drop.Detail))
		}
	}
	return out
}
