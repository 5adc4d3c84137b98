package names

import "strings"

// Prefixes of the keys of what a ModelDeployment composes.
const (
	PrefixReplica  = "replica-"
	prefixEndpoint = "endpoint-"
)

// Keys of what a ModelReplica composes.
const (
	KeyNamespace = "namespace"
	KeyService   = "service"
	KeyHTTPRoute = "httproute"

	// PrefixClaimTemplate begins the keys of ResourceClaimTemplates.
	PrefixClaimTemplate = "resourceclaimtemplate-"

	// PrefixSecret begins the keys of Secrets.
	PrefixSecret = "secret-"
)

// KeyDeployment is the key of a Standalone engine's Deployment.
func KeyDeployment(engine string) string { return "deployment-" + engine }

// KeyLeaderWorkerSet is the key of a gang's LeaderWorkerSet.
func KeyLeaderWorkerSet(engine string) string { return "leaderworkerset-" + engine }

// KeyClaimTemplate is the key of a member's ResourceClaimTemplate.
func KeyClaimTemplate(engine, role, content string) string {
	return PrefixClaimTemplate + engine + "-" + strings.ToLower(role) + "-" + Hash(content)
}

// KeySecret is the key of a replica's copy of a Secret.
func KeySecret(secret string) string { return PrefixSecret + secret }

// Keys of what an InferenceCluster composes.
const (
	KeyProviderConfig = "clusterproviderconfig"
	KeyConnection     = "connection"

	// KeyReplicasUsage is the key of the ClusterUsage that protects the cluster
	// itself while replicas are on it.
	KeyReplicasUsage = "clusterusage-replicas"

	// PrefixSecretUsage begins the keys of Usages of Secrets.
	PrefixSecretUsage = "usage-secret-"
)

// KeyClassUsage is the key of the ClusterUsage that protects an InferenceClass.
func KeyClassUsage(class string) string { return "clusterusage-inferenceclass-" + class }

// KeySecretUsage is the key of the Usage that protects a Secret.
func KeySecretUsage(secret string) string { return PrefixSecretUsage + secret }

// Keys of what a ModelService composes for itself.
const (
	KeyServiceRoute       = "httproute"
	KeyServiceRetry       = "middleware-retry"
	KeyServiceUnavailable = "middleware-unavailable"
	KeyServiceCallers     = "middleware-callers"
)

// PrefixBackend begins the keys of the Services that stand for the ModelEndpoints
// of a ModelService.
const PrefixBackend = "service-"

// KeyBackend is the key of the Service that stands for a ModelEndpoint.
func KeyBackend(endpoint string) string { return PrefixBackend + endpoint }

// KeyEndpointSlice is the key of the slice behind a Backend. The type of a slice's
// addresses is immutable, so that another type is another slice.
func KeyEndpointSlice(endpoint, addressType string) string {
	return "endpointslice-" + strings.ToLower(addressType) + "-" + endpoint
}

// KeyBackendTLSPolicy is the key of the policy of how a Backend is verified.
func KeyBackendTLSPolicy(endpoint string) string { return "backendtlspolicy-" + endpoint }

// KeyBackendAuth is the key of the Middleware that authenticates with a Backend.
func KeyBackendAuth(endpoint string) string { return "middleware-auth-" + endpoint }

// Keys of what an InferenceGateway composes.
const (
	KeyHelmProviderConfig = "providerconfig-helm"
	KeyTraefik            = "release-traefik"
	KeyGatewayClass       = "gatewayclass"
	KeyGateway            = "gateway"
	KeyRedirect           = "httproute-redirect"

	// KeyGatewayUsage is the key of the Usage that keeps the controller until the
	// Gateway is gone.
	KeyGatewayUsage = "usage-release-by-gateway"

	// KeyGatewayClassUsage is the key of the Usage that keeps it until the
	// GatewayClass is.
	KeyGatewayClassUsage = "usage-release-by-gatewayclass"

	// KeyServicesUsage is the key of the ClusterUsage that protects the
	// InferenceGateway itself while ModelServices exist.
	KeyServicesUsage = "clusterusage-services"
)
