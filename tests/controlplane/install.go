package controlplane

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	apiextv2 "github.com/crossplane/crossplane/apis/v2/apiextensions/v2"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	pkgv1 "github.com/crossplane/crossplane/apis/v2/pkg/v1"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/modelplane-go/modelplane/tests/tools"
)

// What packages are called.
const (
	configuration = "modelplane"
	packageOrg    = packageHost + "/modelplane-go"
)

const (
	// How long packages may take to install. An upgrade that finds the earlier
	// revision still in control is tried again after up to a minute.
	installTimeout = 3 * time.Minute

	// How often it is said what is waited for.
	tellEvery = 15 * time.Second
)

// install the Configuration as a user does. What it depends on is for Crossplane
// to find.
func (f *Fleet) install(ctx context.Context) error {
	if err := f.rewriteImages(ctx); err != nil {
		return err
	}
	if err := f.ControlPlane.ApplyFiles(ctx, filepath.Join(f.programs.Root, "package", "prerequisites.yaml")); err != nil {
		return err
	}
	return f.xpkg(ctx, "install", "configuration", packageOrg+"/"+configuration+":"+f.version, configuration)
}

// InstallVersion upgrades Modelplane: the Configuration and each of its
// functions, to packages of another version. It waits until they are healthy.
//
// The Configuration does not take its functions along: it depends on those of
// its first version or any later one.
func (f *Fleet) InstallVersion(ctx context.Context, version string) error {
	if err := f.push(ctx, version); err != nil {
		return err
	}
	for name := range f.programs.Functions {
		if err := f.xpkg(ctx, "update", "function", packageOrg+"/"+name+":"+version, packageName(name)); err != nil {
			return err
		}
	}
	if err := f.xpkg(ctx, "update", "configuration", packageOrg+"/"+configuration+":"+version, configuration); err != nil {
		return err
	}
	f.version = version
	return f.installed(ctx)
}

// packageName is what Crossplane calls one of our packages it has installed as a
// dependency.
func packageName(name string) string { return "modelplane-go-" + name }

// xpkg runs the Crossplane CLI.
func (f *Fleet) xpkg(ctx context.Context, args ...string) error {
	cmd := exec.CommandContext(ctx, f.programs.upstream(tools.CrossplaneCLI()), append([]string{"xpkg"}, args...)...)
	cmd.Env = append(os.Environ(), "KUBECONFIG="+f.ControlPlane.Kubeconfig)
	cmd.SysProcAttr = child()
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("cannot run crossplane xpkg %s: %w\n%s", strings.Join(args, " "), err, out)
	}
	return nil
}

// installed waits until everything is: the Configuration, the functions and
// providers it depends on, in the version that was asked for, and the kinds it
// defines. The Configuration itself is healthy before its functions are.
func (f *Fleet) installed(ctx context.Context) error {
	told := time.Now()
	err := eventually(ctx, installTimeout, func(ctx context.Context) error {
		if err := f.failure(); err != nil {
			return nil //nolint:nilerr // Returned below: to wait is of no use.
		}
		err := errors.Join(f.configurationInstalled(ctx), f.functionsInstalled(ctx), f.providersInstalled(ctx), f.kindsEstablished(ctx))
		if err != nil && time.Since(told) > tellEvery {
			f.say("waiting: %s", strings.ReplaceAll(err.Error(), "\n", "; "))
			told = time.Now()
		}
		return err
	})
	if err := errors.Join(f.failure(), err); err != nil {
		return fmt.Errorf("cannot install Modelplane %s: %w%s", f.version, err, f.tailOf(crossplane))
	}
	return nil
}

func (f *Fleet) configurationInstalled(ctx context.Context) error {
	c := &pkgv1.Configuration{}
	if err := f.ControlPlane.Client.Get(ctx, client.ObjectKey{Name: configuration}, c); err != nil {
		return fmt.Errorf("cannot read the configuration: %w", err)
	}
	return packageInstalled(c)
}

func (f *Fleet) functionsInstalled(ctx context.Context) error {
	var why []error
	for name := range f.programs.Functions {
		p := &pkgv1.Function{}
		if err := f.ControlPlane.Client.Get(ctx, client.ObjectKey{Name: packageName(name)}, p); err != nil {
			why = append(why, fmt.Errorf("cannot read function %s: %w", name, err))
			continue
		}
		why = append(why, packageInstalled(p))
	}
	return errors.Join(why...)
}

func (f *Fleet) providersInstalled(ctx context.Context) error {
	var why []error
	for _, name := range []string{providerKubernetes, providerHelm} {
		p := &pkgv1.Provider{}
		if err := f.ControlPlane.Client.Get(ctx, client.ObjectKey{Name: "crossplane-contrib-" + name}, p); err != nil {
			why = append(why, fmt.Errorf("cannot read provider %s: %w", name, err))
			continue
		}
		why = append(why, packageInstalled(p))
		if run, err := f.processes.get(name); err != nil || run.pid() == 0 {
			why = append(why, fmt.Errorf("%s does not run yet", name))
		}
	}
	return errors.Join(why...)
}

// packageInstalled returns nil once a package is installed and healthy, in the
// version it asks for.
func packageInstalled(p pkgv1.Package) error {
	if p.GetCurrentIdentifier() != p.GetSource() {
		return fmt.Errorf("%s: %s is not installed yet", p.GetName(), p.GetSource())
	}
	for _, t := range []xpv2.ConditionType{pkgv1.TypeInstalled, pkgv1.TypeHealthy} {
		if c := p.GetCondition(t); c.Status != corev1.ConditionTrue {
			return fmt.Errorf("%s: %s is %s: %s %s", p.GetName(), t, c.Status, c.Reason, c.Message)
		}
	}
	return nil
}

// kindsEstablished returns nil once the API server serves every kind we define.
func (f *Fleet) kindsEstablished(ctx context.Context) error {
	xrds := &apiextv2.CompositeResourceDefinitionList{}
	if err := f.ControlPlane.Client.List(ctx, xrds); err != nil {
		return fmt.Errorf("cannot list kinds: %w", err)
	}
	defined, err := filepath.Glob(filepath.Join(f.programs.Root, "apis", "*", "definition.yaml"))
	if err != nil || len(xrds.Items) < len(defined) {
		return errors.Join(fmt.Errorf("%d of %d kinds are defined", len(xrds.Items), len(defined)), err)
	}
	for _, x := range xrds.Items {
		if x.Status.GetCondition("Established").Status != corev1.ConditionTrue {
			return fmt.Errorf("%s is not established", x.GetName())
		}
		if _, err := f.ControlPlane.Client.RESTMapper().RESTMapping(x.GetCompositeGroupVersionKind().GroupKind(), x.GetCompositeGroupVersionKind().Version); err != nil {
			return fmt.Errorf("%s is not discoverable: %w", x.GetName(), err)
		}
	}
	return nil
}
