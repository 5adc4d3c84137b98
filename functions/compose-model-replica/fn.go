package main

import (
	"github.com/modelplane-go/modelplane/functions/internal/xfn"
	"github.com/modelplane-go/modelplane/schemas/modelplane/v1alpha1"
)

// compose a ModelReplica: read it, build its manifests, write them as Objects.
//
// A replica starts once its cluster has charged it: several deployments may have
// seen the same room, and the cluster's ledger says who has it. So nothing of a
// replica that has to yield is ever on its cluster.
//
// A replica that cannot be built as its spec says is refused by a condition, and
// what it runs already goes on running.
func compose(c *xfn.Call) error {
	xr := &v1alpha1.ModelReplica{}
	if err := c.Composite(xr); err != nil {
		return err
	}

	if why := refuse(xr); why != "" {
		c.SetConditions(v1alpha1.ModelRefused(why), v1alpha1.ModelWaiting())
		return nil
	}

	if why, err := pending(c, xr); err != nil || why != "" {
		c.SetConditions(v1alpha1.ModelPending(why), v1alpha1.ModelWaiting())
		return err
	}

	manifests, err := build(xr)
	if err != nil {
		return err
	}
	return write(c, xr, manifests)
}
