// Package v1alpha1 is the modelplane.ai/v1alpha1 API: what a platform team says
// about its GPU clusters, and what an ML team says about its models.
//
// The kinds mirror Kubernetes on purpose: a ModelDeployment makes
// ModelReplicas as a Deployment makes Pods, and a ModelService selects
// ModelEndpoints as a Service selects Endpoints. Every kind is a Crossplane
// composite resource. The Go types here are the source of the XRDs under
// apis/; run `make generate` after a change.
//
// The package holds types, their validation markers and the constructors of
// their conditions. It deliberately holds no logic and no defaults in code:
// defaults are in the schema, where a user sees them.
//
// +kubebuilder:object:generate=true
// +groupName=modelplane.ai
// +versionName=v1alpha1
package v1alpha1

import "k8s.io/apimachinery/pkg/runtime/schema"

// The API group and version of this package.
const (
	Group   = "modelplane.ai"
	Version = "v1alpha1"
)

// GroupVersion is the API group and version of this package.
//
//nolint:gochecknoglobals // A constant in all but Go's type system.
var GroupVersion = schema.GroupVersion{Group: Group, Version: Version}

// The kinds of this package.
const (
	KindInferenceClass   = "InferenceClass"
	KindInferenceCluster = "InferenceCluster"
	KindInferenceGateway = "InferenceGateway"
	KindModelDeployment  = "ModelDeployment"
	KindModelEndpoint    = "ModelEndpoint"
	KindModelReplica     = "ModelReplica"
	KindModelService     = "ModelService"
)
