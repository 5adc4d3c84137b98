package controlplane

import (
	"context"
	"fmt"
	"path/filepath"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"

	"github.com/modelplane-go/modelplane/tests/tools"
)

// A Remote is a cluster of the fleet that runs models.
type Remote struct {
	*Server

	// Cluster is what the cluster was described as.
	Cluster Cluster

	index int // Among the fleet's clusters, from 1.
}

// clusterGateway is the Gateway that routes on a cluster attach to.
const clusterGateway = "inference-gateway"

// podCIDR is where the addresses of a cluster's pods are.
func (r *Remote) podCIDR() string { return fmt.Sprintf("10.244.%d.0/24", r.index) }

// GatewayAddress is where the cluster's gateway would be reached.
func (r *Remote) GatewayAddress() string { return fmt.Sprintf("10.245.0.%d", r.index) }

// startRemote starts a cluster: its API server, and then everything else.
func (f *Fleet) startRemote(ctx context.Context, r *Remote) error {
	// Nothing on a cluster is an Ingress.
	if err := f.startServer(ctx, r.Server, "--disable-admission-plugins=DefaultIngressClass"); err != nil {
		return err
	}
	// A kubelet that is back says again that its pods are Ready, and kwok does not:
	// so that nobody takes it to be away while the API server is.
	if err := f.startControllers(r.Server, "--use-service-account-credentials=false", "--node-monitor-grace-period=1h"); err != nil {
		return err
	}
	if err := f.startKwok(r); err != nil {
		return err
	}
	if err := r.applyAtOnce(ctx, f.programs.gatewayCRDs()...); err != nil {
		return err
	}
	if err := f.startGateway(ctx, r.Server, r.GatewayAddress()); err != nil {
		return err
	}
	if err := r.Apply(ctx, r.gateway()...); err != nil {
		return err
	}
	if err := f.startLWS(ctx, r); err != nil {
		return err
	}
	if err := r.furnish(ctx); err != nil {
		return err
	}
	return f.startScheduler(ctx, r)
}

// startScheduler starts the scheduler of a cluster.
func (f *Fleet) startScheduler(ctx context.Context, r *Remote) error {
	port, err := f.ports.take()
	if err != nil {
		return err
	}
	return f.processes.run(ctx, command{
		name: "kube-scheduler-" + r.Name,
		path: f.programs.upstream(tools.KubeScheduler()),
		args: []string{
			"--kubeconfig=" + r.Kubeconfig,
			"--authentication-kubeconfig=" + r.Kubeconfig,
			"--authorization-kubeconfig=" + r.Kubeconfig,
			"--leader-elect=false",
			"--bind-address=127.0.0.1",
			"--secure-port=" + portText(port),
			"--profiling=false",
		},
		ready: listens(local(port)),
	})
}

// startKwok starts what stands in for the kubelets of a cluster.
func (f *Fleet) startKwok(r *Remote) error {
	stages := f.programs.file(tools.Kwok(), "kustomize", "stage")
	args := []string{
		"--kubeconfig=" + r.Kubeconfig,
		"--manage-all-nodes",
		"--cidr=" + r.podCIDR(),
		"--node-ip=127.0.0.1",
		"--node-port=0",
		"--node-lease-duration-seconds=40",
	}
	// Where it is not told its stages it wants its own kinds to be installed.
	for _, s := range []string{
		"node/fast/node-initialize.yaml",
		"node/heartbeat-with-lease/node-heartbeat-with-lease.yaml",
		"pod/fast/pod-ready.yaml",
		"pod/fast/pod-complete.yaml",
		"pod/fast/pod-delete.yaml",
	} {
		args = append(args, "--config="+filepath.Join(stages, filepath.FromSlash(s)))
	}
	_, _, err := f.processes.begin(command{name: "kwok-" + r.Name, path: f.programs.upstream(tools.Kwok()), args: args})
	return err
}

// gateway is the Gateway a cluster of ours would have.
func (r *Remote) gateway() []object {
	return []object{
		&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: modelplaneSystem}},
		&gatewayv1.GatewayClass{
			ObjectMeta: metav1.ObjectMeta{Name: standIn},
			Spec:       gatewayv1.GatewayClassSpec{ControllerName: standInController},
		},
		&gatewayv1.Gateway{
			ObjectMeta: metav1.ObjectMeta{Namespace: modelplaneSystem, Name: clusterGateway},
			Spec: gatewayv1.GatewaySpec{
				GatewayClassName: standIn,
				Listeners: []gatewayv1.Listener{{
					Name:     "http",
					Port:     80,
					Protocol: gatewayv1.HTTPProtocolType,
					AllowedRoutes: &gatewayv1.AllowedRoutes{
						Namespaces: &gatewayv1.RouteNamespaces{From: new(gatewayv1.NamespacesFromAll)},
					},
				}},
			},
		},
	}
}
