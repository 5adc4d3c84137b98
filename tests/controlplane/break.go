package controlplane

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"

	"github.com/modelplane-go/modelplane/tests/tools"
)

// Components of the fleet: the names of its processes. They are etcd,
// crossplane, provider-kubernetes, provider-helm, the functions by the names of
// their packages, such as compose-model-replica, and of each cluster
// kube-apiserver-<cluster>, kube-controller-manager-<cluster>,
// kube-scheduler-<cluster>, kwok-<cluster>, lws-<cluster> and traefik-<cluster>.
// Once there is an InferenceGateway there is traefik, which is the control
// plane's, and authorizer, if Traefik has one beside it.
func (f *Fleet) Components() []string {
	var out []string
	for _, p := range f.processes.all() {
		out = append(out, p.name)
	}
	return out
}

// Kill a component, as a power failure would. Nothing starts it again but
// Restart.
func (f *Fleet) Kill(component string) error {
	p, err := f.processes.get(component)
	if err != nil {
		return err
	}
	p.kill()
	return nil
}

// Restart a component, in the place it had, and wait until it is ready. It is
// stopped first if it runs.
func (f *Fleet) Restart(ctx context.Context, component string) error {
	p, err := f.processes.get(component)
	if err != nil {
		return err
	}
	p.stop()
	if err := p.begin(); err != nil {
		return err
	}
	return p.wait(ctx)
}

// APIServer is the component that is a cluster's API server. The control plane
// is named control-plane.
func APIServer(cluster string) string { return "kube-apiserver-" + cluster }

// Gateway is the component that is a cluster's gateway, in a fleet that has a
// network of its own. The control plane's is named traefik.
func Gateway(cluster string) string { return traefik + "-" + cluster }

// StopCluster switches a cluster off, all of it: its API server, its controllers,
// its gateway, and its pods, which answer no more.
func (f *Fleet) StopCluster(r *Remote) error {
	r.kubelet.leave()
	for _, c := range f.componentsOf(r) {
		if err := f.Kill(c); err != nil {
			return err
		}
	}
	return nil
}

// StartCluster switches a cluster on again, and waits until it is back with all it
// had.
func (f *Fleet) StartCluster(ctx context.Context, r *Remote) error {
	var tasks []func(ctx context.Context) error
	for _, c := range f.componentsOf(r) {
		if c == APIServer(r.Name) {
			if err := f.Restart(ctx, c); err != nil { // The others need it.
				return err
			}
			continue
		}
		tasks = append(tasks, func(ctx context.Context) error { return f.Restart(ctx, c) })
	}
	return together(ctx, append(tasks, r.kubelet.back)...)
}

// componentsOf a cluster, its API server first.
func (f *Fleet) componentsOf(r *Remote) []string {
	out := []string{APIServer(r.Name)}
	for _, kind := range []string{"kube-controller-manager-", "kube-scheduler-", "kwok-", "lws-", traefik + "-"} {
		if _, err := f.processes.get(kind + r.Name); err == nil {
			out = append(out, kind+r.Name)
		}
	}
	return out
}

// Kubectl runs kubectl against a cluster, and returns what it prints.
func (f *Fleet) Kubectl(ctx context.Context, s *Server, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, f.programs.Kubectl, args...)
	return f.output(cmd, s)
}

// Shell runs a script in a folder, where kubectl is one for the control plane, and
// returns what it prints.
func (f *Fleet) Shell(ctx context.Context, folder, script string) (string, error) {
	cmd := exec.CommandContext(ctx, "bash", "-euo", "pipefail", "-c", "kubectl() { \"$KUBECTL\" \"$@\"; }\n"+script)
	cmd.Dir = folder
	cmd.Env = []string{"KUBECTL=" + f.programs.Kubectl}
	return f.output(cmd, f.ControlPlane)
}

// CrossplaneCLI runs the Crossplane command line against the control plane, and
// returns what it prints.
func (f *Fleet) CrossplaneCLI(ctx context.Context, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, f.programs.upstream(tools.CrossplaneCLI()), args...)
	return f.output(cmd, f.ControlPlane)
}

func (f *Fleet) output(cmd *exec.Cmd, s *Server) (string, error) {
	cmd.Env = append(append(os.Environ(), cmd.Env...), "KUBECONFIG="+s.Kubeconfig)
	cmd.SysProcAttr = child()
	out, err := cmd.Output()
	if exit := (&exec.ExitError{}); errors.As(err, &exit) {
		return string(out), fmt.Errorf("cannot run %s: %w\n%s", cmd, err, exit.Stderr)
	}
	if err != nil {
		return string(out), fmt.Errorf("cannot run %s: %w", cmd, err)
	}
	return string(out), nil
}

// Logs is the folder of what components print, a file named like each. It is
// deleted with the fleet.
func (f *Fleet) Logs() string { return f.processes.logs }

// tailOf what a component has printed, after a line break.
func (f *Fleet) tailOf(component string) string {
	p, err := f.processes.get(component)
	if err != nil {
		return ""
	}
	return "\n" + component + ":\n" + p.tail()
}
