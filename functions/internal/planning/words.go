package planning

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/selection"

	"github.com/modelplane-go/modelplane/functions/internal/scheduling"
)

// why a cluster takes no more, without what is a mistake of the deployment.
func why(r scheduling.Rejection) string {
	s := r.Why
	for _, pool := range r.Pools {
		if isTypo(pool) {
			s = strings.Replace(s, ": "+pool.Miss.Unknown, "", 1)
		}
	}
	return s
}

// words for what would have to change about a cluster before its pools matter.
func (t *trial) words(r scheduling.Rejection) string {
	switch r.Reason {
	case scheduling.NotSelected:
		return relabel(t.selector, t.cluster.Labels)
	case scheduling.NotReady:
		return t.unready()
	case scheduling.NoGatewayAddress:
		return "have a gateway address, from spec.cluster.existing.gateway.address"
	case scheduling.Tainted:
		return t.untaint(r)
	case scheduling.SpreadViolated:
		return t.respread(r)
	case scheduling.NoMatchingDevice:
		return "have a node pool, in spec.nodePools"
	case scheduling.PoolUnknown, scheduling.NotEnoughDevices, scheduling.NothingToClaim, scheduling.NotEnoughRoom, scheduling.PoolRemoved, scheduling.Failing:
	}
	return r.Detail
}

// relabel says which labels a cluster lacks to be selected.
func relabel(s labels.Selector, has labels.Set) string {
	requirements, _ := s.Requirements()
	var out []string
	for _, r := range requirements {
		if r.Matches(has) {
			continue
		}
		label := "label " + r.Key()
		if values := r.Values().List(); len(values) > 0 {
			label += "=" + strings.Join(values, " or ")
		}
		switch r.Operator() {
		case selection.NotIn, selection.NotEquals, selection.DoesNotExist:
			label = "no " + label
		case selection.In, selection.Equals, selection.DoubleEquals, selection.Exists, selection.GreaterThan, selection.LessThan:
		}
		out = append(out, label)
	}
	return strings.Join(out, ", ")
}

// unready says why a cluster is not Ready.
func (t *trial) unready() string {
	if t.cluster.GetDeletionTimestamp() != nil {
		return "stay: it is being deleted"
	}
	c := meta.FindStatusCondition(t.cluster.Status.Conditions, "Ready")
	switch {
	case c == nil:
		return "be Ready: its status does not say that it is"
	case c.Status == metav1.ConditionTrue:
		return "have a status.providerConfigRef"
	}
	out := []string{"be Ready"}
	for _, said := range []string{c.Reason, c.Message} {
		if said != "" {
			out = append(out, said)
		}
	}
	return strings.Join(out, ": ")
}

func (t *trial) untaint(r scheduling.Rejection) string {
	for _, taint := range t.cluster.now.Taints {
		if taints(r, taint) {
			return fmt.Sprintf("tolerate %s, or remove the taint", taint)
		}
	}
	return r.Detail
}

// taints says whether it is a taint that a cluster was rejected for.
func taints(r scheduling.Rejection, t scheduling.Taint) bool {
	return r.Reason == scheduling.Tainted && strings.HasSuffix(r.Why, " "+t.String())
}

func (t *trial) respread(r scheduling.Rejection) string {
	for _, s := range t.snapshot.Deployment.Spread {
		if _, ok := t.cluster.Labels[s.TopologyKey]; !ok && s.Required {
			return fmt.Sprintf("label %s, to spread over", s.TopologyKey)
		}
	}
	return "room elsewhere first, or a greater maxSkew: " + r.Detail
}

// unknownPool says why the devices of a pool are not known.
func (t *trial) unknownPool(pool string) string {
	for _, np := range t.cluster.Spec.NodePools {
		if np.Name == pool && t.classes[np.ClassName] == nil {
			return fmt.Sprintf("create InferenceClass %q, or name another", np.ClassName)
		}
	}
	return "its devices are not published yet"
}

// room says how many nodes a pool lacks.
func (t *trial) room(c Change, r scheduling.PoolRejection) string {
	nodes, more := c.Nodes, ""
	switch {
	case nodes > 0 && c.NodesForAll > 0:
		more = fmt.Sprintf("; %d for %d replicas", c.NodesForAll, t.missing)
	case nodes > 0:
	case r.Short > 0 && c.Engine != "":
		nodes, more = r.Short, ", for this engine alone"
	default:
		return r.Detail
	}
	return fmt.Sprintf("%s (room for %d of %s)%s", plural(nodes, "more node"), r.Free, plural(r.Need, "pod"), more)
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
