package workload

import (
	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	appsv1ac "k8s.io/client-go/applyconfigurations/apps/v1"
	metav1ac "k8s.io/client-go/applyconfigurations/meta/v1"

	"github.com/modelplane-go/modelplane/functions/internal/names"
	"github.com/modelplane-go/modelplane/schemas/modelplane/v1alpha1"
)

// deployment runs the copies of a Standalone engine.
func deployment(r Replica, e v1alpha1.ReplicaEngine, p pod) (*appsv1ac.DeploymentApplyConfiguration, error) {
	name := names.Workload(r.Name, e.Name)
	p.labels[names.LabelWorkload] = name
	template, err := p.build()
	if err != nil {
		return nil, err
	}

	// A pod more than there are devices for would wait for a pod that waits for
	// it. So the old one goes first.
	rolling := appsv1ac.RollingUpdateDeployment().
		WithMaxSurge(intstr.FromInt32(0)).
		WithMaxUnavailable(intstr.FromInt32(1))

	return appsv1ac.Deployment(name, r.Namespace).WithSpec(appsv1ac.DeploymentSpec().
		WithReplicas(Copies(e)).
		WithSelector(metav1ac.LabelSelector().WithMatchLabels(map[string]string{names.LabelWorkload: name})).
		WithStrategy(appsv1ac.DeploymentStrategy().
			WithType(appsv1.RollingUpdateDeploymentStrategyType).
			WithRollingUpdate(rolling)).
		WithTemplate(template)), nil
}
