package main

import (
	"fmt"

	corev1ac "k8s.io/client-go/applyconfigurations/core/v1"

	"github.com/modelplane-go/modelplane/functions/internal/names"
	"github.com/modelplane-go/modelplane/functions/internal/remote"
	"github.com/modelplane-go/modelplane/functions/internal/routing"
	"github.com/modelplane-go/modelplane/functions/internal/workload"
	"github.com/modelplane-go/modelplane/schemas/modelplane/v1alpha1"
)

// refuse says why a replica cannot be built, or nothing.
func refuse(xr *v1alpha1.ModelReplica) string {
	if why := names.RefuseNamespace(xr.GetNamespace()); why != "" {
		return why
	}
	if len(xr.Spec.Engines) == 0 {
		return "spec.engines: a replica has at least one engine"
	}
	if err := workload.Check(xr.Spec.Engines, xr.Spec.Secrets); err != nil {
		return "spec.engines: " + err.Error()
	}
	return ""
}

// build everything a replica has on its cluster.
func build(xr *v1alpha1.ModelReplica) ([]workload.Keyed, error) {
	out := []workload.Keyed{{
		Key: names.KeyNamespace,
		Manifest: remote.Manifest{
			Object: corev1ac.Namespace(xr.GetNamespace()),
			Shared: true,
		},
	}}

	r := workload.Replica{
		Name:          xr.GetName(),
		Namespace:     xr.GetNamespace(),
		Serving:       workload.ServingLabel(xr.GetName(), xr.Spec.Engines),
		CopiesSecrets: xr.Spec.Secrets == v1alpha1.SecretsProject,
	}
	if r.CopiesSecrets {
		out = append(out, workload.SecretCopies(r, xr.Spec.Engines)...)
	}
	for _, e := range xr.Spec.Engines {
		built, err := workload.Engine(r, e)
		if err != nil {
			return nil, fmt.Errorf("cannot build engine %q: %w", e.Name, err)
		}
		out = append(out, built...)
	}

	route := routing.Replica{
		Namespace:  xr.GetNamespace(),
		Name:       xr.GetName(),
		Serving:    r.Serving,
		TargetPort: workload.Port(xr.Spec.Engines[0]),
		Gateway:    routing.Gateway{Namespace: xr.Spec.Gateway.Namespace, Name: xr.Spec.Gateway.Name},
	}
	return append(out,
		workload.Keyed{Key: names.KeyService, Manifest: remote.Manifest{Object: routing.ReplicaService(route)}},
		workload.Keyed{Key: names.KeyHTTPRoute, Manifest: remote.Manifest{Object: routing.ReplicaRoute(route), Query: remote.RouteReady}},
	), nil
}
