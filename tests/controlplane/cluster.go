package controlplane

import (
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	"github.com/modelplane-go/modelplane/schemas/modelplane/v1alpha1"
)

// object is anything a client applies.
type object = client.Object

// A Cluster describes a cluster of the fleet.
type Cluster struct {
	Name   string
	Labels map[string]string
	Taints []v1alpha1.Taint
	Pools  []Pool
}

// A Pool is a number of like nodes of a cluster.
type Pool struct {
	Name  string
	Class *v1alpha1.InferenceClass
	Nodes int32
}

// InferenceClasses of the cluster's pools.
func (c Cluster) InferenceClasses() []*v1alpha1.InferenceClass {
	var out []*v1alpha1.InferenceClass
	seen := map[string]bool{}
	for _, p := range c.Pools {
		if !seen[p.Class.GetName()] {
			out = append(out, p.Class)
		}
		seen[p.Class.GetName()] = true
	}
	return out
}

// InferenceCluster the cluster is to the fleet. Its gateway is at the supplied
// address.
func (c Cluster) InferenceCluster(gateway string) *v1alpha1.InferenceCluster {
	out := &v1alpha1.InferenceCluster{
		TypeMeta:   metav1.TypeMeta{APIVersion: v1alpha1.GroupVersion.String(), Kind: v1alpha1.KindInferenceCluster},
		ObjectMeta: metav1.ObjectMeta{Name: c.Name, Labels: c.Labels},
		Spec: v1alpha1.InferenceClusterSpec{
			Cluster: v1alpha1.ClusterSource{
				Source: v1alpha1.SourceExisting,
				Existing: &v1alpha1.ExistingCluster{
					SecretRef: v1alpha1.KubeconfigSecretReference{Name: KubeconfigSecret(c.Name)},
					Gateway:   v1alpha1.ExistingGateway{Address: gateway},
				},
			},
			Taints: c.Taints,
		},
	}
	for _, p := range c.Pools {
		out.Spec.NodePools = append(out.Spec.NodePools, v1alpha1.NodePool{Name: p.Name, ClassName: p.Class.GetName(), NodeCount: &p.Nodes})
	}
	return out
}

// KubeconfigSecret is the name of the Secret in modelplane-system with which the
// control plane reaches a cluster.
func KubeconfigSecret(cluster string) string { return cluster + "-kubeconfig" }

// Clusters returns the clusters that InferenceClusters among some objects
// describe, with the InferenceClasses among them.
func Clusters(objects []client.Object) ([]Cluster, error) {
	classes := map[string]*v1alpha1.InferenceClass{}
	for _, o := range objects {
		c := &v1alpha1.InferenceClass{}
		if ok, err := as(o, v1alpha1.KindInferenceClass, c); err != nil {
			return nil, err
		} else if ok {
			classes[c.GetName()] = c
		}
	}

	var out []Cluster
	for _, o := range objects {
		ic := &v1alpha1.InferenceCluster{}
		if ok, err := as(o, v1alpha1.KindInferenceCluster, ic); err != nil {
			return nil, err
		} else if !ok {
			continue
		}
		c := Cluster{Name: ic.GetName(), Labels: ic.GetLabels(), Taints: ic.Spec.Taints}
		for _, p := range ic.Spec.NodePools {
			class, ok := classes[p.ClassName]
			if !ok {
				return nil, fmt.Errorf("cannot make pool %s of cluster %s: there is no InferenceClass %s", p.Name, c.Name, p.ClassName)
			}
			nodes := int32(1)
			if p.NodeCount != nil {
				nodes = *p.NodeCount
			}
			c.Pools = append(c.Pools, Pool{Name: p.Name, Class: class, Nodes: nodes})
		}
		out = append(out, c)
	}
	return out, nil
}

// as decodes an object of a kind of ours. It says whether it is one.
func as(o client.Object, kind string, into any) (bool, error) {
	u, ok := o.(*unstructured.Unstructured)
	if !ok || u.GetKind() != kind || u.GroupVersionKind().Group != v1alpha1.Group {
		return false, nil
	}
	j, err := u.MarshalJSON()
	if err != nil {
		return false, fmt.Errorf("cannot encode %s %s: %w", kind, u.GetName(), err)
	}
	if err := yaml.Unmarshal(j, into); err != nil {
		return false, fmt.Errorf("cannot decode %s %s: %w", kind, u.GetName(), err)
	}
	return true, nil
}
