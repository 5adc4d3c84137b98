package main

import (
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// failing says why a replica may be replaced elsewhere, or nothing: its cluster or
// the replica itself has been not Ready for longer than the deployment waits.
// Neither is concluded from what a cluster or a replica does not say.
func (in *input) failing(r *replica) string {
	f := in.deployment.Spec.Failover
	if f == nil {
		return ""
	}
	before := in.now.Add(-time.Duration(f.AfterSeconds) * time.Second)
	if ic, ok := in.clusters[r.id.Cluster]; ok && unready(ic.Status.Conditions, before) {
		return fmt.Sprintf("cluster %s has been not Ready for more than %d s", r.id.Cluster, f.AfterSeconds)
	}
	if unready(r.Status.Conditions, before) {
		return fmt.Sprintf("it has been not Ready for more than %d s", f.AfterSeconds)
	}
	return ""
}

// unready says whether the condition Ready has been False since before a time.
func unready(conditions []metav1.Condition, before time.Time) bool {
	c := meta.FindStatusCondition(conditions, "Ready")
	return c != nil && c.Status == metav1.ConditionFalse && c.LastTransitionTime.Time.Before(before)
}
