// Command compose-model-endpoint is the composition function of ModelEndpoint: it
// says whether requests can be sent to one, and composes nothing.
//
// What stands for an endpoint in a route is made by the ModelServices that select
// it, each for itself: only they know when their route leads there no longer, so
// that an endpoint can be deleted at any time and no request finds half of it.
//
// Deliberately left out: asking the endpoint whether it answers, and reading the
// Secret it is called with, which only the gateway may.
package main

import "github.com/modelplane-go/modelplane/functions/internal/xfn"

func main() { xfn.Main("compose-model-endpoint", compose) }
