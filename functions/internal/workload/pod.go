package workload

import (
	"encoding/json"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	corev1ac "k8s.io/client-go/applyconfigurations/core/v1"

	"github.com/modelplane-go/modelplane/functions/internal/names"
	"github.com/modelplane-go/modelplane/schemas/modelplane/v1alpha1"
)

const (
	// engineContainer is the container of a pod that runs the engine.
	engineContainer = "engine"

	// claimName is what a pod calls the claim of its devices.
	claimName = "devices"

	// DefaultPort is where OpenAI-compatible engines listen by convention.
	DefaultPort = 8000

	healthPath = "/health"

	shmPath   = "/dev/shm"
	shmVolume = "dshm"

	// gpuTaint is what GPU nodes are tainted with by the clouds and by NVIDIA's
	// operator.
	gpuTaint = "nvidia.com/gpu"
)

// How often and how patiently a serving pod is probed. Loading a model takes
// long; a busy engine may take seconds to answer.
const (
	probeDelaySeconds   = 30
	probePeriodSeconds  = 10
	probeTimeoutSeconds = 5
)

// A pod is what a role adds to its template.
type pod struct {
	template      v1alpha1.PodTemplate
	pool          string
	claimTemplate string // Empty for a member that claims nothing.
	serves        bool
	gang          bool
	labels        map[string]string
}

func newPod(r Replica, e v1alpha1.ReplicaEngine, m v1alpha1.ReplicaMember) pod {
	p := pod{
		template: m.Template,
		pool:     m.NodePoolName,
		serves:   m.Role != v1alpha1.RoleWorker,
		gang:     IsGang(e),
		labels:   map[string]string{},
	}
	if p.serves {
		p.labels[names.LabelServing] = r.Serving
	}
	maps.Copy(p.labels, packingLabels(r, e, m))
	if r.CopiesSecrets {
		p.template.Spec = withCopies(r.Name, p.template.Spec)
	}
	return p
}

// build the pod's template.
func (p pod) build() (*corev1ac.PodTemplateSpecApplyConfiguration, error) {
	spec, err := applyConfiguration(p.template.Spec)
	if err != nil {
		return nil, err
	}
	p.place(spec)
	for i := range spec.Containers {
		if *spec.Containers[i].Name == engineContainer {
			p.engine(spec, &spec.Containers[i])
		}
	}

	out := corev1ac.PodTemplateSpec().WithSpec(spec)
	if labels := p.podLabels(); len(labels) > 0 {
		out.WithLabels(labels)
	}
	if m := p.template.Metadata; m != nil && len(m.Annotations) > 0 {
		out.WithAnnotations(plain(m.Annotations))
	}
	return out, nil
}

// applyConfiguration turns what a user wrote into an apply configuration. Both
// have the JSON of a Kubernetes PodSpec.
func applyConfiguration(in v1alpha1.PodSpec) (*corev1ac.PodSpecApplyConfiguration, error) {
	j, err := json.Marshal(in)
	if err != nil {
		return nil, err
	}
	out := corev1ac.PodSpec()
	return out, json.Unmarshal(j, out)
}

// podLabels are the user's, and Modelplane's over them.
func (p pod) podLabels() map[string]string {
	out := map[string]string{}
	if m := p.template.Metadata; m != nil {
		maps.Copy(out, plain(m.Labels))
	}
	maps.Copy(out, p.labels)
	return out
}

// place the pod on its pool's nodes, near and apart from the pods it is to be,
// with its devices.
func (p pod) place(spec *corev1ac.PodSpecApplyConfiguration) {
	spec.WithNodeSelector(map[string]string{names.LabelPool: p.pool})
	spec.WithTolerations(corev1ac.Toleration().
		WithKey(gpuTaint).
		WithOperator(corev1.TolerationOpExists).
		WithEffect(corev1.TaintEffectNoSchedule))
	if a := affinity(p.labels); a != nil {
		spec.WithAffinity(a)
	}
	if p.claimTemplate != "" {
		spec.WithResourceClaims(corev1ac.PodResourceClaim().
			WithName(claimName).
			WithResourceClaimTemplateName(p.claimTemplate))
	}
}

// engine completes the container that runs the engine.
func (p pod) engine(spec *corev1ac.PodSpecApplyConfiguration, c *corev1ac.ContainerApplyConfiguration) {
	if p.claimTemplate != "" {
		if c.Resources == nil {
			c.WithResources(corev1ac.ResourceRequirements())
		}
		c.Resources.WithClaims(corev1ac.ResourceClaim().WithName(claimName))
	}
	if p.gang {
		c.Env = slices.Concat(gangEnv(), c.Env)
	}
	if p.serves {
		serve(c)
	}
	shareMemory(spec, c)
}

// gangEnv names what LeaderWorkerSet puts into every container, ahead of the
// user's own env so that it may refer to these.
func gangEnv() []corev1ac.EnvVarApplyConfiguration {
	return []corev1ac.EnvVarApplyConfiguration{
		*corev1ac.EnvVar().WithName(names.EnvLeaderAddress).WithValue("$(LWS_LEADER_ADDRESS)"),
		*corev1ac.EnvVar().WithName(names.EnvRank).WithValue("$(LWS_WORKER_INDEX)"),
	}
}

// serve gives an engine container that says nothing of ports or readiness the
// conventional ones.
func serve(c *corev1ac.ContainerApplyConfiguration) {
	if len(c.Ports) == 0 {
		c.WithPorts(corev1ac.ContainerPort().WithName("http").WithContainerPort(DefaultPort))
	}
	if c.ReadinessProbe != nil {
		return
	}
	c.WithReadinessProbe(corev1ac.Probe().
		WithHTTPGet(corev1ac.HTTPGetAction().WithPath(healthPath).WithPort(intstr.FromInt32(*c.Ports[0].ContainerPort))).
		WithInitialDelaySeconds(probeDelaySeconds).
		WithPeriodSeconds(probePeriodSeconds).
		WithTimeoutSeconds(probeTimeoutSeconds))
}

// shareMemory gives an engine the shared memory that tensor parallelism needs,
// unless its template arranges for /dev/shm itself.
func shareMemory(spec *corev1ac.PodSpecApplyConfiguration, c *corev1ac.ContainerApplyConfiguration) {
	for _, m := range c.VolumeMounts {
		if m.MountPath != nil && *m.MountPath == shmPath {
			return
		}
	}
	c.WithVolumeMounts(corev1ac.VolumeMount().WithName(shmVolume).WithMountPath(shmPath))
	for _, v := range spec.Volumes {
		if *v.Name == shmVolume {
			return
		}
	}
	spec.WithVolumes(corev1ac.Volume().
		WithName(shmVolume).
		WithEmptyDir(corev1ac.EmptyDirVolumeSource().WithMedium(corev1.StorageMediumMemory)))
}

// plain returns a map of plain strings.
func plain[V ~string](in map[string]V) map[string]string {
	out := make(map[string]string, len(in))
	for k, v := range in {
		out[k] = string(v)
	}
	return out
}
