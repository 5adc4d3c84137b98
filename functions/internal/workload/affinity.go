package workload

import (
	corev1 "k8s.io/api/core/v1"
	corev1ac "k8s.io/client-go/applyconfigurations/core/v1"
	metav1ac "k8s.io/client-go/applyconfigurations/meta/v1"
	lwsv1 "sigs.k8s.io/lws/api/leaderworkerset/v1"

	"github.com/modelplane-go/modelplane/functions/internal/names"
	"github.com/modelplane-go/modelplane/schemas/modelplane/v1alpha1"
)

// sharingWeight is of the preference for shared nodes, from 1 to 100. It is the
// most there is, because kube-scheduler by itself prefers to spread pods. See
// https://kubernetes.io/docs/concepts/scheduling-eviction/assign-pod-node/
const sharingWeight = 100

// packingLabels are on a member's pods so that others find or avoid their nodes.
// A pod that claims nothing has none, because it takes none of a node's devices.
// One with the label of its gang would be kept off the nodes of pods that claim,
// and they off its node: anti-affinity holds both ways.
func packingLabels(r Replica, e v1alpha1.ReplicaEngine, m v1alpha1.ReplicaMember) map[string]string {
	out := map[string]string{}
	if !claims(m) {
		return out
	}
	if m.SharesNode {
		out[names.LabelSharesPool] = m.NodePoolName
	}
	if claimingPods(e) > 1 {
		out[names.LabelGang] = names.Workload(r.Name, e.Name)
	}
	return out
}

// claimingPods are the pods of one copy of an engine that claim devices.
func claimingPods(e v1alpha1.ReplicaEngine) int32 {
	out := int32(0)
	for _, m := range e.Members {
		if claims(m) {
			out += nodes(m)
		}
	}
	return out
}

// affinity of a pod to the pods that have its packing labels, or nil if it has
// none of them.
func affinity(labels map[string]string) *corev1ac.AffinityApplyConfiguration {
	pool, shares := labels[names.LabelSharesPool]
	gang, apart := labels[names.LabelGang]
	if !shares && !apart {
		return nil
	}

	out := corev1ac.Affinity()
	if shares {
		out.WithPodAffinity(nearSharing(pool))
	}
	if apart {
		out.WithPodAntiAffinity(apartInGroup(gang))
	}
	return out
}

// nearSharing prefers the nodes of a pool that are shared already, whichever
// tenants share them.
func nearSharing(pool string) *corev1ac.PodAffinityApplyConfiguration {
	term := onNodeOf(names.LabelSharesPool, pool).WithNamespaceSelector(metav1ac.LabelSelector())
	return corev1ac.PodAffinity().WithPreferredDuringSchedulingIgnoredDuringExecution(
		corev1ac.WeightedPodAffinityTerm().WithWeight(sharingWeight).WithPodAffinityTerm(term))
}

// apartInGroup requires a node that no other pod of the same group is on. A copy
// of a gang is a group; LeaderWorkerSet labels each of its pods with the group's
// key.
func apartInGroup(gang string) *corev1ac.PodAntiAffinityApplyConfiguration {
	term := onNodeOf(names.LabelGang, gang).WithMatchLabelKeys(lwsv1.GroupUniqueHashLabelKey)
	return corev1ac.PodAntiAffinity().WithRequiredDuringSchedulingIgnoredDuringExecution(term)
}

// onNodeOf is the term for being on a node where pods with a label are.
func onNodeOf(label, value string) *corev1ac.PodAffinityTermApplyConfiguration {
	return corev1ac.PodAffinityTerm().
		WithTopologyKey(corev1.LabelHostname).
		WithLabelSelector(metav1ac.LabelSelector().WithMatchLabels(map[string]string{label: value}))
}
