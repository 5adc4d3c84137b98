package main

import (
	"cmp"
	"slices"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/modelplane-go/modelplane/functions/internal/routing"
	"github.com/modelplane-go/modelplane/schemas/modelplane/v1alpha1"
)

// A choice is what the service selects, and where its requests go.
type choice struct {
	endpoints []v1alpha1.ServiceEndpoint // Every one selected, sorted by name.
	backends  []routing.Backend          // Those that get requests.
	waiting   []string                   // Those that are not ready, sorted.
	standby   []string                   // Those that are ready and of a later tier, sorted.
	left      int                        // How many of the tier get no requests for want of room.
	tier      int32                      // The priority of the groups that serve.
}

// choose which endpoints get which share of the service's requests.
func choose(groups []group, all []v1alpha1.ModelEndpoint) choice {
	all = slices.SortedFunc(slices.Values(all), func(a, b v1alpha1.ModelEndpoint) int { return cmp.Compare(a.GetName(), b.GetName()) })

	out := choice{}
	ready := make([][]routing.Backend, len(groups))
	for _, e := range all {
		i := belongs(groups, e.GetLabels())
		if i < 0 {
			continue
		}
		b, ok := backend(e)
		if !ok {
			out.waiting = append(out.waiting, e.GetName())
			out.endpoints = append(out.endpoints, v1alpha1.ServiceEndpoint{Name: e.GetName()})
			continue
		}
		ready[i] = append(ready[i], b)
	}

	out.tier = first(groups, ready)
	for i, share := range routing.Split(out.shares(groups, ready)) {
		out.route(groups[i], ready[i], share)
	}
	slices.Sort(out.standby)
	slices.SortFunc(out.endpoints, func(a, b v1alpha1.ServiceEndpoint) int { return cmp.Compare(a.Name, b.Name) })
	return out
}

// first is the lowest priority number of a group that has a ready endpoint.
func first(groups []group, ready [][]routing.Backend) int32 {
	tiers := []int32{}
	for i, g := range groups {
		if len(ready[i]) > 0 {
			tiers = append(tiers, g.priority)
		}
	}
	if len(tiers) == 0 {
		return 0
	}
	return slices.Min(tiers)
}

// route requests to the endpoints of a group, as many as there is room for.
func (c *choice) route(g group, ready []routing.Backend, share routing.Share) {
	for i, b := range ready {
		switch {
		case g.priority != c.tier:
			c.standby = append(c.standby, b.Endpoint)
		case i >= share.Routed:
			c.left++
		default:
			b.Weight = share.Weight
			c.backends = append(c.backends, b)
		}
		c.endpoints = append(c.endpoints, v1alpha1.ServiceEndpoint{Name: b.Endpoint, Weight: b.Weight, Ready: true})
	}
}

// shares of the groups. One of a later tier has none.
func (c *choice) shares(groups []group, ready [][]routing.Backend) []routing.Group {
	out := make([]routing.Group, len(groups))
	for i, g := range groups {
		out[i].Weight = g.weight
		if g.priority == c.tier {
			out[i].Endpoints = len(ready[i])
		}
	}
	return out
}

// belongs finds the first group that selects the labels, or -1.
func belongs(groups []group, set map[string]string) int {
	return slices.IndexFunc(groups, func(g group) bool { return g.selector.Matches(labels.Set(set)) })
}

// backend of an endpoint, if it is ready. One that is being deleted is not: what
// it leads to may go at any time.
func backend(e v1alpha1.ModelEndpoint) (routing.Backend, bool) {
	if e.GetDeletionTimestamp() != nil || !meta.IsStatusConditionTrue(e.Status.Conditions, "Ready") {
		return routing.Backend{}, false
	}
	target, err := routing.ParseTarget(e.Spec.URL)
	if err != nil {
		return routing.Backend{}, false
	}
	out := routing.Backend{Endpoint: e.GetName(), Target: target, Rewrite: e.Spec.RewritePath}
	if out.Rewrite == "" {
		out.Rewrite = target.Rewrite
	}
	if t := e.Spec.TLS; t != nil {
		out.TLS = &routing.TLS{ServerName: t.ServerName}
		if t.CAConfigMapRef != nil {
			out.TLS.CAConfigMap = t.CAConfigMapRef.Name
		}
	}
	if a := e.Spec.Auth; a != nil {
		out.Credential = &routing.Credential{Secret: a.SecretRef.Name, Key: a.SecretRef.Key, Header: a.Header}
	}
	return out, true
}
