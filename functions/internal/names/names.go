package names

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
)

// Bounds of names, in characters.
const (
	// MaxLabel is the longest DNS label and label value, of RFC 1123 and the
	// Kubernetes label syntax.
	MaxLabel = 63

	// maxReplica leaves a replica's children room for a part of their own.
	maxReplica = 46

	// maxWorkload leaves a LeaderWorkerSet's StatefulSets and pods room: a
	// worker StatefulSet is <name>-<group>, and the label
	// controller-revision-hash adds eleven characters to that.
	maxWorkload = 48

	// hashLength is 32 bits in hexadecimal. A deployment has a thousand
	// replicas at most, so two of them share a hash once in 10,000 deployments
	// of that size.
	hashLength = 8
)

// Hash identifies the parts it is made of.
func Hash(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "/")))
	return hex.EncodeToString(sum[:])[:hashLength]
}

// opaque joins what people see of a name to a hash of what identifies it.
func opaque(limit int, visible string, identity ...string) string {
	if room := limit - hashLength - 1; len(visible) > room {
		visible = strings.TrimRight(visible[:room], "-.")
	}
	return visible + "-" + Hash(identity...)
}

// A Replica identifies one replica of a deployment.
type Replica struct {
	Namespace  string
	Deployment string
	Cluster    string
	Index      int
}

// Name of the ModelReplica, of its ModelEndpoint, and of the Service and
// HTTPRoute it is served by on its cluster.
func (r Replica) Name() string {
	return opaque(maxReplica, r.Deployment, r.Namespace, r.Deployment, r.Cluster, strconv.Itoa(r.Index))
}

// Key of the ModelReplica among what its deployment composes.
func (r Replica) Key() string {
	return PrefixReplica + r.Cluster + "-" + strconv.Itoa(r.Index)
}

// EndpointKey of the ModelEndpoint among what its deployment composes.
func (r Replica) EndpointKey() string {
	return prefixEndpoint + r.Cluster + "-" + strconv.Itoa(r.Index)
}

// Serving is the value of LabelServing on the pods that serve a replica, and what
// its Service selects. Where the workloads that run its engines are others, it is
// another: pods that have yet to go get no requests.
func Serving(replica string, workloads []string) string {
	return opaque(MaxLabel, replica, append([]string{replica}, workloads...)...)
}

// Workload is the name of an engine's Deployment or LeaderWorkerSet. It is never
// the replica's own name: a LeaderWorkerSet makes a headless Service of its name,
// and deadlocks where the serving Service has taken it.
func Workload(replica, engine string) string {
	return opaque(maxWorkload, replica+"-"+engine, replica, engine)
}

// ClaimTemplate is the name of a member's ResourceClaimTemplate. The content is
// what the template says, which is immutable.
func ClaimTemplate(replica, engine, role, content string) string {
	return opaque(MaxLabel, replica+"-"+engine+"-"+strings.ToLower(role), replica, engine, role, content)
}

// Secret is the name of a replica's own copy of a Secret, on its cluster.
func Secret(replica, secret string) string {
	return opaque(MaxLabel, replica+"-"+secret, replica, "secret", secret)
}

// Object is the name of the provider-kubernetes Object that a replica or cluster
// composes under a key.
func Object(owner, key string) string {
	return opaque(MaxLabel, owner+"-"+key, owner, key)
}

// ProviderConfig is the name of the ClusterProviderConfig that reaches an
// InferenceCluster.
func ProviderConfig(cluster string) string {
	return opaque(MaxLabel, cluster, "cluster", cluster)
}

// Usage is the name of the Usage or ClusterUsage that an InferenceCluster
// or an InferenceGateway composes under a key.
func Usage(owner, key string) string {
	return opaque(MaxLabel, owner+"-"+key, owner, key)
}
