package v1alpha1

// Types of condition of an InferenceGateway. compose-inference-gateway sets them
// all on every pass.
const (
	// TypeControllerReady says whether the gateway's controller is installed.
	TypeControllerReady ConditionType = "ControllerReady"
	// TypeGatewayReady says whether the gateway takes requests, and where.
	TypeGatewayReady ConditionType = "GatewayReady"
	// TypeAuthenticationReady says whether callers are asked for what
	// spec.authentication says.
	TypeAuthenticationReady ConditionType = "AuthenticationReady"
)

// Reasons of an InferenceGateway's conditions.
const (
	ReasonControllerHealthy    ConditionReason = "ControllerHealthy"
	ReasonInstalling           ConditionReason = "Installing"
	ReasonProgrammed           ConditionReason = "Programmed"
	ReasonWaitingForController ConditionReason = "WaitingForController"
	ReasonWaitingForAcceptance ConditionReason = "WaitingForAcceptance"
	ReasonWaitingForAddress    ConditionReason = "WaitingForAddress"
	ReasonCertificateInvalid   ConditionReason = "CertificateInvalid"
	ReasonInForce              ConditionReason = "InForce"
	ReasonAuthorizerNotFound   ConditionReason = "AuthorizerNotFound"
	ReasonWaitingForAuthorizer ConditionReason = "WaitingForAuthorizer"
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

// GatewayCertificateInvalid says the gateway does not serve HTTPS for want of a
// certificate, and which Secret has to have one. It counts toward Ready.
func GatewayCertificateInvalid(message string) Condition {
	return warn(isFalse(TypeGatewayReady, ReasonCertificateInvalid, message))
}

// AuthenticationInForce says callers who bring what they are asked for are let in. It counts
// toward Ready.
func AuthenticationInForce() Condition {
	return isTrue(TypeAuthenticationReady, ReasonInForce, "")
}

// AuthenticationWithoutAuthorizer says callers are asked for keys, and refused
// because there is nothing that could check them, and what to do. It counts toward
// Ready.
func AuthenticationWithoutAuthorizer(message string) Condition {
	return warn(isFalse(TypeAuthenticationReady, ReasonAuthorizerNotFound, message))
}

// AuthenticationWaitingForAuthorizer says callers are asked for keys, and refused
// until what checks them is installed. It counts toward Ready.
func AuthenticationWaitingForAuthorizer(message string) Condition {
	return isFalse(TypeAuthenticationReady, ReasonWaitingForAuthorizer, message)
}
