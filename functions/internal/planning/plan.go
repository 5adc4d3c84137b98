package planning

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"k8s.io/apimachinery/pkg/labels"

	"github.com/modelplane-go/modelplane/functions/internal/fleet"
	"github.com/modelplane-go/modelplane/functions/internal/labelselector"
	"github.com/modelplane-go/modelplane/functions/internal/names"
	"github.com/modelplane-go/modelplane/functions/internal/scheduling"
	"github.com/modelplane-go/modelplane/functions/internal/workload"
	"github.com/modelplane-go/modelplane/schemas/modelplane/v1alpha1"
)

// MaxReplicas a deployment may have.
const MaxReplicas = 1000

// A Plan is what would become of a deployment.
type Plan struct {
	Namespace string `json:"namespace"`
	Name      string `json:"name"`

	// Wanted replicas, those of them that would have a place, and those of
	// these that have it already.
	Wanted int `json:"wanted"`
	Placed int `json:"placed"`
	Kept   int `json:"kept"`

	// Message of the condition ReplicasScheduled.
	Message string `json:"message"`

	// Mistakes in the deployment itself. If it is held, nothing is done until
	// they are corrected.
	Mistakes []string `json:"mistakes,omitempty"`
	Held     bool     `json:"held,omitempty"`

	Clusters   []Verdict   `json:"clusters"`          // By name.
	Placements []Placement `json:"placements"`        // By cluster and index.
	Drops      []Drop      `json:"drops,omitempty"`   // Likewise.
	Drifts     []Drift     `json:"drifts,omitempty"`  // Likewise.
	Changes    []Change    `json:"changes,omitempty"` // By cluster, those of the cluster before those of its pools.
}

// Fits says whether all replicas wanted would have a place.
func (p Plan) Fits() bool { return p.Placed >= p.Wanted && !p.Held }

// A Verdict is what a cluster has of a deployment, and could have.
type Verdict struct {
	Cluster  string `json:"cluster"`
	Replicas int    `json:"replicas"` // That would be there.

	// Room for so many replicas in all, without anybody making way. With
	// RoomForMore the fleet has room for more than a deployment may have.
	Room        int  `json:"room"`
	RoomForMore bool `json:"roomForMore,omitempty"`

	// Reason and Why there is no room for more.
	Reason scheduling.Reason `json:"reason,omitempty"`
	Why    string            `json:"why,omitempty"`
}

// A Drop is an existing replica that would go.
type Drop struct {
	Replica string                `json:"replica"`
	Cluster string                `json:"cluster"`
	Index   int                   `json:"index"`
	Reason  scheduling.DropReason `json:"reason"`
	Detail  string                `json:"detail,omitempty"`
}

// A Drift is why an existing replica would not be placed where it is.
type Drift struct {
	Replica string            `json:"replica"`
	Cluster string            `json:"cluster"`
	Reason  scheduling.Reason `json:"reason"`
	Detail  string            `json:"detail"`
}

// A planner plans one deployment.
type planner struct {
	*World

	object   *v1alpha1.ModelDeployment
	selector labels.Selector
	wanted   int
	existing []*existing
}

// Plan a deployment on the fleet as it is.
func (w *World) Plan(md *v1alpha1.ModelDeployment) Plan {
	p := &planner{World: w, object: md, wanted: fleet.ReplicasWanted(md), existing: w.existing(md)}
	if mistake := p.refuse(); mistake != "" {
		return p.hold("", mistake)
	}
	r := scheduling.Schedule(p.snapshot(p.wanted))
	if len(r.Invalid) > 0 {
		return p.hold(r.Message(), invalid(r.Invalid)...)
	}
	return p.carryOut(r)
}

// refuse says why the deployment cannot be understood, as its function does.
func (p *planner) refuse() string {
	if why := names.RefuseNamespace(p.object.GetNamespace()); why != "" {
		return why
	}
	selector, err := labelselector.New(p.object.Spec.ClusterSelector)
	if err != nil {
		return fmt.Sprintf("spec.clusterSelector: %s", err)
	}
	p.selector = selector
	if err := workload.Check(workload.Serving(p.object.Spec.Engines), p.object.Spec.Secrets); err != nil {
		return "spec.engines: " + err.Error()
	}
	return ""
}

