// Command bench runs the benchmarks, prints what they measure as a table, and
// compares it with the baseline. What it is doing goes to the standard error.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strconv"
	"syscall"

	"github.com/alecthomas/kong"

	"github.com/modelplane-go/modelplane/tests/bench"
	"github.com/modelplane-go/modelplane/tests/tools"
)

type flags struct {
	Update bool `help:"Write what is measured as the new baseline, rather than compare it with the old one."`
	Rounds int  `default:"${rounds}" help:"How often each benchmark is run."`
}

func main() {
	f := &flags{}
	kong.Parse(f, kong.Name("bench"), kong.Description("Runs the benchmarks, and compares them with the baseline."), kong.Vars{"rounds": strconv.Itoa(bench.Rounds)})

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := bench.Run(ctx, bench.Options{Rounds: f.Rounds, Update: f.Update, Out: os.Stdout, Progress: tools.NewProgress(os.Stderr)})
	if ctx.Err() != nil {
		err = errors.New("interrupted")
	}
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench: error:", err)
		os.Exit(1)
	}
}
