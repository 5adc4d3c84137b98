package scheduling

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// A fleetSim is deployments and clusters that reconcile in any order. A cluster
// publishes its ledger from replicas as they were not long ago, a deployment
// places its own from ledgers as they were not long ago, and a replica serves
// once its pods are on nodes.
type fleetSim struct {
	t   *testing.T
	rng *rand.Rand

	clock       int
	clusters    map[string][]Pool
	deployments map[string]*simDeployment
	replicas    []*simReplica
	listed      [][]simReplica         // The replicas at each time.
	ledgers     map[string][]simLedger // As published, by cluster.
	gone        int                    // Deployments that were deleted.

	yielded, evicting, renewed int
	ready                      int // Lost while Ready.
}

type simDeployment struct {
	name     string
	replicas int
	priority int
	revision int
	engines  []Engine
}

type simReplica struct {
	Replica

	deployment string
	priority   int
	created    int
	revision   int
	running    bool // Its pods are on nodes.
	deleted    bool // And is not gone yet.
}

// A simLedger is a cluster as it was published, and the replicas it was
// published from.
type simLedger struct {
	cluster    Cluster
	contenders []Contender
}

func newFleetSim(t *testing.T, seed uint64) *fleetSim {
	t.Helper()
	s := &fleetSim{
		t:           t,
		rng:         seeded(seed),
		clusters:    map[string][]Pool{},
		deployments: map[string]*simDeployment{},
		ledgers:     map[string][]simLedger{},
	}
	for i := range 1 + s.rng.IntN(6) {
		name := fmt.Sprintf("c%d", i)
		for j := range 1 + s.rng.IntN(3) {
			p := pool(fmt.Sprintf("p%d", j), 1+s.rng.IntN(3), gpus(one(s.rng, 1, 4, 8), one(s.rng, "80Gi", "141Gi")))
			if s.rng.IntN(4) == 0 {
				p.p.Devices = append(p.p.Devices, nics(2))
			}
			if s.rng.IntN(6) == 0 {
				p = p.whole()
			}
			s.clusters[name] = append(s.clusters[name], p.p)
		}
	}
	for i := range 2 + s.rng.IntN(11) {
		s.deploy(i)
	}
	s.list()
	for _, name := range sortedKeys(s.clusters) {
		s.publish(name, 0)
	}
	return s
}

// deploy creates a deployment.
func (s *fleetSim) deploy(i int) {
	d := &simDeployment{name: fmt.Sprintf("d%02d", i), replicas: s.rng.IntN(4), priority: s.rng.IntN(3)}
	s.engines(d)
	s.deployments[d.name] = d
}

// engines gives a deployment other engines.
func (s *fleetSim) engines(d *simDeployment) {
	d.revision++
	d.engines = nil
	for i := range 1 + s.rng.IntN(4)/3 {
		name, takes := fmt.Sprintf("e%d", i), request(one(s.rng, 1, 1, 2, 3, 4, 8), one(s.rng, anyGPU, anyGPU, huge))
		e := engine(name, 1+s.rng.IntN(3), member("Standalone", 1, takes))
		if s.rng.IntN(4) == 0 {
			e = engine(name, 1+s.rng.IntN(2), member("Leader", 1, request(1, anyGPU)), member("Worker", 1+s.rng.IntN(2), takes))
		}
		d.engines = append(d.engines, e)
	}
}

// list remembers the replicas as they are now.
func (s *fleetSim) list() {
	s.clock++
	now := make([]simReplica, 0, len(s.replicas))
	for _, r := range s.replicas {
		now = append(now, *r)
	}
	s.listed = append(s.listed, now)
}

// recent is one of the last few of a history.
func recent[E any](s *fleetSim, history []E, lag int) E {
	return history[max(0, len(history)-1-s.rng.IntN(lag+1))]
}

// publish is compose-inference-cluster: the ledger from the replicas there are.
// Those that are deleted are there until they are gone.
func (s *fleetSim) publish(name string, lag int) {
	l := simLedger{cluster: cluster(name).c}
	for _, r := range recent(s, s.listed, lag) {
		if r.Cluster == name {
			l.contenders = append(l.contenders, Contender{
				Namespace: "team", Deployment: r.deployment, Index: r.Index, Priority: r.priority,
				Ready: r.Ready, Created: int64(r.created / 8), Engines: r.Engines,
			})
		}
	}
	victims := Yields(s.clusters[name], l.contenders)
	for _, p := range s.clusters[name] {
		for i, c := range l.contenders {
			ch := Charge{Namespace: c.Namespace, Deployment: c.Deployment, Index: c.Index, Priority: c.Priority, Yield: slices.Contains(victims, i)}
			for _, e := range c.Engines {
				if e.Pool == p.Name {
					ch.Groups = append(ch.Groups, e.Group)
				}
			}
			if len(ch.Groups) > 0 {
				p.Charges = append(p.Charges, ch)
			}
		}
		l.cluster.Pools = append(l.cluster.Pools, p)
	}
	s.ledgers[name] = append(s.ledgers[name], l)
}

