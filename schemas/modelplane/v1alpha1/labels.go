package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// A LabelValue is the value of a Kubernetes label.
// +kubebuilder:validation:MaxLength=63
// +kubebuilder:validation:Pattern=`^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$`
type LabelValue string

// An AnnotationValue is the value of a Kubernetes annotation.
// +kubebuilder:validation:MaxLength=8192
type AnnotationValue string

// Labels are labels a user sets on what Modelplane makes.
// +kubebuilder:validation:MaxProperties=32
// +kubebuilder:validation:XValidation:rule="self.all(k, !k.startsWith('modelplane.ai/'))",message="labels may not begin with modelplane.ai/: the prefix is reserved"
// +kubebuilder:validation:XValidation:rule="self.all(k, !k.startsWith('leaderworkerset.sigs.k8s.io/'))",message="labels may not begin with leaderworkerset.sigs.k8s.io/: LeaderWorkerSet sets them on the pods of a gang; remove them, or use a prefix of your own"
// +kubebuilder:validation:XValidation:rule="self.all(k, !format.qualifiedName().validate(k).hasValue())",message="keys of labels must be label keys, such as team or example.com/team"
type Labels map[string]LabelValue

// Annotations are annotations a user sets on what Modelplane makes.
// +kubebuilder:validation:MaxProperties=32
// +kubebuilder:validation:XValidation:rule="self.all(k, !k.startsWith('modelplane.ai/'))",message="annotations may not begin with modelplane.ai/: the prefix is reserved"
// +kubebuilder:validation:XValidation:rule="self.all(k, !k.startsWith('leaderworkerset.sigs.k8s.io/'))",message="annotations may not begin with leaderworkerset.sigs.k8s.io/: LeaderWorkerSet sets them on the pods of a gang; remove them, or use a prefix of your own"
// +kubebuilder:validation:XValidation:rule="self.all(k, !format.qualifiedName().validate(k.lowerAscii()).hasValue())",message="keys of annotations must be annotation keys, such as team or example.com/team"
type Annotations map[string]AnnotationValue

// A LabelSelector selects objects by their labels. It has the form and the
// meaning of the Kubernetes type, and bounds, without which the API server
// would refuse rules about it as too costly.
type LabelSelector struct {
	// MatchLabels are labels an object must have, all of them.
	// +optional
	// +kubebuilder:validation:MaxProperties=32
	// +kubebuilder:validation:XValidation:rule="self.all(k, !format.qualifiedName().validate(k).hasValue())",message="keys of matchLabels must be label keys, such as team or example.com/team"
	MatchLabels map[string]LabelValue `json:"matchLabels,omitempty"`

	// MatchExpressions are requirements an object's labels must meet, all of
	// them.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=32
	MatchExpressions []LabelSelectorRequirement `json:"matchExpressions,omitempty"`
}

// A LabelSelectorRequirement is something an object's label must meet.
// +kubebuilder:validation:XValidation:rule="!(self.operator in ['In', 'NotIn']) || (has(self.values) && self.values.size() > 0)",fieldPath=".values",message="values are required with operator In or NotIn: set at least one, or use operator Exists or DoesNotExist"
// +kubebuilder:validation:XValidation:rule="!(self.operator in ['Exists', 'DoesNotExist']) || !has(self.values) || self.values.size() == 0",fieldPath=".values",message="values may not be set with operator Exists or DoesNotExist: remove them, or use operator In or NotIn"
type LabelSelectorRequirement struct {
	// Key of the label.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=317
	// +kubebuilder:validation:XValidation:rule="!format.qualifiedName().validate(self).hasValue()",message="key must be a label key, such as team or example.com/team"
	Key string `json:"key"`

	// Operator that relates the key to the values.
	// +kubebuilder:validation:Enum=In;NotIn;Exists;DoesNotExist
	Operator metav1.LabelSelectorOperator `json:"operator"`

	// Values of the label. Operators In and NotIn have at least one, Exists
	// and DoesNotExist none.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=64
	Values []LabelValue `json:"values,omitempty"`
}
