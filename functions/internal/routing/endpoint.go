package routing

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	corev1ac "k8s.io/client-go/applyconfigurations/core/v1"
	discoveryv1ac "k8s.io/client-go/applyconfigurations/discovery/v1"
	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"
	gatewayv1ac "sigs.k8s.io/gateway-api/applyconfiguration/apis/v1"

	"github.com/modelplane-go/modelplane/functions/internal/names"
	"github.com/modelplane-go/modelplane/schemas/remote"
)

// A Backend is an endpoint of a service, and its share of the service's requests.
// What stands for it on the control plane belongs to the service, so that it
// stays as long as the service's route refers to it.
type Backend struct {
	Endpoint string
	Target   Target
	Weight   int32

	// Rewrite is what stands for the service's path in requests.
	Rewrite string

	// TLS says how the endpoint is verified, unless by its host and the system's
	// CAs.
	TLS *TLS

	// Credential is what the endpoint is called with. None leaves the caller's.
	Credential *Credential
}

// TLS is how an endpoint is verified. Where nothing is said, its host and the
// system's CAs are meant.
type TLS struct {
	ServerName  string
	CAConfigMap string
}

// A Credential is a key of a Secret, and the header it is sent in: as a bearer
// token in Authorization, unless there is another.
type Credential struct {
	Secret string
	Key    string
	Header string
}

// Hostname that requests are for, if the endpoint has one rather than an IP
// address.
func (b Backend) Hostname() string {
	if b.Target.Type == discoveryv1.AddressTypeFQDN {
		return b.Target.Host
	}
	if b.TLS != nil {
		return b.TLS.ServerName
	}
	return ""
}

// name of what stands for a backend.
func (s Service) backend(b Backend) string { return names.Backend(s.Namespace, s.Name, b.Endpoint) }

// BackendService is the Service a route refers to, which selects no pods. Its port
// is the target's, and says by appProtocol whether the gateway speaks TLS to it. An
// ExternalName Service would be less than this and its slice, but gateways refuse
// it.
func BackendService(s Service, b Backend) *corev1ac.ServiceApplyConfiguration {
	return corev1ac.Service(s.backend(b), s.Namespace).WithSpec(corev1ac.ServiceSpec().
		WithPorts(corev1ac.ServicePort().
			WithName(b.Target.Scheme).
			WithProtocol(corev1.ProtocolTCP).
			WithAppProtocol(b.Target.Scheme).
			WithPort(b.Target.Port)))
}

// BackendSlice is the slice that leads to the target. A port belongs to the
// Service's port of the same name, and an endpoint that does not say that it is
// ready counts as not ready.
func BackendSlice(s Service, b Backend) *discoveryv1ac.EndpointSliceApplyConfiguration {
	return discoveryv1ac.EndpointSlice(names.EndpointSlice(s.Namespace, s.Name, b.Endpoint, string(b.Target.Type)), s.Namespace).
		WithLabels(map[string]string{discoveryv1.LabelServiceName: s.backend(b)}).
		WithAddressType(b.Target.Type).
		WithEndpoints(discoveryv1ac.Endpoint().
			WithAddresses(b.Target.Host).
			WithConditions(discoveryv1ac.EndpointConditions().WithReady(true))).
		WithPorts(discoveryv1ac.EndpointPort().
			WithName(b.Target.Scheme).
			WithProtocol(corev1.ProtocolTCP).
			WithPort(b.Target.Port))
}

// BackendTLSPolicy says how a backend with TLS is verified.
func BackendTLSPolicy(s Service, b Backend) *gatewayv1ac.BackendTLSPolicyApplyConfiguration {
	validation := gatewayv1ac.BackendTLSPolicyValidation().WithHostname(gatewayv1.PreciseHostname(b.TLS.ServerName))
	if b.TLS.ServerName == "" {
		validation.WithHostname(gatewayv1.PreciseHostname(b.Target.Host))
	}
	if b.TLS.CAConfigMap == "" {
		validation.WithWellKnownCACertificates(gatewayv1.WellKnownCACertificatesSystem)
	} else {
		validation.WithCACertificateRefs(gatewayv1ac.LocalObjectReference().
			WithGroup("").
			WithKind("ConfigMap").
			WithName(gatewayv1.ObjectName(b.TLS.CAConfigMap)))
	}
	return gatewayv1ac.BackendTLSPolicy(s.backend(b), s.Namespace).WithSpec(gatewayv1ac.BackendTLSPolicySpec().
		WithTargetRefs(gatewayv1ac.LocalPolicyTargetReferenceWithSectionName().
			WithGroup("").
			WithKind("Service").
			WithName(gatewayv1.ObjectName(s.backend(b)))).
		WithValidation(validation))
}

// BackendAuth puts the endpoint's credential in the place of what the caller
// presented. The gateway asks the authorizer beside it for the credential, which
// only the name of is written here.
func BackendAuth(s Service, b Backend) *remote.Middleware {
	query := map[string]string{
		names.ParameterNamespace: s.Namespace,
		names.ParameterSecret:    b.Credential.Secret,
		names.ParameterKey:       b.Credential.Key,
	}
	headers := credentialHeaders
	if h := b.Credential.Header; h != "" {
		query[names.ParameterHeader] = h
		headers = slices.Concat(headers, []string{h})
	}
	return ask(s.Namespace, s.backend(b), names.AuthorizerEndpoints, query, headers)
}
