package names

import (
	"fmt"
	"strings"
)

// Reserved is the prefix of the labels and annotations that are Modelplane's.
const Reserved = "modelplane.ai/"

// Labels on ModelReplicas and ModelEndpoints: a replica's identity.
const (
	LabelDeployment   = Reserved + "deployment"
	LabelCluster      = Reserved + "cluster"
	LabelReplicaIndex = Reserved + "replica-index"

	// LabelRevision is the hash of the deployment's spec that a replica runs.
	LabelRevision = Reserved + "revision"
)

// Labels on a cluster's nodes and pods.
const (
	// LabelPool is on every node of a pool, and selects the nodes of a pod.
	LabelPool = Reserved + "pool"

	// LabelServing is on the pods that serve: Standalone pods and leaders.
	LabelServing = Reserved + "serving"

	// LabelWorkload is on the pods of a Deployment, and selects them.
	LabelWorkload = Reserved + "workload"

	// LabelSharesPool is on the pods that leave devices on their node for others,
	// and names the pool whose nodes they share.
	LabelSharesPool = Reserved + "shares-pool"

	// LabelGang is on the pods of a LeaderWorkerSet of which each needs a node to
	// itself among its group, and names the LeaderWorkerSet.
	LabelGang = Reserved + "gang"
)

// LabelGatewaySecret is on the Secrets that the control plane's gateway may use,
// and says what for. Without it nobody who may write a ModelEndpoint gets a Secret
// sent that he may not read.
const (
	LabelGatewaySecret = Reserved + "gateway-secret"

	// GatewaySecretCaller holds the keys of callers.
	GatewaySecretCaller = "caller"

	// GatewaySecretEndpoint holds what to call an endpoint with.
	GatewaySecretEndpoint = "endpoint"
)

// SystemNamespace holds what Modelplane needs for itself, on the control plane
// and on every cluster.
const SystemNamespace = "modelplane-system"

// The Gateways that routes attach to.
const (
	// ClusterGateway is the Gateway on an InferenceCluster, unless the cluster
	// says otherwise.
	ClusterGateway = "inference-gateway"

	// FrontGateway is the Gateway on the control plane.
	FrontGateway = "modelplane"

	// DefaultInferenceGateway is the InferenceGateway that ModelServices use.
	DefaultInferenceGateway = "default"
)

// Env of the engine containers of a gang.
const (
	// EnvLeaderAddress is where a gang's leader is reached.
	EnvLeaderAddress = "MODELPLANE_LEADER_ADDRESS"
	// EnvRank is a pod's rank in its gang. The leader's is 0.
	EnvRank = "MODELPLANE_RANK"
)

// ReservedNamespace says whether a namespace belongs to Kubernetes or to
// Modelplane, so that no model may run in it.
func ReservedNamespace(namespace string) bool {
	return namespace == SystemNamespace || strings.HasPrefix(namespace, "kube-")
}

// RefuseNamespace says why no model may run in a namespace, or nothing.
func RefuseNamespace(namespace string) string {
	if !ReservedNamespace(namespace) {
		return ""
	}
	return fmt.Sprintf("metadata.namespace: models may not run in %q; use a namespace of your own", namespace)
}
