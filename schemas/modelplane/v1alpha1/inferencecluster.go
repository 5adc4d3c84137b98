package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// An InferenceCluster is a GPU cluster of the fleet. Its labels are what a
// ModelDeployment's clusterSelector selects by.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:resource:scope=Cluster,path=inferenceclusters,shortName=ic,categories=crossplane;modelplane
// +kubebuilder:printcolumn:name="Source",type=string,JSONPath=`.spec.cluster.source`
// +kubebuilder:printcolumn:name="Ready",type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].status`
// +kubebuilder:printcolumn:name="Nodes",type=string,JSONPath=`.status.summary.nodes`
// +kubebuilder:printcolumn:name="Gateway",type=string,JSONPath=`.status.gateway.address`
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`
type InferenceCluster struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitzero"`

	Spec InferenceClusterSpec `json:"spec"`
	// +optional
	Status InferenceClusterStatus `json:"status,omitzero"`
}

// InferenceClusterSpec is a cluster of the fleet.
type InferenceClusterSpec struct {
	// Cluster says where the cluster comes from.
	Cluster ClusterSource `json:"cluster"`

	// Taints keep replicas that do not tolerate them away.
	// +optional
	// +listType=map
	// +listMapKey=key
	// +listMapKey=effect
	// +kubebuilder:validation:MaxItems=32
	Taints []Taint `json:"taints,omitempty"`

	// NodePools of the cluster that run models. Each node of a pool carries the
	// label modelplane.ai/pool with the pool's name.
	// +optional
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MaxItems=8
	NodePools []NodePool `json:"nodePools,omitempty"`
}

// A ClusterSourceType is where a cluster comes from.
// +kubebuilder:validation:Enum=Existing
type ClusterSourceType string

// SourceExisting is a cluster that was brought along.
const SourceExisting ClusterSourceType = "Existing"

// A ClusterSource says where a cluster comes from. The block named like the
// source is set, and no other.
// +kubebuilder:validation:XValidation:rule="(self.source == 'Existing') == has(self.existing)",fieldPath=".existing",message="existing is required with source Existing, and may not be set with another"
type ClusterSource struct {
	// Source of the cluster. It cannot be changed.
	// +kubebuilder:validation:XValidation:rule="self == oldSelf",message="source may not be changed: make another InferenceCluster, and delete this one when its replicas have left"
	Source ClusterSourceType `json:"source"`

	// Existing is a cluster that was brought along.
	// +optional
	Existing *ExistingCluster `json:"existing,omitempty"`
}

// An ExistingCluster is a cluster that was brought along.
type ExistingCluster struct {
	// SecretRef refers to the kubeconfig that reaches the cluster.
	SecretRef KubeconfigSecretReference `json:"secretRef"`

	// IdentitySecretRef refers to a credential the kubeconfig relies on.
	// +optional
	IdentitySecretRef *IdentitySecretReference `json:"identitySecretRef,omitempty"`

	// Gateway on which the cluster's replicas are served.
	Gateway ExistingGateway `json:"gateway"`
}

// A KubeconfigSecretReference refers to a key of a Secret in modelplane-system.
type KubeconfigSecretReference struct {
	// Name of the Secret in the namespace modelplane-system.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	Name string `json:"name"`

	// Key of the Secret.
	// +optional
	// +kubebuilder:default=kubeconfig
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	Key string `json:"key,omitempty"`
}

// An IdentityType is a kind of credential provider-kubernetes understands.
// +kubebuilder:validation:Enum=GoogleApplicationCredentials;AWSWebIdentityCredentials;NebiusServiceAccountCredentials
type IdentityType string

// An IdentitySecretReference refers to a credential in modelplane-system.
type IdentitySecretReference struct {
	// Name of the Secret in the namespace modelplane-system.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	Name string `json:"name"`

	// Key of the Secret.
	// +optional
	// +kubebuilder:default=private_key
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	Key string `json:"key,omitempty"`

	// Type of the credential.
	// +optional
	// +kubebuilder:default=GoogleApplicationCredentials
	Type IdentityType `json:"type,omitempty"`
}

// An ExistingGateway is a Gateway that stands on a cluster already.
type ExistingGateway struct {
	// Address at which the control plane's gateway reaches this one: an IP
	// address or a DNS name, and optionally a port.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=256
	// +kubebuilder:validation:XValidation:rule="isURL('http://' + self) && self.matches('^([a-z0-9]([-a-z0-9]*[a-z0-9])?([.][a-z0-9]([-a-z0-9]*[a-z0-9])?)*|[[][0-9a-f:.]+[]])(:[0-9]+)?$')",message="address must be a lower case DNS name or an IP address, and optionally a port, such as gateway.example.com:8080, 203.0.113.7 or [2001:db8::7]"
	// +kubebuilder:validation:XValidation:rule="!isURL('http://' + self) || url('http://' + self).getPort().size() == 0 || (url('http://' + self).getPort().size() <= 5 && int(url('http://' + self).getPort()) >= 1 && int(url('http://' + self).getPort()) <= 65535)",message="address must have a port from 1 to 65535, or none"
	Address string `json:"address"`

	// ParentRef refers to the Gateway that replicas' routes attach to.
	// +optional
	// +kubebuilder:default={name: "inference-gateway", namespace: "modelplane-system"}
	ParentRef *GatewayReference `json:"parentRef,omitempty"`
}

