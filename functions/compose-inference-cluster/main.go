// Command compose-inference-cluster is the composition function of
// InferenceCluster: it makes the cluster reachable, and keeps the ledger of what
// its pools have and which replicas are charged for it.
//
// The cluster is the arbiter of its own capacity, as a kubelet is of its node's.
// What it publishes changes when a placement changes, and not with readiness or
// time, so that a busy cluster does not wake those who read it.
//
// Deliberately left out: making clusters. The one source is Existing; others
// come beside it.
package main

import "github.com/modelplane-go/modelplane/functions/internal/xfn"

func main() { xfn.Main("compose-inference-cluster", compose) }
