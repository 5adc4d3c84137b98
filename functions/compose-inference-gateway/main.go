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
//
// Deliberately left out: TLS, and load balancers for clusters without one.
package main

import "github.com/modelplane-go/modelplane/functions/internal/xfn"

func main() { xfn.Main("compose-inference-gateway", compose) }
