// Command build builds Modelplane's packages, and prints their paths. What it is
// doing goes to the standard error.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/modelplane-go/modelplane/tests/packages"
	"github.com/modelplane-go/modelplane/tests/tools"
)

func main() {
	var o packages.Options
	flag.StringVar(&o.Version, "version", "", "Version of the packages. "+packages.DefaultVersion+" if empty.")
	flag.StringVar(&o.Arch, "arch", "", "Architecture the functions run on: amd64 or arm64. This machine's if empty.")
	flag.Parse()

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	built, err := packages.Build(ctx, o, tools.NewProgress(os.Stderr))
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "package: error:", err)
		os.Exit(1)
	}
	for _, p := range built {
		fmt.Println(p.Path)
	}
}
