package controlplane

import (
	"context"
	"fmt"
	"os"
	"slices"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/modelplane-go/modelplane/tests/packages"
	"github.com/modelplane-go/modelplane/tests/tools"
)

// controlPlaneName is the name of the control plane among clusters.
const controlPlaneName = "control-plane"

// DefaultVersion of our packages.
const DefaultVersion = packages.DefaultVersion

// Options of a fleet.
type Options struct {
	// Programs that the fleet is made of: what Enter returns.
	Programs *Programs

	// Clusters beside the control plane.
	Clusters []Cluster

	// Version of our packages to install. DefaultVersion if empty.
	Version string

	// Progress is told what happens.
	Progress *tools.Progress
}

// A Fleet is a control plane and its clusters, running.
type Fleet struct {
	// ControlPlane is where Crossplane and Modelplane are.
	ControlPlane *Server

	// Remotes are the clusters models run on, in the order of the options.
	Remotes []*Remote

	// FrontURL is where the control plane's gateway answers. OutsideURL leads
	// there from out of the fleet's own network. Both are empty if it has none:
	// then nobody answers.
	FrontURL, OutsideURL string

	programs  *Programs
	version   string
	folder    *folder
	dir       string // The folder's path.
	say       func(format string, args ...any)
	ports     *ports
	processes *processes
	etcdURL   string
	registry  string // The address of the registry of packages.
	charts    string // The URL of the repository of charts.
	public    *authority

	stopping sync.Once

	mu        sync.Mutex
	ends      []func() // End what runs in this program.
	failed    error
	externals int // How many there have been.
}

// Start a fleet, and wait until everything in it works. After an error nothing of
// it runs, and its logs are kept for a day.
func Start(ctx context.Context, o Options) (*Fleet, error) {
	f, err := newFleet(o)
	if err != nil {
		return nil, err
	}
	done, err := turn(ctx, func() { f.say("waiting for another fleet to start ...") })
	if err != nil {
		f.Stop()
		return nil, err
	}
	defer done()

	start := time.Now()
	err = f.start(ctx)
	if ctx.Err() != nil {
		f.Stop()
		return nil, fmt.Errorf("cannot start a fleet: %w", ctx.Err())
	}
	if err != nil {
		f.stop()
		f.folder.leaveLogs()
		return nil, fmt.Errorf("cannot start a fleet: %w", err)
	}
	f.say("the fleet is up: a control plane and %d clusters in %s", len(f.Remotes), time.Since(start).Round(100*time.Millisecond))
	return f, nil
}

func newFleet(o Options) (*Fleet, error) {
	quiet()
	folder, err := newFolder()
	if err != nil {
		return nil, err
	}
	f := &Fleet{programs: o.Programs, version: o.Version, folder: folder, dir: folder.path, ports: newPorts(o.Programs.Isolated)}
	f.say = func(string, ...any) {}
	if o.Progress != nil {
		f.say = o.Progress.Sayf
	}
	if f.version == "" {
		f.version = DefaultVersion
	}
	f.processes = newProcesses(folder.logs, f.say)
	if f.public, err = newAuthority("public"); err != nil {
		f.Stop()
		return nil, err
	}

	if f.ControlPlane, err = f.newServer(controlPlaneName); err != nil {
		f.Stop()
		return nil, err
	}
	for i, c := range o.Clusters {
		s, err := f.newServer(c.Name)
		if err != nil {
			f.Stop()
			return nil, err
		}
		f.Remotes = append(f.Remotes, &Remote{Server: s, Cluster: c, index: i + 1})
	}
	return f, nil
}

// start everything, as much at once as there is.
func (f *Fleet) start(ctx context.Context) error {
	var err error
	if f.etcdURL, err = f.startEtcd(ctx); err != nil {
		return err
	}
	if f.registry, err = f.startRegistry(ctx); err != nil {
		return err
	}
	if f.charts, err = f.serveCharts(ctx); err != nil {
		return err
	}

	if err := f.openDoor(ctx); err != nil {
		return err
	}

	tasks := []func(ctx context.Context) error{f.startControlPlane}
	for _, r := range f.Remotes {
		tasks = append(tasks, func(ctx context.Context) error {
			return f.during("cluster "+r.Name, func() error { return f.startRemote(ctx, r) })
		})
	}
	if err := together(ctx, tasks...); err != nil {
		return err
	}
	return f.introduce(ctx)
}

