package controlplane

import (
	"context"
	"fmt"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	toolscache "k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// How often something is tried again that did not succeed.
const (
	firstRetry = 50 * time.Millisecond
	lastRetry  = time.Second
)

// A reaction brings about what an object asks for. The object is nil once it is
// gone. It is called again until it returns nil.
type reaction func(ctx context.Context, key client.ObjectKey, o client.Object) error

// watch the objects of a kind on a cluster, and react to every change as long as
// the fleet lives. It returns once it has seen them all.
func (f *Fleet) watch(ctx context.Context, s *Server, kind client.Object, react reaction) error {
	c, err := cache.New(s.Config, cache.Options{Scheme: scheme()})
	if err != nil {
		return fmt.Errorf("cannot watch %s: %w", s.Name, err)
	}
	var informer cache.Informer
	err = eventually(ctx, applyTimeout, func(ctx context.Context) error {
		var err error
		informer, err = c.GetInformer(ctx, kind, cache.BlockUntilSynced(false))
		return err
	})
	if err != nil {
		return fmt.Errorf("cannot watch %T of %s: %w", kind, s.Name, err)
	}

	limits := workqueue.NewTypedItemExponentialFailureRateLimiter[client.ObjectKey](firstRetry, lastRetry)
	queue := workqueue.NewTypedRateLimitingQueue(limits)
	add := func(o any) {
		if gone, ok := o.(toolscache.DeletedFinalStateUnknown); ok {
			o = gone.Obj
		}
		if o, ok := o.(client.Object); ok {
			queue.Add(client.ObjectKeyFromObject(o))
		}
	}
	_, err = informer.AddEventHandler(toolscache.ResourceEventHandlerFuncs{
		AddFunc:    add,
		UpdateFunc: func(_, o any) { add(o) },
		DeleteFunc: add,
	})
	if err != nil {
		return fmt.Errorf("cannot watch %T of %s: %w", kind, s.Name, err)
	}

	life, end := context.WithCancel(context.WithoutCancel(ctx))
	f.atEnd(func() {
		end()
		queue.ShutDown()
	})
	go func() { _ = c.Start(life) }()
	if !c.WaitForCacheSync(ctx) {
		return fmt.Errorf("cannot watch %T of %s: %w", kind, s.Name, context.Cause(ctx))
	}
	work(life, queue, func(key client.ObjectKey) error {
		o, ok := kind.DeepCopyObject().(client.Object)
		if !ok {
			return nil
		}
		err := c.Get(life, key, o)
		if apierrors.IsNotFound(err) {
			return react(life, key, nil)
		}
		if err != nil {
			return err
		}
		return react(life, key, o)
	})
	return nil
}

// work through a queue with a few workers, until it is shut down.
func work(ctx context.Context, queue workqueue.TypedRateLimitingInterface[client.ObjectKey], do func(client.ObjectKey) error) {
	next := func() bool {
		key, shutdown := queue.Get()
		if shutdown {
			return false
		}
		defer queue.Done(key)
		if err := do(key); err != nil && ctx.Err() == nil {
			queue.AddRateLimited(key)
			return true
		}
		queue.Forget(key)
		return true
	}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for next() {
				continue
			}
		})
	}
}
