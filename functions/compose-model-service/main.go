// Command compose-model-service is the composition function of ModelService: one
// HTTPRoute on the control plane's gateway, over the ModelEndpoints that the
// service selects in its own namespace, and all that the route refers to.
//
// It reads all endpoints of the namespace and selects among them itself, because
// Crossplane's selectors know equality only. An endpoint that several groups
// select belongs to the first of them. Requests go to those that are ready, of the
// first tier that has any, and the weight of a group is split over them exactly:
// see package routing.
//
// What a route refers to is made before the route is changed, and goes once the
// route that is observed refers to it no longer. The status says where that leads:
// a ModelDeployment lets go of no replica before.
//
// A service without ready endpoints keeps its route, which then answers that the
// service is unavailable. What was not read yet, and a selector that cannot be
// understood, leaves everything as it was. The gateway delays the first route,
// for the kinds may not exist before; from then on the route follows the
// endpoints whatever becomes of the gateway.
//
// Deliberately left out: choosing an endpoint by who calls, and asking endpoints
// whether they answer.
package main

import "github.com/modelplane-go/modelplane/functions/internal/xfn"

func main() { xfn.Main("compose-model-service", compose) }
