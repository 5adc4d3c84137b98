package server

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/selection"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"

	"github.com/modelplane-go/modelplane/functions/internal/authorizer"
	"github.com/modelplane-go/modelplane/functions/internal/names"
)

// Watch the Secrets that the gateway may use, and have a Keyring say what they do,
// until the context is done. It returns what says whether they were all read.
func Watch(ctx context.Context, client kubernetes.Interface, keys *authorizer.Keyring) (func() bool, error) {
	selector, err := labelled()
	if err != nil {
		return nil, err
	}
	secrets := client.CoreV1().Secrets(metav1.NamespaceAll)
	listWatch := &cache.ListWatch{
		ListWithContextFunc: func(ctx context.Context, o metav1.ListOptions) (runtime.Object, error) {
			o.LabelSelector = selector
			return secrets.List(ctx, o)
		},
		WatchFuncWithContext: func(ctx context.Context, o metav1.ListOptions) (watch.Interface, error) {
			o.LabelSelector = selector
			return secrets.Watch(ctx, o)
		},
	}
	// The client says whether it can send the list in the watch. Those of tests
	// cannot.
	informer := cache.NewSharedInformer(cache.ToListWatcherWithWatchListSemantics(listWatch, client), &corev1.Secret{}, 0)
	if err := informer.SetTransform(forget); err != nil {
		return nil, fmt.Errorf("cannot watch Secrets: %w", err)
	}
	handled, err := informer.AddEventHandler(handlers(keys))
	if err != nil {
		return nil, fmt.Errorf("cannot watch Secrets: %w", err)
	}
	go informer.RunWithContext(ctx)
	return handled.HasSynced, nil
}

// labelled selects the Secrets that are for callers or endpoints.
func labelled() (string, error) {
	r, err := labels.NewRequirement(names.LabelGatewaySecret, selection.In, []string{names.GatewaySecretCaller, names.GatewaySecretEndpoint})
	if err != nil {
		return "", fmt.Errorf("cannot select Secrets: %w", err)
	}
	return labels.NewSelector().Add(*r).String(), nil
}

// forget what nobody asks for. kubectl notes the whole of a Secret in an
// annotation.
func forget(o any) (any, error) {
	s, ok := o.(*corev1.Secret)
	if !ok {
		return o, nil
	}
	s.ManagedFields, s.Annotations = nil, nil
	return s, nil
}

func handlers(keys *authorizer.Keyring) cache.ResourceEventHandlerFuncs {
	put := func(o any) {
		if s, ok := o.(*corev1.Secret); ok {
			keys.Put(authorizer.Secret{Namespace: s.Namespace, Name: s.Name, Purpose: s.Labels[names.LabelGatewaySecret], Data: s.Data})
		}
	}
	return cache.ResourceEventHandlerFuncs{
		AddFunc:    put,
		UpdateFunc: func(_, o any) { put(o) },
		DeleteFunc: func(o any) {
			// What was deleted while the watch was broken is known by its key only.
			key, err := cache.DeletionHandlingMetaNamespaceKeyFunc(o)
			if err != nil {
				return
			}
			if namespace, name, err := cache.SplitMetaNamespaceKey(key); err == nil {
				keys.Remove(namespace, name)
			}
		},
	}
}
