package v1alpha1

import "fmt"

// TypeSecretsProjected says whether what Secrets hold is copied to clusters, and
// who can read it by that. It is of a ModelDeployment, by what its spec says, and
// of a ModelReplica, and is absent where no Secret ever was to be copied.
const TypeSecretsProjected ConditionType = "SecretsProjected"

// Reasons of the condition SecretsProjected.
const (
	ReasonProjected    ConditionReason = "Projected"
	ReasonNotProjected ConditionReason = "NotProjected"
)

// SecretsProjected says how many Secrets of a namespace are copied, and who can
// read them. It does not count toward Ready.
func SecretsProjected(secrets int, namespace string) Condition {
	return isTrue(TypeSecretsProjected, ReasonProjected, fmt.Sprintf(
		"Secrets copied to the cluster of each replica: %d; whoever may read Objects in namespace %s can read them", secrets, namespace))
}

// SecretsNotProjected says that no Secret is copied any more. It does not count
// toward Ready.
func SecretsNotProjected() Condition {
	return isFalse(TypeSecretsProjected, ReasonNotProjected, "")
}
