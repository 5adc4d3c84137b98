package main

import (
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/modelplane-go/modelplane/functions/internal/xfn"
)

// patience is for how long a replica may be not Ready before it is replaced
// elsewhere. It returns false if it never is.
func (in *input) patience() (time.Duration, bool) {
	f := in.deployment.Spec.Failover
	if f == nil {
		return 0, false
	}
	return time.Duration(f.AfterSeconds) * time.Second, true
}

// failing says why a replica may be replaced elsewhere, or nothing: its cluster or
// the replica itself has been not Ready for longer than the deployment waits.
func (in *input) failing(r *replica) string {
	patience, ok := in.patience()
	if d, what := in.downtime(r); ok && d > patience {
		return fmt.Sprintf("%s has been not Ready for more than %.0f s", what, patience.Seconds())
	}
	return ""
}

// watchTheClock has Crossplane call again when the next replica will have been
// not Ready for too long.
func (in *input) watchTheClock(c *xfn.Call) {
	patience, ok := in.patience()
	for _, r := range in.replicas {
		if d, _ := in.downtime(r); ok && 0 < d && d <= patience {
			c.Again(patience - d + time.Second)
		}
	}
}

// downtime is for how long a replica's cluster has been not Ready, or the replica
// itself, whichever is longer. 0 if both are, or do not say.
func (in *input) downtime(r *replica) (d time.Duration, what string) {
	d, what = in.unready(r.Status.Conditions), "it"
	ic, ok := in.clusters[r.id.Cluster]
	if !ok {
		return d, what
	}
	if of := in.unready(ic.Status.Conditions); of >= d {
		return of, "cluster " + r.id.Cluster
	}
	return d, what
}

// unready is for how long the condition Ready has been False. 0 if it is not.
func (in *input) unready(conditions []metav1.Condition) time.Duration {
	c := meta.FindStatusCondition(conditions, "Ready")
	if c == nil || c.Status != metav1.ConditionFalse {
		return 0
	}
	return in.now.Sub(c.LastTransitionTime.Time)
}
