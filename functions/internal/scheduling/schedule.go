package scheduling

import (
	"cmp"
	"slices"
	"strings"

	"github.com/modelplane-go/modelplane/functions/internal/devices"
)

// Schedule decides where every replica of one deployment runs. It is a pure
// function: equal snapshots give equal results, whatever order they arrive in.
func Schedule(s Snapshot) Result {
	invalid := invalidSelectors(s.Deployment)
	if len(invalid) > 0 {
		return keepAll(s, invalid)
	}

	d := newDecision(s)
	kept := d.retain()
	kept = d.scaleDown(kept)
	d.update(kept)
	d.fill()
	d.dismiss()
	return d.conclude()
}

// A decision is the state of one call of Schedule.
type decision struct {
	deployment Deployment
	hold       bool
	replicas   []Replica // By name.
	sites      []*site   // By name.
	byName     map[string]*site
	identities map[identity]bool // Of the replicas looked at.
	leavers    map[string]leaver // By the name of the replica.
	lodged     []leaver          // Those that are where they were.
	matcher    *devices.Matcher
	fittings   map[fittingKey]*fitting
	nodeTypes  map[*devices.Node]*nodeType
	spreads    []*spread
	result     Result
}

// A site is a cluster and what the decision knows of it.
type site struct {
	Cluster

	nodes  []*devices.Node // By pool.
	stocks []*stock        // By pool.

	taken   map[int]bool    // Indexes that may not be given out.
	hosted  int             // Replicas of the deployment.
	closed  map[string]bool // Pools that take no new replica of the deployment.
	refused *Rejection      // The check that keeps new replicas off whatever else happens.
	matches []*match        // By engine. Worked out when needed.
	plan    *plan           // Where the next replica's engines would go. Nil if nowhere.
	planned bool            // The plan is up to date.

	preemption *preemption // Where it would go if others yielded. Nil if nowhere.
	preempted  bool        // The preemption is up to date.
}

func newDecision(s Snapshot) *decision {
	d := &decision{
		deployment: s.Deployment,
		hold:       s.Hold,
		replicas:   slices.Clone(s.Replicas),
		byName:     make(map[string]*site, len(s.Clusters)),
		identities: map[identity]bool{},
		leavers:    leavers(s),
		matcher:    devices.NewMatcher(),
		fittings:   map[fittingKey]*fitting{},
		nodeTypes:  map[*devices.Node]*nodeType{},
	}
	slices.SortFunc(d.replicas, compareReplicas)
	for i := range d.replicas {
		d.replicas[i].Engines = slices.SortedFunc(slices.Values(d.replicas[i].Engines), compareEngines)
	}

	for _, c := range s.Clusters {
		d.sites = append(d.sites, d.newSite(c))
	}
	slices.SortFunc(d.sites, func(a, b *site) int { return cmp.Compare(a.Name, b.Name) })
	for _, st := range d.sites {
		d.byName[st.Name] = st
	}
	d.spreads = newSpreads(s.Deployment.Spread, d.sites)
	return d
}

// newSite charges what others have. The deployment's own replicas are charged as
// they are retained.
func (d *decision) newSite(c Cluster) *site {
	st := &site{
		Cluster: c,
		taken:   map[int]bool{},
		closed:  map[string]bool{},
		refused: refusal(d.deployment, c),
		matches: make([]*match, len(d.deployment.Engines)),
	}
	st.Pools = slices.SortedFunc(slices.Values(c.Pools), func(a, b Pool) int { return cmp.Compare(a.Name, b.Name) })
	for _, p := range st.Pools {
		n := d.matcher.Node(p.Devices)
		s := newStock(d.nodeType(n, p.Devices), p.Nodes)
		for _, ch := range p.Charges {
			if d.deployment.owns(ch) {
				st.closed[p.Name] = st.closed[p.Name] || ch.Yield
				continue
			}
			for _, g := range ch.Groups {
				s.chargeGroup(g)
			}
		}
		st.stocks = append(st.stocks, s)
		st.nodes = append(st.nodes, n)
	}
	return st
}

// nodeType of a node's devices, worked out once for all nodes like it.
func (d *decision) nodeType(n *devices.Node, ds []devices.Device) *nodeType {
	t, ok := d.nodeTypes[n]
	if !ok {
		t = newNodeType(ds)
		d.nodeTypes[n] = t
	}
	return t
}

// Placed counts the replicas that have a place and do not leave it.
func (r Result) Placed() int {
	n := 0
	for _, p := range r.Placements {
		if !p.Leaving {
			n++
		}
	}
	return n
}