// invalid names the selectors that do not compile.
func invalid(errs []scheduling.SelectorError) []string {
	out := make([]string, len(errs))
	for i, e := range errs {
		out[i] = e.String()
	}
	return out
}

// plan of which nothing is known yet.
func (p *planner) plan(message string) Plan {
	return Plan{
		Namespace:  p.object.GetNamespace(),
		Name:       p.object.GetName(),
		Wanted:     p.wanted,
		Message:    message,
		Clusters:   []Verdict{},
		Placements: []Placement{},
	}
}

// hold keeps what exists, and does nothing else.
func (p *planner) hold(message string, mistakes ...string) Plan {
	out := p.plan(message)
	out.Held = true
	out.Mistakes = mistakes
	for _, e := range p.existing {
		out.Placements = append(out.Placements, e.placement())
	}
	slices.SortFunc(out.Placements, comparePlacements)
	out.Placed = len(out.Placements)
	out.Kept = out.Placed
	return out
}

// carryOut a decision.
func (p *planner) carryOut(r scheduling.Result) Plan {
	out := p.plan(r.Message())
	for _, pl := range r.Placements {
		if pl.Replica != "" {
			out.Kept++
		}
		out.Placements = append(out.Placements, p.placement(pl))
	}
	out.Placed = r.Placed()
	for _, d := range r.Drops {
		out.Drops = append(out.Drops, Drop(d))
	}
	for _, d := range r.Drifts {
		out.Drifts = append(out.Drifts, Drift(d))
	}
	out.Clusters = p.verdicts(r)
	out.Mistakes, out.Changes = p.changes(r)
	return out
}

// snapshot is what the scheduler decides on.
func (p *planner) snapshot(replicas int) scheduling.Snapshot {
	out := scheduling.Snapshot{Deployment: fleet.Deployment(p.object, p.selector, replicas)}
	for _, c := range p.clusters {
		out.Clusters = append(out.Clusters, c.now)
	}
	for _, e := range p.existing {
		out.Replicas = append(out.Replicas, e.now)
	}
	return out
}

// verdicts are what each cluster has, and how many replicas it could have. For
// the latter as many as a deployment may have are asked for, at the lowest
// priority, so that nobody makes way.
func (p *planner) verdicts(wanted scheduling.Result) []Verdict {
	s := p.snapshot(MaxReplicas)
	s.Deployment.Priority = math.MinInt32
	most := scheduling.Schedule(s)

	here, room, others := count(wanted.Placements), count(most.Placements), p.others()
	out := make([]Verdict, len(p.clusters))
	for i, c := range p.clusters {
		v := Verdict{Cluster: c.GetName(), Replicas: here[c.GetName()], Room: room[c.GetName()]}
		v.RoomForMore = most.Unplaced == 0 && v.Room > 0
		r, ok := rejection(most, v.Cluster)
		if !ok && v.Room == 0 {
			// The others had room for all. Ask for it alone.
			s.Clusters = []scheduling.Cluster{c.now, others}
			r, _ = rejection(scheduling.Schedule(s), v.Cluster)
		}
		v.Reason, v.Why = r.Reason, why(r)
		out[i] = v
	}
	return out
}

// count placements by cluster.
func count(ps []scheduling.Placement) map[string]int {
	out := map[string]int{}
	for _, p := range ps {
		out[p.Cluster]++
	}
	return out
}

// rejection of a cluster, if it was rejected.
func rejection(r scheduling.Result, cluster string) (scheduling.Rejection, bool) {
	i, ok := slices.BinarySearchFunc(r.Rejections, cluster, func(r scheduling.Rejection, name string) int { return cmp.Compare(r.Cluster, name) })
	if !ok {
		return scheduling.Rejection{}, false
	}
	return r.Rejections[i], true
}
