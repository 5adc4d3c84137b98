package v1alpha1

// Types of condition of an InferenceCluster. compose-inference-cluster sets all
// of them on every pass.
const (
	// TypeClusterReady says whether the cluster can be reached.
	TypeClusterReady ConditionType = "ClusterReady"
	// TypePoolsResolved says whether what the node pools have is known.
	TypePoolsResolved ConditionType = "PoolsResolved"
	// TypeCapacityCharged says whether the pools have what is charged to them.
	TypeCapacityCharged ConditionType = "CapacityCharged"
)

// Reasons of an InferenceCluster's conditions.
const (
	ReasonClusterRunning    ConditionReason = "ClusterRunning"
	ReasonConnecting        ConditionReason = "Connecting"
	ReasonUnreachable       ConditionReason = "Unreachable"
	ReasonPoolsResolved     ConditionReason = "PoolsResolved"
	ReasonWaitingForClasses ConditionReason = "WaitingForClasses"
	ReasonClassNotFound     ConditionReason = "ClassNotFound"
	ReasonWithinCapacity    ConditionReason = "WithinCapacity"
	ReasonOverCommitted     ConditionReason = "OverCommitted"
	ReasonWaitingForLedger  ConditionReason = "WaitingForReplicas"
)

// ClusterRunning says the control plane reaches the cluster.
func ClusterRunning() Condition {
	return isTrue(TypeClusterReady, ReasonClusterRunning, "")
}

// ClusterConnecting says the cluster has not been reached yet. It counts toward
// Ready.
func ClusterConnecting(message string) Condition {
	return isFalse(TypeClusterReady, ReasonConnecting, message)
}

// ClusterUnreachable says the last attempt to reach the cluster failed. Nothing
// is placed there until it succeeds, and nothing there is touched. It counts
// toward Ready.
func ClusterUnreachable(message string) Condition {
	return warn(isFalse(TypeClusterReady, ReasonUnreachable, message))
}

// PoolsResolved says every node pool's class is known.
func PoolsResolved() Condition {
	return isTrue(TypePoolsResolved, ReasonPoolsResolved, "")
}

// PoolsWaiting says classes were not read yet; what was known of their pools
// stands. It counts toward Ready.
func PoolsWaiting(message string) Condition {
	return isFalse(TypePoolsResolved, ReasonWaitingForClasses, message)
}

// PoolClassNotFound says a node pool names a class that does not exist. A pool
// that was known stays as it was. It counts toward Ready only where a pool was
// never known.
func PoolClassNotFound(message string) Condition {
	return warn(isFalse(TypePoolsResolved, ReasonClassNotFound, message))
}

// WithinCapacity says no pool is charged more than it has.
func WithinCapacity() Condition {
	return isTrue(TypeCapacityCharged, ReasonWithinCapacity, "")
}

// OverCommitted says a pool is charged more than it has, and who yields. It does
// not count toward Ready.
func OverCommitted(message string) Condition {
	return warn(isFalse(TypeCapacityCharged, ReasonOverCommitted, message))
}

// LedgerWaiting says the cluster's replicas were not read yet; what was charged
// stands. It does not count toward Ready.
func LedgerWaiting() Condition {
	return isFalse(TypeCapacityCharged, ReasonWaitingForLedger, "")
}
