// Package workload turns an engine of a ModelReplica into the objects that run it
// on its cluster: a Deployment for a Standalone engine, a LeaderWorkerSet for a
// gang, and a ResourceClaimTemplate for each member that claims devices.
//
// Everything is built with apply configurations, so that what is emitted is
// exactly what was meant. One function builds every pod; what a role adds to it
// is data.
//
// A pod is what its template says, plus where it runs (the pool's nodes, the
// devices it claims), plus the names a gang finds itself by. Where a template
// says nothing, a serving pod gets what an OpenAI-compatible engine needs on
// Kubernetes: port 8000, a readiness probe on /health, and memory at /dev/shm.
// Engine flags are never added, removed or read.
//
// Pods pack on their nodes as the fleet scheduler's ledger has them. A pod that
// leaves devices on its node prefers a node that is shared already, so that whole
// nodes stay free for pods that need them; and of a gang, the pods of one group
// that claim devices are on distinct nodes, while groups may share them.
//
// A replica may have copies of its own of the Secrets its templates refer to. Its
// pods then refer to the copies, so that they come and go with one owner, and two
// replicas share none. What a Secret holds is never known here.
//
// Two choices that are not defaults of Kubernetes: a Deployment never surges,
// because the devices a new pod would need are held by the old one; and a claim
// template's name carries a hash of what it says, because it cannot be changed.
//
// Deliberately left out: routing (package routing), how readiness is told and how
// objects reach their cluster (package remote).
package workload
