package remote

// observed guards against judging a workload by the status of an older spec. A
// LeaderWorkerSet publishes observedGeneration from v0.9.
const observed = `has(object.status) && ` +
	`(!has(object.status.observedGeneration) || object.status.observedGeneration >= object.metadata.generation)`

// Queries that say a workload is ready.
const (
	// DeploymentReady does not use the condition Available: with one replica
	// and maxUnavailable 1 that is True of a Deployment without any pod.
	DeploymentReady = observed + ` && has(object.status.availableReplicas) && object.status.availableReplicas > 0`

	// LeaderWorkerSetReady counts whole groups.
	LeaderWorkerSetReady = observed + ` && has(object.status.readyReplicas) && object.status.readyReplicas > 0`

	// RouteReady says that a gateway has taken the route.
	RouteReady = `has(object.status) && has(object.status.parents) && ` +
		`object.status.parents.exists(p, has(p.conditions) && p.conditions.exists(c, c.type == "Accepted" && c.status == "True"))`
)
