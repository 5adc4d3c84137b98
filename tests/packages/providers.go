package packages

import (
	"context"
	"path/filepath"

	"github.com/modelplane-go/modelplane/tests/tools"
)

// Providers makes packages of the providers Modelplane depends on, at the
// versions tests/tools pins them. They hold the providers' CRDs, and no image.
func Providers(ctx context.Context, o Options, p *tools.Progress) ([]Package, error) {
	o, _, err := o.complete()
	if err != nil {
		return nil, err
	}
	cli, err := tools.Build(ctx, tools.CrossplaneCLI(), p)
	if err != nil {
		return nil, err
	}
	b, err := newBuilder(cli, filepath.Join(o.Dir, "providers"))
	if err != nil {
		return nil, err
	}
	defer b.close()

	all := []tools.Tool{tools.ProviderKubernetes(), tools.ProviderHelm()}
	built := make([]Package, 0, len(all))
	for _, t := range all {
		dir, err := tools.ModuleDir(ctx, t.Requires)
		if err != nil {
			return nil, err
		}
		version, err := tools.Version(t)
		if err != nil {
			return nil, err
		}
		pkg := Package{Repository: providersOrganization + "/" + t.Name, Version: version, Path: b.path(t.Name + "-" + version)}
		if err := b.build(ctx, source{root: filepath.Join(dir, "package")}, pkg); err != nil {
			return nil, err
		}
		built = append(built, pkg)
	}
	return built, nil
}
