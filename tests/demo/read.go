package demo

import (
	"context"
	"errors"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/modelplane-go/modelplane/schemas/modelplane/v1alpha1"
	"github.com/modelplane-go/modelplane/tests/typed"
)

// Read what the control plane says.
func Read(ctx context.Context, c client.Reader) (State, error) {
	clusters, err1 := typed.List[v1alpha1.InferenceCluster](ctx, c, v1alpha1.KindInferenceCluster)
	deployments, err2 := typed.List[v1alpha1.ModelDeployment](ctx, c, v1alpha1.KindModelDeployment)
	replicas, err3 := typed.List[v1alpha1.ModelReplica](ctx, c, v1alpha1.KindModelReplica)
	services, err4 := typed.List[v1alpha1.ModelService](ctx, c, v1alpha1.KindModelService)
	return State{Clusters: clusters, Deployments: deployments, Replicas: replicas, Services: services}, errors.Join(err1, err2, err3, err4)
}
