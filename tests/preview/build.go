package preview

import (
	"context"

	"github.com/modelplane-go/modelplane/tests/tools"
)

// Build returns the programs a preview runs, and builds those that are not
// there.
func Build(ctx context.Context, p *tools.Progress) (Binaries, error) {
	cli, err := tools.Build(ctx, tools.CrossplaneCLI(), p)
	if err != nil {
		return Binaries{}, err
	}
	core, err := tools.Build(ctx, tools.CrossplaneCore(), p)
	if err != nil {
		return Binaries{}, err
	}
	functions, err := tools.Functions(ctx, p)
	if err != nil {
		return Binaries{}, err
	}
	return Binaries{CLI: cli, Core: core, Functions: functions}, nil
}
