package controlplane

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	pkgv1beta1 "github.com/crossplane/crossplane/apis/v2/pkg/v1beta1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/modelplane-go/modelplane/tests/tools"
)

const (
	// crossplane is the name of Crossplane's process.
	crossplane = "crossplane"

	// The namespaces of Crossplane and of Modelplane.
	crossplaneSystem = "crossplane-system"
	modelplaneSystem = "modelplane-system"

	// Secrets in which Crossplane keeps its certificates.
	secretRootCA    = "crossplane-root-ca"
	secretTLSClient = "crossplane-tls-client"
	secretTLSServer = "crossplane-tls-server"

	// serviceWebhooks is how the API server calls Crossplane.
	serviceWebhooks = "crossplane-webhooks"

	initTimeout = time.Minute
)

// startCrossplane installs Crossplane's own kinds, and starts it.
func (f *Fleet) startCrossplane(ctx context.Context) error {
	ports, err := f.takePorts("webhooks", "metrics", "health")
	if err != nil {
		return err
	}
	if err := f.prepareCrossplane(ctx, ports["webhooks"]); err != nil {
		return err
	}

	dir := f.ControlPlane.file("crossplane")
	env := []string{
		"KUBECONFIG=" + f.ControlPlane.Kubeconfig,
		"POD_NAMESPACE=" + crossplaneSystem,
		"POD_SERVICE_ACCOUNT=crossplane",
		"CRDS_PATH=" + f.programs.file(tools.CrossplaneCore(), "cluster", "crds"),
		"WEBHOOK_CONFIGS_PATH=" + f.programs.file(tools.CrossplaneCore(), "cluster", "webhookconfigurations"),
		"WEBHOOK_SERVICE_NAME=" + serviceWebhooks,
		"WEBHOOK_SERVICE_NAMESPACE=" + crossplaneSystem,
		"WEBHOOK_SERVICE_PORT=" + portText(ports["webhooks"]),
		"WEBHOOK_PORT=" + portText(ports["webhooks"]),
		"METRICS_PORT=" + portText(ports["metrics"]),
		"HEALTH_PROBE_PORT=" + portText(ports["health"]),
		"TLS_CA_SECRET_NAME=" + secretRootCA,
		"TLS_CLIENT_SECRET_NAME=" + secretTLSClient,
		"TLS_SERVER_SECRET_NAME=" + secretTLSServer,
		"TLS_SERVER_CERTS_DIR=" + filepath.Join(dir, "server"),
		"TLS_CLIENT_CERTS_DIR=" + filepath.Join(dir, "client"),
		"PACKAGE_RUNTIME=External",
		"XPKG_CACHE_DIR=" + filepath.Join(dir, "xpkg"),
	}
	if err := f.initCrossplane(ctx, env); err != nil {
		return err
	}
	if err := f.writeSecret(ctx, secretTLSServer, filepath.Join(dir, "server")); err != nil {
		return err
	}
	if err := f.writeSecret(ctx, secretTLSClient, filepath.Join(dir, "client")); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(dir, "xpkg"), 0o755); err != nil {
		return fmt.Errorf("cannot make a cache of packages: %w", err)
	}
	return f.processes.run(ctx, command{
		name:  crossplane,
		path:  f.programs.upstream(tools.CrossplaneCore()),
		args:  append([]string{"core", "start", "--debug"}, watchBudget()...),
		env:   env,
		ready: healthy(ports["health"]),
	})
}

// watchBudget is what docs/install.md asks for. By default Crossplane turns a deaf
// ear for minutes, to edits too, on a composite resource that has heard of a
// hundred changes: three replicas that start are as many.
func watchBudget() []string {
	return []string{"--circuit-breaker-burst=1000", "--circuit-breaker-refill-rate=10"}
}