// reconcile is compose-model-deployment: it sees its own replicas as they are,
// and each cluster as it was at some time not long ago.
func (s *fleetSim) reconcile(d *simDeployment, lag int) bool {
	w := deploy(d.replicas, d.engines...)
	w.s.Deployment.Name = d.name
	w.s.Deployment.Priority = d.priority
	seen := map[string]simLedger{}
	for _, name := range sortedKeys(s.clusters) {
		seen[name] = recent(s, s.ledgers[name], lag)
		w.s.Clusters = append(w.s.Clusters, seen[name].cluster)
	}
	for _, r := range s.replicas {
		if r.deployment == d.name && !r.deleted {
			r.Outdated, r.Update = r.revision != d.revision, true
			w.s.Replicas = append(w.s.Replicas, r.Replica)
		}
	}

	r := Schedule(w.s)
	if stay := outgrown(r); len(stay) > 0 {
		for i := range w.s.Replicas {
			w.s.Replicas[i].Update = !slices.Contains(stay, w.s.Replicas[i].Name)
		}
		r = Schedule(w.s)
	}
	for _, p := range cheap {
		if err := p.holds(w.s, r); err != nil {
			s.t.Fatalf("%s: %s: %v\n%+v\n%+v", d.name, p.name, err, w.s, r)
		}
	}
	changed := false
	for _, drop := range r.Drops {
		changed = true
		s.drop(drop, seen[drop.Cluster])
	}
	for _, p := range r.Placements {
		changed = s.take(d, w.s, p) || changed
	}
	return changed
}

// outgrown are the replicas that engines that fit nowhere are not forced on.
func outgrown(r Result) []string {
	var out []string
	for _, d := range r.Drops {
		if r.Unplaced > 0 && d.Reason == DropNoLongerFit {
			out = append(out, d.Replica)
		}
	}
	return out
}

// take creates or changes a replica as placed. One of the same name that is not
// gone yet has to go first.
func (s *fleetSim) take(d *simDeployment, seen Snapshot, p Placement) bool {
	if p.Engines == nil {
		return false
	}
	i := slices.IndexFunc(s.replicas, func(r *simReplica) bool {
		return r.deployment == d.name && r.Cluster == p.Cluster && r.Index == p.Index
	})
	switch {
	case p.Replica != "":
		s.renewed++
	case i >= 0:
		return true
	default:
		i = len(s.replicas)
		s.replicas = append(s.replicas, &simReplica{
			Replica:    Replica{Name: fmt.Sprintf("%s-%s-%d", d.name, p.Cluster, p.Index), Cluster: p.Cluster, Index: p.Index},
			deployment: d.name, priority: d.priority, created: s.clock,
		})
	}
	if len(p.Evicts) > 0 {
		s.evicting++
	}
	r := s.replicas[i]
	r.Engines, r.revision = seen.engines(p), d.revision
	r.Ready, r.running = false, false
	return true
}

// drop deletes a replica. One that its cluster knew to be Ready may have made
// way for those of higher priority, or for others that were Ready.
func (s *fleetSim) drop(drop Drop, l simLedger) {
	i := slices.IndexFunc(s.replicas, func(r *simReplica) bool { return r.Name == drop.Replica && !r.deleted })
	r := s.replicas[i]
	r.deleted = true
	if drop.Reason != DropYielded {
		return
	}
	s.yielded++
	at := slices.IndexFunc(l.contenders, func(c Contender) bool { return c.Deployment == r.deployment && c.Index == r.Index })
	c := l.contenders[at]
	if !c.Ready {
		return
	}
	s.ready++
	if !lacks(l.cluster.Pools, l.contenders, at, func(i int) bool {
		o := l.contenders[i]
		return o.Priority < c.Priority || o.Priority == c.Priority && !o.Ready
	}) {
		s.t.Fatalf("a Ready replica made way for an equal that was not: %+v in %+v", drop, l)
	}
}

// start lets a replica's pods run, if there really is room for them.
func (s *fleetSim) start(r *simReplica) bool {
	if r.running || r.deleted || !s.room(r) {
		return false
	}
	r.running, r.Ready = true, true
	return true
}

// room says whether a replica's pods find room beside those that run.
func (s *fleetSim) room(r *simReplica) bool {
	for _, p := range s.clusters[r.Cluster] {
		var gs []Group
		for _, o := range s.replicas {
			for _, e := range o.Engines {
				if o.Cluster == r.Cluster && e.Pool == p.Name && (o.running || o == r) {
					gs = append(gs, e.Group)
				}
			}
		}
		if !brutePacks(p, gs...) {
			return false
		}
	}
	return true
}

// end lets a deleted replica be gone.
func (s *fleetSim) end(i int) bool {
	if !s.replicas[i].deleted {
		return false
	}
	s.replicas = slices.Delete(s.replicas, i, i+1)
	return true
}

