package fleet

import (
	"github.com/modelplane-go/modelplane/functions/internal/names"
	"github.com/modelplane-go/modelplane/schemas/modelplane/v1alpha1"
)

// A Standing is what a cluster's ledger says of a replica.
type Standing int

// What a ledger may say of a replica.
const (
	Uncharged Standing = iota // It is not known there yet.
	Charged                   // It has its place.
	Yields                    // It has to go.
)

// StandingOf a replica with its cluster.
func StandingOf(ic *v1alpha1.InferenceCluster, mr *v1alpha1.ModelReplica) Standing {
	out := Uncharged
	index := index(mr)
	for i := range ic.Status.GPUPools {
		for _, ch := range ic.Status.GPUPools[i].Charges {
			if ch.Namespace != mr.GetNamespace() || ch.Deployment != mr.GetLabels()[names.LabelDeployment] || int(ch.Index) != index {
				continue
			}
			if ch.Yield {
				return Yields
			}
			out = Charged
		}
	}
	return out
}
