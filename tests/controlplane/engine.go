package controlplane

import (
	"context"
	"errors"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/modelplane-go/modelplane/tests/openai"
)

// enginePort is what an engine listens at whatever its pod declares.
const enginePort = 8000

// An engine listens for the containers of a pod.
type engine struct {
	uid       types.UID
	addresses []string
	handler   http.Handler

	mu     sync.Mutex
	server *http.Server // Nil while it does not listen.
	ready  bool         // It was said that it is.
	ended  bool         // Its pod goes.

	unused sync.Map // Connections nothing was asked on yet.
}

// newEngine makes the engine of a pod. It does not listen yet.
func newEngine(pod *corev1.Pod, name string, record func(openai.Request)) *engine {
	s := &openai.Server{Name: name, Model: modelOf(pod), Record: record}
	e := &engine{uid: pod.GetUID(), handler: s.Handler()}
	for _, port := range portsOf(pod) {
		e.addresses = append(e.addresses, net.JoinHostPort(pod.Status.PodIP, portText(int(port))))
	}
	return e
}

// portsOf a pod: those its containers declare, and the one of engines.
func portsOf(pod *corev1.Pod) []int32 {
	out := []int32{enginePort}
	for _, c := range pod.Spec.Containers {
		for _, p := range c.Ports {
			if p.Protocol == "" || p.Protocol == corev1.ProtocolTCP {
				out = append(out, p.ContainerPort)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// modelOf a pod: the one its engine is told to serve.
func modelOf(pod *corev1.Pod) string {
	model := "mock"
	for _, c := range pod.Spec.Containers {
		for _, flag := range []string{"--model=", "--served-model-name="} {
			for _, a := range slices.Concat(c.Command, c.Args) {
				if m, ok := strings.CutPrefix(a, flag); ok {
					model = m
				}
			}
		}
	}
	return model
}

// listen at all addresses. One that listens already, or whose pod goes, is left
// alone.
func (e *engine) listen(ctx context.Context) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.server != nil || e.ended {
		return nil
	}
	var listeners []net.Listener
	for _, a := range e.addresses {
		l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", a)
		if err != nil {
			for _, l := range listeners {
				_ = l.Close()
			}
			return err
		}
		listeners = append(listeners, l)
	}
	s := &http.Server{Handler: e.handler, ReadHeaderTimeout: time.Minute, ConnState: e.remember}
	for _, l := range listeners {
		go func() { _ = s.Serve(l) }()
	}
	e.server = s
	return nil
}

// cut all connections, and listen no more.
func (e *engine) cut() {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.server != nil {
		_ = e.server.Close()
	}
	e.server = nil
}

// end says that the pod goes, once.
func (e *engine) end() (first bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	first = !e.ended
	e.ended = true
	return first
}

// finish what has begun, as long as the context lets it, and take nothing new.
func (e *engine) finish(ctx context.Context) {
	e.mu.Lock()
	s := e.server
	e.mu.Unlock()
	if s == nil {
		return
	}
	// A server waits seconds for what may yet be asked on them.
	e.unused.Range(func(c, _ any) bool {
		if c, ok := c.(net.Conn); ok {
			_ = c.Close()
		}
		return true
	})
	if err := s.Shutdown(ctx); errors.Is(err, context.DeadlineExceeded) {
		_ = s.Close()
	}
}

// sayReady does something once, unless the pod goes.
func (e *engine) sayReady(do func() error) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.ready || e.ended {
		return nil
	}
	err := do()
	e.ready = err == nil
	return err
}

// remember connections as long as nothing was asked on them.
func (e *engine) remember(c net.Conn, state http.ConnState) {
	if state == http.StateNew {
		e.unused.Store(c, nil)
	} else {
		e.unused.Delete(c)
	}
}
