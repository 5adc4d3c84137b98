package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/labels"

	"github.com/modelplane-go/modelplane/functions/internal/fleet"
	"github.com/modelplane-go/modelplane/functions/internal/labelselector"
	"github.com/modelplane-go/modelplane/functions/internal/names"
	"github.com/modelplane-go/modelplane/functions/internal/xfn"
	"github.com/modelplane-go/modelplane/schemas/modelplane/v1alpha1"
)

// An input is everything the function read.
type input struct {
	deployment *v1alpha1.ModelDeployment
	revision   string
	replicas   []*replica // Observed, by key.
	now        time.Time

	selector    labels.Selector
	selectorErr error

	services xfn.Answer[v1alpha1.ModelService] // Of the namespace.

	clusters map[string]*v1alpha1.InferenceCluster // Those that were read and exist.
	waiting  bool                                  // Some cluster was not read yet.

	widened bool      // The whole fleet is asked for.
	fleet   xfn.State // Of all clusters.
}

// A replica is an observed ModelReplica.
type replica struct {
	*v1alpha1.ModelReplica

	id names.Replica

	ready   bool // It can serve.
	serves  bool // Requests are meant to reach it.
	reached bool // Requests may be on their way to it.
	settled bool // Its cluster runs all of it as it should be.
}

func read(c *xfn.Call) (*input, error) {
	in := &input{deployment: &v1alpha1.ModelDeployment{}, clusters: map[string]*v1alpha1.InferenceCluster{}, now: c.Now()}
	if err := c.Composite(in.deployment); err != nil {
		return nil, err
	}
	in.selector, in.selectorErr = labelselector.New(in.deployment.Spec.ClusterSelector)

	revision, err := revision(in.deployment.Spec)
	if err != nil {
		return nil, err
	}
	in.revision = revision

	if in.services, err = xfn.Require[v1alpha1.ModelService](c, "services", xfn.Selector{
		APIVersion: v1alpha1.GroupVersion.String(),
		Kind:       v1alpha1.KindModelService,
		Namespace:  in.deployment.GetNamespace(),
	}); err != nil {
		return nil, err
	}
	if err := in.readReplicas(c); err != nil {
		return nil, err
	}
	return in, in.readOwnClusters(c)
}

// revision identifies what of a spec a replica runs. What only labels a replica,
// or says where and how many there are, is not part of it. Secrets where they are
// by default leave a revision as it was before there was a choice.
func revision(s v1alpha1.ModelDeploymentSpec) (string, error) {
	secrets := s.Secrets
	if secrets == v1alpha1.SecretsExisting {
		secrets = ""
	}
	j, err := json.Marshal(struct {
		Serving *v1alpha1.Serving    `json:"serving,omitempty"`
		Secrets v1alpha1.SecretsMode `json:"secrets,omitempty"`
		Engines []v1alpha1.Engine    `json:"engines"`
	}{s.Serving, secrets, s.Engines})
	if err != nil {
		return "", fmt.Errorf("cannot encode spec.engines: %w", err)
	}
	return names.Hash(string(j)), nil
}

func (in *input) readReplicas(c *xfn.Call) error {
	for _, key := range c.Keys() {
		if !strings.HasPrefix(key, names.PrefixReplica) {
			continue
		}
		mr := &v1alpha1.ModelReplica{}
		if _, err := c.Observed(key, mr); err != nil {
			return err
		}
		// The key was made of the cluster and the index, so what follows the
		// cluster's name is the index.
		index, err := strconv.Atoi(strings.TrimPrefix(key, names.PrefixReplica+mr.Spec.ClusterName+"-"))
		if err != nil {
			return fmt.Errorf("composed resource %q is a ModelReplica on cluster %q, which its key does not say", key, mr.Spec.ClusterName)
		}
		id := in.identity(mr.Spec.ClusterName, index)
		// One that is being deleted may stop at any time.
		ready := c.Ready(key) && mr.GetDeletionTimestamp() == nil
		in.replicas = append(in.replicas, &replica{
			ModelReplica: mr,
			id:           id,
			ready:        ready,
			serves:       ready && c.Exists(id.EndpointKey()),
			reached:      c.Exists(id.EndpointKey()) || len(in.routedBy(mr.GetName())) > 0,
			settled:      ready && mr.Status.Revision != "" && mr.Status.Revision == mr.GetLabels()[names.LabelRevision],
		})
	}
	return nil
}

// routedBy names the ModelServices whose routes lead to an endpoint. While they
// were not read any of them may.
func (in *input) routedBy(endpoint string) []string {
	if in.services.State == xfn.Unresolved {
		return []string{"any ModelService"}
	}
	var out []string
	for _, s := range in.services.Items {
		leads := func(e v1alpha1.ServiceEndpoint) bool { return e.Name == endpoint && e.Weight > 0 }
		if slices.ContainsFunc(s.Status.Endpoints, leads) {
			out = append(out, "ModelService "+s.GetName())
		}
	}
	return out
}

func (in *input) identity(cluster string, index int) names.Replica {
	return names.Replica{
		Namespace:  in.deployment.GetNamespace(),
		Deployment: in.deployment.GetName(),
		Cluster:    cluster,
		Index:      index,
	}
}

// readOwnClusters reads the clusters that replicas are on, each by its name.
func (in *input) readOwnClusters(c *xfn.Call) error {
	for _, r := range in.replicas {
		name := r.Spec.ClusterName
		a, err := xfn.Require[v1alpha1.InferenceCluster](c, "cluster-"+name, clusters(name))
		if err != nil {
			return err
		}
		in.waiting = in.waiting || a.State == xfn.Unresolved
		in.take(a.Items)
	}
	return nil
}

// readFleet reads all clusters.
func (in *input) readFleet(c *xfn.Call) error {
	a, err := xfn.Require[v1alpha1.InferenceCluster](c, "clusters", clusters(""))
	if err != nil {
		return err
	}
	in.widened = true
	in.fleet = a.State
	in.take(a.Items)
	return nil
}

func (in *input) take(items []v1alpha1.InferenceCluster) {
	for i := range items {
		in.clusters[items[i].GetName()] = &items[i]
	}
}

// clusters selects one cluster, or all of them.
func clusters(name string) xfn.Selector {
	return xfn.Selector{
		APIVersion: v1alpha1.GroupVersion.String(),
		Kind:       v1alpha1.KindInferenceCluster,
		Name:       name,
	}
}

func (in *input) replicasWanted() int { return fleet.ReplicasWanted(in.deployment) }
