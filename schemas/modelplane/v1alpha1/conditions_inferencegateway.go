package v1alpha1

// Types of condition of an InferenceGateway. compose-inference-gateway sets both
// on every pass.
const (
	// TypeControllerReady says whether the gateway's controller is installed.
	TypeControllerReady ConditionType = "ControllerReady"
	// TypeGatewayReady says whether the gateway takes requests, and where.
	TypeGatewayReady ConditionType = "GatewayReady"
)

// Reasons of an InferenceGateway's conditions.
const (
	ReasonControllerHealthy    ConditionReason = "ControllerHealthy"
	ReasonInstalling           ConditionReason = "Installing"
	ReasonProgrammed           ConditionReason = "Programmed"
	ReasonWaitingForController ConditionReason = "WaitingForController"
	ReasonWaitingForAcceptance ConditionReason = "WaitingForAcceptance"
	ReasonWaitingForAddress    ConditionReason = "WaitingForAddress"
)

// ControllerHealthy says the gateway's controller is installed. It counts toward
// Ready.
func ControllerHealthy() Condition {
	return isTrue(TypeControllerReady, ReasonControllerHealthy, "")
}

// ControllerInstalling says the gateway's controller is being installed or
// upgraded, and what it fails of, if it does. It counts toward Ready.
func ControllerInstalling(message string) Condition {
	return isFalse(TypeControllerReady, ReasonInstalling, message)
}

// GatewayProgrammed says the controller has taken the gateway, and the gateway
// has an address. It counts toward Ready.
func GatewayProgrammed() Condition {
	return isTrue(TypeGatewayReady, ReasonProgrammed, "")
}

// GatewayWaitingForController says the gateway is made once its controller is
// installed, which brings the API it is of. It counts toward Ready.
func GatewayWaitingForController() Condition {
	return isFalse(TypeGatewayReady, ReasonWaitingForController, "the gateway is made once its controller is installed")
}

// GatewayWaitingForAcceptance says the controller has not taken the gateway. It
// counts toward Ready.
func GatewayWaitingForAcceptance(message string) Condition {
	return isFalse(TypeGatewayReady, ReasonWaitingForAcceptance, message)
}

// GatewayWaitingForAddress says the gateway has no address: its load balancer
// has none. It counts toward Ready.
func GatewayWaitingForAddress(message string) Condition {
	return isFalse(TypeGatewayReady, ReasonWaitingForAddress, message)
}
