package main

import (
	"github.com/modelplane-go/modelplane/functions/internal/xfn"
	"github.com/modelplane-go/modelplane/schemas/modelplane/v1alpha1"
)

// compose a ModelDeployment: read it, its children and its clusters; decide what
// goes where, reading the whole fleet if something is to be placed; write it.
//
// A deployment that cannot be understood holds: a condition says why, and
// everything it has stays.
func compose(c *xfn.Call) error {
	in, err := read(c)
	if err != nil {
		return err
	}
	if refused := refuse(in); refused != nil {
		return write(c, in, hold(in, *refused))
	}

	d := decide(in, in.waiting)
	if len(d.kept()) < d.wanted {
		if err := in.readFleet(c); err != nil {
			return err
		}
		d = decide(in, in.waiting || in.fleet == xfn.Unresolved)
	}
	return write(c, in, d)
}

// hold keeps everything as it is.
func hold(in *input, why v1alpha1.Condition) decision {
	d := decision{wanted: in.replicasWanted(), scheduled: why, held: true}
	for _, r := range in.replicas {
		d.placements = append(d.placements, placement{id: r.id, replica: r})
	}
	d.progress = in.progress(d, "")
	return d
}
