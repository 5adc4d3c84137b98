package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// A ConditionType is a type of condition of one of this package's kinds.
type ConditionType string

// A ConditionReason is why a condition has its status, in one word.
type ConditionReason string

// A Condition is an observation about a composite resource. Its constructors
// stand with the kinds they are for. A condition says nothing of times:
// Crossplane keeps those.
type Condition struct {
	Type    ConditionType
	Status  metav1.ConditionStatus
	Reason  ConditionReason
	Message string

	// Warning says a person should hear of it when it comes about.
	Warning bool
}

func isTrue(t ConditionType, r ConditionReason, message string) Condition {
	return Condition{Type: t, Status: metav1.ConditionTrue, Reason: r, Message: message}
}

func isFalse(t ConditionType, r ConditionReason, message string) Condition {
	return Condition{Type: t, Status: metav1.ConditionFalse, Reason: r, Message: message}
}

// warn marks a condition as one a person should hear of when it comes about.
func warn(c Condition) Condition {
	c.Warning = true
	return c
}

// An Event is something that happened to a composite resource.
type Event struct {
	Reason  ConditionReason
	Message string

	// Warning says it is not what anybody asked for.
	Warning bool
}
