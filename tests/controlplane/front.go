package controlplane

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"slices"
	"strings"
	"sync"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

const (
	// frontAddress is where the control plane's gateway is reached.
	frontAddress = "10.245.255.1"

	// frontNamespace is that of the Deployment and the Service that are the
	// control plane's gateway. Both have the name of its chart.
	frontNamespace = "traefik-system"

	// frontPings is the port at which Traefik's chart has it answer pings.
	frontPings = "8080"

	// authorizer is the container beside Traefik whom it asks about requests, and
	// authorizes is the function whose image it runs.
	authorizer = "authorizer"
	authorizes = "compose-inference-gateway"
)

// A front stands in for what the control plane's gateway stands on: the kubelet
// that runs its pods, and the load balancer that leads to them. The pods are as
// many as the Deployment wants, in what is said of them. One of them runs: its
// containers are processes, with the arguments the Deployment gives them.
type front struct {
	*Fleet

	// One reaction at a time has these.
	template string   // Of the pod that runs, encoded.
	running  *process // Its Traefik.
	beside   string   // The container beside that, encoded.
	pods     int      // How many there have been.

	mu        sync.Mutex
	address   string // Of the pod that runs.
	listeners []net.Listener
}

// startFront stands in until the fleet stops. Without a network of its own a
// fleet has no gateway, and a stand-in says that there is one.
func (f *Fleet) startFront(ctx context.Context) error {
	if !f.programs.Isolated {
		if err := f.ControlPlane.applyAtOnce(ctx, f.programs.gatewayCRDs()...); err != nil {
			return err
		}
		return f.startGateway(ctx, f.ControlPlane, frontAddress)
	}
	front := &front{Fleet: f}
	f.atEnd(front.close)
	if err := f.watch(ctx, f.ControlPlane, &appsv1.Deployment{}, front.deploymentChanged); err != nil {
		return err
	}
	return f.watch(ctx, f.ControlPlane, &corev1.Service{}, front.serviceChanged)
}

// frontKey says whether an object is the control plane's gateway's.
func frontKey(key client.ObjectKey) bool {
	return key == client.ObjectKey{Namespace: frontNamespace, Name: chartName}
}

func (f *front) deploymentChanged(ctx context.Context, key client.ObjectKey, o client.Object) error {
	if !frontKey(key) {
		return nil
	}
	d, ok := o.(*appsv1.Deployment)
	if !ok || d.GetDeletionTimestamp() != nil {
		f.stopPod()
		return nil
	}
	template, err := json.Marshal(d.Spec.Template)
	if err != nil {
		return fmt.Errorf("cannot encode a pod: %w", err)
	}
	if f.template != string(template) {
		if err := f.startPod(ctx, d.Spec.Template.Spec); err != nil {
			return err
		}
		f.template = string(template)
	}
	return f.available(ctx, d)
}

// startPod starts the containers of a pod, as processes. As in a rollout the pod
// of before ends once this one is ready, and has an address of its own.
func (f *front) startPod(ctx context.Context, pod corev1.PodSpec) error {
	i := slices.IndexFunc(pod.Containers, func(c corev1.Container) bool { return c.Name == chartName })
	if i < 0 {
		return fmt.Errorf("the gateway's pod has no container %s", chartName)
	}
	f.pods++
	address := fmt.Sprintf("10.245.255.%d", 2+f.pods%250)

	if err := f.startBeside(pod); err != nil {
		return err
	}
	_, p, err := f.processes.begin(f.traefik(f.ControlPlane, traefik, net.JoinHostPort(address, frontPings), at(address, pod.Containers[i].Args)...))
	if err != nil {
		return err
	}
	if err := p.wait(ctx); err != nil {
		p.kill()
		return err
	}
	f.lead(address)
	if f.running != nil {
		go f.running.stop()
	}
	f.running = p
	return nil
}

// startBeside starts the container beside Traefik, if there is one. All pods here
// share a loopback interface, so that one takes the place of the other and cannot
// run beside it.
func (f *front) startBeside(pod corev1.PodSpec) error {
	i := slices.IndexFunc(pod.Containers, func(c corev1.Container) bool { return c.Name == authorizer })
	if i < 0 {
		f.end(authorizer)
		f.beside = ""
		return nil
	}
	c := pod.Containers[i]
	encoded, err := json.Marshal(c)
	if err != nil {
		return fmt.Errorf("cannot encode a container: %w", err)
	}
	if f.beside == string(encoded) {
		return nil
	}
	f.end(authorizer)
	env := []string{"KUBECONFIG=" + f.ControlPlane.Kubeconfig}
	for _, v := range c.Env {
		if v.ValueFrom == nil {
			env = append(env, v.Name+"="+v.Value)
		}
	}
	_, _, err = f.processes.begin(command{name: authorizer, path: f.programs.Functions[authorizes], args: c.Args, env: env})
	if err == nil {
		f.beside = string(encoded)
	}
	return err
}

// stopPod stops what runs, if anything does.
func (f *front) stopPod() {
	if f.template == "" {
		return
	}
	f.lead("")
	f.running.stop()
	f.end(authorizer)
	f.template, f.running, f.beside = "", nil, ""
}

// end a process that has a name, if there is one.
func (f *front) end(name string) {
	if p, err := f.processes.get(name); err == nil {
		p.stop()
	}
}

// at an address, rather than at all, is where a pod's entry points listen.
func at(address string, args []string) []string {
	out := make([]string, 0, len(args))
	for _, a := range args {
		flag, value, _ := strings.Cut(a, "=")
		if strings.HasSuffix(strings.ToLower(flag), ".address") && strings.HasPrefix(value, ":") {
			a = flag + "=" + address + value
		}
		out = append(out, a)
	}
	return out
}

// available says that all pods of the Deployment are.
func (f *front) available(ctx context.Context, d *appsv1.Deployment) error {
	n := int32(1)
	if d.Spec.Replicas != nil {
		n = *d.Spec.Replicas
	}
	before := d.DeepCopy()
	d.Status.ObservedGeneration = d.GetGeneration()
	d.Status.Replicas, d.Status.UpdatedReplicas, d.Status.ReadyReplicas, d.Status.AvailableReplicas = n, n, n, n
	if !slices.ContainsFunc(d.Status.Conditions, func(c appsv1.DeploymentCondition) bool { return c.Type == appsv1.DeploymentAvailable }) {
		d.Status.Conditions = append(d.Status.Conditions, appsv1.DeploymentCondition{
			Type: appsv1.DeploymentAvailable, Status: corev1.ConditionTrue, Reason: reasonStandIn, Message: "One pod runs, as processes.",
		})
	}
	if equality.Semantic.DeepEqual(before.Status, d.Status) {
		return nil
	}
	if err := f.ControlPlane.Client.Status().Update(ctx, d); err != nil {
		return fmt.Errorf("cannot say that the gateway is available: %w", err)
	}
	return nil
}
