// Command plan says where the replicas of a ModelDeployment would go, and what
// would have to change for those that would go nowhere. It decides on files or on
// what a control plane holds, with the packages the functions decide with, and
// changes nothing.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/alecthomas/kong"

	"github.com/modelplane-go/modelplane/functions/internal/planning"
)

// Exit codes.
const (
	exitFits    = 0
	exitError   = 1
	exitNowhere = 2 // Some replica would not be placed.
)

const (
	description = `Says where the replicas of ModelDeployments would go, and what would have to change for those that would go nowhere. Changes nothing anywhere.

For example, and the same for a script:

  ` + example + `
  _bin/plan --fleet=examples/fits-nowhere/fleet.yaml examples/fits-nowhere/model.yaml

Exit code 0 says that all replicas would be placed, 2 that some would not, 1 that there was an error.`

	example = "make plan FLEET=examples/fits-nowhere/fleet.yaml DEPLOYMENT=examples/fits-nowhere/model.yaml"
)

type flags struct {
	Fleet      string `help:"Folder or file of YAML to plan on: InferenceClasses, InferenceClusters, and ModelReplicas if something runs already." placeholder:"PATH"`
	Kubeconfig string `help:"Plan on what the control plane holds that this kubeconfig reaches, instead of on files."                              placeholder:"FILE"`
	Context    string `help:"Context of the kubeconfig. Without one, its current."                                                                 placeholder:"NAME"`
	Output     string `default:"text"                                                                                                              enum:"text,json"   help:"Format of the plan: text or json." short:"o"`
	Deployment string `arg:""                                                                                                                      help:"File with the ModelDeployments to plan, each on its own. - for standard input." optional:""`
}

func main() {
	os.Exit(run(context.Background(), os.Args[1:], streams{os.Stdin, os.Stdout, os.Stderr}))
}

// A streams is where a command reads and writes.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

// run a command, and return its exit code.
func run(ctx context.Context, args []string, s streams) int {
	f, err := parse(args, s)
	if f == nil && err == nil {
		return exitFits
	}
	var r *report
	if err == nil {
		r, err = plan(ctx, f, s.in)
	}
	if err == nil {
		err = write(s.out, f.Output, r)
	}
	if err != nil {
		_, _ = fmt.Fprintln(s.err, "plan: error:", err)
		return exitError
	}
	if !r.Fits {
		_, _ = fmt.Fprintln(s.err, "plan: not all replicas would be placed, which is exit code 2")
		return exitNowhere
	}
	return exitFits
}

// parse the flags. There are none if help was asked for and given.
func parse(args []string, s streams) (*flags, error) {
	f, done := &flags{}, false
	p, err := kong.New(f, kong.Name("plan"), kong.Description(description), kong.Writers(s.out, s.err), kong.Exit(func(int) { done = true }))
	if err != nil {
		return nil, err
	}
	_, err = p.Parse(args)
	switch {
	case done:
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("%w (--help explains)", err)
	case f.Deployment == "":
		return nil, errors.New("no ModelDeployment to plan: name a file with one, for example " + example)
	case f.Fleet == "" && f.Kubeconfig == "":
		return nil, errors.New("nothing to plan on: name files with --fleet, or a control plane with --kubeconfig, for example " + example)
	case f.Fleet != "" && f.Kubeconfig != "":
		return nil, errors.New("two fleets to plan on: leave out --fleet or --kubeconfig")
	case f.Fleet != "" && f.Context != "":
		return nil, errors.New("--context is of a kubeconfig: leave it out, or name a kubeconfig instead of --fleet")
	}
	return f, nil
}

// A report is the plans that were asked for.
type report struct {
	Fits  bool            `json:"fits"` // All replicas of all deployments would be placed.
	Plans []planning.Plan `json:"plans"`
	Notes []string        `json:"notes,omitempty"` // On the fleet.
}

// plan each deployment on the fleet as it is.
func plan(ctx context.Context, f *flags, stdin io.Reader) (*report, error) {
	deployments, err := readDeployments(f.Deployment, stdin)
	if err != nil {
		return nil, err
	}
	fleet, err := readFleet(ctx, f)
	if err != nil {
		return nil, err
	}

	w := planning.NewWorld(fleet)
	r := &report{Fits: true, Notes: w.Notes}
	for _, md := range deployments {
		p := w.Plan(md)
		r.Fits = r.Fits && p.Fits()
		r.Plans = append(r.Plans, p)
	}
	return r, nil
}

func readFleet(ctx context.Context, f *flags) (planning.Fleet, error) {
	if f.Kubeconfig != "" {
		return readLive(ctx, f.Kubeconfig, f.Context)
	}
	return readFiles(f.Fleet)
}

func write(w io.Writer, format string, r *report) error {
	if format == "json" {
		e := json.NewEncoder(w)
		e.SetEscapeHTML(false)
		e.SetIndent("", "  ")
		return e.Encode(r)
	}
	_, err := io.WriteString(w, text(r))
	return err
}
