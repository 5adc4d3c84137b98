package main

import (
	"cmp"
	"slices"
	"strings"

	"github.com/modelplane-go/modelplane/functions/internal/names"
	"github.com/modelplane-go/modelplane/functions/internal/routing"
	"github.com/modelplane-go/modelplane/functions/internal/xfn"
	"github.com/modelplane-go/modelplane/schemas/modelplane/v1alpha1"
)

// target is the service with a route that leads where it should.
func (in input) target(ch choice) routing.Service {
	return routing.Service{
		Namespace: in.service.GetNamespace(),
		Name:      in.service.GetName(),
		Listener:  in.listener(),
		Callers:   in.callers(),
		Backends:  ch.backends,
	}
}

// writeRoute and what it refers to: that first, and the route once it exists. What
// the route referred to so far goes once it does not any more, so that the
// gateway never looks for something that is not there.
func (in input) writeRoute(c *xfn.Call, s routing.Service) error {
	exist := true
	for _, p := range routing.Parts(s) {
		exist = exist && c.Exists(p.Key)
		if err := c.Desire(p.Key, p.Object, c.Exists(p.Key)); err != nil {
			return err
		}
	}
	if !exist {
		c.Keep(names.KeyServiceRoute)
	} else if err := c.Desire(names.KeyServiceRoute, routing.ServiceRoute(s), in.accepted); err != nil {
		return err
	}
	if !exist || len(in.astray(s)) > 0 {
		c.KeepAll(func(string) bool { return true })
		c.Await()
	}
	return nil
}

// astray is what the route refers to, and should not.
func (in input) astray(s routing.Service) []routing.Ref {
	wanted := routing.Refs(s)
	var out []routing.Ref
	for ref := range in.leads {
		if !slices.Contains(wanted, ref) {
			out = append(out, ref)
		}
	}
	return out
}

// trailing are the endpoints that the route still leads to, and should not.
func (in input) trailing(c *xfn.Call, s routing.Service) []v1alpha1.ServiceEndpoint {
	astray := in.astray(s)
	var out []v1alpha1.ServiceEndpoint
	for _, key := range c.Keys() {
		endpoint, ok := strings.CutPrefix(key, names.PrefixBackend)
		ref := routing.Ref{Name: names.Backend(s.Namespace, s.Name, endpoint)}
		if ok && slices.Contains(astray, ref) {
			out = append(out, v1alpha1.ServiceEndpoint{Name: endpoint, Weight: in.leads[ref]})
		}
	}
	return out
}

// statusEndpoints are those selected, with the weight that those have which
// the route still leads to, and the others it leads to.
func (in input) statusEndpoints(c *xfn.Call, s routing.Service, ch choice) []v1alpha1.ServiceEndpoint {
	out := slices.Clone(ch.endpoints)
	for _, e := range in.trailing(c, s) {
		i := slices.IndexFunc(out, func(o v1alpha1.ServiceEndpoint) bool { return o.Name == e.Name })
		if i < 0 {
			out = append(out, e)
			continue
		}
		out[i].Weight = e.Weight
	}
	slices.SortFunc(out, func(a, b v1alpha1.ServiceEndpoint) int { return cmp.Compare(a.Name, b.Name) })
	return out
}

// listener that requests come in by: that of the service's address.
func (in input) listener() string {
	if routing.Secure(address(in)) {
		return names.ListenerHTTPS
	}
	return names.ListenerHTTP
}

// callers says whether callers must say who they are: as soon as that is wanted,
// before it can be checked even. What a gateway that is gone wanted still holds.
func (in input) callers() bool {
	if in.gateway.State == xfn.Present {
		return in.gateway.Items[0].Spec.Authentication == v1alpha1.AuthenticationAPIKeys
	}
	_, asked := in.leads[routing.Ref{Middleware: true, Name: names.ServiceCallers(in.service.GetNamespace(), in.service.GetName())}]
	return asked
}
