package controlplane

import (
	"context"
	"fmt"
	"io"
	"net"
	"sync"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// entryPoints are the ports of a pod of the control plane's gateway, by the names
// of its Service's ports. They are those of Traefik's chart.
func entryPoints() map[string]string {
	return map[string]string{"web": "8000", "websecure": "8443"}
}

// serviceChanged leads from the address of a load balancer to the pod that runs,
// as long as there is a Service that asks for one.
func (f *front) serviceChanged(ctx context.Context, key client.ObjectKey, o client.Object) error {
	if !frontKey(key) {
		return nil
	}
	s, ok := o.(*corev1.Service)
	if !ok || s.GetDeletionTimestamp() != nil || s.Spec.Type != corev1.ServiceTypeLoadBalancer {
		f.close()
		return nil
	}
	if err := f.open(ctx, s.Spec.Ports); err != nil {
		return err
	}
	before := s.DeepCopy()
	s.Status.LoadBalancer.Ingress = []corev1.LoadBalancerIngress{{IP: frontAddress}}
	if equality.Semantic.DeepEqual(before.Status, s.Status) {
		return nil
	}
	if err := f.ControlPlane.Client.Status().Patch(ctx, s, client.MergeFrom(before)); err != nil {
		return fmt.Errorf("cannot give Service %s an address: %w", key, err)
	}
	return nil
}

// open the ports of a Service at the load balancer's address, once.
func (f *front) open(ctx context.Context, ports []corev1.ServicePort) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.listeners) > 0 {
		return nil
	}
	for _, p := range ports {
		to, ok := entryPoints()[p.Name]
		if !ok {
			continue
		}
		l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", net.JoinHostPort(frontAddress, portText(int(p.Port))))
		if err != nil {
			return fmt.Errorf("cannot balance load: %w", err)
		}
		f.listeners = append(f.listeners, l)
		go forward(context.WithoutCancel(ctx), l, func() string { return f.pod(to) })
	}
	return nil
}

// close the load balancer's address.
func (f *front) close() {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, l := range f.listeners {
		_ = l.Close()
	}
	f.listeners = nil
}

// lead to another pod.
func (f *front) lead(address string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.address = address
}

// pod at a port. Nobody has the address of none.
func (f *front) pod(port string) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.address == "" {
		return ""
	}
	return net.JoinHostPort(f.address, port)
}

// forward connections to an address until the listener is closed.
func forward(ctx context.Context, l net.Listener, address func() string) {
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		go func() {
			defer func() { _ = c.Close() }()
			to, err := (&net.Dialer{}).DialContext(ctx, "tcp", address())
			if err != nil {
				return
			}
			defer func() { _ = to.Close() }()
			join(c, to)
		}()
	}
}

// join two connections until neither has more to say.
func join(a, b net.Conn) {
	var wg sync.WaitGroup
	wg.Go(func() { pass(a, b) })
	wg.Go(func() { pass(b, a) })
	wg.Wait()
}

// pass on what one side says until it has no more to say. One that has broken off
// is heard to by the other.
func pass(to, from net.Conn) {
	if _, err := io.Copy(to, from); err != nil {
		_ = to.Close()
		_ = from.Close()
		return
	}
	if t, ok := to.(*net.TCPConn); ok {
		_ = t.CloseWrite()
	}
}
