package main

import (
	"encoding/json"
	"fmt"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/modelplane-go/modelplane/functions/internal/names"
	"github.com/modelplane-go/modelplane/functions/internal/remote"
	"github.com/modelplane-go/modelplane/functions/internal/workload"
	"github.com/modelplane-go/modelplane/functions/internal/xfn"
	"github.com/modelplane-go/modelplane/schemas/modelplane/v1alpha1"
	remotev1 "github.com/modelplane-go/modelplane/schemas/remote"
)

func write(c *xfn.Call, xr *v1alpha1.ModelReplica, manifests []workload.Keyed) error {
	ready := true
	for _, m := range manifests {
		ready = ready && (m.CopyOf != nil || c.Ready(m.Key))
		place := remote.Place{Name: names.Object(xr.GetName(), m.Key), ProviderConfig: xr.Spec.ProviderConfigRef.Name}
		if err := c.Desire(m.Key, remote.Object(place, m.Manifest), c.Ready(m.Key)); err != nil {
			return err
		}
	}

	engines, err := engineStatus(c, xr.Spec.Engines)
	if err != nil {
		return err
	}
	why := waits(c, manifests, engines)
	// What the workloads no longer refer to may go once every copy runs what is
	// wanted now, and serves: until then a pod of the older kind may still have to
	// be made.
	if !ready || why != "" {
		c.KeepAll(supersedable)
	}
	c.Prune()

	c.SetConditions(accepted(why), starting(c, manifests, engines, ready))
	c.SetConditions(workload.Projection(xr.GetNamespace(), copies(manifests), xr.Status.Conditions)...)
	c.SetReady(ready)
	status := v1alpha1.ModelReplicaStatus{Engines: engines}
	if ready && why == "" {
		status.Revision = xr.GetLabels()[names.LabelRevision]
	}
	return c.SetStatus(status)
}

// supersedable says whether the key is of something that pods refer to.
func supersedable(key string) bool {
	return strings.HasPrefix(key, names.PrefixClaimTemplate) || strings.HasPrefix(key, names.PrefixSecret)
}

// A serving workload is the part of a Deployment's or LeaderWorkerSet's status that counts
// copies that serve.
type serving struct {
	Metadata struct {
		Generation int64 `json:"generation"`
	} `json:"metadata"`
	Status struct {
		ObservedGeneration int64 `json:"observedGeneration"`

		Replicas          int32 `json:"replicas"`
		AvailableReplicas int32 `json:"availableReplicas"` // Of a Deployment.
		ReadyReplicas     int32 `json:"readyReplicas"`     // Of a LeaderWorkerSet: groups.
		UpdatedReplicas   int32 `json:"updatedReplicas"`
	} `json:"status"`
}

// updated counts copies that run the current template. One that has yet to go of
// an older template stands in the place of one that has: until it is gone, it may
// be the one that is counted as available.
func (s serving) updated(copies int32) int32 {
	old := s.Status.Replicas - s.Status.UpdatedReplicas
	return max(0, min(s.Status.UpdatedReplicas, copies-old))
}

func engineStatus(c *xfn.Call, engines []v1alpha1.ReplicaEngine) ([]v1alpha1.EngineStatus, error) {
	out := make([]v1alpha1.EngineStatus, len(engines))
	for i, e := range engines {
		out[i] = v1alpha1.EngineStatus{Name: e.Name, Copies: workload.Copies(e)}

		o := &remotev1.Object{}
		ok, err := c.Observed(workload.Key(e), o)
		if err != nil {
			return nil, err
		}
		if !ok || o.Status == nil || o.Status.AtProvider == nil || len(o.Status.AtProvider.Manifest) == 0 {
			continue
		}
		s := serving{}
		if err := json.Unmarshal(o.Status.AtProvider.Manifest, &s); err != nil {
			return nil, fmt.Errorf("cannot decode the observed workload of engine %q: %w", e.Name, err)
		}
		if s.Status.ObservedGeneration >= s.Metadata.Generation {
			out[i].UpdatedCopies = s.updated(out[i].Copies)
		}
		out[i].ReadyCopies = s.Status.AvailableReplicas
		if workload.IsGang(e) {
			out[i].ReadyCopies = s.Status.ReadyReplicas
		}
	}
	return out, nil
}

// waits says what of a replica is not on its cluster as it should be, or nothing.
func waits(c *xfn.Call, manifests []workload.Keyed, engines []v1alpha1.EngineStatus) string {
	if why := deploying(c, manifests); why != "" {
		return why
	}
	return updating(engines)
}

func accepted(why string) v1alpha1.Condition {
	if why != "" {
		return v1alpha1.ModelDeploying(why)
	}
	return v1alpha1.ModelAccepted()
}

// deploying names the first object that is not on the cluster as it should be.
func deploying(c *xfn.Call, manifests []workload.Keyed) string {
	for _, m := range manifests {
		if m.Optional {
			continue
		}
		synced := c.Condition(m.Key, "Synced")
		if synced.Status == metav1.ConditionFalse {
			return cannotApply(m, synced.Message)
		}
		if !c.Applied(m.Key) || !c.True(m.Key, "Synced") {
			return "waiting for " + m.Key + " to be applied"
		}
	}
	return ""
}

// What provider-kubernetes says where a Secret to copy is not there, or holds
// nothing.
const (
	noSource      = "cannot get referenced resource"
	noSourceField = "cannot patch from referenced resource"
	notFound      = "not found"
)

// cannotApply says why an object is not on the cluster as it should be, and of a
// Secret that cannot be copied what to do.
func cannotApply(m workload.Keyed, message string) string {
	switch {
	case m.CopyOf == nil:
		return fmt.Sprintf("cannot apply %s: %s", m.Key, message)
	case strings.Contains(message, noSource) && strings.Contains(message, notFound):
		return fmt.Sprintf("Secret %s is missing: create it in namespace %s of the control plane", m.CopyOf.Name, m.CopyOf.Namespace)
	case strings.Contains(message, noSourceField):
		return fmt.Sprintf("Secret %s in namespace %s of the control plane is empty: give it data", m.CopyOf.Name, m.CopyOf.Namespace)
	default:
		return fmt.Sprintf("cannot copy Secret %s: %s", m.CopyOf.Name, message)
	}
}

// updating names the engines of which some copies run an older template.
func updating(engines []v1alpha1.EngineStatus) string {
	out := []string{}
	for _, e := range engines {
		if e.UpdatedCopies < e.Copies {
			out = append(out, fmt.Sprintf("engine %s: %d of %d copies are up to date", e.Name, e.UpdatedCopies, e.Copies))
		}
	}
	return strings.Join(out, "; ")
}

func starting(c *xfn.Call, manifests []workload.Keyed, engines []v1alpha1.EngineStatus, ready bool) v1alpha1.Condition {
	if ready {
		return v1alpha1.ModelServing()
	}
	waits := []string{}
	for _, e := range engines {
		if e.ReadyCopies == 0 {
			waits = append(waits, fmt.Sprintf("engine %s: 0 of %d copies serve", e.Name, e.Copies))
		}
	}
	if len(waits) > 0 {
		return v1alpha1.ModelStarting(strings.Join(waits, "; "))
	}
	for _, m := range manifests {
		if m.CopyOf == nil && !c.Ready(m.Key) {
			return v1alpha1.ModelStarting("waiting for " + m.Key + " to be ready")
		}
	}
	return v1alpha1.ModelWaiting()
}

// copies counts the Secrets that are copied.
func copies(manifests []workload.Keyed) int {
	n := 0
	for _, m := range manifests {
		if m.CopyOf != nil {
			n++
		}
	}
	return n
}
