// Package routing builds the Kubernetes and Gateway API objects that carry a
// request from a ModelService's address to an engine, and splits the service's
// traffic over its endpoints.
//
// There are two hops, and a path is the contract of each:
//
//	/<namespace>/<service>/…   at the control plane's gateway
//	/<namespace>/<replica>/…   between it and a cluster's gateway
//	/…                         at the engine
//
// Each hop takes the prefix it matched off the path and puts its own in its
// place, so an engine sees the paths of the OpenAI API and nothing else. A
// request may take as long as it takes: generation has no bound, and the 15
// seconds that are the default of some gateways cut its stream.
//
// Traffic is split by weight. A group of endpoints has a weight, all endpoints
// of a group share it exactly alike, and Split finds the whole numbers that say
// so. The Gateway API has room for MaxBackends endpoints in a rule.
//
// At the first hop every endpoint needs a rewrite of its own, which is a filter
// of a backend. Traefik honours those from v3.7. It ignores the timeout, and has
// none of its own; other gateways need it.
//
// What a service's route refers to belongs to the service: a Service and a slice
// for each endpoint, a policy of how it is verified, and Traefik's Middlewares,
// which send a request again that nobody answered, and ask the authorizer beside
// the gateway who calls and what to call an endpoint with. Traefik fails requests
// whose route refers to what is not there, so Parts come before the route and,
// by Refs and Leads, go after it.
//
// The package is pure: it takes and returns plain values and apply
// configurations, which hold the fields it means and no others. Deliberately
// left out: which endpoints are ready, and the InferencePools of replicas with
// more than one serving pod.
package routing
