package scheduling

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
)

// A fleetSim is deployments and clusters that reconcile in any order, each from
// what it saw last. Clusters publish who must yield, deployments place replicas
// and drop those that must.
type fleetSim struct {
	rng      *rand.Rand
	clock    int64
	nodes    map[string]int
	stable   map[string]Cluster // As the clusters published them last.
	history  []map[string]Cluster
	replicas map[string][]simReplica // By deployment.
	wanted   map[string]int
	priority map[string]int
	yielded  int // Replicas dropped because they had to yield.
}

type simReplica struct {
	Replica
	created int64
}

func newFleetSim(seed uint64) *fleetSim {
	s := &fleetSim{
		rng:      rand.New(rand.NewPCG(seed, 6)),
		nodes:    map[string]int{},
		stable:   map[string]Cluster{},
		replicas: map[string][]simReplica{},
		wanted:   map[string]int{},
		priority: map[string]int{},
	}
	for i := range 1 + s.rng.IntN(4) {
		s.nodes[fmt.Sprintf("c%d", i)] = 1 + s.rng.IntN(4)
	}
	for i := range 2 + s.rng.IntN(4) {
		name := fmt.Sprintf("d%d", i)
		s.wanted[name] = s.rng.IntN(4)
		s.priority[name] = s.rng.IntN(2)
	}
	for _, c := range sortedKeys(s.nodes) {
		s.publish(c)
	}
	return s
}

// publish is compose-inference-cluster: the ledger from the replicas there are.
func (s *fleetSim) publish(name string) {
	var cs []Contender
	for _, d := range sortedKeys(s.wanted) {
		for _, r := range s.replicas[d] {
			if r.Cluster == name {
				cs = append(cs, Contender{
					Charge:  Charge{Namespace: "team", Deployment: d, Index: r.Index, Nodes: r.Engines[0].Nodes, Priority: s.priority[d]},
					Ready:   r.Ready,
					Created: r.created,
				})
			}
		}
	}
	p := pool("p", s.nodes[name], gpus(1, "80Gi"))
	victims := Yields(s.nodes[name], cs)
	for i, c := range cs {
		c.Yield = slices.Contains(victims, i)
		p = p.charged(c.Charge)
	}
	s.stable[name] = cluster(name, p).c
	s.history = append(s.history, maps.Clone(s.stable))
}

// reconcile is compose-model-deployment: it sees its own replicas, and each
// cluster as it was at some time not long ago.
func (s *fleetSim) reconcile(t *testing.T, d string, lag int) {
	t.Helper()
	w := deploy(s.wanted[d], engine("e", 1, member("m", 1+int(d[1]-'0')%2, request(1, anyGPU))))
	w.s.Deployment.Name = d
	w.s.Deployment.Priority = s.priority[d]
	for _, name := range sortedKeys(s.nodes) {
		seen := s.history[max(0, len(s.history)-1-s.rng.IntN(lag+1))]
		if c, ok := seen[name]; ok {
			w.s.Clusters = append(w.s.Clusters, c)
		}
	}
	byName := map[string]simReplica{}
	for _, r := range s.replicas[d] {
		w.s.Replicas = append(w.s.Replicas, r.Replica)
		byName[r.Name] = r
	}

	result := Schedule(w.s)
	var next []simReplica
	for _, p := range result.Placements {
		if r, ok := byName[p.Replica]; ok {
			next = append(next, r)
			continue
		}
		s.clock++
		e := p.Engines[0]
		next = append(next, simReplica{
			Replica: Replica{Name: fmt.Sprintf("%s-%d", d, s.clock), Cluster: p.Cluster, Index: p.Index, Update: true, Engines: []PlacedEngine{on(e.Engine, e.Pool, e.Nodes)}},
			created: s.clock,
		})
	}
	for _, drop := range result.Drops {
		if drop.Reason == DropYielded {
			s.yielded++
		}
		if r := byName[drop.Replica]; drop.Reason == DropYielded && r.Ready && !s.outranked(r, s.priority[d]) {
			t.Fatalf("a Ready replica made way for an equal: %+v", drop)
		}
	}
	s.replicas[d] = next
}

// outranked says whether replicas of higher priority leave no room for one.
func (s *fleetSim) outranked(r simReplica, priority int) bool {
	n := r.Engines[0].Nodes
	for d, rs := range s.replicas {
		for _, other := range rs {
			if other.Cluster == r.Cluster && (s.priority[d] > priority || s.priority[d] == priority && other.Ready && other.Name != r.Name) {
				n += other.Engines[0].Nodes
			}
		}
	}
	return n > s.nodes[r.Cluster]
}

// start lets a replica's pods run, if its nodes are really free.
func (s *fleetSim) start(d string) {
	for i, r := range s.replicas[d] {
		used := r.Engines[0].Nodes
		for _, rs := range s.replicas {
			for _, other := range rs {
				if other.Cluster == r.Cluster && other.Ready && other.Name != r.Name {
					used += other.Engines[0].Nodes
				}
			}
		}
		yielding := slices.ContainsFunc(s.stable[r.Cluster].Pools[0].Charges, func(c Charge) bool {
			return c.Deployment == d && c.Index == r.Index && c.Yield
		})
		if used <= s.nodes[r.Cluster] && !yielding {
			s.replicas[d][i].Ready = true
			return
		}
	}
}

// TestFleetConverges: many deployments and clusters that reconcile from stale
// snapshots end without over-commitment, and no Ready replica is lost to an
// equal on the way once the ledgers that were wrong are seen.
func TestFleetConverges(t *testing.T) {
	yielded := 0
	for seed := range uint64(300) {
		s := newFleetSim(seed)
		deployments := sortedKeys(s.wanted)
		for range 60 {
			d := deployments[s.rng.IntN(len(deployments))]
			switch s.rng.IntN(3) {
			case 0:
				s.reconcile(t, d, 3)
			case 1:
				s.publish(sortedKeys(s.nodes)[s.rng.IntN(len(s.nodes))])
			case 2:
				s.start(d)
			}
		}
		s.settle(t, deployments)
		for name, nodes := range s.nodes {
			used := 0
			for _, rs := range s.replicas {
				for _, r := range rs {
					if r.Cluster == name {
						used += r.Engines[0].Nodes
					}
				}
			}
			if used > nodes {
				t.Fatalf("seed %d: cluster %s is charged %d of %d", seed, name, used, nodes)
			}
		}
		yielded += s.yielded
	}
	if yielded < 100 {
		t.Errorf("only %d replicas had to yield: the cases are not interesting", yielded)
	}
}

func (s *fleetSim) settle(t *testing.T, deployments []string) {
	t.Helper()
	for range 20 {
		for _, name := range sortedKeys(s.nodes) {
			s.publish(name)
		}
		for _, d := range deployments {
			s.reconcile(t, d, 0)
			s.start(d)
		}
	}
	for _, name := range sortedKeys(s.nodes) {
		s.publish(name)
	}
	for _, d := range deployments {
		before := len(s.replicas[d])
		s.reconcile(t, d, 0)
		if len(s.replicas[d]) != before {
			t.Fatalf("deployment %s has not settled", d)
		}
	}
}
