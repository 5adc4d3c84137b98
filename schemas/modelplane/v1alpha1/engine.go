package v1alpha1

// A MemberRole is the part a member plays in its engine.
// +kubebuilder:validation:Enum=Standalone;Leader;Worker
type MemberRole string

// The roles a member may have.
const (
	// RoleStandalone is the only member of an engine of one pod.
	RoleStandalone MemberRole = "Standalone"
	// RoleLeader is the pod of a gang that serves.
	RoleLeader MemberRole = "Leader"
	// RoleWorker is a member of a gang that spans one or more nodes.
	RoleWorker MemberRole = "Worker"
)

// A ServingMode is how the engines of a replica share the work of a request.
// +kubebuilder:validation:Enum=Unified
type ServingMode string

// ModeUnified says every engine serves whole requests.
const ModeUnified ServingMode = "Unified"

// Serving is how a replica's engines are served.
type Serving struct {
	// Mode in which the engines share the work of a request.
	// +optional
	// +kubebuilder:default=Unified
	Mode ServingMode `json:"mode,omitempty"`
}

// A SecretsMode is where the Secrets that templates refer to come from.
// +kubebuilder:validation:Enum=Existing;Project
type SecretsMode string

// Where Secrets may come from.
const (
	// SecretsExisting are on the cluster already.
	SecretsExisting SecretsMode = "Existing"
	// SecretsProject are copied from the control plane, for each replica its own.
	SecretsProject SecretsMode = "Project"
)

// Worker sizes a member of role Worker.
type Worker struct {
	// Nodes the member spans. Each gets one pod. It is one unless set: a
	// default in the schema would put worker on members that must not have it.
	// +optional
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=63
	Nodes int32 `json:"nodes,omitempty"`
}

// A DeviceSelector narrows down the devices that satisfy a request.
type DeviceSelector struct {
	// CEL expression that must be true of the device. It is a DRA device
	// selector: the variable device has driver, attributes and capacity.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=10240
	CEL string `json:"cel"`
}

// A DeviceRequest asks for devices for one pod.
type DeviceRequest struct {
	// Name of the request, unique in its member.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=63
	// +kubebuilder:validation:Pattern=`^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`
	Name string `json:"name"`

	// Count of devices each pod gets.
	// +optional
	// +kubebuilder:default=1
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=64
	Count int32 `json:"count,omitempty"`

	// Selectors every device must satisfy, all of them.
	// +listType=atomic
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=8
	Selectors []DeviceSelector `json:"selectors"`
}

// A NodeSelector says what a node must have to run a member's pod.
type NodeSelector struct {
	// Devices each pod of the member needs from its node.
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=16
	Devices []DeviceRequest `json:"devices"`
}

// A Member is a pod, or a set of like pods, of an engine.
// +kubebuilder:validation:XValidation:rule="self.role == 'Worker' || !has(self.worker)",fieldPath=".worker",message="worker may only be set on a member of role Worker: give the member that role, or remove worker"
type Member struct {
	// Role of the member in its engine.
	// +optional
	// +kubebuilder:default=Standalone
	Role MemberRole `json:"role,omitempty"`

	// Worker sizes the member. Only a member of role Worker has it; without it
	// such a member spans one node.
	// +optional
	Worker *Worker `json:"worker,omitempty"`

	// NodeSelector says what a node must have to run the member's pods. A
	// member without one claims nothing and rides on its engine's pool.
	// +optional
	NodeSelector *NodeSelector `json:"nodeSelector,omitempty"`

	// Template of the member's pods.
	Template PodTemplate `json:"template"`
}

// An Engine is a set of pods that serve a model together: one Standalone pod,
// or a gang of a Leader and its Workers.
// +kubebuilder:validation:XValidation:rule="self.members.size() == 1 ? self.members[0].role == 'Standalone' : self.members.exists_one(m, m.role == 'Leader') && self.members.exists_one(m, m.role == 'Worker')",fieldPath=".members",message="members must be one of role Standalone, or one of role Leader and one of role Worker: say more nodes with worker.nodes, not with more members"
// +kubebuilder:validation:XValidation:rule="self.members.exists(m, has(m.nodeSelector))",fieldPath=".members",message="at least one of members must have a nodeSelector: it says what devices the engine needs"
type Engine struct {
	// Name of the engine, unique in its deployment.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=40
	// +kubebuilder:validation:Pattern=`^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`
	Name string `json:"name"`

	// Copies of the engine in each replica. They size a replica once; scale
	// with replicas.
	// +optional
	// +kubebuilder:default=1
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=64
	Copies int32 `json:"copies,omitempty"`

	// Members of the engine: one Standalone, or one Leader and one Worker.
	// +listType=atomic
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=2
	Members []Member `json:"members"`
}
