package controlplane

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"time"

	apiextv1alpha1 "github.com/crossplane/crossplane/apis/v2/apiextensions/v1alpha1"
	pkgv1 "github.com/crossplane/crossplane/apis/v2/pkg/v1"
	pkgv1beta1 "github.com/crossplane/crossplane/apis/v2/pkg/v1beta1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/modelplane-go/modelplane/tests/tools"
)

const (
	providerKubernetes = "provider-kubernetes"
	providerHelm       = "provider-helm"

	// Providers serve webhooks on the port Crossplane tells the API server of.
	providerWebhooks = 9443

	// runtimeContainer is what Crossplane calls the container of a package.
	runtimeContainer = "package-runtime"
)

// startProvider starts a provider with the arguments its DeploymentRuntimeConfig
// says, and some that suit a fleet nobody waits for.
func (r *packageRuntime) startProvider(ctx context.Context, rev *pkgv1.ProviderRevision, run *running) error {
	if err := r.ControlPlane.Apply(ctx, localhost(crossplaneSystem, rev.GetLabels()[pkgv1.LabelParentPackage], providerWebhooks)); err != nil {
		return err
	}
	args, err := r.runtimeArgs(ctx, rev)
	if err != nil {
		return err
	}
	c := command{
		name: run.name,
		args: append(args, "--debug", "--poll=5s"),
		env:  []string{"TLS_SERVER_CERTS_DIR=" + run.certs},
	}

	switch run.name {
	case providerKubernetes:
		port, err := r.ports.take()
		if err != nil {
			return err
		}
		c.path = r.programs.upstream(tools.ProviderKubernetes())
		c.args = append(c.args, "--health-probe-bind-addr="+local(port))
		c.env = append(c.env, "KUBECONFIG="+r.ControlPlane.Kubeconfig)
		c.ready = healthy(port)
	case providerHelm:
		c.path = r.programs.upstream(tools.ProviderHelm())
		identity, err := r.identify(ctx, rev)
		if err != nil {
			return err
		}
		c.env = append(c.env, identity...)
	default:
		return r.fail(fmt.Errorf("cannot run provider %s: there is no such program", run.name))
	}
	return r.launch(ctx, run, c)
}

// runtimeArgs are those of a revision's DeploymentRuntimeConfig.
func (r *packageRuntime) runtimeArgs(ctx context.Context, rev pkgv1.PackageRevisionWithRuntime) ([]string, error) {
	config, err := r.runtimeConfig(ctx, rev)
	if err != nil || config.Spec.DeploymentTemplate == nil || config.Spec.DeploymentTemplate.Spec == nil {
		return nil, err
	}
	for _, c := range config.Spec.DeploymentTemplate.Spec.Template.Spec.Containers {
		if c.Name == runtimeContainer {
			return c.Args, nil
		}
	}
	return nil, nil
}

// runtimeConfig of a revision: the one an ImageConfig names, or its own.
//
// ImageConfigs match what the package is called, as they would without this
// fleet's registry. Crossplane matches what an image was rewritten to.
func (r *packageRuntime) runtimeConfig(ctx context.Context, rev pkgv1.PackageRevisionWithRuntime) (*pkgv1beta1.DeploymentRuntimeConfig, error) {
	configs := &pkgv1beta1.ImageConfigList{}
	if err := r.ControlPlane.Client.List(ctx, configs); err != nil {
		return nil, fmt.Errorf("cannot read how images are to be run: %w", err)
	}
	name, longest := rev.GetRuntimeConfigRef().Name, 0
	for _, c := range configs.Items {
		for _, m := range c.Spec.MatchImages {
			if c.Spec.Runtime == nil || len(m.Prefix) <= longest || !strings.HasPrefix(rev.GetSource(), m.Prefix) {
				continue
			}
			name, longest = c.Spec.Runtime.ConfigReference.Name, len(m.Prefix)
		}
	}

	out := &pkgv1beta1.DeploymentRuntimeConfig{}
	if err := r.ControlPlane.Client.Get(ctx, client.ObjectKey{Name: name}, out); err != nil {
		return nil, fmt.Errorf("cannot read how %s is to be run: %w", rev.GetName(), err)
	}
	return out, nil
}

// discoverable returns nil once the API server knows every kind that a revision
// has established: its CRDs, and of its managed resources the active ones.
func (r *packageRuntime) discoverable(ctx context.Context, rev *pkgv1.ProviderRevision) error {
	if rev.GetCondition(pkgv1.TypeRevisionHealthy).Status != "True" {
		return fmt.Errorf("%s is not healthy", rev.GetName())
	}
	active := 0
	for _, ref := range rev.Status.ObjectRefs {
		ok, err := r.active(ctx, ref.Kind, ref.Name)
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		if ref.Kind == apiextv1alpha1.ManagedResourceDefinitionKind {
			active++
		}
		resource, group, _ := strings.Cut(ref.Name, ".")
		_, err = r.ControlPlane.Client.RESTMapper().KindFor(schema.GroupVersionResource{Group: group, Resource: resource})
		if err != nil {
			return fmt.Errorf("%s is not discoverable: %w", ref.Name, err)
		}
	}
	if active == 0 {
		return errors.New("no managed resource is active")
	}
	return nil
}

// active says whether something a revision has established is served.
func (r *packageRuntime) active(ctx context.Context, kind, name string) (bool, error) {
	if kind == "CustomResourceDefinition" {
		return true, nil
	}
	if kind != apiextv1alpha1.ManagedResourceDefinitionKind {
		return false, nil
	}
	d := &apiextv1alpha1.ManagedResourceDefinition{}
	if err := r.ControlPlane.Client.Get(ctx, client.ObjectKey{Name: name}, d); err != nil {
		return false, fmt.Errorf("cannot read a managed resource's definition: %w", err)
	}
	return d.Spec.State.IsActive(), nil
}

// listens says whether something takes connections.
func listens(address string) func(ctx context.Context) error {
	return func(ctx context.Context) error {
		d := net.Dialer{Timeout: time.Second}
		c, err := d.DialContext(ctx, "tcp", address)
		if err != nil {
			return fmt.Errorf("nobody listens: %w", err)
		}
		return c.Close()
	}
}
