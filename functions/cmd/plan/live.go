package main

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/modelplane-go/modelplane/functions/internal/planning"
	"github.com/modelplane-go/modelplane/schemas/modelplane/v1alpha1"
)

const (
	// liveTimeout of one request.
	liveTimeout = 30 * time.Second

	// pageSize of lists. A ModelReplica carries all of its pods' templates.
	pageSize = 200
)

// A reader lists what a control plane holds.
type reader struct {
	client dynamic.Interface
	host   string
	file   string // The kubeconfig that reaches it.
}

// readLive reads a fleet from the control plane that a kubeconfig reaches.
func readLive(ctx context.Context, file, kubecontext string) (planning.Fleet, error) {
	r, err := newReader(file, kubecontext)
	if err != nil {
		return planning.Fleet{}, err
	}
	out := planning.Fleet{}
	if out.Clusters, err = list[v1alpha1.InferenceCluster](ctx, r, "inferenceclusters"); err != nil {
		return planning.Fleet{}, err
	}
	if len(out.Clusters) == 0 {
		return planning.Fleet{}, fmt.Errorf("there is no InferenceCluster on the control plane at %s: add one, as docs/install.md says, or choose another control plane with --context", r.host)
	}
	if out.Classes, err = list[v1alpha1.InferenceClass](ctx, r, "inferenceclasses"); err != nil {
		return planning.Fleet{}, err
	}
	if out.Replicas, err = list[v1alpha1.ModelReplica](ctx, r, "modelreplicas"); err != nil {
		return planning.Fleet{}, err
	}
	return out, nil
}

func newReader(file, kubecontext string) (*reader, error) {
	rules := &clientcmd.ClientConfigLoadingRules{ExplicitPath: file}
	if files := filepath.SplitList(file); len(files) > 1 {
		rules = &clientcmd.ClientConfigLoadingRules{Precedence: files}
	}
	overrides := &clientcmd.ConfigOverrides{CurrentContext: kubecontext}
	config, err := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(rules, overrides).ClientConfig()
	if err != nil {
		return nil, fmt.Errorf("cannot use kubeconfig %s: %w; name one that reaches a control plane, and a context it has", file, err)
	}
	config.Timeout = liveTimeout
	config.WarningHandler = rest.NoWarnings{}
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		return nil, fmt.Errorf("cannot use kubeconfig %s: %w", file, err)
	}
	return &reader{client: client, host: config.Host, file: file}, nil
}

// list all objects of a resource, in all namespaces.
func list[T any](ctx context.Context, r *reader, resource string) ([]*T, error) {
	var out []*T
	page := metav1.ListOptions{Limit: pageSize}
	for {
		l, err := r.client.Resource(v1alpha1.GroupVersion.WithResource(resource)).List(ctx, page)
		if err != nil {
			return nil, r.explain(resource, err)
		}
		for _, item := range l.Items {
			o := new(T)
			if err := runtime.DefaultUnstructuredConverter.FromUnstructured(item.Object, o); err != nil {
				return nil, fmt.Errorf("cannot read %s %s: %w; is the control plane's Modelplane of another version?", item.GetKind(), item.GetName(), err)
			}
			out = append(out, o)
		}
		page.Continue = l.GetContinue()
		if page.Continue == "" {
			return out, nil
		}
	}
}

// explain why a list failed, and what to do about it.
func (r *reader) explain(resource string, err error) error {
	switch {
	case apierrors.IsNotFound(err):
		return fmt.Errorf("the control plane at %s has no %s of %s: install Modelplane there, as docs/install.md says, or choose another control plane with --context",
			r.host, resource, v1alpha1.GroupVersion)
	case apierrors.IsForbidden(err):
		return fmt.Errorf("the control plane at %s does not let you list %s: ask for the verb list on inferenceclusters, inferenceclasses and modelreplicas of %s, in all namespaces (%w)",
			r.host, resource, v1alpha1.Group, err)
	case apierrors.IsUnauthorized(err):
		return fmt.Errorf("the control plane at %s does not know who you are: renew the credentials in %s (%w)", r.host, r.file, err)
	}
	return fmt.Errorf("cannot list %s on the control plane at %s: %w; is it up, and does %s reach it?", resource, r.host, err, r.file)
}
