package v1alpha1

// Types of condition of a ModelReplica. compose-model-replica sets both on
// every pass.
const (
	// TypeModelAccepted says whether the cluster has taken the replica's
	// workloads.
	TypeModelAccepted ConditionType = "ModelAccepted"
	// TypeModelReady says whether the replica serves.
	TypeModelReady ConditionType = "ModelReady"
)

// Reasons of a ModelReplica's conditions.
const (
	ReasonAccepted        ConditionReason = "Accepted"
	ReasonPending         ConditionReason = "Pending"
	ReasonDeploying       ConditionReason = "Deploying"
	ReasonRefused         ConditionReason = "Refused"
	ReasonServing         ConditionReason = "Serving"
	ReasonModelStarting   ConditionReason = "ModelStarting"
	ReasonWaitingForModel ConditionReason = "WaitingForModel"
)

// ModelAccepted says the cluster has every workload of the replica as it should
// be.
func ModelAccepted() Condition {
	return isTrue(TypeModelAccepted, ReasonAccepted, "")
}

// ModelPending says the replica's cluster has not charged it to its pools yet, or
// tells it to yield. Nothing of it is on the cluster. It counts toward Ready.
func ModelPending(message string) Condition {
	return isFalse(TypeModelAccepted, ReasonPending, message)
}

// ModelDeploying says some workload is not on the cluster yet, or not as it
// should be. It counts toward Ready.
func ModelDeploying(message string) Condition {
	return isFalse(TypeModelAccepted, ReasonDeploying, message)
}

// ModelRefused says the replica cannot be built as its spec says. What it runs
// already goes on running. It counts toward Ready.
func ModelRefused(message string) Condition {
	return warn(isFalse(TypeModelAccepted, ReasonRefused, message))
}

// ModelServing says every engine of the replica has a copy that serves, and the
// cluster's gateway routes to them.
func ModelServing() Condition {
	return isTrue(TypeModelReady, ReasonServing, "")
}

// ModelStarting says the workloads are on the cluster and some engine does not
// serve yet. It counts toward Ready.
func ModelStarting(message string) Condition {
	return isFalse(TypeModelReady, ReasonModelStarting, message)
}

// ModelWaiting says nothing can serve before the cluster has the workloads. It
// counts toward Ready.
func ModelWaiting() Condition {
	return isFalse(TypeModelReady, ReasonWaitingForModel, "")
}
