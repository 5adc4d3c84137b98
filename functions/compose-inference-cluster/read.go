package main

import (
	"slices"

	"github.com/modelplane-go/modelplane/functions/internal/fleet"
	"github.com/modelplane-go/modelplane/functions/internal/names"
	"github.com/modelplane-go/modelplane/functions/internal/xfn"
	"github.com/modelplane-go/modelplane/schemas/modelplane/v1alpha1"
	remotev1 "github.com/modelplane-go/modelplane/schemas/remote"
)

// An input is everything the function read.
type input struct {
	cluster  *v1alpha1.InferenceCluster
	classes  map[string]*v1alpha1.InferenceClass // By name. Those that were not read yet are not there, those that do not exist are nil.
	replicas xfn.Answer[fleet.Replica]

	// users of the provider config: the connection, and the Objects of replicas,
	// which outlive these. 0 if that is not known.
	users int64
}

func read(c *xfn.Call) (input, error) {
	in := input{cluster: &v1alpha1.InferenceCluster{}, classes: map[string]*v1alpha1.InferenceClass{}}
	if err := c.Composite(in.cluster); err != nil {
		return input{}, err
	}

	config := &remotev1.ClusterProviderConfig{}
	if _, err := c.Observed(names.KeyProviderConfig, config); err != nil {
		return input{}, err
	}
	if config.Status != nil {
		in.users = config.Status.Users
	}

	for _, name := range classNames(in.cluster.Spec.NodePools) {
		a, err := xfn.Require[v1alpha1.InferenceClass](c, "class-"+name, xfn.Selector{
			APIVersion: v1alpha1.GroupVersion.String(),
			Kind:       v1alpha1.KindInferenceClass,
			Name:       name,
		})
		if err != nil {
			return input{}, err
		}
		switch a.State {
		case xfn.Present:
			in.classes[name] = &a.Items[0]
		case xfn.Absent:
			in.classes[name] = nil
		case xfn.Unresolved:
		}
	}

	a, err := xfn.Require[fleet.Replica](c, "replicas", xfn.Selector{
		APIVersion: v1alpha1.GroupVersion.String(),
		Kind:       v1alpha1.KindModelReplica,
		Labels:     map[string]string{names.LabelCluster: in.cluster.GetName()},
	})
	in.replicas = a
	return in, err
}

// classNames of the pools, each once, sorted.
func classNames(pools []v1alpha1.NodePool) []string {
	out := make([]string, 0, len(pools))
	for _, p := range pools {
		out = append(out, p.ClassName)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// sources of the cluster's ledger.
func (in input) sources() fleet.Sources {
	return fleet.Sources{
		Cluster:  in.cluster,
		Classes:  in.classes,
		Replicas: in.replicas.Items,
		Unread:   in.replicas.State == xfn.Unresolved,
	}
}
