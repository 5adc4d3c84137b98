package v1alpha1

// Types of condition of a ModelDeployment. compose-model-deployment sets all of
// them on every pass.
const (
	// TypeReplicasScheduled says whether every wanted replica has a place.
	TypeReplicasScheduled ConditionType = "ReplicasScheduled"
	// TypeReplicasReady says whether every wanted replica serves.
	TypeReplicasReady ConditionType = "ReplicasReady"
	// TypeProgressing says how far a change of the spec is.
	TypeProgressing ConditionType = "Progressing"
	// TypePlacementsCurrent says whether every replica would be placed where it
	// is, were it placed today.
	TypePlacementsCurrent ConditionType = "PlacementsCurrent"
)

// Reasons of a ModelDeployment's conditions.
const (
	ReasonAllReplicasScheduled ConditionReason = "AllReplicasScheduled"
	ReasonScheduling           ConditionReason = "Scheduling"
	ReasonNoClusters           ConditionReason = "NoClusters"
	ReasonInsufficientCapacity ConditionReason = "InsufficientCapacity"
	ReasonInvalidNodeSelector  ConditionReason = "InvalidNodeSelector"
	ReasonInvalidSelector      ConditionReason = "InvalidClusterSelector"
	ReasonInvalidEngines       ConditionReason = "InvalidEngines"
	ReasonNamespaceReserved    ConditionReason = "NamespaceReserved"
	ReasonAllReplicasReady     ConditionReason = "AllReplicasReady"
	ReasonScaledToZero         ConditionReason = "ScaledToZero"
	ReasonNoReplicasScheduled  ConditionReason = "NoReplicasScheduled"
	ReasonReplicasStarting     ConditionReason = "ModelStarting"
	ReasonUpToDate             ConditionReason = "UpToDate"
	ReasonRollingOut           ConditionReason = "RollingOut"
	ReasonHeld                 ConditionReason = "Held"
	ReasonPlacementsMatch      ConditionReason = "PlacementsMatch"
	ReasonDrifted              ConditionReason = "Drifted"
)

// ReplicasScheduled says all wanted replicas have a place.
func ReplicasScheduled(message string) Condition {
	return isTrue(TypeReplicasScheduled, ReasonAllReplicasScheduled, message)
}

// ReplicasScheduling says the fleet was not read yet. Nothing was decided. It
// counts toward Ready.
func ReplicasScheduling() Condition {
	return isFalse(TypeReplicasScheduled, ReasonScheduling, "waiting to read the fleet")
}

// ReplicasWithoutClusters says there is no InferenceCluster at all. It counts
// toward Ready.
func ReplicasWithoutClusters(message string) Condition {
	return warn(isFalse(TypeReplicasScheduled, ReasonNoClusters, message))
}

// ReplicasNotScheduled says fewer replicas than wanted have a place, and why
// each cluster cannot host another. It counts toward Ready.
func ReplicasNotScheduled(message string) Condition {
	return warn(isFalse(TypeReplicasScheduled, ReasonInsufficientCapacity, message))
}

// NodeSelectorInvalid says a device selector does not compile. Nothing is placed
// and nothing is dropped until it does. It counts toward Ready.
func NodeSelectorInvalid(message string) Condition {
	return warn(isFalse(TypeReplicasScheduled, ReasonInvalidNodeSelector, message))
}

// ClusterSelectorInvalid says the clusterSelector cannot be understood. Nothing
// is placed and nothing is dropped until it can. It counts toward Ready.
func ClusterSelectorInvalid(message string) Condition {
	return warn(isFalse(TypeReplicasScheduled, ReasonInvalidSelector, message))
}

// EnginesInvalid says the engines cannot be built as they are. Nothing is placed
// and nothing is dropped until they can. It counts toward Ready.
func EnginesInvalid(message string) Condition {
	return warn(isFalse(TypeReplicasScheduled, ReasonInvalidEngines, message))
}

// NamespaceReserved says models may not run in the deployment's namespace. It
// counts toward Ready.
func NamespaceReserved(message string) Condition {
	return warn(isFalse(TypeReplicasScheduled, ReasonNamespaceReserved, message))
}

// ReplicasReady says all wanted replicas serve.
func ReplicasReady(message string) Condition {
	return isTrue(TypeReplicasReady, ReasonAllReplicasReady, message)
}

// ReplicasScaledToZero says no replica is wanted, and none is left.
func ReplicasScaledToZero() Condition {
	return isTrue(TypeReplicasReady, ReasonScaledToZero, "no replica is wanted")
}

// ReplicasUnscheduled says no replica has a place, so none can serve. It counts
// toward Ready.
func ReplicasUnscheduled() Condition {
	return isFalse(TypeReplicasReady, ReasonNoReplicasScheduled, "")
}

// ReplicasStarting says some wanted replica does not serve. It counts toward
// Ready.
func ReplicasStarting(message string) Condition {
	return isFalse(TypeReplicasReady, ReasonReplicasStarting, message)
}

// UpToDate says every replica runs the deployment's spec.
func UpToDate(message string) Condition {
	return isTrue(TypeProgressing, ReasonUpToDate, message)
}

// RollingOut says some replicas run an older spec, how many do not, and what the
// rollout waits for. It does not count toward Ready.
func RollingOut(message string) Condition {
	return isTrue(TypeProgressing, ReasonRollingOut, message)
}

// RolloutHeld says nothing may change until another condition is resolved. It
// does not count toward Ready.
func RolloutHeld(message string) Condition {
	return isFalse(TypeProgressing, ReasonHeld, message)
}

// PlacementsMatch says every replica would be placed where it is.
func PlacementsMatch() Condition {
	return isTrue(TypePlacementsCurrent, ReasonPlacementsMatch, "")
}

// PlacementsDrifted says which replicas would not be placed where they are, and
// why. They stay. It does not count toward Ready.
func PlacementsDrifted(message string) Condition {
	return warn(isFalse(TypePlacementsCurrent, ReasonDrifted, message))
}

// Reasons of a ModelDeployment's events.
const (
	ReasonReplicasPlaced  ConditionReason = "ReplicasPlaced"
	ReasonReplicasRemoved ConditionReason = "ReplicasRemoved"
	ReasonReplicasLost    ConditionReason = "ReplicasLost"
)

// ReplicasPlaced says which replicas are new, and where.
func ReplicasPlaced(message string) Event {
	return Event{Reason: ReasonReplicasPlaced, Message: message}
}

// ReplicasRemoved says which replicas are no longer wanted.
func ReplicasRemoved(message string) Event {
	return Event{Reason: ReasonReplicasRemoved, Message: message}
}

// ReplicasLost says which replicas lost their place though they are wanted, and
// why.
func ReplicasLost(message string) Event {
	return Event{Reason: ReasonReplicasLost, Message: message, Warning: true}
}
