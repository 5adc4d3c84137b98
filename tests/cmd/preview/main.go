// Command preview shows what an example would become, and why: what would run on
// which cluster, and what the control plane would hold. It needs no cluster, and
// no network once its tools are built.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/alecthomas/kong"

	"github.com/modelplane-go/modelplane/tests/preview"
	"github.com/modelplane-go/modelplane/tests/tools"
)

type flags struct {
	Examples []string `arg:"" help:"Examples to preview: names of folders of examples/, or paths of folders. All of examples/ without any." optional:""`
	Raw      bool     `help:"Print every composed object exactly as Crossplane would apply it."`
}

func main() {
	f := &flags{}
	kong.Parse(f, kong.Name("preview"), kong.Description("Previews what would run where, and why."))

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, f)
	if ctx.Err() != nil {
		err = errors.New("interrupted")
	}
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "preview: error:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, f *flags) error {
	root, err := tools.Root()
	if err != nil {
		return err
	}
	dirs, err := folders(root, f.Examples)
	if err != nil {
		return err
	}

	p := tools.NewProgress(os.Stderr)
	bin, err := preview.Build(ctx, p)
	if err != nil {
		return err
	}
	r, err := preview.NewRenderer(ctx, filepath.Join(root, "apis"), bin)
	if err != nil {
		return err
	}
	defer r.Close()

	for _, dir := range dirs {
		p.Sayf("previewing %s", filepath.Base(dir))
		pv, err := r.Preview(ctx, dir, p.Sayf)
		if err != nil {
			return fmt.Errorf("cannot preview %s: %w", filepath.Base(dir), err)
		}
		if err := pv.Write(os.Stdout, f.Raw); err != nil {
			return err
		}
	}
	return nil
}

// folders of the examples that were asked for.
func folders(root string, examples []string) ([]string, error) {
	dir := filepath.Join(root, "examples")
	if len(examples) == 0 {
		names, err := preview.Examples(dir)
		if err != nil {
			return nil, err
		}
		examples = names
	}
	out := make([]string, 0, len(examples))
	for _, e := range examples {
		if filepath.Base(e) == e {
			e = filepath.Join(dir, e)
		}
		out = append(out, e)
	}
	return out, nil
}
