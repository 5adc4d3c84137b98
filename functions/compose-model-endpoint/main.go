// Command compose-model-endpoint is the composition function of ModelEndpoint:
// it makes what a route can refer to of a URL, a Service that selects no pods and
// an EndpointSlice that leads to the URL's host.
//
// Both have names of their own making, so that neither waits for the other.
// They stand on the control plane, in the endpoint's namespace, where the routes
// of its ModelServices are.
//
// A URL that cannot be understood leaves what was made of the last one in place,
// and the endpoint not ready, so that services stop sending requests to it.
//
// Deliberately left out: asking the endpoint whether it answers, and credentials.
package main

import "github.com/modelplane-go/modelplane/functions/internal/xfn"

func main() { xfn.Main("compose-model-endpoint", compose) }
