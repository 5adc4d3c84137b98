// Package fleet says in the scheduler's terms what the API's objects say: a
// ModelDeployment, an InferenceCluster, what a ModelReplica takes. Whoever asks
// the scheduler goes through it, so that two functions and a person planning
// from files never read the same objects in two ways.
//
// It also keeps the ledger of a cluster: what its pools have, by their classes,
// what is charged to them, by the replicas that name the cluster, and who must
// yield where that is too much. The ledger is what a cluster publishes in its
// status, and all that deployments know of each other. It changes when a
// placement changes, and not with readiness or time; what is not known now stays
// in it as it was known last.
//
// Deliberately left out: any opinion on what fits, which is package scheduling's,
// and how objects are read, which is the caller's.
package fleet
