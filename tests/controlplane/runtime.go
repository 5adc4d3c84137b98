package controlplane

import (
	"context"
	"fmt"
	"path"
	"strings"
	"sync"

	pkgv1 "github.com/crossplane/crossplane/apis/v2/pkg/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// runtimeManager is who says that packages run.
const runtimeManager = "fleet-runtime"

// A packageRuntime runs functions and providers as processes, as Crossplane
// would as pods. Crossplane is told to leave it to somebody else.
//
// For every active revision it signs a certificate with Crossplane's authority,
// starts the package's program, and says in the revision's status where it is.
type packageRuntime struct {
	*Fleet

	mu      sync.Mutex
	running map[string]*running // By the name of the revision.
}

// running is a revision that runs.
type running struct {
	name    string // Of its process, and of its package without the registry.
	address string // Of a function.
	certs   string // The folder of its certificate.
	process *process
}

// startRuntime runs packages as long as the fleet lives.
func (f *Fleet) startRuntime(ctx context.Context) error {
	r := &packageRuntime{Fleet: f, running: map[string]*running{}}
	if err := f.watch(ctx, f.ControlPlane, &pkgv1.FunctionRevision{}, r.functionChanged); err != nil {
		return err
	}
	return f.watch(ctx, f.ControlPlane, &pkgv1.ProviderRevision{}, r.providerChanged)
}

func (r *packageRuntime) functionChanged(ctx context.Context, key client.ObjectKey, o client.Object) error {
	rev, ok := o.(*pkgv1.FunctionRevision)
	if !ok || rev.GetDesiredState() != pkgv1.PackageRevisionActive {
		r.retire(key.Name)
		return nil
	}

	run, err := r.admit(ctx, rev)
	if err != nil {
		return err
	}
	if run.process == nil {
		if err := r.startFunction(ctx, run); err != nil {
			return err
		}
	}
	if rev.Status.Endpoint == run.address && rev.GetCondition(pkgv1.TypeRuntimeHealthy).Status == corev1.ConditionTrue {
		return nil
	}
	return r.report(ctx, rev, pkgv1.FunctionRevisionKind, map[string]any{"endpoint": run.address})
}

func (r *packageRuntime) providerChanged(ctx context.Context, key client.ObjectKey, o client.Object) error {
	rev, ok := o.(*pkgv1.ProviderRevision)
	if !ok || rev.GetDesiredState() != pkgv1.PackageRevisionActive {
		r.retire(key.Name)
		return nil
	}

	run, err := r.admit(ctx, rev)
	if err != nil {
		return err
	}
	if rev.GetCondition(pkgv1.TypeRuntimeHealthy).Status != corev1.ConditionTrue {
		if err := r.report(ctx, rev, pkgv1.ProviderRevisionKind, nil); err != nil {
			return err
		}
	}
	if run.process != nil {
		return nil
	}
	// Its controllers are made once, when it starts. One whose kind the API
	// server does not know by then is never made.
	if err := r.discoverable(ctx, rev); err != nil {
		return err
	}
	return r.startProvider(ctx, rev, run)
}

// admit a revision: give it a certificate and the folder it finds it in.
func (r *packageRuntime) admit(ctx context.Context, rev pkgv1.PackageRevisionWithRuntime) (*running, error) {
	r.mu.Lock()
	run, ok := r.running[rev.GetName()]
	r.mu.Unlock()
	if ok {
		return run, nil
	}

	run = &running{name: path.Base(repository(rev.GetSource())), certs: r.ControlPlane.file(path.Join("packages", rev.GetName()))}
	pkg := rev.GetLabels()[pkgv1.LabelParentPackage]
	ca, err := r.secret(ctx, secretRootCA)
	if err != nil {
		return nil, err
	}
	a, err := parseAuthority(ca.Data[corev1.TLSCertKey], ca.Data[corev1.TLSPrivateKeyKey])
	if err != nil {
		return nil, err
	}
	pair, err := a.server(pkg, pkg+"."+crossplaneSystem, pkg+"."+crossplaneSystem+".svc")
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{"ca.crt": a.pem, "tls.crt": pair.cert, "tls.key": pair.key}
	if err := writeFiles(run.certs, files); err != nil {
		return nil, err
	}
	err = r.ControlPlane.Apply(ctx, &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Namespace: crossplaneSystem, Name: certificateOf(rev)},
		Data:       files,
	})
	if err != nil {
		return nil, err
	}

	r.mu.Lock()
	defer r.mu.Unlock()
	r.running[rev.GetName()] = run
	return run, nil
}

// certificateOf names the Secret of a revision's certificate. Functions say no
// name for it.
func certificateOf(rev pkgv1.PackageRevisionWithRuntime) string {
	if name := rev.GetTLSServerSecretName(); name != nil {
		return *name
	}
	return rev.GetLabels()[pkgv1.LabelParentPackage] + "-tls-server"
}

// report that a revision runs. A condition is added to those there are only by
// one who owns that condition, and no other.
func (r *packageRuntime) report(ctx context.Context, rev pkgv1.PackageRevisionWithRuntime, kind string, status map[string]any) error {
	if status == nil {
		status = map[string]any{}
	}
	healthy := pkgv1.RuntimeHealthy()
	status["tlsServerSecretName"] = certificateOf(rev)
	status["conditions"] = []any{map[string]any{
		"type":               string(healthy.Type),
		"status":             string(healthy.Status),
		"reason":             string(healthy.Reason),
		"lastTransitionTime": healthy.LastTransitionTime.UTC().Format("2006-01-02T15:04:05Z"),
	}}
	u := &unstructured.Unstructured{Object: map[string]any{"status": status}}
	u.SetGroupVersionKind(pkgv1.SchemeGroupVersion.WithKind(kind))
	u.SetName(rev.GetName())
	err := r.ControlPlane.Client.Status().Apply(ctx, client.ApplyConfigurationFromUnstructured(u), client.FieldOwner(runtimeManager), client.ForceOwnership)
	if err != nil {
		return fmt.Errorf("cannot say that %s runs: %w", rev.GetName(), err)
	}
	return nil
}

// retire a revision that is not active any more. The process that has taken its
// name goes on.
func (r *packageRuntime) retire(revision string) {
	r.mu.Lock()
	run, ok := r.running[revision]
	delete(r.running, revision)
	r.mu.Unlock()
	if ok && run.process != nil {
		run.process.stop()
	}
}

// startFunction starts a function, and waits until it serves.
func (r *packageRuntime) startFunction(ctx context.Context, run *running) error {
	binary, ok := r.programs.Functions[run.name]
	if !ok {
		return r.fail(fmt.Errorf("cannot run function %s: there is no such program", run.name))
	}
	port, err := r.ports.take()
	if err != nil {
		return err
	}
	address := local(port)
	err = r.launch(ctx, run, command{
		name:  run.name,
		path:  binary,
		args:  []string{"--debug", "--address=" + address, "--tls-certs-dir=" + run.certs, "--metrics-address="},
		ready: listens(address),
	})
	if err != nil {
		return err
	}
	run.address = address
	return nil
}

// launch the process of a revision.
func (r *packageRuntime) launch(ctx context.Context, run *running, c command) error {
	_, p, err := r.processes.begin(c)
	if err != nil {
		return err
	}
	if err := p.wait(ctx); err != nil {
		p.kill()
		return r.fail(err)
	}
	run.process = p
	return nil
}

// repository of an image reference, without its tag.
func repository(image string) string {
	name := path.Base(image)
	if i := strings.IndexAny(name, ":@"); i >= 0 {
		return path.Join(path.Dir(image), name[:i])
	}
	return image
}
