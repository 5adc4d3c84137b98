package main

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/modelplane-go/modelplane/functions/internal/names"
	"github.com/modelplane-go/modelplane/functions/internal/xfn"
	"github.com/modelplane-go/modelplane/schemas/modelplane/v1alpha1"
)

// An input is everything the function read.
type input struct {
	cluster  *v1alpha1.InferenceCluster
	classes  map[string]xfn.Answer[v1alpha1.InferenceClass] // By name.
	replicas xfn.Answer[replica]
}

// A replica is the part of a ModelReplica that says what it takes. Templates are
// passed over: they are most of a replica, and charge for nothing.
type replica struct {
	metav1.ObjectMeta `json:"metadata"`

	Spec struct {
		Priority int32 `json:"priority"`
		Engines  []struct {
			Copies  int32 `json:"copies"`
			Members []struct {
				Worker         *v1alpha1.Worker `json:"worker"`
				NodePoolName   string           `json:"nodePoolName"`
				DeviceRequests []struct{}       `json:"deviceRequests"`
			} `json:"members"`
		} `json:"engines"`
	} `json:"spec"`

	Status struct {
		Conditions []metav1.Condition `json:"conditions"`
	} `json:"status"`
}

func read(c *xfn.Call) (input, error) {
	in := input{cluster: &v1alpha1.InferenceCluster{}, classes: map[string]xfn.Answer[v1alpha1.InferenceClass]{}}
	if err := c.Composite(in.cluster); err != nil {
		return input{}, err
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
		in.classes[name] = a
	}

	a, err := xfn.Require[replica](c, "replicas", xfn.Selector{
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