// owns says whether a charge is of a replica of the deployment.
func (d Deployment) owns(c Charge) bool {
	return c.Namespace == d.Namespace && c.Deployment == d.Name
}

// at is the position of a pool, or -1.
func (st *site) at(pool string) int {
	return slices.IndexFunc(st.Pools, func(p Pool) bool { return p.Name == pool })
}

// pool of a cluster by name. One that is not there has nothing, and is not known.
func (st *site) pool(name string) Pool {
	if i := st.at(name); i >= 0 {
		return st.Pools[i]
	}
	return Pool{}
}

// charge the pools for a replica's engines. One that is gone has nothing to be
// charged for.
func (st *site) charge(engines []PlacedEngine) {
	for _, e := range engines {
		if at := st.at(e.Pool); at >= 0 {
			st.stocks[at].chargeGroup(e.Group)
		}
	}
}

// credit gives back what a replica's engines are charged for.
func (st *site) credit(engines []PlacedEngine) {
	for _, e := range engines {
		if at := st.at(e.Pool); at >= 0 {
			st.stocks[at].creditGroup(e.Group)
		}
	}
}

// take charges for options that were chosen.
func (st *site) take(options []option) {
	for _, o := range options {
		st.stocks[st.at(o.pool)].charge(o.order.load, o.order.copies)
	}
}

// host counts a replica on a site.
func (d *decision) host(st *site, by int) {
	st.hosted += by
	for _, sp := range d.spreads {
		sp.count(st.Cluster, by)
	}
}

// drop lets a replica go. Its index is not given out again in this decision.
func (d *decision) drop(r Replica, reason DropReason, detail string) {
	d.result.Drops = append(d.result.Drops, Drop{
		Replica: r.Name,
		Cluster: r.Cluster,
		Index:   r.Index,
		Reason:  reason,
		Detail:  bounded(detail, maxDetail),
	})
	if st, ok := d.byName[r.Cluster]; ok {
		st.taken[r.Index] = true
	}
}

// conclude sorts what was decided and explains what was not.
func (d *decision) conclude() Result {
	r := d.result
	slices.SortFunc(r.Placements, comparePlacements)
	slices.SortFunc(r.Drops, func(a, b Drop) int {
		return cmp.Or(cmp.Compare(a.Cluster, b.Cluster), cmp.Compare(a.Index, b.Index), cmp.Compare(a.Replica, b.Replica))
	})
	slices.SortFunc(r.Drifts, func(a, b Drift) int {
		return cmp.Or(cmp.Compare(a.Cluster, b.Cluster), cmp.Compare(a.Replica, b.Replica), cmp.Compare(a.Reason, b.Reason))
	})

	r.Unplaced = max(0, d.deployment.Replicas-r.Placed())
	r.Held = d.hold && r.Unplaced > 0
	if r.Unplaced > 0 && !d.hold {
		r.Rejections = d.reject()
	}
	return r
}

// invalidSelectors are the selectors that do not compile, in the deployment's
// order.
func invalidSelectors(d Deployment) []SelectorError {
	var out []SelectorError
	for _, e := range d.Engines {
		for _, m := range e.Members {
			for _, r := range m.Requests {
				out = append(out, invalidIn(e, m, r)...)
			}
		}
	}
	return out
}

func invalidIn(e Engine, m Member, r devices.Request) []SelectorError {
	var out []SelectorError
	for i, s := range r.Selectors {
		_, err := devices.Compile(s)
		if err == nil {
			continue
		}
		out = append(out, SelectorError{
			Engine:   e.Name,
			Member:   m.Name,
			Request:  r.Name,
			Selector: i,
			Message:  bounded(err.Error(), maxDetail),
		})
	}
	return out
}

// keepAll decides nothing: what is wanted cannot be understood.
func keepAll(s Snapshot, invalid []SelectorError) Result {
	r := Result{Invalid: invalid}
	for _, replica := range s.Replicas {
		r.Placements = append(r.Placements, Placement{Cluster: replica.Cluster, Index: replica.Index, Replica: replica.Name})
	}
	slices.SortFunc(r.Placements, comparePlacements)
	r.Unplaced = max(0, s.Deployment.Replicas-len(r.Placements))
	return r
}

func compareReplicas(a, b Replica) int {
	return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Cluster, b.Cluster), cmp.Compare(a.Index, b.Index))
}

func compareEngines(a, b PlacedEngine) int {
	return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Pool, b.Pool))
}

func comparePlacements(a, b Placement) int {
	return cmp.Or(cmp.Compare(a.Cluster, b.Cluster), cmp.Compare(a.Index, b.Index), strings.Compare(a.Replica, b.Replica))
}
