package bench

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/modelplane-go/modelplane/tests/tools"
)

const (
	// Rounds are enough for benchstat to tell a change from chance.
	Rounds = 6

	// benchTime is how long a benchmark runs in a round, at least.
	benchTime = 500 * time.Millisecond

	// compared is what benchstat compares: what result.time takes, and memory.
	compared = ".unit:(cpu-sec/op OR B/op OR allocs/op) OR (.unit:sec/op AND .name:/^Schedule/)"

	// baselineFile is where the baseline is, from the root of the repository.
	baselineFile = "docs/benchmarks.txt"
)

// packages that have benchmarks, in the folder functions.
func packages() []string {
	return []string{"internal/scheduling", "compose-model-deployment", "compose-inference-cluster"}
}

// Options of a run.
type Options struct {
	Rounds int
	Update bool // Write what is measured as the baseline, rather than compare.

	Out      io.Writer
	Progress *tools.Progress
}

// Run the benchmarks.
func Run(ctx context.Context, o Options) error {
	root, err := tools.Root()
	if err != nil {
		return err
	}
	text, err := o.measure(ctx, filepath.Join(root, "functions"))
	if err != nil {
		return err
	}
	results, err := parse(text)
	if err != nil {
		return err
	}
	if err := writeTable(o.Out, results); err != nil {
		return err
	}
	if r, ok := ratio(results); ok {
		if _, err := fmt.Fprintf(o.Out, "\nratio RunFunction/unmarshal at %s: %.2f\n", ratioSize, r); err != nil {
			return err
		}
	}

	baseline := filepath.Join(root, filepath.FromSlash(baselineFile))
	if o.Update {
		if err := os.WriteFile(baseline, text, 0o644); err != nil {
			return fmt.Errorf("cannot write the baseline: %w", err)
		}
		o.Progress.Sayf("%s is written anew", baselineFile)
		return nil
	}
	return o.compare(ctx, baseline, text)
}

// measure returns what the benchmarks print.
func (o Options) measure(ctx context.Context, functions string) ([]byte, error) {
	dir, err := os.MkdirTemp("", "bench")
	if err != nil {
		return nil, fmt.Errorf("cannot make a folder: %w", err)
	}
	defer func() { _ = os.RemoveAll(dir) }()

	binaries := make([]string, len(packages()))
	for i, pkg := range packages() {
		o.Progress.Sayf("building the benchmarks of %s ...", pkg)
		binaries[i] = filepath.Join(dir, fmt.Sprintf("%d.test", i))
		if _, err := run(ctx, functions, "go", "test", "-c", "-o", binaries[i], "./"+pkg); err != nil {
			return nil, fmt.Errorf("cannot build the benchmarks of %s: %w", pkg, err)
		}
	}

	var text bytes.Buffer
	start := time.Now()
	for round := range o.Rounds {
		for i, pkg := range packages() {
			o.Progress.Sayf("measuring %s, round %d of %d ... %s", pkg, round+1, o.Rounds, time.Since(start).Round(time.Second))
			out, err := run(ctx, filepath.Join(functions, pkg), binaries[i], "-test.run=^$", "-test.bench=.", "-test.benchmem", "-test.benchtime="+benchTime.String())
			if err != nil {
				return nil, fmt.Errorf("cannot measure %s: %w", pkg, err)
			}
			text.Write(out)
		}
	}
	return text.Bytes(), nil
}

// compare what was measured with the baseline.
func (o Options) compare(ctx context.Context, baseline string, text []byte) error {
	benchstat, err := tools.Build(ctx, tools.Benchstat(), o.Progress)
	if err != nil {
		return err
	}
	now, err := os.CreateTemp("", "bench")
	if err != nil {
		return fmt.Errorf("cannot make a file: %w", err)
	}
	defer func() { _ = os.Remove(now.Name()) }()
	if _, err := now.Write(text); err != nil {
		return fmt.Errorf("cannot write what was measured: %w", err)
	}
	if err := now.Close(); err != nil {
		return fmt.Errorf("cannot write what was measured: %w", err)
	}

	was, err := os.ReadFile(baseline)
	if err != nil {
		return fmt.Errorf("cannot read the baseline: %w", err)
	}
	if machine(was) != machine(text) {
		o.Progress.Sayf("the baseline is of another machine (%s): compare what is allocated, not times", machine(was))
	}
	out, err := run(ctx, ".", benchstat, "-ignore=goos,goarch,cpu,pkg", "-filter="+compared, "baseline="+baseline, "now="+now.Name())
	if err != nil {
		return fmt.Errorf("cannot compare with the baseline: %w", err)
	}
	_, err = fmt.Fprintf(o.Out, "\n%s", out)
	return err
}

// run a program and return what it prints.
func run(ctx context.Context, dir, program string, args ...string) ([]byte, error) {
	var stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir, cmd.Stderr = dir, &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%w\n%s%s", err, out, stderr.Bytes())
	}
	return out, nil
}
