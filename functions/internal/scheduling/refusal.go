package scheduling

import "k8s.io/apimachinery/pkg/labels"

// refusal is the first check, of those that do not depend on what is placed,
// that keeps new replicas off a cluster.
func refusal(d Deployment, c Cluster) *Rejection {
	if d.Selector != nil && !d.Selector.Matches(labels.Set(c.Labels)) {
		return refuse(c.Name, NotSelected, "not selected by clusterSelector", "")
	}
	if !c.Ready {
		return refuse(c.Name, NotReady, "not Ready", "")
	}
	if c.Address == "" {
		return refuse(c.Name, NoGatewayAddress, "without a gateway address", "")
	}
	if t, ok := d.untolerated(c, NoSchedule, NoExecute); ok {
		return refuse(c.Name, Tainted, "tainted "+t.String(), "")
	}
	return nil
}

// refuse makes a rejection. The note has the numbers of this cluster.
func refuse(cluster string, reason Reason, why, note string) *Rejection {
	why = bounded(why, maxWhy)
	return &Rejection{Cluster: cluster, Reason: reason, Why: why, Detail: annotate(why, bounded(note, maxWhy))}
}
