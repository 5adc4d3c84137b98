package routing

import (
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	corev1ac "k8s.io/client-go/applyconfigurations/core/v1"
	discoveryv1ac "k8s.io/client-go/applyconfigurations/discovery/v1"

	"github.com/modelplane-go/modelplane/functions/internal/names"
)

// An Endpoint is what stands for a ModelEndpoint on the control plane: a Service
// that selects no pods, and the slice that says where it leads. An ExternalName
// Service would be less, but gateways refuse it.
type Endpoint struct {
	Namespace string
	Name      string
	Target    Target
}

// BackendService is the Service a route refers to. Its port is the target's, and
// says by appProtocol whether the gateway speaks TLS to it.
func BackendService(e Endpoint) *corev1ac.ServiceApplyConfiguration {
	return corev1ac.Service(names.Backend(e.Namespace, e.Name), e.Namespace).WithSpec(corev1ac.ServiceSpec().
		WithPorts(corev1ac.ServicePort().
			WithName(e.Target.Scheme).
			WithProtocol(corev1.ProtocolTCP).
			WithAppProtocol(e.Target.Scheme).
			WithPort(e.Target.Port)))
}

// BackendSlice is the slice that leads to the target. A port belongs to the
// Service's port of the same name, and an endpoint that does not say that it is
// ready counts as not ready.
func BackendSlice(e Endpoint) *discoveryv1ac.EndpointSliceApplyConfiguration {
	return discoveryv1ac.EndpointSlice(names.EndpointSlice(e.Namespace, e.Name, string(e.Target.Type)), e.Namespace).
		WithLabels(map[string]string{discoveryv1.LabelServiceName: names.Backend(e.Namespace, e.Name)}).
		WithAddressType(e.Target.Type).
		WithEndpoints(discoveryv1ac.Endpoint().
			WithAddresses(e.Target.Host).
			WithConditions(discoveryv1ac.EndpointConditions().WithReady(true))).
		WithPorts(discoveryv1ac.EndpointPort().
			WithName(e.Target.Scheme).
			WithProtocol(corev1.ProtocolTCP).
			WithPort(e.Target.Port))
}
