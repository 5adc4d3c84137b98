package v1alpha1

// TypeEndpointsResolved is the type of condition of a ModelService that says
// whether it selects endpoints. compose-model-service sets it, and RoutingReady,
// on every pass.
const TypeEndpointsResolved ConditionType = "EndpointsResolved"

// Reasons of a ModelService's conditions.
const (
	ReasonResolved                ConditionReason = "Resolved"
	ReasonTooManyEndpoints        ConditionReason = "TooManyEndpoints"
	ReasonNoEndpoints             ConditionReason = "NoEndpoints"
	ReasonResolving               ConditionReason = "Resolving"
	ReasonInvalidEndpointSelector ConditionReason = "InvalidEndpointSelector"
	ReasonRouteConfigured         ConditionReason = "RouteConfigured"
	ReasonConfiguring             ConditionReason = "Configuring"
	ReasonWaitingForGateway       ConditionReason = "WaitingForGateway"
)

// EndpointsResolved says the service selects endpoints, how many of them are
// ready, and which are not. Whether any is counts toward RoutingReady.
func EndpointsResolved(message string) Condition {
	return isTrue(TypeEndpointsResolved, ReasonResolved, message)
}

// EndpointsTooMany says more endpoints are ready than a route has room for, and
// how many get no requests. It does not count toward Ready.
func EndpointsTooMany(message string) Condition {
	return warn(isTrue(TypeEndpointsResolved, ReasonTooManyEndpoints, message))
}

// EndpointsNone says the service selects no endpoint, and answers every request
// with an error. It counts toward Ready.
func EndpointsNone(message string) Condition {
	return warn(isFalse(TypeEndpointsResolved, ReasonNoEndpoints, message))
}

// EndpointsResolving says the endpoints, or the gateway, were not read yet.
// Nothing was decided, and what there is stays. It counts toward Ready.
func EndpointsResolving() Condition {
	return isFalse(TypeEndpointsResolved, ReasonResolving, "waiting to read the ModelEndpoints of the namespace")
}

// EndpointSelectorInvalid says a selector cannot be understood. What there is
// stays until it can. It counts toward Ready.
func EndpointSelectorInvalid(message string) Condition {
	return warn(isFalse(TypeEndpointsResolved, ReasonInvalidEndpointSelector, message))
}

// RouteConfigured says a gateway has taken the service's route, which leads to
// at least one ready endpoint. It counts toward Ready.
func RouteConfigured() Condition {
	return isTrue(TypeRoutingReady, ReasonRouteConfigured, "")
}

// RouteConfiguring says the route is not taken by the gateway yet, or leads
// nowhere. It counts toward Ready.
func RouteConfiguring(message string) Condition {
	return isFalse(TypeRoutingReady, ReasonConfiguring, message)
}

// RouteWaitingForGateway says there is no gateway, or none that has an address.
// It counts toward Ready.
func RouteWaitingForGateway(message string) Condition {
	return isFalse(TypeRoutingReady, ReasonWaitingForGateway, message)
}
