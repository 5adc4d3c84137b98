package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/modelplane-go/modelplane/functions/internal/names"
	"github.com/modelplane-go/modelplane/functions/internal/rollout"
	"github.com/modelplane-go/modelplane/functions/internal/scheduling"
	"github.com/modelplane-go/modelplane/functions/internal/workload"
	"github.com/modelplane-go/modelplane/functions/internal/xfn"
	"github.com/modelplane-go/modelplane/schemas/modelplane/v1alpha1"
)

// A decision is what becomes of a deployment's replicas.
type decision struct {
	wanted     int // Surge included.
	placements []placement
	scheduled  v1alpha1.Condition
	drops      []scheduling.Drop
	drifts     []string
	progress   v1alpha1.Condition
	held       bool // Nothing changes until the condition scheduled does.
}

// A placement is a replica's place.
type placement struct {
	id names.Replica

	// The existing replica. Nil for a new one.
	replica *replica

	// What the scheduler resolved of the deployment's engines, for a replica
	// that takes them now. Nil for one that stays as it is.
	engines []scheduling.EnginePlacement

	// Who has to make way for a new replica.
	evicts []scheduling.Evicted

	// The replica goes once another serves instead.
	leaving bool

	// The replica stops serving for what is next: no request is to reach it.
	withdrawn bool
}

// kept are the existing replicas that stay.
func (d decision) kept() []*replica {
	out := []*replica{}
	for _, p := range d.placements {
		if p.replica != nil && !p.leaving {
			out = append(out, p.replica)
		}
	}
	return out
}

// lasting counts the replicas that have a place and do not leave it.
func (d decision) lasting() int {
	n := 0
	for _, p := range d.placements {
		if !p.leaving {
			n++
		}
	}
	return n
}

// refuse says why a deployment cannot be understood, or nothing.
func refuse(in *input) *v1alpha1.Condition {
	if why := names.RefuseNamespace(in.deployment.GetNamespace()); why != "" {
		c := v1alpha1.NamespaceReserved(why)
		return &c
	}
	if in.selectorErr != nil {
		c := v1alpha1.ClusterSelectorInvalid(fmt.Sprintf("spec.clusterSelector: %s", in.selectorErr))
		return &c
	}
	if err := workload.Check(workload.Serving(in.deployment.Spec.Engines), in.deployment.Spec.Secrets); err != nil {
		c := v1alpha1.EnginesInvalid("spec.engines: " + err.Error())
		return &c
	}
	return nil
}

// decide which replicas take the deployment's engines, and where each is. While
// something that matters was not read yet, nothing is placed.
func decide(in *input, unread bool) decision {
	s := in.snapshot(unread)
	plan := rollout.Plan(in.rollout(in.staying(scheduling.Leaving(s))))
	r := scheduling.Schedule(in.follow(plan, s))

	// Engines that outgrew a replica's pool are placed anew. Where there is no
	// room for them, what serves goes on as it is.
	stuck := ""
	if outgrown := outgrown(r); in.widened && len(outgrown) > 0 {
		stuck = r.Message()
		plan.Update = slices.DeleteFunc(plan.Update, func(name string) bool { return slices.Contains(outgrown, name) })
		r = scheduling.Schedule(in.follow(plan, s))
	}

	d := decision{
		wanted:     in.replicasWanted() + plan.Surge,
		placements: in.placements(r.Placements),
		drops:      r.Drops,
		held:       len(r.Invalid) > 0,
	}
	for _, drift := range r.Drifts {
		d.drifts = append(d.drifts, fmt.Sprintf("%s on %s: %s", drift.Replica, drift.Cluster, drift.Detail))
	}
	d.scheduled = in.scheduled(r, d)
	d.progress = in.progress(d, stuck)
	return d
}

// staying are the replicas but for some.
func (in *input) staying(leaving []string) []*replica {
	return slices.DeleteFunc(slices.Clone(in.replicas), func(r *replica) bool { return slices.Contains(leaving, r.GetName()) })
}

// outgrown names the replicas whose pool has no room for the deployment's
// engines, where nothing else has either.
func outgrown(r scheduling.Result) []string {
	if r.Unplaced == 0 {
		return nil
	}
	var out []string
	for _, d := range r.Drops {
		if d.Reason == scheduling.DropNoLongerFit {
			out = append(out, d.Replica)
		}
	}
	return out
}

// progress says how far the deployment's spec is. It is up to date once every
// replica wanted runs it and serves.
func (in *input) progress(d decision, stuck string) v1alpha1.Condition {
	now := in.rollout(d.kept())
	switch message := rollout.Progress(now, in.revision); {
	case d.held:
		return v1alpha1.RolloutHeld("waiting for " + string(d.scheduled.Type) + ": " + string(d.scheduled.Reason))
	case stuck != "":
		return v1alpha1.RolloutHeld(message + ", and fits nowhere: " + stuck)
	case rollout.Done(now):
		return v1alpha1.UpToDate(message)
	default:
		return v1alpha1.RollingOut(message)
	}
}

func (in *input) placements(ps []scheduling.Placement) []placement {
	existing := map[string]*replica{}
	for _, r := range in.replicas {
		existing[r.GetName()] = r
	}
	out := make([]placement, len(ps))
	for i, p := range ps {
		out[i] = placement{id: in.identity(p.Cluster, p.Index), replica: existing[p.Replica], evicts: p.Evicts, leaving: p.Leaving}
		// A replica that runs the deployment's engines already stays as it is,
		// so that a class that drifted does not restart it.
		if out[i].replica == nil || !in.current(out[i].replica) {
			out[i].engines = p.Engines
		}
		// One that would stop serving takes them once no request reaches it.
		if in.interrupts(out[i]) {
			out[i].engines, out[i].withdrawn = nil, true
		}
	}
	return out
}

// interrupts says whether a replica that gets requests could not answer while it takes the
// deployment's engines: where an engine has one copy, or becomes another workload.
func (in *input) interrupts(p placement) bool {
	if p.engines == nil || p.replica == nil || !p.replica.ready || !p.replica.reached {
		return false
	}
	return !workload.RollsOver(p.replica.Spec.Engines, in.modelReplica(p).Spec.Engines)
}

// current says whether a replica runs the deployment's engines.
func (in *input) current(r *replica) bool {
	return r.GetLabels()[names.LabelRevision] == in.revision
}

func (in *input) scheduled(r scheduling.Result, d decision) v1alpha1.Condition {
	wanted := in.replicasWanted()
	switch {
	case len(r.Invalid) > 0:
		return v1alpha1.NodeSelectorInvalid(invalid(r.Invalid))
	case d.lasting() >= wanted:
		return v1alpha1.ReplicasScheduled(fmt.Sprintf("%d of %d replicas scheduled", wanted, wanted))
	case in.waiting || in.fleet == xfn.Unresolved:
		return v1alpha1.ReplicasScheduling()
	case in.fleet == xfn.Absent:
		return v1alpha1.ReplicasWithoutClusters(fmt.Sprintf(
			"%d of %d replicas scheduled: there is no InferenceCluster; ask the platform team for one", d.lasting(), wanted))
	default:
		return v1alpha1.ReplicasNotScheduled(strings.Join(append([]string{r.Message()}, d.yielded()...), "; "))
	}
}

// invalid names the selectors that do not compile.
func invalid(errs []scheduling.SelectorError) string {
	out := make([]string, len(errs))
	for i, e := range errs {
		out[i] = e.String()
	}
	slices.SortFunc(out, cmp.Compare)
	return strings.Join(out, "; ")
}
