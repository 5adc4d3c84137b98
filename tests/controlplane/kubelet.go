package controlplane

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/modelplane-go/modelplane/tests/openai"
)

// A kubelet stands in for what the kubelets of a cluster do to containers: it
// listens at the address of every pod that runs, and says that the pod is ready
// once it does. A pod that is deleted takes no new connections, and is gone when
// it has finished what it had begun, or its grace period is over.
//
// That a pod runs, and where, is said by kwok.
type kubelet struct {
	*Server

	life context.Context //nolint:containedctx // What it does for a pod outlives the reaction to it.

	mu       sync.Mutex
	engines  map[client.ObjectKey]*engine
	away     bool // The cluster is stopped.
	requests []openai.Request
}

// startKubelet stands in for the kubelets of a cluster until the fleet stops.
// Without a network of its own a fleet's pods have no addresses, and kwok says
// that they are ready.
func (f *Fleet) startKubelet(ctx context.Context, r *Remote) error {
	life, end := context.WithCancel(context.WithoutCancel(ctx))
	r.kubelet = &kubelet{Server: r.Server, life: life, engines: map[client.ObjectKey]*engine{}}
	if !f.programs.Isolated {
		end()
		return nil
	}
	f.atEnd(func() {
		end()
		r.kubelet.leave()
	})
	return f.watch(ctx, r.Server, &corev1.Pod{}, r.kubelet.podChanged)
}

func (k *kubelet) podChanged(ctx context.Context, key client.ObjectKey, o client.Object) error {
	pod, ok := o.(*corev1.Pod)
	if !ok {
		k.drop(key)
		return nil
	}
	if pod.GetDeletionTimestamp() != nil {
		return k.deleting(ctx, key, pod)
	}
	if pod.Status.Phase != corev1.PodRunning || pod.Status.PodIP == "" {
		return nil
	}
	e := k.engineOf(key, pod)
	if e == nil {
		return nil
	}
	if err := e.listen(ctx); err != nil {
		return err
	}
	return e.sayReady(func() error { return k.ready(ctx, pod) })
}

// engineOf a pod, which is made if there is none, unless the cluster is stopped.
// A namesake of before has no more to say.
func (k *kubelet) engineOf(key client.ObjectKey, pod *corev1.Pod) *engine {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.away {
		return nil
	}
	e := k.engines[key]
	if e != nil && e.uid == pod.GetUID() {
		return e
	}
	if e != nil {
		e.cut()
	}
	e = newEngine(pod, k.Name+"/"+key.String(), k.record)
	k.engines[key] = e
	return e
}

func (k *kubelet) record(r openai.Request) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.requests = append(k.requests, r)
}

// ready says that a pod is, unless it has changed meanwhile.
func (k *kubelet) ready(ctx context.Context, before *corev1.Pod) error {
	pod := before.DeepCopy()
	for i, c := range pod.Status.Conditions {
		if c.Type == corev1.PodReady || c.Type == corev1.ContainersReady {
			pod.Status.Conditions[i] = corev1.PodCondition{Type: c.Type, Status: corev1.ConditionTrue, LastTransitionTime: metav1.Now()}
		}
	}
	for i := range pod.Status.ContainerStatuses {
		pod.Status.ContainerStatuses[i].Ready = true
		pod.Status.ContainerStatuses[i].Started = new(true)
	}
	if err := k.Client.Status().Patch(ctx, pod, client.StrategicMergeFrom(before, client.MergeFromWithOptimisticLock{})); err != nil {
		return fmt.Errorf("cannot say that pod %s is ready: %w", pod.GetName(), err)
	}
	return nil
}

// deleting a pod takes as long as its engine has something to finish.
func (k *kubelet) deleting(ctx context.Context, key client.ObjectKey, pod *corev1.Pod) error {
	k.mu.Lock()
	e := k.engines[key]
	k.mu.Unlock()
	if e == nil || e.uid != pod.GetUID() {
		return k.remove(ctx, pod)
	}
	if !e.end() {
		return nil
	}
	go k.finish(e, pod) //nolint:contextcheck // It outlives the reaction.
	return nil
}

// finish what an engine has begun, and remove its pod.
func (k *kubelet) finish(e *engine, pod *corev1.Pod) {
	grace, cancel := context.WithDeadline(k.life, pod.GetDeletionTimestamp().Time)
	defer cancel()
	pause(grace, preStop(pod))
	e.finish(grace)
	_ = eventually(k.life, forever, func(ctx context.Context) error { return k.remove(ctx, pod) })
}

// forever is longer than any fleet lives.
const forever = 24 * time.Hour

// preStop is how long the containers of a pod are let alone before they are told
// to stop.
func preStop(pod *corev1.Pod) time.Duration {
	out := time.Duration(0)
	for _, c := range pod.Spec.Containers {
		if c.Lifecycle != nil && c.Lifecycle.PreStop != nil && c.Lifecycle.PreStop.Sleep != nil {
			out = max(out, time.Duration(c.Lifecycle.PreStop.Sleep.Seconds)*time.Second)
		}
	}
	return out
}

// pause a while, if there is time.
func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// remove a pod that has ended. Whoever has its name by now stays.
func (k *kubelet) remove(ctx context.Context, pod *corev1.Pod) error {
	err := k.Client.Delete(ctx, pod, client.GracePeriodSeconds(0), client.Preconditions{UID: new(pod.GetUID())})
	if err != nil && !apierrors.IsNotFound(err) && !apierrors.IsConflict(err) {
		return fmt.Errorf("cannot remove pod %s: %w", pod.GetName(), err)
	}
	return nil
}

// drop what listened for a pod that is gone.
func (k *kubelet) drop(key client.ObjectKey) {
	k.mu.Lock()
	e := k.engines[key]
	delete(k.engines, key)
	k.mu.Unlock()
	if e != nil {
		e.cut()
	}
}

// leave as if the cluster's machines were switched off: no pod answers.
func (k *kubelet) leave() {
	k.mu.Lock()
	k.away = true
	k.mu.Unlock()
	for _, e := range k.all() {
		e.cut()
	}
}

// back again: every pod that was there answers.
func (k *kubelet) back(ctx context.Context) error {
	k.mu.Lock()
	k.away = false
	k.mu.Unlock()
	for _, e := range k.all() {
		if err := e.listen(ctx); err != nil {
			return fmt.Errorf("cannot start a pod of %s again: %w", k.Name, err)
		}
	}
	return nil
}

func (k *kubelet) all() []*engine {
	k.mu.Lock()
	defer k.mu.Unlock()
	out := make([]*engine, 0, len(k.engines))
	for _, e := range k.engines {
		out = append(out, e)
	}
	return out
}

// Requests that reached the pods of a namespace of the cluster, also those that
// are gone, in the order they came. The server of each is named
// <cluster>/<namespace>/<pod>.
func (r *Remote) Requests(namespace string) []openai.Request {
	r.kubelet.mu.Lock()
	defer r.kubelet.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(r.kubelet.requests), func(q openai.Request) bool {
		return !strings.HasPrefix(q.Server, r.Name+"/"+namespace+"/")
	})
}

// Crash a pod: its connections are cut, and it is gone.
func (r *Remote) Crash(ctx context.Context, pod client.ObjectKey) error {
	r.kubelet.mu.Lock()
	e := r.kubelet.engines[pod]
	r.kubelet.mu.Unlock()
	if e == nil {
		return fmt.Errorf("there is no pod %s that runs on cluster %s", pod, r.Name)
	}
	e.end()
	e.cut()
	p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: pod.Namespace, Name: pod.Name, UID: e.uid}}
	return r.kubelet.remove(ctx, p)
}
