package v1alpha1

// TypeRoutingReady is the type of condition of a ModelEndpoint and of a
// ModelService that says whether requests can be routed to it. Each one's
// function sets it on every pass.
const TypeRoutingReady ConditionType = "RoutingReady"

// Reasons of a ModelEndpoint's condition.
const (
	ReasonRoutable     ConditionReason = "Routable"
	ReasonInvalidURL   ConditionReason = "InvalidURL"
	ReasonInvalidCA    ConditionReason = "InvalidCA"
	ReasonWaitingForCA ConditionReason = "WaitingForCA"
)

// EndpointRoutable says requests can be sent to the endpoint. It does not say that
// the endpoint answers: nobody asked it. It counts toward Ready.
func EndpointRoutable() Condition {
	return isTrue(TypeRoutingReady, ReasonRoutable, "")
}

// URLInvalid says the endpoint's URL is not one requests can be sent to. No
// ModelService sends requests to it. It counts toward Ready.
func URLInvalid(message string) Condition {
	return warn(isFalse(TypeRoutingReady, ReasonInvalidURL, message))
}

// CAInvalid says the CAs that the endpoint trusts are not there. No ModelService
// sends requests to it. It counts toward Ready.
func CAInvalid(message string) Condition {
	return warn(isFalse(TypeRoutingReady, ReasonInvalidCA, message))
}

// CAWaiting says the CAs that the endpoint trusts were not read yet. It counts
// toward Ready.
func CAWaiting(message string) Condition {
	return isFalse(TypeRoutingReady, ReasonWaitingForCA, message)
}
