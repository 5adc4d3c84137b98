// Command compose-inference-gateway is the composition function of
// InferenceGateway: it installs Traefik on the control plane and gives it one
// Gateway, which the routes of all ModelServices attach to.
//
// The CRDs of the Gateway API come with the Traefik chart, in its directory crds.
// Helm installs those that do not exist, and neither changes nor deletes them
// afterwards, so that a control plane that has them keeps its own, and deleting
// the InferenceGateway takes nobody's routes away. GatewayClass and Gateway are
// made once the chart is installed, because before that their kinds may not
// exist. From then on they stay, whatever becomes of the chart.
//
// An address that was known once stays in the status while the gateway has none.
// With a certificate it becomes one of HTTPS as soon as Traefik serves that, and
// HTTP is redirected from then on.
//
// Beside Traefik, in the same pods, runs the authorizer: this same program, told
// so by its argument authorize. Traefik asks it who calls and what to call an
// endpoint with; see package authorizer.
//
// Deliberately left out: making certificates and DNS records, and load balancers
// for clusters without one.
package main

import (
	"github.com/modelplane-go/modelplane/functions/internal/names"
	"github.com/modelplane-go/modelplane/functions/internal/xfn"
)

func main() {
	xfn.Main("compose-inference-gateway", compose, xfn.Command{
		Name: names.AuthorizerCommand,
		Help: "Answer Traefik who calls, and what to call an endpoint with.",
		Run:  &authorize{},
	})
}
