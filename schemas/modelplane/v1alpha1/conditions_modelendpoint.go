package v1alpha1

// TypeRoutingReady is the type of condition of a ModelEndpoint and of a
// ModelService that says whether requests can be routed to it. Each one's
// function sets it on every pass.
const TypeRoutingReady ConditionType = "RoutingReady"

// Reasons of a ModelEndpoint's condition.
const (
	ReasonBackendConfigured ConditionReason = "BackendConfigured"
	ReasonWaitingForBackend ConditionReason = "WaitingForBackend"
	ReasonInvalidURL        ConditionReason = "InvalidURL"
)

// BackendConfigured says a route can refer to the endpoint. It does not say that
// the endpoint answers: nobody asked it. It counts toward Ready.
func BackendConfigured() Condition {
	return isTrue(TypeRoutingReady, ReasonBackendConfigured, "")
}

// BackendWaiting says what stands for the endpoint on the control plane does not
// exist yet. It counts toward Ready.
func BackendWaiting(message string) Condition {
	return isFalse(TypeRoutingReady, ReasonWaitingForBackend, message)
}

// URLInvalid says the endpoint's URL is not one requests can be sent to. What
// stands for the endpoint stays as it was, but no ModelService sends requests to
// it. It counts toward Ready.
func URLInvalid(message string) Condition {
	return warn(isFalse(TypeRoutingReady, ReasonInvalidURL, message))
}
