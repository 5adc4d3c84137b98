package controlplane

import (
	"context"
	"fmt"
	"os"
	"slices"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/modelplane-go/modelplane/tests/tools"
)

// lws is the name of LeaderWorkerSet's processes, and of its webhooks.
const lws = "lws"

// lwsLabel is on every pod of a LeaderWorkerSet.
const lwsLabel = "leaderworkerset.sigs.k8s.io/name"

// startLWS installs LeaderWorkerSet on a cluster. Its webhooks are called only
// once it serves them.
func (f *Fleet) startLWS(ctx context.Context, r *Remote) error {
	ports, err := f.takePorts("webhooks", "health")
	if err != nil {
		return err
	}
	if err := r.ApplyFiles(ctx, f.programs.file(tools.LWS(), "config", "crd", "bases")); err != nil {
		return err
	}

	config := r.file("lws.yaml")
	text := fmt.Sprintf(`apiVersion: config.lws.x-k8s.io/v1alpha1
kind: Configuration
leaderElection: {leaderElect: false}
internalCertManagement: {enable: false}
webhook: {host: 127.0.0.1, port: %d, certDir: %q}
metrics: {bindAddress: "0"}
health: {healthProbeBindAddress: %q}
`, ports["webhooks"], r.dir, local(ports["health"]))
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		return fmt.Errorf("cannot configure LeaderWorkerSet: %w", err)
	}
	ready := healthy(ports["health"])
	serves := listens(local(ports["webhooks"]))
	err = f.processes.run(ctx, command{
		name: lws + "-" + r.Name,
		path: f.programs.upstream(tools.LWS()),
		args: []string{"--config=" + config},
		env:  []string{"KUBECONFIG=" + r.Kubeconfig},
		ready: func(ctx context.Context) error {
			if err := ready(ctx); err != nil {
				return err
			}
			return serves(ctx)
		},
	})
	if err != nil {
		return err
	}

	webhooks, err := ReadObjects(f.programs.file(tools.LWS(), "config", "webhook", "manifests.yaml"))
	if err != nil {
		return err
	}
	for _, o := range webhooks {
		w, err := r.lwsWebhooks(o, ports["webhooks"])
		if err != nil {
			return err
		}
		if err := r.Apply(ctx, w); err != nil {
			return err
		}
	}
	return nil
}

// lwsWebhooks returns webhooks as the API server reaches them here.
func (r *Remote) lwsWebhooks(o object, port int) (object, error) {
	u, ok := o.(*unstructured.Unstructured)
	if !ok {
		return o, nil
	}
	switch u.GetKind() {
	case "MutatingWebhookConfiguration":
		c := &admissionv1.MutatingWebhookConfiguration{}
		if err := runtime.DefaultUnstructuredConverter.FromUnstructured(u.Object, c); err != nil {
			return nil, fmt.Errorf("cannot read webhooks: %w", err)
		}
		c.Name = lws
		for i := range c.Webhooks {
			w := &c.Webhooks[i]
			w.ClientConfig, w.ObjectSelector = r.reach(w.ClientConfig, port), onlyLWS(w.Rules)
		}
		return c, nil
	case "ValidatingWebhookConfiguration":
		c := &admissionv1.ValidatingWebhookConfiguration{}
		if err := runtime.DefaultUnstructuredConverter.FromUnstructured(u.Object, c); err != nil {
			return nil, fmt.Errorf("cannot read webhooks: %w", err)
		}
		c.Name = lws
		for i := range c.Webhooks {
			w := &c.Webhooks[i]
			w.ClientConfig, w.ObjectSelector = r.reach(w.ClientConfig, port), onlyLWS(w.Rules)
		}
		return c, nil
	}
	return o, nil
}

// reach a webhook on a port of this machine, rather than through a Service.
func (r *Remote) reach(c admissionv1.WebhookClientConfig, port int) admissionv1.WebhookClientConfig {
	url := "https://" + local(port) + *c.Service.Path
	return admissionv1.WebhookClientConfig{URL: &url, CABundle: r.authority.pem}
}

// onlyLWS keeps webhooks about pods away from those of others, as LeaderWorkerSet's
// own installation does.
func onlyLWS(rules []admissionv1.RuleWithOperations) *metav1.LabelSelector {
	for _, rule := range rules {
		if slices.Contains(rule.Resources, "pods") {
			return &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: lwsLabel, Operator: metav1.LabelSelectorOpExists}}}
		}
	}
	return nil
}
