package v1alpha1

// TypeAccepted is the type of condition of an InferenceClass that says whether
// its devices are what a DRA driver could publish. compose-inference-class sets
// it on every pass.
const TypeAccepted ConditionType = "Accepted"

// Reasons of an InferenceClass's condition.
const (
	ReasonAvailable      ConditionReason = "Available"
	ReasonInvalidDevices ConditionReason = "InvalidDevices"
)

// ClassAvailable says the class's devices are valid, and in which domains a
// device selector finds their attributes and capacities. It counts toward Ready.
func ClassAvailable(message string) Condition {
	return isTrue(TypeAccepted, ReasonAvailable, message)
}

// ClassInvalid says what is wrong with the class's devices. It counts toward
// Ready.
func ClassInvalid(message string) Condition {
	return warn(isFalse(TypeAccepted, ReasonInvalidDevices, message))
}
