package controlplane

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/modelplane-go/modelplane/tests/tools"
)

// A Remote is a cluster of the fleet that runs models.
type Remote struct {
	*Server

	// Cluster is what the cluster was described as.
	Cluster Cluster

	index   int // Among the fleet's clusters, from 1.
	kubelet *kubelet
}

// podCIDR is where the addresses of a cluster's pods are.
func (r *Remote) podCIDR() string { return fmt.Sprintf("10.244.%d.0/24", r.index) }

// GatewayAddress is where the cluster's gateway is reached.
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
	if err := f.startClusterGateway(ctx, r); err != nil {
		return err
	}
	if err := f.startKubelet(ctx, r); err != nil {
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

// startKwok starts what stands in for the kubelets of a cluster: for most of what
// they do where a kubelet of ours does the rest, and for all of it elsewhere.
func (f *Fleet) startKwok(r *Remote) error {
	stages := f.programs.file(tools.Kwok(), "kustomize", "stage")
	pods := []string{filepath.Join(stages, "pod", "fast", "pod-ready.yaml"), filepath.Join(stages, "pod", "fast", "pod-delete.yaml")}
	if f.programs.Isolated {
		pods = []string{filepath.Join(f.programs.Root, "tests", "controlplane", "stages", "pod-starts.yaml")}
	}
	args := []string{
		"--kubeconfig=" + r.Kubeconfig,
		"--manage-all-nodes",
		"--cidr=" + r.podCIDR(),
		"--node-ip=127.0.0.1",
		"--node-port=0",
		"--node-lease-duration-seconds=40",
	}
	// Where it is not told its stages it wants its own kinds to be installed.
	for _, stage := range append(pods,
		filepath.Join(stages, "node", "fast", "node-initialize.yaml"),
		filepath.Join(stages, "node", "heartbeat-with-lease", "node-heartbeat-with-lease.yaml"),
		filepath.Join(stages, "pod", "fast", "pod-complete.yaml"),
	) {
		args = append(args, "--config="+stage)
	}
	_, _, err := f.processes.begin(command{name: "kwok-" + r.Name, path: f.programs.upstream(tools.Kwok()), args: args})
	return err
}
