package v1alpha1

import (
	corev1 "k8s.io/api/core/v1"
)

// A PodTemplate is the pod a member runs. It is passed through verbatim.
type PodTemplate struct {
	// Metadata of the pod.
	// +optional
	Metadata *PodMetadata `json:"metadata,omitempty"`

	// Spec of the pod. What decides where a pod runs (node selectors,
	// affinity, tolerations, resource claims) is Modelplane's to write: say it
	// with the member's nodeSelector and the deployment's clusterSelector.
	Spec PodSpec `json:"spec"`
}

// PodMetadata is the metadata a user may set on a pod.
type PodMetadata struct {
	// Labels of the pod. The prefixes modelplane.ai/ and
	// leaderworkerset.sigs.k8s.io/ are reserved.
	// +optional
	Labels Labels `json:"labels,omitempty"`

	// Annotations of the pod. The prefixes modelplane.ai/ and
	// leaderworkerset.sigs.k8s.io/ are reserved.
	// +optional
	Annotations Annotations `json:"annotations,omitempty"`
}

// A PodSpec is the part of a Kubernetes PodSpec that is the user's to write.
// Fields have the names, types and meaning Kubernetes gives them.
// +kubebuilder:validation:XValidation:rule="self.containers.exists_one(c, c.name == 'engine')",fieldPath=".containers",message="exactly one of containers must be named engine: it is the one that runs the model, the others are sidecars"
// +kubebuilder:validation:XValidation:rule="!has(self.initContainers) || self.initContainers.all(i, !self.containers.exists(c, c.name == i.name))",fieldPath=".initContainers",message="initContainers may not have the name of one of containers: a name is unique in its pod"
// +kubebuilder:validation:XValidation:rule="self.containers.all(c, !has(c.restartPolicy))",fieldPath=".containers",message="restartPolicy may only be set on initContainers: move the container there, or remove restartPolicy"
type PodSpec struct {
	// Containers of the pod. Exactly one is named engine; others are sidecars.
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=8
	Containers []Container `json:"containers"`

	// InitContainers run to completion, in order, before the containers start.
	// +optional
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MaxItems=8
	InitContainers []Container `json:"initContainers,omitempty"`

	// Volumes that containers of the pod may mount.
	// +optional
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MaxItems=32
	Volumes []corev1.Volume `json:"volumes,omitempty"`

	// ImagePullSecrets used to pull the pod's images. The deployment's secrets
	// say where they come from.
	// +optional
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MaxItems=8
	ImagePullSecrets []corev1.LocalObjectReference `json:"imagePullSecrets,omitempty"`

	// ServiceAccountName of the pod, on the cluster that runs it.
	// +optional
	// +kubebuilder:validation:MaxLength=253
	ServiceAccountName string `json:"serviceAccountName,omitempty"`

	// SecurityContext of the pod.
	// +optional
	SecurityContext *corev1.PodSecurityContext `json:"securityContext,omitempty"`

	// TerminationGracePeriodSeconds a pod has to finish its requests.
	// +optional
	// +kubebuilder:validation:Minimum=0
	TerminationGracePeriodSeconds *int64 `json:"terminationGracePeriodSeconds,omitempty"`

	// RuntimeClassName of the pod.
	// +optional
	// +kubebuilder:validation:MaxLength=253
	RuntimeClassName *string `json:"runtimeClassName,omitempty"`

	// PriorityClassName of the pod, on the cluster that runs it.
	// +optional
	// +kubebuilder:validation:MaxLength=253
	PriorityClassName string `json:"priorityClassName,omitempty"`

	// SchedulerName of the scheduler that binds the pod to a node.
	// +optional
	// +kubebuilder:validation:MaxLength=253
	SchedulerName string `json:"schedulerName,omitempty"`

	// HostNetwork runs the pod in its node's network namespace.
	// +optional
	HostNetwork bool `json:"hostNetwork,omitempty"`

	// ShareProcessNamespace shares one process namespace between the pod's
	// containers.
	// +optional
	ShareProcessNamespace *bool `json:"shareProcessNamespace,omitempty"`
}

// A Container is the part of a Kubernetes Container that is the user's to
// write.
type Container struct {
	// Name of the container, unique in its pod.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=63
	// +kubebuilder:validation:Pattern=`^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`
	Name string `json:"name"`

	// Image the container runs.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=1024
	Image string `json:"image"`

	// Command replaces the image's entrypoint.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=256
	Command []string `json:"command,omitempty"`

	// Args to the entrypoint. Engine flags go here; Modelplane never adds to,
	// removes from or reads them.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=256
	Args []string `json:"args,omitempty"`

	// Env of the container.
	// +optional
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MaxItems=256
	Env []corev1.EnvVar `json:"env,omitempty"`

	// EnvFrom lists ConfigMaps and Secrets whose keys become env.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=32
	EnvFrom []corev1.EnvFromSource `json:"envFrom,omitempty"`

	// Ports the container listens on. An engine container that serves listens
	// on 8000 unless it names a port of its own here.
	// +optional
	// +listType=map
	// +listMapKey=containerPort
	// +listMapKey=protocol
	// +kubebuilder:validation:MaxItems=32
	Ports []corev1.ContainerPort `json:"ports,omitempty"`

	// Resources the container needs, other than devices.
	// +optional
	Resources *ResourceRequirements `json:"resources,omitempty"`

	// VolumeMounts of the container.
	// +optional
	// +listType=map
	// +listMapKey=mountPath
	// +kubebuilder:validation:MaxItems=64
	VolumeMounts []corev1.VolumeMount `json:"volumeMounts,omitempty"`

	// LivenessProbe restarts the container when it fails.
	// +optional
	LivenessProbe *corev1.Probe `json:"livenessProbe,omitempty"`

	// ReadinessProbe takes the pod out of service when it fails. An engine
	// container that serves and sets none is probed with GET /health.
	// +optional
	ReadinessProbe *corev1.Probe `json:"readinessProbe,omitempty"`

	// StartupProbe holds the other probes until it succeeds.
	// +optional
	StartupProbe *corev1.Probe `json:"startupProbe,omitempty"`

	// Lifecycle hooks of the container.
	// +optional
	Lifecycle *corev1.Lifecycle `json:"lifecycle,omitempty"`

	// SecurityContext of the container.
	// +optional
	SecurityContext *corev1.SecurityContext `json:"securityContext,omitempty"`

	// WorkingDir of the container.
	// +optional
	// +kubebuilder:validation:MaxLength=1024
	WorkingDir string `json:"workingDir,omitempty"`

	// ImagePullPolicy of the container.
	// +optional
	// +kubebuilder:validation:Enum=Always;IfNotPresent;Never
	ImagePullPolicy corev1.PullPolicy `json:"imagePullPolicy,omitempty"`

	// RestartPolicy of an init container. Always makes it a sidecar that starts
	// before the containers and runs beside them.
	// +optional
	// +kubebuilder:validation:Enum=Always
	RestartPolicy *corev1.ContainerRestartPolicy `json:"restartPolicy,omitempty"`
}

// ResourceRequirements are the compute resources of a container. Devices are
// not among them: a member's nodeSelector asks for those.
type ResourceRequirements struct {
	// Requests is the least the container needs.
	// +optional
	Requests corev1.ResourceList `json:"requests,omitempty"`

	// Limits is the most the container may use.
	// +optional
	Limits corev1.ResourceList `json:"limits,omitempty"`
}
