package planning

import (
	"cmp"
	"maps"
	"slices"
	"strconv"

	"k8s.io/apimachinery/pkg/api/meta"

	"github.com/modelplane-go/modelplane/functions/internal/fleet"
	"github.com/modelplane-go/modelplane/functions/internal/names"
	"github.com/modelplane-go/modelplane/functions/internal/scheduling"
	"github.com/modelplane-go/modelplane/schemas/modelplane/v1alpha1"
)

// A Placement is where a replica would be.
type Placement struct {
	Cluster string `json:"cluster"`
	Index   int    `json:"index"`

	// Replica is the ModelReplica that is there already. Empty for a new one.
	Replica string `json:"replica,omitempty"`

	Engines []Engine `json:"engines"`

	// MakeWay are the replicas of lower priority whose room a new one takes.
	MakeWay []Evicted `json:"makeWay,omitempty"`
}

// An Engine of a replica, and its node pool.
type Engine struct {
	Engine  string   `json:"engine,omitempty"` // Empty if only a ledger is known of the replica.
	Pool    string   `json:"pool"`
	Copies  int      `json:"copies"`
	Members []Member `json:"members"`
}

// A Member of an engine, and what each of its pods takes.
type Member struct {
	Role string `json:"role,omitempty"`
	Pods int    `json:"pods"` // In each copy of the engine.

	// Devices each pod takes of its node, by name. None if it takes a whole
	// node, or nothing.
	Devices   map[string]int `json:"devices,omitempty"`
	WholeNode bool           `json:"wholeNode,omitempty"`
}

// An Evicted replica would have to make way.
type Evicted struct {
	Namespace  string `json:"namespace"`
	Deployment string `json:"deployment"`
	Index      int    `json:"index"`
	Priority   int    `json:"priority"`
}

// An existing replica of the deployment.
type existing struct {
	now     scheduling.Replica
	engines []Engine
}

// existing replicas of a deployment. Where none were read, those are taken that
// the clusters' ledgers say there are.
func (w *World) existing(md *v1alpha1.ModelDeployment) []*existing {
	if w.unread {
		return w.charged(md)
	}
	var out []*existing
	for _, r := range w.replicas {
		if r.GetNamespace() == md.GetNamespace() && r.GetLabels()[names.LabelDeployment] == md.GetName() {
			out = append(out, observed(r))
		}
	}
	return out
}

func observed(r *v1alpha1.ModelReplica) *existing {
	// One without an index is someone's own making, and is taken as the first.
	index, _ := strconv.Atoi(r.GetLabels()[names.LabelReplicaIndex])
	out := &existing{now: scheduling.Replica{
		Name:    r.GetName(),
		Cluster: r.Spec.ClusterName,
		Index:   index,
		Ready:   meta.IsStatusConditionTrue(r.Status.Conditions, "Ready"),
		Engines: fleet.Placed(fleet.Engines(r.Spec.Engines)),
	}}
	for _, e := range r.Spec.Engines {
		engine := Engine{Engine: e.Name, Copies: max(1, int(e.Copies))}
		for _, m := range e.Members {
			engine.Pool = m.NodePoolName
			member := Member{Role: string(m.Role), Pods: fleet.Pods(m.Worker), WholeNode: len(m.DeviceRequests) > 0 && len(m.Devices) == 0}
			if len(m.DeviceRequests) > 0 {
				member.Devices = fleet.Numbers(m.Devices)
			}
			engine.Members = append(engine.Members, member)
		}
		out.engines = append(out.engines, engine)
	}
	return out
}

// charged are a deployment's replicas as far as clusters' ledgers know them.
func (w *World) charged(md *v1alpha1.ModelDeployment) []*existing {
	var out []*existing
	for _, c := range w.clusters {
		byIndex := map[int]*existing{}
		for _, p := range c.now.Pools {
			for _, ch := range p.Charges {
				if ch.Namespace != md.GetNamespace() || ch.Deployment != md.GetName() {
					continue
				}
				e, ok := byIndex[ch.Index]
				if !ok {
					id := names.Replica{Namespace: ch.Namespace, Deployment: ch.Deployment, Cluster: c.GetName(), Index: ch.Index}
					e = &existing{now: scheduling.Replica{Name: id.Name(), Cluster: c.GetName(), Index: ch.Index, Ready: true}}
					byIndex[ch.Index] = e
				}
				e.charge(p.Name, ch.Groups)
			}
		}
		for _, i := range slices.Sorted(maps.Keys(byIndex)) {
			out = append(out, byIndex[i])
		}
	}
	return out
}

// charge adds what a pool's ledger says of a replica.
func (e *existing) charge(pool string, groups []scheduling.Group) {
	for _, g := range groups {
		e.now.Engines = append(e.now.Engines, scheduling.PlacedEngine{Pool: pool, Group: g})
		engine := Engine{Pool: pool, Copies: g.Copies}
		for _, p := range g.Pods {
			engine.Members = append(engine.Members, Member{Pods: p.Count, Devices: p.Devices, WholeNode: len(p.Devices) == 0})
		}
		e.engines = append(e.engines, engine)
	}
}

// placement of a replica that stays.
func (e *existing) placement() Placement {
	return Placement{Cluster: e.now.Cluster, Index: e.now.Index, Replica: e.now.Name, Engines: e.engines}
}

// placement as the scheduler decided it.
func (p *planner) placement(pl scheduling.Placement) Placement {
	if pl.Replica != "" {
		i := slices.IndexFunc(p.existing, func(e *existing) bool { return e.now.Name == pl.Replica })
		return p.existing[i].placement()
	}
	out := Placement{Cluster: pl.Cluster, Index: pl.Index}
	for i, e := range pl.Engines {
		spec := p.object.Spec.Engines[i]
		engine := Engine{Engine: e.Engine, Pool: e.Pool, Copies: max(1, int(spec.Copies))}
		for j, m := range e.Members {
			engine.Members = append(engine.Members, Member{
				Role:      string(spec.Members[j].Role),
				Pods:      fleet.Pods(spec.Members[j].Worker),
				Devices:   m.Devices,
				WholeNode: len(m.Claims) > 0 && len(m.Devices) == 0,
			})
		}
		out.Engines = append(out.Engines, engine)
	}
	for _, e := range pl.Evicts {
		out.MakeWay = append(out.MakeWay, Evicted(e))
	}
	return out
}

func comparePlacements(a, b Placement) int {
	return cmp.Or(cmp.Compare(a.Cluster, b.Cluster), cmp.Compare(a.Index, b.Index), cmp.Compare(a.Replica, b.Replica))
}
