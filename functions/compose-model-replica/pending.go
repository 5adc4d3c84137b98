package main

import (
	"fmt"

	"github.com/modelplane-go/modelplane/functions/internal/fleet"
	"github.com/modelplane-go/modelplane/functions/internal/names"
	"github.com/modelplane-go/modelplane/functions/internal/xfn"
	"github.com/modelplane-go/modelplane/schemas/modelplane/v1alpha1"
)

// pending says why a replica may not start yet, or nothing. One that has started
// goes on, whatever the ledger says: it is for its deployment to drop it.
//
// A replica that does not say which cluster's ledger it is in is someone's own
// making. No cluster will charge it, and it starts.
func pending(c *xfn.Call, xr *v1alpha1.ModelReplica) (string, error) {
	if len(c.Keys()) > 0 || xr.GetLabels()[names.LabelCluster] == "" {
		return "", nil
	}
	name := xr.Spec.ClusterName
	a, err := xfn.Require[v1alpha1.InferenceCluster](c, "cluster", xfn.Selector{
		APIVersion: v1alpha1.GroupVersion.String(),
		Kind:       v1alpha1.KindInferenceCluster,
		Name:       name,
	})
	if err != nil {
		return "", err
	}
	switch a.State {
	case xfn.Unresolved:
		return fmt.Sprintf("waiting to read cluster %s", name), nil
	case xfn.Absent:
		return fmt.Sprintf("cluster %s is gone", name), nil
	case xfn.Present:
	}
	switch fleet.StandingOf(&a.Items[0], xr) {
	case fleet.Uncharged:
		return fmt.Sprintf("waiting for cluster %s to charge it", name), nil
	case fleet.Yields:
		return fmt.Sprintf("cluster %s has no room for it and tells it to yield", name), nil
	case fleet.Charged:
	}
	return "", nil
}
