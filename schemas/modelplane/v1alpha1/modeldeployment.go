package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// A ModelDeployment runs replicas of a model somewhere in the fleet.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:subresource:scale:specpath=.spec.replicas,statuspath=.status.replicas.total
// +kubebuilder:resource:scope=Namespaced,path=modeldeployments,shortName=md,categories=crossplane;modelplane
// +kubebuilder:printcolumn:name="Replicas",type=string,JSONPath=`.status.summary.replicas`
// +kubebuilder:printcolumn:name="Updated",type=string,JSONPath=`.status.summary.updated`
// +kubebuilder:printcolumn:name="Scheduled",type=string,JSONPath=`.status.conditions[?(@.type=="ReplicasScheduled")].status`
// +kubebuilder:printcolumn:name="Clusters",type=string,JSONPath=`.status.summary.clusters`
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`
// +kubebuilder:validation:XValidation:rule="self.metadata.name.matches('^[a-z]([-a-z0-9]*[a-z0-9])?$')",fieldPath=".metadata.name",message="metadata.name must be lower case letters, digits and '-', begin with a letter and end with a letter or digit: Services are named after it"
type ModelDeployment struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitzero"`

	Spec ModelDeploymentSpec `json:"spec"`
	// +optional
	Status ModelDeploymentStatus `json:"status,omitzero"`
}

// ModelDeploymentSpec is what an ML team wants to run.
type ModelDeploymentSpec struct {
	// Replicas of the model. A replica is a whole set of engines on one
	// cluster, and the only axis on which a deployment scales.
	// +optional
	// +kubebuilder:default=1
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=1000
	Replicas *int32 `json:"replicas,omitempty"`

	// ClusterSelector selects the InferenceClusters that may host a replica, by
	// their labels. Without one every cluster may.
	// +optional
	ClusterSelector *LabelSelector `json:"clusterSelector,omitempty"`

	// Tolerations of the taints of InferenceClusters.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=32
	Tolerations []Toleration `json:"tolerations,omitempty"`

	// Spread replicas over the values of InferenceCluster labels.
	// +optional
	// +listType=map
	// +listMapKey=topologyKey
	// +kubebuilder:validation:MaxItems=8
	Spread []SpreadConstraint `json:"spread,omitempty"`

	// Priority of the deployment when capacity is short. Higher goes first.
	// +optional
	// +kubebuilder:default=0
	Priority int32 `json:"priority,omitempty"`

	// Strategy by which replicas take a changed spec. Without one it is
	// RollingUpdate, with maxUnavailable 1 and maxSurge 0.
	// +optional
	Strategy *Strategy `json:"strategy,omitempty"`

	// Failover replaces a replica that does not serve by one on another cluster.
	// Without it a replica stays where it is, whatever becomes of its cluster.
	// +optional
	Failover *Failover `json:"failover,omitempty"`

	// ReplicaMetadata is set on the ModelReplicas and ModelEndpoints. A
	// deployment's own labels are not copied to them.
	// +optional
	ReplicaMetadata *ReplicaMetadata `json:"replicaMetadata,omitempty"`

	// Serving says how the engines are served.
	// +optional
	Serving *Serving `json:"serving,omitempty"`

	// Secrets says where the Secrets that templates refer to come from. With
	// Existing, somebody else puts them into the namespace of this name on each
	// cluster. With Project, each replica has copies of its own of those in the
	// deployment's namespace, which follow their changes and go with the
	// replica. What is copied passes through the Objects that provider-kubernetes
	// keeps in the deployment's namespace, so that whoever may read Objects
	// (objects.kubernetes.m.crossplane.io) there can read those Secrets.
	// +optional
	// +kubebuilder:default=Existing
	Secrets SecretsMode `json:"secrets,omitempty"`

	// Engines of each replica.
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=8
	Engines []Engine `json:"engines"`
}

// ReplicaMetadata is metadata a user sets on what a deployment composes.
type ReplicaMetadata struct {
	// Labels of the ModelReplicas and ModelEndpoints. The prefix modelplane.ai/
	// is reserved.
	// +optional
	Labels Labels `json:"labels,omitempty"`

	// Annotations of the ModelReplicas and ModelEndpoints. The prefix
	// modelplane.ai/ is reserved.
	// +optional
	Annotations Annotations `json:"annotations,omitempty"`
}

