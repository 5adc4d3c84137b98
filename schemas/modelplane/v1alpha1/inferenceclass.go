package v1alpha1

import (
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// An InferenceClass says what devices a node of a kind has.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:resource:scope=Cluster,path=inferenceclasses,shortName=icl,categories=crossplane;modelplane
// +kubebuilder:printcolumn:name="Devices",type=string,JSONPath=`.status.summary.devices`
// +kubebuilder:printcolumn:name="Valid",type=string,JSONPath=`.status.conditions[?(@.type=="Accepted")].status`
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`
type InferenceClass struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitzero"`

	Spec InferenceClassSpec `json:"spec"`
	// +optional
	Status InferenceClassStatus `json:"status,omitzero"`
}

// InferenceClassSpec is a hardware recipe.
type InferenceClassSpec struct {
	// Description for people.
	// +optional
	// +kubebuilder:validation:MaxLength=1024
	Description string `json:"description,omitempty"`

	// Devices a node of the class has, one entry per kind of device.
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=16
	Devices []Device `json:"devices"`
}

// A ClaimMode is how a device is claimed on its cluster.
// +kubebuilder:validation:Enum=DRA;Synthetic
type ClaimMode string

// How a device may be claimed.
const (
	// ClaimDRA devices are claimed by a pod's ResourceClaim.
	ClaimDRA ClaimMode = "DRA"
	// ClaimSynthetic devices constrain placement, are counted, and are never
	// claimed.
	ClaimSynthetic ClaimMode = "Synthetic"
)

// A Device is a kind of device a node has, and how many.
// +kubebuilder:validation:XValidation:rule="self.claim != 'DRA' || has(self.deviceClassName)",fieldPath=".deviceClassName",message="deviceClassName is required with claim DRA, the default: name the DeviceClass that selects the device, or set claim Synthetic"
type Device struct {
	// Name of the kind of device, unique in its class.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=63
	// +kubebuilder:validation:Pattern=`^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`
	Name string `json:"name"`

	// Claim says how the device is claimed.
	// +optional
	// +kubebuilder:default=DRA
	Claim ClaimMode `json:"claim,omitempty"`

	// Driver that publishes the device, a DNS subdomain. Attributes and
	// capacities without a domain of their own are in the driver's.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=63
	// +kubebuilder:validation:Pattern=`^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$`
	Driver string `json:"driver"`

	// DeviceClassName of the DeviceClass that selects the device on its
	// cluster. A device claimed by DRA needs it.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	// +kubebuilder:validation:Pattern=`^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$`
	DeviceClassName string `json:"deviceClassName,omitempty"`

	// Count of such devices on each node.
	// +optional
	// +kubebuilder:default=1
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=64
	Count int32 `json:"count,omitempty"`

	// Attributes of the device, by name, as its driver publishes them.
	// +optional
	// +kubebuilder:validation:MaxProperties=32
	// +kubebuilder:validation:XValidation:rule="self.all(k, k.matches('^([a-z0-9]([-a-z0-9]*[a-z0-9])?([.][a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?[A-Za-z_][A-Za-z0-9_]{0,31}$') && k.indexOf('/') <= 63)",message="names of attributes must be C identifiers of at most 32 characters, optionally after the DNS subdomain of a driver and a slash, such as productName or gpu.nvidia.com/productName"
	Attributes map[string]DeviceAttribute `json:"attributes,omitempty"`

	// Capacity of the device, by name, as its driver publishes it.
	// +optional
	// +kubebuilder:validation:MaxProperties=32
	// +kubebuilder:validation:XValidation:rule="self.all(k, k.matches('^([a-z0-9]([-a-z0-9]*[a-z0-9])?([.][a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?[A-Za-z_][A-Za-z0-9_]{0,31}$') && k.indexOf('/') <= 63)",message="names of capacity must be C identifiers of at most 32 characters, optionally after the DNS subdomain of a driver and a slash, such as memory or gpu.nvidia.com/memory"
	Capacity map[string]DeviceCapacity `json:"capacity,omitempty"`
}

// A DeviceAttribute is the value of an attribute. Exactly one field is set.
// +kubebuilder:validation:XValidation:rule="[has(self.string), has(self.version), has(self.bool), has(self.int)].filter(set, set).size() == 1",message="exactly one of string, version, bool and int must be set"
type DeviceAttribute struct {
	// String value.
	// +optional
	// +kubebuilder:validation:MaxLength=64
	String *string `json:"string,omitempty"`

	// Version value, in the form of semver.org 2.0.0: 9.0.0, not 9.0.
	// +optional
	// +kubebuilder:validation:MaxLength=64
	// +kubebuilder:validation:XValidation:rule="isSemver(self)",message="version must be a full semantic version, such as 9.0.0 and not 9.0"
	Version *string `json:"version,omitempty"`

	// Bool value.
	// +optional
	Bool *bool `json:"bool,omitempty"`

	// Int value.
	// +optional
	Int *int64 `json:"int,omitempty"`
}

// A DeviceCapacity is an amount of something a device has.
type DeviceCapacity struct {
	// Value of the capacity, a Kubernetes quantity such as 80Gi.
	Value resource.Quantity `json:"value"`
}

// InferenceClassStatus is what may be selected by.
type InferenceClassStatus struct {
	// Summary says the status in the words of a table's columns.
	// +optional
	Summary *InferenceClassSummary `json:"summary,omitempty"`

	// Vocabulary is what a device selector may say of the class's devices, as
	// CEL that is true of them.
	// +optional
	// +listType=atomic
	Vocabulary []string `json:"vocabulary,omitempty"`

	// Conditions of the class.
	// +optional
	// +listType=map
	// +listMapKey=type
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

// InferenceClassSummary is a class's status as a table shows it.
type InferenceClassSummary struct {
	// Devices on a node: 8 gpu, 4 nic.
	// +optional
	Devices string `json:"devices,omitempty"`
}