// happen lets something happen.
func (s *fleetSim) happen() {
	names := sortedKeys(s.deployments)
	d := s.deployments[one(s.rng, names...)]
	name := one(s.rng, sortedKeys(s.clusters)...)
	switch n := s.rng.IntN(40); {
	case n < 14:
		s.reconcile(d, 3)
	case n < 22:
		s.publish(name, 2)
	case n < 30 && len(s.replicas) > 0:
		s.start(one(s.rng, s.replicas...))
	case n < 34 && len(s.replicas) > 0:
		s.end(s.rng.IntN(len(s.replicas)))
	case n == 34:
		d.replicas = s.rng.IntN(5)
	case n == 35:
		s.engines(d)
	case n == 36:
		p := &s.clusters[name][0]
		p.Nodes += 1 - s.rng.IntN(2)*min(1, p.Nodes)
		s.restart(name)
	case n == 37 && len(names) < 12:
		s.deploy(100 + s.clock)
	case n == 38 && len(names) > 2:
		s.delete(d)
	case n == 39:
		s.prioritize(d, s.rng.IntN(3))
	}
	s.list()
}

// restart stops pods that are not on nodes any more: the last ones.
func (s *fleetSim) restart(cluster string) {
	var running []*simReplica
	for _, r := range s.replicas {
		if r.Cluster == cluster && r.running {
			r.running = false
			running = append(running, r)
		}
	}
	for _, r := range running {
		r.running = s.room(r)
		r.Ready = r.running
	}
}

// prioritize a deployment otherwise, and its replicas with it.
func (s *fleetSim) prioritize(d *simDeployment, priority int) {
	d.priority = priority
	for _, r := range s.replicas {
		if r.deployment == d.name {
			r.priority = priority
		}
	}
}

// delete a deployment and its replicas.
func (s *fleetSim) delete(d *simDeployment) {
	delete(s.deployments, d.name)
	s.gone++
	for _, r := range s.replicas {
		r.deleted = r.deleted || r.deployment == d.name
	}
}

// settle reconciles in rounds until nothing changes, and says how many it took.
// No view of a cluster is older than the last round.
func (s *fleetSim) settle(most int) int {
	for round := range most {
		changed := false
		for _, name := range permute(s.rng, sortedKeys(s.clusters)) {
			s.publish(name, 0)
		}
		for _, name := range permute(s.rng, sortedKeys(s.deployments)) {
			changed = s.reconcile(s.deployments[name], 1) || changed
		}
		for i := range slices.Backward(s.replicas) {
			if s.rng.IntN(3) > 0 {
				s.end(i)
			}
		}
		for _, r := range permute(s.rng, s.replicas) {
			changed = s.start(r) || changed || r.deleted
		}
		s.list()
		if !changed && s.quiet() {
			return round
		}
	}
	s.t.Fatalf("not settled after %d rounds: %+v", most, s.deployments)
	return most
}

// quiet says whether nobody has anything to do who sees everything as it is.
func (s *fleetSim) quiet() bool {
	for _, name := range sortedKeys(s.clusters) {
		s.publish(name, 0)
	}
	for _, name := range sortedKeys(s.deployments) {
		if s.reconcile(s.deployments[name], 0) {
			return false
		}
	}
	return true
}

// check says what is wrong with a fleet that has settled.
func (s *fleetSim) check() error {
	for _, name := range sortedKeys(s.clusters) {
		for _, p := range s.clusters[name] {
			var gs []Group
			for _, r := range s.replicas {
				for _, e := range r.Engines {
					if r.Cluster == name && e.Pool == p.Name {
						gs = append(gs, e.Group)
					}
				}
			}
			if !brutePacks(p, gs...) {
				return fmt.Errorf("pool %s/%s is over-committed: %+v", name, p.Name, gs)
			}
		}
	}
	for _, r := range s.replicas {
		if !r.Ready {
			return fmt.Errorf("replica %s does not serve", r.Name)
		}
	}
	return nil
}

// TestFleetConverges: many deployments and clusters that reconcile from stale
// snapshots end without over-commitment, and no Ready replica is lost to an
// equal on the way.
func TestFleetConverges(t *testing.T) {
	const cases, rounds = 150, 40
	var yielded, evicting, renewed, ready, slowest int
	for seed := range uint64(cases) {
		s := newFleetSim(t, seed)
		for range 150 {
			s.happen()
		}
		slowest = max(slowest, s.settle(rounds))
		if err := s.check(); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		yielded += s.yielded
		evicting += s.evicting
		renewed += s.renewed
		ready += s.ready
	}
	t.Logf("%d replicas yielded, %d of them Ready; %d placed where others were, %d renewed; settled in %d rounds at most", yielded, ready, evicting, renewed, slowest)
	if yielded < 2*cases || evicting < cases/2 || renewed < cases/2 || ready < cases/2 {
		t.Errorf("%d yielded, %d of them Ready, %d evicted, %d renewed: the cases are not interesting", yielded, ready, evicting, renewed)
	}
}