// A TaintEffect is what a taint does to replicas that do not tolerate it.
// +kubebuilder:validation:Enum=NoSchedule;NoExecute
type TaintEffect string

// The effects a taint may have.
const (
	// TaintNoSchedule keeps new replicas away.
	TaintNoSchedule TaintEffect = "NoSchedule"
	// TaintNoExecute keeps new replicas away and drains those that are there.
	TaintNoExecute TaintEffect = "NoExecute"
)

// A TolerationOperator relates a toleration to a taint's value.
// +kubebuilder:validation:Enum=Equal;Exists
type TolerationOperator string

// The operators a toleration may have.
const (
	// TolerationEqual matches a taint of the same key and value.
	TolerationEqual TolerationOperator = "Equal"
	// TolerationExists matches a taint of the same key, or any taint when the
	// toleration has no key.
	TolerationExists TolerationOperator = "Exists"
)

// A Toleration lets replicas onto clusters with a matching taint. It means what
// a pod's toleration means to a node.
// +kubebuilder:validation:XValidation:rule="self.operator != 'Equal' || (has(self.key) && self.key.size() > 0)",fieldPath=".key",message="key is required with operator Equal: set a key, or tolerate every taint with operator Exists"
// +kubebuilder:validation:XValidation:rule="self.operator != 'Exists' || !has(self.value) || self.value.size() == 0",fieldPath=".value",message="value may not be set with operator Exists: remove it, or compare with operator Equal"
type Toleration struct {
	// Key of the taint. Empty matches every taint, and needs operator Exists.
	// +optional
	// +kubebuilder:validation:MaxLength=317
	// +kubebuilder:validation:XValidation:rule="self.size() == 0 || !format.qualifiedName().validate(self).hasValue()",message="key must be a label key, such as example.com/maintenance"
	Key string `json:"key,omitempty"`

	// Operator that relates the key to the value.
	// +optional
	// +kubebuilder:default=Equal
	Operator TolerationOperator `json:"operator,omitempty"`

	// Value of the taint. Only with operator Equal.
	// +optional
	// +kubebuilder:validation:MaxLength=63
	// +kubebuilder:validation:Pattern=`^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$`
	Value string `json:"value,omitempty"`

	// Effect of the taint. Empty matches every effect.
	// +optional
	Effect TaintEffect `json:"effect,omitempty"`
}

// An UnsatisfiableAction is what happens when a spread cannot be kept.
// +kubebuilder:validation:Enum=DoNotSchedule;ScheduleAnyway
type UnsatisfiableAction string

// What may happen when a spread cannot be kept.
const (
	// SpreadDoNotSchedule leaves the replica unplaced.
	SpreadDoNotSchedule UnsatisfiableAction = "DoNotSchedule"
	// SpreadScheduleAnyway places it where the skew is least.
	SpreadScheduleAnyway UnsatisfiableAction = "ScheduleAnyway"
)

// A SpreadConstraint spreads replicas over the values of a cluster label.
type SpreadConstraint struct {
	// TopologyKey is the InferenceCluster label whose values are spread over.
	// Clusters without it are not counted, and with DoNotSchedule not used.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=317
	// +kubebuilder:validation:XValidation:rule="!format.qualifiedName().validate(self).hasValue()",message="topologyKey must be a label key, such as topology.kubernetes.io/region"
	TopologyKey string `json:"topologyKey"`

	// MaxSkew is the most that two values may differ by, in replicas.
	// +optional
	// +kubebuilder:default=1
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=1000
	MaxSkew int32 `json:"maxSkew,omitempty"`

	// WhenUnsatisfiable says what happens when the skew cannot be kept.
	// +optional
	// +kubebuilder:default=DoNotSchedule
	WhenUnsatisfiable UnsatisfiableAction `json:"whenUnsatisfiable,omitempty"`
}

// A StrategyType is a way for replicas to take a changed spec.
// +kubebuilder:validation:Enum=RollingUpdate;Recreate
type StrategyType string

// The strategies a deployment may have.
const (
	// StrategyRollingUpdate updates some replicas while the others serve.
	StrategyRollingUpdate StrategyType = "RollingUpdate"
	// StrategyRecreate updates all replicas at once.
	StrategyRecreate StrategyType = "Recreate"
)

