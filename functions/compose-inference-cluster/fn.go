package main

import (
	"github.com/modelplane-go/modelplane/functions/internal/fleet"
	"github.com/modelplane-go/modelplane/functions/internal/xfn"
)

// compose an InferenceCluster: read its classes and replicas, bring the ledger
// up to date, write how the cluster is reached and what it has.
//
// What was not read yet, and a class that is gone, leaves what was known in
// place.
func compose(c *xfn.Call) error {
	in, err := read(c)
	if err != nil {
		return err
	}
	return write(c, in, fleet.Keep(in.sources()))
}
