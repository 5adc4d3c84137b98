// Command compose-model-deployment is the composition function of
// ModelDeployment: it runs the fleet scheduler, and composes a ModelReplica for
// every placement and a ModelEndpoint for every replica that is Ready.
//
// It reads clusters, not the fleet's replicas: each cluster keeps the ledger of
// what is charged to it. A settled deployment reads only the clusters its
// replicas are on; one with something to place reads all of them.
//
// A replica that stays is emitted as it is observed, but for what may change
// without disturbing what it runs. Only one whose turn it is in a rollout takes
// the deployment's engines.
package main

import "github.com/modelplane-go/modelplane/functions/internal/xfn"

func main() { xfn.Main("compose-model-deployment", compose) }
