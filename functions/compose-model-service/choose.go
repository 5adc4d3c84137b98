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
	left      int                        // How many are ready and get no requests.
}

// choose which endpoints get which share of the service's requests.
func choose(groups []group, all []v1alpha1.ModelEndpoint) choice {
	all = slices.SortedFunc(slices.Values(all), func(a, b v1alpha1.ModelEndpoint) int { return cmp.Compare(a.GetName(), b.GetName()) })

	out := choice{}
	ready := make([][]routed, len(groups))
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
		ready[i] = append(ready[i], routed{endpoint: e.GetName(), Backend: b})
	}

	for i, share := range routing.Split(shares(groups, ready)) {
		out.route(ready[i], share)
	}
	slices.SortFunc(out.endpoints, func(a, b v1alpha1.ServiceEndpoint) int { return cmp.Compare(a.Name, b.Name) })
	return out
}

// A routed endpoint is one that may get requests.
type routed struct {
	routing.Backend

	endpoint string
}

// route requests to the endpoints of a group, as many as there is room for.
func (c *choice) route(group []routed, share routing.Share) {
	for i, r := range group {
		if i >= share.Routed {
			c.left++
			c.endpoints = append(c.endpoints, v1alpha1.ServiceEndpoint{Name: r.endpoint})
			continue
		}
		r.Weight = share.Weight
		c.backends = append(c.backends, r.Backend)
		c.endpoints = append(c.endpoints, v1alpha1.ServiceEndpoint{Name: r.endpoint, Weight: share.Weight, Ready: true})
	}
}

func shares(groups []group, ready [][]routed) []routing.Group {
	out := make([]routing.Group, len(groups))
	for i, g := range groups {
		out[i] = routing.Group{Weight: g.weight, Endpoints: len(ready[i])}
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
	r := e.Status.Routing
	if r == nil || e.GetDeletionTimestamp() != nil || !meta.IsStatusConditionTrue(e.Status.Conditions, "Ready") {
		return routing.Backend{}, false
	}
	target, err := routing.ParseTarget(e.Spec.URL)
	if err != nil {
		return routing.Backend{}, false
	}
	path := e.Spec.RewritePath
	if path == "" {
		path = target.Rewrite
	}
	return routing.Backend{Service: r.BackendName, Port: r.Port, Rewrite: path, Hostname: target.Hostname()}, true
}
