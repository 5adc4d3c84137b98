package demo

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/modelplane-go/modelplane/schemas/modelplane/v1alpha1"
)

// The quickstart's model.
const (
	namespace = "ml-team"
	model     = "qwen3-8b"
)

// Service is the path of the quickstart's ModelService at the control plane's
// gateway.
const Service = "/" + namespace + "/qwen"

// A Step is something to try, and what it must come to.
type Step struct {
	// Title says to a person what happens.
	Title string

	// Kubectl arguments that make it happen.
	Kubectl []string

	// Done returns an error that says what is still missing, or nil.
	Done func(State) error

	// Within which it must be done.
	Within time.Duration
}

// Command a person would type.
func (s Step) Command() string {
	out := []string{"kubectl"}
	for _, a := range s.Kubectl {
		if strings.ContainsAny(a, `{}"' `) {
			a = "'" + a + "'"
		}
		out = append(out, a)
	}
	return strings.Join(out, " ")
}

// Quickstart is what the demo begins with: a model that runs.
func Quickstart(file string) Step {
	return Step{
		Title:   "Run a model on one GPU with at least 16Gi, in production",
		Kubectl: []string{"apply", "-f", file},
		Done:    serve(1, "prod-eu", "prod-us"),
		Within:  2 * time.Minute,
	}
}

// Tour is what the demo invites a person to try.
func Tour(tooBig string) []Step {
	return []Step{
		{
			Title:   "Scale it: replicas spread over the clusters that fit",
			Kubectl: []string{"scale", "modeldeployment/" + model, "--namespace=" + namespace, "--replicas=3"},
			Done:    serve(3, "prod-eu", "prod-us"),
			Within:  2 * time.Minute,
		},
		{
			Title:   "Drain a cluster: its replicas are placed elsewhere",
			Kubectl: []string{"patch", "inferencecluster/prod-eu", "--type=merge", `--patch={"spec":{"taints":[{"key":"maintenance","effect":"NoExecute"}]}}`},
			Done:    serve(3, "prod-us"),
			Within:  2 * time.Minute,
		},
		{
			Title:   "Deploy something that does not fit: every cluster says why",
			Kubectl: []string{"apply", "-f", tooBig},
			Done:    explained("too-big"),
			Within:  time.Minute,
		},
	}
}

// serve says whether the model has so many replicas that serve, all of them on
// the supplied clusters.
func serve(replicas int, clusters ...string) func(State) error {
	return func(s State) error {
		md, err := s.deployment(model)
		if err != nil {
			return err
		}
		for _, p := range md.Status.Placements {
			if !slices.Contains(clusters, p.Cluster) {
				return fmt.Errorf("replica %s is on %s", p.Replica, p.Cluster)
			}
		}
		if r := md.Status.Replicas; r == nil || int(r.Ready) != replicas || int(r.Total) != replicas {
			return fmt.Errorf("not all of %d replicas serve yet", replicas)
		}
		if !meta.IsStatusConditionTrue(md.Status.Conditions, "Ready") {
			return errors.New("the deployment is not Ready yet")
		}
		return nil
	}
}

// explained says whether a deployment is refused with the reasons of all the
// clusters.
func explained(name string) func(State) error {
	return func(s State) error {
		md, err := s.deployment(name)
		if err != nil {
			return err
		}
		c := meta.FindStatusCondition(md.Status.Conditions, string(v1alpha1.TypeReplicasScheduled))
		if c == nil || c.Status != metav1.ConditionFalse || c.Reason != string(v1alpha1.ReasonInsufficientCapacity) {
			return fmt.Errorf("%s has not been refused yet", name)
		}
		return nil
	}
}

func (s State) deployment(name string) (v1alpha1.ModelDeployment, error) {
	i := slices.IndexFunc(s.Deployments, func(d v1alpha1.ModelDeployment) bool {
		return d.GetNamespace() == namespace && d.GetName() == name
	})
	if i < 0 {
		return v1alpha1.ModelDeployment{}, fmt.Errorf("there is no ModelDeployment %s/%s yet", namespace, name)
	}
	return s.Deployments[i], nil
}

// A Guide takes steps on a fleet.
type Guide struct {
	// Kubectl runs kubectl against the control plane.
	Kubectl func(ctx context.Context, args ...string) error

	// Read the control plane's state.
	Read func(ctx context.Context) (State, error)

	// Show a state to the person who watches.
	Show func(State)
}

// pace is how often a guide looks.
const pace = 250 * time.Millisecond

// Take a step, show what happens, and return how long it took.
func (g Guide) Take(ctx context.Context, s Step) (time.Duration, error) {
	start := time.Now()
	if err := g.Kubectl(ctx, s.Kubectl...); err != nil {
		return 0, err
	}
	ctx, cancel := context.WithTimeout(ctx, s.Within)
	defer cancel()
	for {
		state, err := g.Read(ctx)
		if err == nil {
			g.Show(state)
			err = s.Done(state)
		}
		if err == nil {
			return time.Since(start), nil
		}
		select {
		case <-ctx.Done():
			return 0, fmt.Errorf("cannot complete the step %q within %s: %w", s.Title, s.Within, err)
		case <-time.After(pace):
		}
	}
}

// Watch shows the state until the context ends.
func (g Guide) Watch(ctx context.Context) {
	for ctx.Err() == nil {
		if state, err := g.Read(ctx); err == nil {
			g.Show(state)
		}
		select {
		case <-ctx.Done():
		case <-time.After(pace):
		}
	}
}
