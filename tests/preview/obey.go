package preview

import (
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// Where the front door is in a preview. The address is one of those set aside
// for documentation.
const gatewayAddress = "192.0.2.10"

// When everything happened. Nothing in a preview knows the time.
const someTime = "2026-01-01T00:00:00Z"

// API groups and kinds the preview knows.
const (
	group           = "modelplane.ai"
	groupKubernetes = "kubernetes.m.crossplane.io"
	groupHelm       = "helm.m.crossplane.io"
	groupGateway    = "gateway.networking.k8s.io"

	kindObject           = "Object"
	kindRelease          = "Release"
	kindGateway          = "Gateway"
	kindGatewayClass     = "GatewayClass"
	kindHTTPRoute        = "HTTPRoute"
	kindDeployment       = "Deployment"
	kindLeaderWorkerSet  = "LeaderWorkerSet"
	kindNamespace        = "Namespace"
	kindClusterProvider  = "ClusterProviderConfig"
	kindService          = "Service"
	kindResourceClaimTpl = "ResourceClaimTemplate"
)

// obey returns a composed resource as it is once whatever acts on it has done
// all that is asked of it.
func obey(o *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	if o.GetKind() == kindObject && o.GroupVersionKind().Group == groupKubernetes {
		return obeyObject(o)
	}
	return healthy(o), nil
}

// obeyObject keeps an object on a cluster as provider-kubernetes does. Whether
// it is ready is for the Object's own readiness query to say.
func obeyObject(o *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	o = o.DeepCopy()
	m, err := manifest(o)
	if err != nil {
		return nil, err
	}
	m = healthy(m)
	set(o, m.Object, "status", "atProvider", "manifest")

	ready, err := ready(o, m)
	if err != nil {
		return nil, err
	}
	set(o, []any{
		condition("Synced", true, "ReconcileSuccess"),
		condition("Ready", ready, map[bool]string{true: "Available", false: "Unavailable"}[ready]),
	}, "status", "conditions")
	return o, nil
}

// healthy returns an object with the status its controller gives it when all is
// well. An object whose controller gives it none is returned as it is.
func healthy(o *unstructured.Unstructured) *unstructured.Unstructured {
	o = o.DeepCopy()
	switch o.GroupVersionKind().Group + "/" + o.GetKind() {
	case "apps/" + kindDeployment:
		o.SetGeneration(1)
		set(o, counts(o, "updatedReplicas", "readyReplicas", "availableReplicas"), "status")
		set(o, []any{condition("Available", true, "MinimumReplicasAvailable")}, "status", "conditions")
	case "leaderworkerset.x-k8s.io/" + kindLeaderWorkerSet:
		o.SetGeneration(1)
		set(o, counts(o, "updatedReplicas", "readyReplicas"), "status")
		set(o, []any{condition("Available", true, "AllGroupsReady")}, "status", "conditions")
	case groupGateway + "/" + kindGatewayClass:
		set(o, []any{condition("Accepted", true, "Accepted")}, "status", "conditions")
	case groupGateway + "/" + kindGateway:
		set(o, []any{condition("Accepted", true, "Accepted"), condition("Programmed", true, "Programmed")}, "status", "conditions")
		set(o, []any{map[string]any{"type": "IPAddress", "value": gatewayAddress}}, "status", "addresses")
	case groupGateway + "/" + kindHTTPRoute:
		set(o, parents(o), "status", "parents")
	case groupHelm + "/" + kindRelease:
		set(o, "deployed", "status", "atProvider", "state")
		set(o, []any{condition("Synced", true, "ReconcileSuccess"), condition("Ready", true, "Available")}, "status", "conditions")
	case "/" + kindNamespace:
		set(o, "Active", "status", "phase")
	}
	return o
}

// counts is the status of a workload all of whose replicas are there.
func counts(o *unstructured.Unstructured, fields ...string) map[string]any {
	replicas, found, err := unstructured.NestedInt64(o.Object, "spec", "replicas")
	if err != nil || !found {
		replicas = 1
	}
	out := map[string]any{"observedGeneration": int64(1), "replicas": replicas}
	for _, f := range fields {
		out[f] = replicas
	}
	return out
}

// parents is the status of a route that every gateway it names has taken.
func parents(o *unstructured.Unstructured) []any {
	refs, _, err := unstructured.NestedSlice(o.Object, "spec", "parentRefs")
	if err != nil {
		return nil
	}
	out := make([]any, 0, len(refs))
	for _, ref := range refs {
		out = append(out, map[string]any{
			"parentRef":      ref,
			"controllerName": "modelplane.ai/preview",
			"conditions":     []any{condition("Accepted", true, "Accepted"), condition("ResolvedRefs", true, "ResolvedRefs")},
		})
	}
	return out
}

func condition(typ string, is bool, reason string) map[string]any {
	return map[string]any{
		"type":               typ,
		"status":             map[bool]string{true: "True", false: "False"}[is],
		"reason":             reason,
		"message":            "",
		"lastTransitionTime": someTime,
		"observedGeneration": int64(1),
	}
}
