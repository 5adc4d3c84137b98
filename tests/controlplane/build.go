package controlplane

import (
	"context"
	"io"
	"path/filepath"
	"slices"

	"github.com/modelplane-go/modelplane/tests/packages"
	"github.com/modelplane-go/modelplane/tests/tools"
)

// Programs are what a fleet is made of: paths of binaries and packages, and
// folders of the files that are installed with them.
type Programs struct {
	// Root of the repository.
	Root string `json:"root"`

	// Isolated says that the fleet has a network of its own, Door is the port that
	// leads to its API servers, and WebDoor the one to the control plane's gateway.
	Isolated bool `json:"isolated"`
	Door     int  `json:"door"`
	WebDoor  int  `json:"webDoor"`

	// Upstream programs, by the names of their tools.
	Upstream map[string]string `json:"upstream"`

	// Kubectl is among them too.
	Kubectl string `json:"kubectl"`

	// Functions, by name.
	Functions map[string]string `json:"functions"`

	// Packages of Modelplane in DefaultVersion, and of providers.
	Packages  []packages.Package `json:"packages"`
	Providers []packages.Package `json:"providers"`

	// Modules are folders of modules of upstream programs, by module.
	Modules map[string]string `json:"modules"`
}

// Build the programs a fleet is made of, those that are not there.
func Build(ctx context.Context, p *tools.Progress) (*Programs, error) {
	root, err := tools.Root()
	if err != nil {
		return nil, err
	}
	out := &Programs{Root: root, Modules: map[string]string{}}

	// One after the other: a build keeps every core busy.
	if out.Upstream, err = tools.BuildAll(ctx, append(tools.Fleet(), tools.CrossplaneCLI()), p); err != nil {
		return nil, err
	}
	out.Kubectl = out.upstream(tools.Kubectl())
	if out.Functions, err = tools.Functions(ctx, p); err != nil {
		return nil, err
	}
	if out.Packages, err = packages.Build(ctx, packages.Options{Version: DefaultVersion}, p); err != nil {
		return nil, err
	}
	if out.Providers, err = packages.Providers(ctx, packages.Options{}, p); err != nil {
		return nil, err
	}
	for _, m := range []string{tools.CrossplaneCore().Requires, tools.Kwok().Requires, tools.LWS().Requires, tools.Traefik().Requires, tools.GatewayAPI} {
		if out.Modules[m], err = tools.ModuleDir(ctx, m); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// upstream program of a tool.
func (p *Programs) upstream(t tools.Tool) string { return p.Upstream[t.Name] }

// file of the module of a tool.
func (p *Programs) file(t tools.Tool, elem ...string) string {
	return filepath.Join(append([]string{p.Modules[t.Requires]}, elem...)...)
}

// gatewayCRDs are the files of the CRDs of the Gateway API that gateways watch.
// There are more of them, and each takes memory: where no gateway runs those are
// enough that we use.
func (p *Programs) gatewayCRDs() []string {
	kinds := []string{"gatewayclasses", "gateways", "httproutes", "referencegrants"}
	if p.Isolated {
		kinds = append(kinds, "backendtlspolicies", "grpcroutes", "tlsroutes")
	}
	var out []string
	for _, kind := range kinds {
		out = append(out, filepath.Join(p.Modules[tools.GatewayAPI], "config", "crd", "standard", "gateway.networking.k8s.io_"+kind+".yaml"))
	}
	return out
}

// push the packages of a version to the fleet's registry.
func (f *Fleet) push(ctx context.Context, version string) error {
	all := f.programs.Packages
	if version != DefaultVersion {
		var err error
		if all, err = packages.Build(ctx, packages.Options{Version: version}, tools.NewProgress(io.Discard)); err != nil {
			return err
		}
	}
	all = append(slices.Clone(f.programs.Providers), all...)
	return packages.Push(ctx, f.programs.upstream(tools.CrossplaneCLI()), f.registry, all...)
}