// startControlPlane starts the control plane, and installs Modelplane there.
func (f *Fleet) startControlPlane(ctx context.Context) error {
	pushed := make(chan error, 1)
	go func() { pushed <- f.during("packages", func() error { return f.push(ctx, f.version) }) }()

	err := f.during("API server of the control plane", func() error {
		return f.startServer(ctx, f.ControlPlane, "--disable-admission-plugins=ServiceAccount")
	})
	if err != nil {
		return err
	}
	// Without these, what was composed outlives what composed it.
	if err := f.startControllers(f.ControlPlane, "--controllers=garbage-collector-controller,namespace-controller"); err != nil {
		return err
	}
	if err := f.during("Crossplane", func() error { return f.startCrossplane(ctx) }); err != nil {
		return err
	}
	if err := <-pushed; err != nil {
		return err
	}
	return f.during("Modelplane "+f.version, func() error {
		err := together(ctx, f.install, f.startFront, f.startRuntime)
		if err != nil {
			return err
		}
		if err := f.installed(ctx); err != nil {
			return err
		}
		return f.startReleases(ctx)
	})
}

// introduce the clusters to the control plane, which reaches each with a
// kubeconfig.
func (f *Fleet) introduce(ctx context.Context) error {
	for _, r := range f.Remotes {
		kubeconfig, err := os.ReadFile(r.Kubeconfig)
		if err != nil {
			return fmt.Errorf("cannot read a kubeconfig: %w", err)
		}
		err = f.ControlPlane.Apply(ctx, &corev1.Secret{
			ObjectMeta: metav1.ObjectMeta{Namespace: modelplaneSystem, Name: KubeconfigSecret(r.Name)},
			Data:       map[string][]byte{"kubeconfig": kubeconfig},
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// Register publishes the fleet's clusters and their hardware on the control
// plane, and opens its front door.
func (f *Fleet) Register(ctx context.Context) error {
	for _, r := range f.Remotes {
		for _, c := range r.Cluster.InferenceClasses() {
			if err := f.ControlPlane.Apply(ctx, c); err != nil {
				return err
			}
		}
		if err := f.ControlPlane.Apply(ctx, r.Cluster.InferenceCluster(r.GatewayAddress())); err != nil {
			return err
		}
	}
	return f.ControlPlane.Apply(ctx, f.InferenceGateway())
}

// Remote returns a cluster by name, or nil.
func (f *Fleet) Remote(name string) *Remote {
	i := slices.IndexFunc(f.Remotes, func(r *Remote) bool { return r.Name == name })
	if i < 0 {
		return nil
	}
	return f.Remotes[i]
}

// Stop everything, what stores what others write last, and wait for it. Logs go
// with the fleet, unless EnvLogs says where to keep them.
func (f *Fleet) Stop() {
	f.stop()
	f.folder.remove()
}

func (f *Fleet) stop() {
	f.stopping.Do(func() {
		f.mu.Lock()
		ends := f.ends
		f.mu.Unlock()
		for _, end := range ends {
			end()
		}
		f.processes.stop(etcd)
	})
}

// atEnd calls a function when the fleet stops.
func (f *Fleet) atEnd(end func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.ends = append(f.ends, end)
}

// during says when something begins, and how long it took.
func (f *Fleet) during(what string, do func() error) error {
	start := time.Now()
	f.say("starting %s ...", what)
	if err := do(); err != nil {
		return err
	}
	f.say("started %s in %s", what, time.Since(start).Round(100*time.Millisecond))
	return nil
}

// fail records what waiting cannot mend.
func (f *Fleet) fail(err error) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.failed == nil {
		f.failed = err
	}
	return err
}

func (f *Fleet) failure() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.failed
}
