// Command demo runs a control plane and three inference clusters on this machine,
// and shows Modelplane at work on them. It needs no Docker, no cloud and no GPU.
// What is not real is said in package controlplane.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/alecthomas/kong"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/modelplane-go/modelplane/tests/controlplane"
	"github.com/modelplane-go/modelplane/tests/demo"
	"github.com/modelplane-go/modelplane/tests/tools"
)

type flags struct {
	Script string `default:"" enum:",tour" help:"Take the steps of a script and exit: tour."`
}

func main() {
	f := &flags{}
	kong.Parse(f, kong.Name("demo"), kong.Description("Shows Modelplane at work on a fleet on this machine."))

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, f)
	interrupted := ctx.Err() != nil
	stop()
	if err != nil && !interrupted {
		fmt.Fprintln(os.Stderr, "demo: error:", err)
		os.Exit(1)
	}
}

// files the demo applies.
type files struct{ fleet, model, tooBig string }

func run(ctx context.Context, f *flags) error {
	p := tools.NewProgress(os.Stderr)
	programs, err := controlplane.Enter(ctx, p)
	if err != nil {
		return err
	}
	in := filesIn(programs.Root)

	start := time.Now()
	objects, err := controlplane.ReadObjects(in.fleet)
	if err != nil {
		return err
	}
	clusters, err := controlplane.Clusters(objects)
	if err != nil {
		return err
	}
	fleet, err := controlplane.Start(ctx, controlplane.Options{Programs: programs, Clusters: clusters, Progress: p})
	if err != nil {
		return err
	}
	defer fleet.Stop()

	if err := prepare(ctx, fleet); err != nil {
		return err
	}
	if f.Script == "tour" {
		return tour(ctx, fleet, in, start)
	}
	return show(ctx, fleet, programs, in)
}

func filesIn(root string) files {
	return files{
		fleet:  filepath.Join(root, "tests", "demo", "fleet.yaml"),
		model:  filepath.Join(root, "examples", "quickstart", "model.yaml"),
		tooBig: filepath.Join(root, "tests", "demo", "too-big.yaml"),
	}
}

// prepare what a platform team does before anyone deploys a model.
func prepare(ctx context.Context, fleet *controlplane.Fleet) error {
	if err := fleet.Register(ctx); err != nil {
		return err
	}
	return fleet.ControlPlane.Apply(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "ml-team"}})
}

func guide(fleet *controlplane.Fleet, screen *demo.Screen) demo.Guide {
	return demo.Guide{
		Kubectl: func(ctx context.Context, args ...string) error {
			_, err := fleet.Kubectl(ctx, fleet.ControlPlane, args...)
			return err
		},
		Read: func(ctx context.Context) (demo.State, error) { return demo.Read(ctx, fleet.ControlPlane.Client) },
		Show: screen.Show,
	}
}

// tour takes the steps by itself, and says what they came to.
func tour(ctx context.Context, fleet *controlplane.Fleet, in files, start time.Time) error {
	screen := demo.NewScreen(os.Stdout)
	g := guide(fleet, screen)
	summary := []string{fmt.Sprintf("%6.1f s  the fleet is up", time.Since(start).Seconds())}

	for _, s := range append([]demo.Step{demo.Quickstart(in.model)}, demo.Tour(in.tooBig)...) {
		screen.Sayf("\n==> %s\n    %s", s.Title, s.Command())
		took, err := g.Take(ctx, s)
		if err != nil {
			return err
		}
		summary = append(summary, fmt.Sprintf("%6.1f s  %s", took.Seconds(), s.Title))
	}
	took, err := ask(ctx, fleet, screen)
	if err != nil {
		return err
	}
	summary = append(summary, fmt.Sprintf("%6.1f s  Ask the model", took.Seconds()))
	screen.Sayf("\nThe tour, in %s:\n%s", time.Since(start).Round(time.Second), strings.Join(summary, "\n"))
	return nil
}

// show the fleet until Ctrl-C.
func show(ctx context.Context, fleet *controlplane.Fleet, programs *controlplane.Programs, in files) error {
	screen := demo.NewScreen(os.Stdout)
	screen.Sayf("The fleet is up. Running the quickstart's model ...")
	g := guide(fleet, screen)
	took, err := g.Take(ctx, demo.Quickstart(in.model))
	if err != nil {
		return err
	}
	if _, err := ask(ctx, fleet, screen); err != nil {
		return err
	}
	time.Sleep(reading)
	screen.Footer(invitation(fleet, programs, in, took))
	g.Watch(ctx)
	return nil
}

// reading is how long a person has to read an answer before the fleet is shown.
const reading = 5 * time.Second

// ask the model at its address, and show where each question goes. A fleet without
// a network of its own has no gateways to ask.
func ask(ctx context.Context, fleet *controlplane.Fleet, screen *demo.Screen) (time.Duration, error) {
	if fleet.FrontURL == "" {
		return 0, nil
	}
	start := time.Now()
	screen.Sayf("\n==> Ask the model at its address, and see where each question goes\n    %s\n", demo.Curl(fleet.OutsideURL+demo.Service))
	err := demo.Ask(ctx, fleet.FrontURL+demo.Service, screen.Speak)
	return time.Since(start), err
}

// invitation to try things, in another terminal.
func invitation(fleet *controlplane.Fleet, programs *controlplane.Programs, in files, took time.Duration) string {
	b := &strings.Builder{}
	fmt.Fprintf(b, "\nThe model is ready, %.1f s after it was applied. Try, in another terminal:\n\n", took.Seconds())
	fmt.Fprintf(b, "  export KUBECONFIG=%s\n  alias kubectl=%s\n\n", fleet.ControlPlane.Outside, programs.Kubectl)
	for _, s := range demo.Tour(in.tooBig) {
		fmt.Fprintf(b, "  # %s\n  %s\n\n", s.Title, s.Command())
	}
	if fleet.OutsideURL != "" {
		fmt.Fprintf(b, "  # Ask the model\n  %s\n\n", demo.Curl(fleet.OutsideURL+demo.Service))
	}
	b.WriteString("kubeconfigs of the clusters:\n")
	for _, r := range fleet.Remotes {
		fmt.Fprintf(b, "  %-8s  %s\n", r.Name, r.Outside)
	}
	b.WriteString("\nCtrl-C ends it all.\n")
	return b.String()
}
