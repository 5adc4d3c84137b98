// Command build builds the upstream tools it is given the names of, or all that a
// fleet runs if it is given none, and prints the paths of their binaries. What it
// is doing goes to the standard error.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"github.com/modelplane-go/modelplane/tests/tools"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := build(ctx, os.Args[1:])
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "build: error:", err)
		os.Exit(1)
	}
}

func build(ctx context.Context, names []string) error {
	wanted, err := named(names)
	if err != nil {
		return err
	}
	paths, err := tools.BuildAll(ctx, wanted, tools.NewProgress(os.Stderr))
	if err != nil {
		return err
	}
	for _, t := range wanted {
		fmt.Println(paths[t.Name])
	}
	return nil
}

func named(names []string) ([]tools.Tool, error) {
	if len(names) == 0 {
		return tools.Fleet(), nil
	}
	all := tools.All()
	known := make([]string, 0, len(all))
	for _, t := range all {
		known = append(known, t.Name)
	}
	wanted := make([]tools.Tool, 0, len(names))
	for _, name := range names {
		i := slices.Index(known, name)
		if i < 0 {
			return nil, fmt.Errorf("cannot build %q: the tools are %s", name, strings.Join(known, ", "))
		}
		wanted = append(wanted, all[i])
	}
	return wanted, nil
}