// prepareCrossplane makes what its Helm chart does.
func (f *Fleet) prepareCrossplane(ctx context.Context, webhooks int) error {
	in := metav1.ObjectMeta{Namespace: crossplaneSystem}
	account, secret := in, in
	account.Name, secret.Name = crossplane, secretTLSServer
	return f.ControlPlane.Apply(ctx,
		&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: crossplaneSystem}},
		&corev1.ServiceAccount{ObjectMeta: account},
		&corev1.Secret{ObjectMeta: secret},
		localhost(crossplaneSystem, serviceWebhooks, webhooks),
	)
}

// localhost is a Service that leads the API server to a port of its own machine,
// where it calls a webhook by the name of a Service.
func localhost(namespace, name string, port int) *corev1.Service {
	return &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name},
		Spec: corev1.ServiceSpec{
			Type:         corev1.ServiceTypeExternalName,
			ExternalName: "localhost",
			Ports:        []corev1.ServicePort{{Port: int32(port)}}, //nolint:gosec // A port.
		},
	}
}

// initCrossplane runs Crossplane's own installer. By itself it would fail once,
// for it does not wait until the API server has learned of the kinds it installs,
// and it installs them one after the other: so they are there before.
func (f *Fleet) initCrossplane(ctx context.Context, env []string) error {
	if err := f.ControlPlane.applyAtOnce(ctx, f.programs.file(tools.CrossplaneCore(), "cluster", "crds")); err != nil {
		return err
	}
	return eventually(ctx, initTimeout, func(ctx context.Context) error {
		if _, err := f.ControlPlane.Client.RESTMapper().RESTMapping(lockKind(), pkgv1beta1.Version); err != nil {
			return fmt.Errorf("cannot initialize Crossplane: %w", err)
		}
		cmd := exec.CommandContext(ctx, f.programs.upstream(tools.CrossplaneCore()), "core", "init")
		cmd.Env = append(os.Environ(), env...)
		cmd.SysProcAttr = child()
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("cannot initialize Crossplane: %w\n%s", err, out)
		}
		return nil
	})
}

// lockKind is the kind Crossplane makes an object of when it initializes.
func lockKind() schema.GroupKind { return pkgv1beta1.SchemeGroupVersion.WithKind("Lock").GroupKind() }

// writeSecret writes what a Secret of Crossplane's holds to files.
func (f *Fleet) writeSecret(ctx context.Context, name, dir string) error {
	s, err := f.secret(ctx, name)
	if err != nil {
		return err
	}
	return writeFiles(dir, s.Data)
}

// secret of Crossplane's namespace, once it holds something.
func (f *Fleet) secret(ctx context.Context, name string) (*corev1.Secret, error) {
	s := &corev1.Secret{}
	err := f.ControlPlane.Client.Get(ctx, client.ObjectKey{Namespace: crossplaneSystem, Name: name}, s)
	if err == nil && len(s.Data) == 0 {
		err = apierrors.NewNotFound(corev1.Resource("secrets"), name)
	}
	if err != nil {
		return nil, fmt.Errorf("cannot read a certificate: %w", err)
	}
	return s, nil
}

// takePorts takes a port for each of some purposes.
func (f *Fleet) takePorts(purposes ...string) (map[string]int, error) {
	out := make(map[string]int, len(purposes))
	for _, p := range purposes {
		port, err := f.ports.take()
		if err != nil {
			return nil, err
		}
		out[p] = port
	}
	return out, nil
}

// healthy asks a program's health probe whether it is ready.
func healthy(port int) func(ctx context.Context) error {
	return func(ctx context.Context) error {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+local(port)+"/readyz", nil)
		if err != nil {
			return fmt.Errorf("cannot ask for health: %w", err)
		}
		rsp, err := http.DefaultClient.Do(req)
		if err != nil {
			return fmt.Errorf("cannot ask for health: %w", err)
		}
		_ = rsp.Body.Close()
		if rsp.StatusCode != http.StatusOK {
			return fmt.Errorf("not healthy: %s", rsp.Status)
		}
		return nil
	}
}