// A Taint keeps replicas that do not tolerate it off a cluster.
type Taint struct {
	// Key of the taint.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=317
	// +kubebuilder:validation:XValidation:rule="!format.qualifiedName().validate(self).hasValue()",message="key must be a label key, such as example.com/maintenance"
	Key string `json:"key"`

	// Value of the taint.
	// +optional
	// +kubebuilder:validation:MaxLength=63
	// +kubebuilder:validation:Pattern=`^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$`
	Value string `json:"value,omitempty"`

	// Effect of the taint.
	Effect TaintEffect `json:"effect"`
}

// A NodeSharing is what of a node a pod is charged for.
// +kubebuilder:validation:Enum=Device;Node
type NodeSharing string

// How the nodes of a pool may be shared.
const (
	// SharingDevice charges a pod for the devices it takes. Others may take the
	// rest of its node.
	SharingDevice NodeSharing = "Device"
	// SharingNode charges a pod for all of its node.
	SharingNode NodeSharing = "Node"
)

// A NodePool is a number of like nodes of a cluster.
type NodePool struct {
	// Name of the pool, unique in its cluster.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=40
	// +kubebuilder:validation:Pattern=`^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`
	Name string `json:"name"`

	// ClassName of the InferenceClass that says what devices a node has.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=63
	ClassName string `json:"className"`

	// NodeCount is how many nodes the pool has.
	// +optional
	// +kubebuilder:default=1
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=10000
	NodeCount *int32 `json:"nodeCount,omitempty"`

	// Sharing of the pool's nodes: with Device, pods share a node as long as it
	// has devices for them; with Node, a pod that claims devices has its node to
	// itself. A change is for new replicas: those that run keep what they have.
	// +optional
	// +kubebuilder:default=Device
	Sharing NodeSharing `json:"sharing,omitempty"`
}

// InferenceClusterStatus is how a cluster is reached and the ledger of what it
// has and who is charged for it.
type InferenceClusterStatus struct {
	// Summary says the status in the words of a table's columns.
	// +optional
	Summary *InferenceClusterSummary `json:"summary,omitempty"`

	// ProviderConfigRef refers to the provider-kubernetes ClusterProviderConfig
	// through which the cluster is reached.
	// +optional
	ProviderConfigRef *ProviderConfigReference `json:"providerConfigRef,omitempty"`

	// Gateway on which the cluster's replicas are served.
	// +optional
	Gateway *GatewayStatus `json:"gateway,omitempty"`

	// GPUPools is the ledger: what each pool has, and what is charged to it.
	// +optional
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MaxItems=8
	GPUPools []GPUPool `json:"gpuPools,omitempty"`

	// Conditions of the cluster.
	// +optional
	// +listType=map
	// +listMapKey=type
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

// InferenceClusterSummary is a cluster's status as a table shows it.
type InferenceClusterSummary struct {
	// Nodes charged, of those the pools have: 3/8.
	// +optional
	Nodes string `json:"nodes,omitempty"`
}

// GatewayStatus is the gateway on which a cluster's replicas are served.
type GatewayStatus struct {
	// Address of the gateway.
	// +optional
	Address string `json:"address,omitempty"`

	// ParentRef refers to the Gateway that replicas' routes attach to.
	// +optional
	ParentRef *GatewayReference `json:"parentRef,omitempty"`
}

// A GPUPool is what a node pool has and what is charged to it.
type GPUPool struct {
	// Name of the node pool.
	Name string `json:"name"`

	// ClassName of the InferenceClass the devices are of.
	// +optional
	ClassName string `json:"className,omitempty"`

	// Nodes the pool has.
	Nodes int32 `json:"nodes"`

	// NodesCharged is how many nodes the charges take, some only in part. It is
	// more than there are where the pool is over-committed.
	NodesCharged int32 `json:"nodesCharged"`

	// Devices each node has.
	// +optional
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MaxItems=16
	Devices []Device `json:"devices,omitempty"`

	// Charges against the pool, by namespace, deployment and index.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=10000
	Charges []Charge `json:"charges,omitempty"`
}

// A Charge is what one replica takes of a pool.
type Charge struct {
	// Namespace of the replica.
	Namespace string `json:"namespace"`
	// Deployment of the replica.
	Deployment string `json:"deployment"`
	// Index of the replica among its deployment's replicas on the cluster.
	Index int32 `json:"index"`
	// Groups of pods the replica runs on the pool.
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=8
	Groups []PodGroup `json:"groups"`
	// Priority of the replica's deployment.
	// +optional
	Priority int32 `json:"priority,omitempty"`
	// Yield says the replica must go: the pool is charged more than it has,
	// and the others go first.
	// +optional
	Yield bool `json:"yield,omitempty"`
}

// A PodGroup is the pods of one copy of an engine that claim devices. They run
// on nodes of their own: no two of a group share one.
type PodGroup struct {
	// Copies of the group. None stands for one.
	// +optional
	Copies int32 `json:"copies,omitempty"`
	// Pods of each copy.
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=2
	Pods []PodCharge `json:"pods"`
}

// A PodCharge is a number of like pods and what each takes.
type PodCharge struct {
	// Count of pods. None stands for one.
	// +optional
	Count int32 `json:"count,omitempty"`
	// Devices each pod takes of its node. None stands for all of it.
	// +optional
	Devices NodeDevices `json:"devices,omitempty"`
}

// NodeDevices are numbers of the devices of a node, by the name they have in the
// node's InferenceClass.
// +kubebuilder:validation:MaxProperties=16
type NodeDevices map[string]int32
