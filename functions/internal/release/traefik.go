package release

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	corev1ac "k8s.io/client-go/applyconfigurations/core/v1"

	"github.com/modelplane-go/modelplane/functions/internal/names"
)

// TraefikValues are the values of the Traefik chart.
type TraefikValues struct {
	Deployment          TraefikDeployment `json:"deployment"`
	PodDisruptionBudget *TraefikBudget    `json:"podDisruptionBudget,omitempty"`
	AdditionalArguments []string          `json:"additionalArguments"`
	Providers           TraefikProviders  `json:"providers"`
	Service             TraefikService    `json:"service"`
	Gateway             TraefikEnabled    `json:"gateway"`
	GatewayClass        TraefikEnabled    `json:"gatewayClass"`
}

// A TraefikDeployment is the Deployment Traefik runs as.
type TraefikDeployment struct {
	Replicas                      int32       `json:"replicas"`
	TerminationGracePeriodSeconds int64       `json:"terminationGracePeriodSeconds"`
	AdditionalContainers          []container `json:"additionalContainers,omitempty"`
}

type container = *corev1ac.ContainerApplyConfiguration

// A TraefikBudget says how much of Traefik may be disrupted at a time.
type TraefikBudget struct {
	Enabled      bool  `json:"enabled"`
	MinAvailable int32 `json:"minAvailable"`
}

// TraefikProviders are where Traefik takes routes from.
type TraefikProviders struct {
	KubernetesCRD     TraefikCRDProvider     `json:"kubernetesCRD"` //nolint:tagliatelle // The chart calls it that.
	KubernetesGateway TraefikGatewayProvider `json:"kubernetesGateway"`
	KubernetesIngress TraefikEnabled         `json:"kubernetesIngress"`
}

// A TraefikCRDProvider takes routes, and what routes refer to, from Traefik's own
// kinds.
type TraefikCRDProvider struct {
	Enabled             bool `json:"enabled"`
	AllowCrossNamespace bool `json:"allowCrossNamespace"`
}

// A TraefikGatewayProvider takes routes from the Gateway API.
type TraefikGatewayProvider struct {
	Enabled       bool                 `json:"enabled"`
	StatusAddress TraefikStatusAddress `json:"statusAddress"`
}

// A TraefikStatusAddress is where Traefik takes the address of a Gateway from.
type TraefikStatusAddress struct {
	Service TraefikServiceReference `json:"service"`
}

// A TraefikServiceReference refers to a Service.
type TraefikServiceReference struct {
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
}

// TraefikService is the Service Traefik is reached by.
type TraefikService struct {
	NameOverride string              `json:"nameOverride"`
	Annotations  map[string]string   `json:"annotations,omitempty"`
	Spec         *TraefikServiceSpec `json:"spec,omitempty"`
}

// A TraefikServiceSpec is part of the Service's spec.
type TraefikServiceSpec struct {
	LoadBalancerClass string `json:"loadBalancerClass"`
}

// TraefikEnabled switches a part of the chart on or off.
type TraefikEnabled struct {
	Enabled bool `json:"enabled"`
}

// A Front is what differs between one control plane's gateway and another's.
type Front struct {
	Replicas          int32
	LoadBalancerClass string            // The cluster's own, if it is empty.
	Annotations       map[string]string // Of the Service.
	AuthorizerImage   string            // Without one there is no authorizer.
}

// Seconds that a pod of the gateway has to finish what it is at. Requests take as
// long as a model generates, so that they get as long as is bearable when the
// gateway is upgraded or a node is drained.
const (
	acceptSeconds    = "10s"
	finishSeconds    = "600s"
	terminateSeconds = 630
)

// FrontTraefik are the values of the control plane's gateway. Traefik takes
// routes from the Gateway API, and its Gateways get the address of its Service,
// whose name the chart is told. The Gateway and its class are Modelplane's own to
// compose. Routes refer to Middlewares, which are Traefik's own kind, of their own
// namespace.
func FrontTraefik(f Front) TraefikValues {
	out := TraefikValues{
		Deployment: TraefikDeployment{
			Replicas:                      f.Replicas,
			TerminationGracePeriodSeconds: terminateSeconds,
		},
		AdditionalArguments: arguments(),
		Providers: TraefikProviders{
			KubernetesCRD: TraefikCRDProvider{Enabled: true},
			KubernetesGateway: TraefikGatewayProvider{
				Enabled:       true,
				StatusAddress: TraefikStatusAddress{Service: TraefikServiceReference{Namespace: names.TraefikNamespace, Name: names.TraefikRelease}},
			},
		},
		Service: TraefikService{NameOverride: names.TraefikRelease, Annotations: f.Annotations},
	}
	// With one pod a budget would keep its node from ever being drained.
	if f.Replicas > 1 {
		out.PodDisruptionBudget = &TraefikBudget{Enabled: true, MinAvailable: 1}
	}
	if f.LoadBalancerClass != "" {
		out.Service.Spec = &TraefikServiceSpec{LoadBalancerClass: f.LoadBalancerClass}
	}
	if f.AuthorizerImage != "" {
		out.Deployment.AdditionalContainers = []container{authorizer(f.AuthorizerImage)}
	}
	return out
}

// arguments of Traefik that the chart has no values for, or leaves out if they
// are 0.
func arguments() []string {
	out := []string{
		"--global.checkNewVersion=false",
		"--global.sendAnonymousUsage=false",
		// A change of routes takes effect at once. Traefik waits 2 s by default.
		"--providers.providersThrottleDuration=200ms",
		// An endpoint that is gone is known to be after 3 s rather than 30.
		"--serversTransport.forwardingTimeouts.dialTimeout=3s",
	}
	for _, entryPoint := range []string{names.ListenerHTTP, names.ListenerHTTPS} {
		transport := "--entryPoints." + entryPoint + ".transport."
		out = append(out,
			// A request with images or audio in it may take more than the 60 s that
			// are the default to arrive.
			transport+"respondingTimeouts.readTimeout=0",
			// Load balancers take a while to notice that a pod goes.
			transport+"lifeCycle.requestAcceptGraceTimeout="+acceptSeconds,
			transport+"lifeCycle.graceTimeOut="+finishSeconds)
	}
	return out
}

// authorizer is the container that Traefik asks who calls, and what to call an
// endpoint with. It reads Secrets as Traefik does, with the pod's identity.
//
// It has no probes: it listens where only its own pod reaches it, and not the
// kubelet. It ends if it cannot serve, and refuses everybody until it has read the
// Secrets.
func authorizer(image string) container {
	return corev1ac.Container().
		WithName(names.AuthorizerContainer).
		WithImage(image).
		WithArgs(names.AuthorizerCommand).
		WithResources(corev1ac.ResourceRequirements().
			WithRequests(corev1.ResourceList{
				corev1.ResourceCPU:    resource.MustParse("10m"),
				corev1.ResourceMemory: resource.MustParse("32Mi"),
			}).
			WithLimits(corev1.ResourceList{
				corev1.ResourceMemory: resource.MustParse("256Mi"),
			})).
		WithSecurityContext(corev1ac.SecurityContext().
			WithRunAsNonRoot(true).
			WithReadOnlyRootFilesystem(true).
			WithAllowPrivilegeEscalation(false).
			WithCapabilities(corev1ac.Capabilities().WithDrop("ALL")).
			WithSeccompProfile(corev1ac.SeccompProfile().WithType(corev1.SeccompProfileTypeRuntimeDefault)))
}