// A Strategy is how replicas take a changed spec.
// +kubebuilder:validation:XValidation:rule="self.type == 'RollingUpdate' || !has(self.rollingUpdate)",fieldPath=".rollingUpdate",message="rollingUpdate may only be set with type RollingUpdate: remove it, or change the type"
type Strategy struct {
	// Type of the strategy.
	// +optional
	// +kubebuilder:default=RollingUpdate
	Type StrategyType `json:"type,omitempty"`

	// RollingUpdate bounds a rolling update. Only with type RollingUpdate.
	// +optional
	RollingUpdate *RollingUpdate `json:"rollingUpdate,omitempty"`
}

// RollingUpdate bounds a rolling update.
// +kubebuilder:validation:XValidation:rule="self.maxUnavailable > 0 || self.maxSurge > 0",message="maxUnavailable and maxSurge may not both be 0: an update could never begin"
type RollingUpdate struct {
	// MaxUnavailable is the most replicas that may not be Ready during an
	// update.
	// +optional
	// +kubebuilder:default=1
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=1000
	MaxUnavailable *int32 `json:"maxUnavailable,omitempty"`

	// MaxSurge is the most replicas beyond those wanted that are placed during
	// an update, where the fleet has room for them.
	// +optional
	// +kubebuilder:default=0
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=1000
	MaxSurge *int32 `json:"maxSurge,omitempty"`
}

// Failover says when a replica is replaced elsewhere. The new replica is placed
// first, and the old one goes once the new one serves: one that recovers before
// stays. A replica never moves back.
type Failover struct {
	// AfterSeconds is for how long, in seconds, a replica's cluster must have
	// been not Ready, or the replica itself, before it is replaced. It should be
	// longer than the model takes to load, or a replica that starts is replaced.
	// +optional
	// +kubebuilder:default=600
	// +kubebuilder:validation:Minimum=10
	// +kubebuilder:validation:Maximum=86400
	AfterSeconds int32 `json:"afterSeconds,omitempty"`

	// MaxConcurrent is the most replicas that are replaced at a time.
	// +optional
	// +kubebuilder:default=1
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=100
	MaxConcurrent int32 `json:"maxConcurrent,omitempty"`
}

// ModelDeploymentStatus is where the replicas of a model are.
type ModelDeploymentStatus struct {
	// Replicas counts the replicas.
	// +optional
	Replicas *ReplicaCounts `json:"replicas,omitempty"`

	// Summary says the status in the words of a table's columns.
	// +optional
	Summary *ModelDeploymentSummary `json:"summary,omitempty"`

	// Placements of the replicas, by cluster and index.
	// +optional
	// +listType=map
	// +listMapKey=replica
	// +kubebuilder:validation:MaxItems=2000
	Placements []Placement `json:"placements,omitempty"`

	// Conditions of the deployment.
	// +optional
	// +listType=map
	// +listMapKey=type
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

// ReplicaCounts counts the replicas of a deployment.
type ReplicaCounts struct {
	// Total replicas placed.
	Total int32 `json:"total"`
	// Ready replicas.
	Ready int32 `json:"ready"`
	// Updated replicas, that run the current revision.
	Updated int32 `json:"updated"`
}

// ModelDeploymentSummary is a deployment's status as a table shows it.
type ModelDeploymentSummary struct {
	// Replicas that are Ready, of those wanted: 2/3.
	// +optional
	Replicas string `json:"replicas,omitempty"`
	// Updated replicas, that run the current revision, of those there are: 1/3.
	// +optional
	Updated string `json:"updated,omitempty"`
	// Clusters the replicas are on, the first few by name.
	// +optional
	Clusters string `json:"clusters,omitempty"`
}

// A Placement is where one replica runs.
type Placement struct {
	// Replica is the name of the ModelReplica.
	Replica string `json:"replica"`
	// Cluster is the name of the InferenceCluster.
	Cluster string `json:"cluster"`
	// Pools of the cluster the engines run on.
	// +optional
	// +listType=map
	// +listMapKey=engine
	Pools []EnginePool `json:"pools,omitempty"`
	// Revision of the deployment's spec the replica runs.
	// +optional
	Revision string `json:"revision,omitempty"`
	// Ready says whether the replica serves.
	Ready bool `json:"ready"`
}

// An EnginePool is the node pool an engine runs on.
type EnginePool struct {
	// Engine is the name of the engine.
	Engine string `json:"engine"`
	// Pool is the name of the node pool.
	Pool string `json:"pool"`
}
