package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// A ModelReplica is one replica of a model on one cluster. A ModelDeployment
// composes it; it carries everything its workloads are made of.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:resource:scope=Namespaced,path=modelreplicas,shortName=mr,categories=crossplane;modelplane
// +kubebuilder:printcolumn:name="Cluster",type=string,JSONPath=`.spec.clusterName`
// +kubebuilder:printcolumn:name="Ready",type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].status`
// +kubebuilder:printcolumn:name="Reason",type=string,JSONPath=`.status.conditions[?(@.type=="ModelReady")].reason`
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`
// +kubebuilder:validation:XValidation:rule="self.metadata.name.matches('^[a-z]([-a-z0-9]*[a-z0-9])?$')",fieldPath=".metadata.name",message="metadata.name must be lower case letters, digits and '-', begin with a letter and end with a letter or digit: Services are named after it"
type ModelReplica struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitzero"`

	Spec ModelReplicaSpec `json:"spec"`
	// +optional
	Status ModelReplicaStatus `json:"status,omitzero"`
}

// ModelReplicaSpec is a deployment's spec with the scheduler's decision
// resolved on it.
type ModelReplicaSpec struct {
	// ClusterName of the InferenceCluster the replica runs on.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=63
	ClusterName string `json:"clusterName"`

	// ProviderConfigRef refers to the provider-kubernetes ClusterProviderConfig
	// through which the cluster is reached.
	ProviderConfigRef ProviderConfigReference `json:"providerConfigRef"`

	// Gateway of the cluster, to which the replica's route attaches.
	Gateway GatewayReference `json:"gateway"`

	// Priority of the replica's deployment.
	// +optional
	// +kubebuilder:default=0
	Priority int32 `json:"priority,omitempty"`

	// Serving says how the engines are served.
	// +optional
	Serving *Serving `json:"serving,omitempty"`

	// Secrets says where the Secrets that templates refer to come from. With
	// Existing, somebody else puts them into the namespace of this name on the
	// cluster. With Project, the replica has copies of its own of those in its
	// namespace. Whoever may read Objects (objects.kubernetes.m.crossplane.io)
	// in that namespace can then read those Secrets.
	// +optional
	// +kubebuilder:default=Existing
	Secrets SecretsMode `json:"secrets,omitempty"`

	// Engines of the replica, each pinned to a node pool of the cluster.
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=8
	Engines []ReplicaEngine `json:"engines"`
}

// A ProviderConfigReference refers to a ClusterProviderConfig.
type ProviderConfigReference struct {
	// Name of the ClusterProviderConfig.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	Name string `json:"name"`
}

// A GatewayReference refers to a Gateway on an InferenceCluster.
type GatewayReference struct {
	// Name of the Gateway.
	// +optional
	// +kubebuilder:default=inference-gateway
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	Name string `json:"name,omitempty"`

	// Namespace of the Gateway.
	// +optional
	// +kubebuilder:default=modelplane-system
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=63
	Namespace string `json:"namespace,omitempty"`
}

// A ReplicaEngine is an engine whose members are pinned to a node pool.
// +kubebuilder:validation:XValidation:rule="self.members.size() == 1 ? self.members[0].role == 'Standalone' : self.members.exists_one(m, m.role == 'Leader') && self.members.exists_one(m, m.role == 'Worker')",fieldPath=".members",message="members must be one of role Standalone, or one of role Leader and one of role Worker: say more nodes with worker.nodes, not with more members"
// +kubebuilder:validation:XValidation:rule="self.members.exists(m, has(m.deviceRequests))",fieldPath=".members",message="at least one of members must have deviceRequests: an engine needs a device to run on"
type ReplicaEngine struct {
	// Name of the engine.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=40
	// +kubebuilder:validation:Pattern=`^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`
	Name string `json:"name"`

	// Copies of the engine.
	// +optional
	// +kubebuilder:default=1
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=64
	Copies int32 `json:"copies,omitempty"`

	// Members of the engine: one Standalone, or one Leader and one Worker.
	// +listType=atomic
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=2
	Members []ReplicaMember `json:"members"`
}

// A ReplicaMember is a member with its node selector resolved.
// +kubebuilder:validation:XValidation:rule="self.role == 'Worker' || !has(self.worker)",fieldPath=".worker",message="worker may only be set on a member of role Worker: give the member that role, or remove worker"
type ReplicaMember struct {
	// Role of the member in its engine.
	// +optional
	// +kubebuilder:default=Standalone
	Role MemberRole `json:"role,omitempty"`

	// Worker sizes the member. Only a member of role Worker has it.
	// +optional
	Worker *Worker `json:"worker,omitempty"`

	// NodePoolName of the cluster's node pool the member's pods run on.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=40
	NodePoolName string `json:"nodePoolName"`

	// DeviceRequests each pod claims. A member that claims nothing has none.
	// +optional
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=64
	DeviceRequests []ResolvedDeviceRequest `json:"deviceRequests,omitempty"`

	// Devices of its node that each pod is charged for: those it claims and the
	// Synthetic ones it was matched with. A pod that claims devices and has none
	// here is charged for all of its node.
	// +optional
	Devices NodeDevices `json:"devices,omitempty"`

	// SharesNode says that each pod leaves devices on its node for others. Such
	// pods go where others have been before, so that whole nodes stay free.
	// +optional
	SharesNode bool `json:"sharesNode,omitempty"`

	// Template of the member's pods.
	Template PodTemplate `json:"template"`
}

// A ResolvedDeviceRequest is a device request with its DeviceClass.
type ResolvedDeviceRequest struct {
	// Name of the request.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=63
	// +kubebuilder:validation:Pattern=`^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`
	Name string `json:"name"`

	// DeviceClassName of the DeviceClass the devices are of.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	// +kubebuilder:validation:Pattern=`^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$`
	DeviceClassName string `json:"deviceClassName"`

	// Count of devices each pod gets.
	// +optional
	// +kubebuilder:default=1
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=64
	Count int32 `json:"count,omitempty"`

	// Selectors every device must satisfy.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=8
	Selectors []DeviceSelector `json:"selectors,omitempty"`
}

// ModelReplicaStatus is how far a replica is.
type ModelReplicaStatus struct {
	// Engines of the replica and how many of their copies serve.
	// +optional
	// +listType=map
	// +listMapKey=name
	Engines []EngineStatus `json:"engines,omitempty"`

	// Revision of its deployment's spec that the cluster runs all of, and that
	// serves. Empty while the cluster runs another, some of it, or none. Unlike the
	// conditions it never is of an earlier spec.
	// +optional
	Revision string `json:"revision,omitempty"`

	// Conditions of the replica.
	// +optional
	// +listType=map
	// +listMapKey=type
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

// EngineStatus is how many copies of an engine serve.
type EngineStatus struct {
	// Name of the engine.
	Name string `json:"name"`
	// Copies wanted.
	Copies int32 `json:"copies"`
	// ReadyCopies that serve.
	ReadyCopies int32 `json:"readyCopies"`
	// UpdatedCopies that run the current template.
	UpdatedCopies int32 `json:"updatedCopies"`
}
