// Command compose-model-replica is the composition function of ModelReplica: it
// emits one replica's workloads, Service and route onto the cluster the replica
// was placed on.
//
// A ModelReplica carries all its function needs, so nothing is required: a busy
// cluster never wakes its replicas, and a replica renders alone.
package main

import "github.com/modelplane-go/modelplane/functions/internal/xfn"

func main() { xfn.Main("compose-model-replica", compose) }
