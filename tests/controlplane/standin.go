package controlplane

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"
)

const (
	// standIn is the GatewayClass of the clusters' gateways. It says what it is.
	standIn           = "stand-in"
	standInController = "modelplane.ai/stand-in"

	reasonStandIn = "StandIn"
	standInSays   = "Accepted by the stand-in for a gateway: no request goes anywhere."
)

// A gateway stands in for the gateway of a cluster, where a fleet has no network
// of its own, and of the control plane, where it is Traefik's. It says what a gateway's
// controller says of Gateways, and of routes that attach to them, and does
// nothing else.
type gateway struct {
	*Server

	address string
}

// startGateway stands in for the gateway of a cluster until the fleet stops.
func (f *Fleet) startGateway(ctx context.Context, s *Server, address string) error {
	g := &gateway{Server: s, address: address}
	if err := f.watch(ctx, s, &gatewayv1.GatewayClass{}, g.classChanged); err != nil {
		return err
	}
	if err := f.watch(ctx, s, &gatewayv1.Gateway{}, g.gatewayChanged); err != nil {
		return err
	}
	return f.watch(ctx, s, &gatewayv1.HTTPRoute{}, g.routeChanged)
}

func ours(c *gatewayv1.GatewayClass) bool {
	return c.Spec.ControllerName == standInController || c.Spec.ControllerName == traefikController
}

func (g *gateway) classChanged(ctx context.Context, _ client.ObjectKey, o client.Object) error {
	c, ok := o.(*gatewayv1.GatewayClass)
	if !ok || !ours(c) {
		return nil
	}
	before := c.DeepCopy()
	accept(&c.Status.Conditions, c.GetGeneration(), string(gatewayv1.GatewayClassConditionStatusAccepted))
	return g.update(ctx, before, c)
}

func (g *gateway) gatewayChanged(ctx context.Context, _ client.ObjectKey, o client.Object) error {
	gw, ok := o.(*gatewayv1.Gateway)
	if !ok {
		return nil
	}
	class := &gatewayv1.GatewayClass{}
	if err := g.Client.Get(ctx, client.ObjectKey{Name: string(gw.Spec.GatewayClassName)}, class); err != nil {
		return fmt.Errorf("cannot read the class of a gateway: %w", err)
	}
	if !ours(class) {
		return nil
	}
	before := gw.DeepCopy()
	accept(&gw.Status.Conditions, gw.GetGeneration(), string(gatewayv1.GatewayConditionAccepted), string(gatewayv1.GatewayConditionProgrammed))
	gw.Status.Listeners = listeners(gw)
	gw.Status.Addresses = []gatewayv1.GatewayStatusAddress{{Type: new(gatewayv1.IPAddressType), Value: g.address}}
	return g.update(ctx, before, gw)
}

// listeners of a gateway, accepted.
func listeners(gw *gatewayv1.Gateway) []gatewayv1.ListenerStatus {
	was := map[gatewayv1.SectionName]gatewayv1.ListenerStatus{}
	for _, l := range gw.Status.Listeners {
		was[l.Name] = l
	}
	out := make([]gatewayv1.ListenerStatus, len(gw.Spec.Listeners))
	for i, l := range gw.Spec.Listeners {
		out[i] = gatewayv1.ListenerStatus{Name: l.Name, SupportedKinds: []gatewayv1.RouteGroupKind{}, Conditions: was[l.Name].Conditions}
		accept(&out[i].Conditions, gw.GetGeneration(), string(gatewayv1.ListenerConditionAccepted),
			string(gatewayv1.ListenerConditionResolvedRefs), string(gatewayv1.ListenerConditionProgrammed))
	}
	return out
}

func (g *gateway) routeChanged(ctx context.Context, _ client.ObjectKey, o client.Object) error {
	r, ok := o.(*gatewayv1.HTTPRoute)
	if !ok || r.GetDeletionTimestamp() != nil {
		return nil
	}
	before := r.DeepCopy()
	var parents []gatewayv1.RouteParentStatus
	for _, ref := range r.Spec.ParentRefs {
		p := gatewayv1.RouteParentStatus{ParentRef: ref, ControllerName: standInController}
		key := client.ObjectKey{Namespace: r.GetNamespace(), Name: string(ref.Name)}
		if ref.Namespace != nil {
			key.Namespace = string(*ref.Namespace)
		}
		if err := g.Client.Get(ctx, key, &gatewayv1.Gateway{}); err != nil {
			return fmt.Errorf("cannot read the gateway of a route: %w", err)
		}
		for _, was := range before.Status.Parents {
			if equality.Semantic.DeepEqual(was.ParentRef, ref) {
				p.Conditions = was.DeepCopy().Conditions
			}
		}
		accept(&p.Conditions, r.GetGeneration(), string(gatewayv1.RouteConditionAccepted), string(gatewayv1.RouteConditionResolvedRefs))
		parents = append(parents, p)
	}
	r.Status.Parents = parents
	return g.update(ctx, before, r)
}

// update the status of an object, if it has changed.
func (g *gateway) update(ctx context.Context, before, o client.Object) error {
	if equality.Semantic.DeepEqual(before, o) {
		return nil
	}
	if err := g.Client.Status().Update(ctx, o); err != nil {
		return fmt.Errorf("cannot accept %s: %w", o.GetName(), err)
	}
	return nil
}

// accept something: set conditions of it to True.
func accept(conditions *[]metav1.Condition, generation int64, types ...string) {
	for _, t := range types {
		meta.SetStatusCondition(conditions, metav1.Condition{
			Type:               t,
			Status:             metav1.ConditionTrue,
			Reason:             reasonStandIn,
			Message:            standInSays,
			ObservedGeneration: generation,
		})
	}
}
