package scheduling

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/modelplane-go/modelplane/functions/internal/devices"
)

// memories and selectors of the random fleets, so that the i-th selector is true
// of the i-th memory and those after it.
var (
	memories = []string{"24Gi", "80Gi", "141Gi"}
	atLeast  = []string{anyGPU, big, huge}
)

func randomEngine(rng *rand.Rand, name string) Engine {
	e := engine(name, 1+rng.IntN(2), member("Leader", 1, request(1+rng.IntN(2), atLeast[rng.IntN(3)])))
	if rng.IntN(3) == 0 {
		e.Members = append(e.Members, member("Worker", 1+rng.IntN(2), request(1, atLeast[rng.IntN(3)])))
	}
	if rng.IntN(6) == 0 {
		e.Members[0].Requests = nil
		e.Members = append(e.Members, member("Worker", 1+rng.IntN(2), request(1, atLeast[rng.IntN(3)])))
	}
	return e
}

func randomPool(rng *rand.Rand, name string) poolBuilder {
	p := pool(name, rng.IntN(6), gpus(1+rng.IntN(2), memories[rng.IntN(3)]))
	if rng.IntN(8) == 0 {
		p.p.Devices = append(p.p.Devices, fake(1, memories[rng.IntN(3)]))
	}
	if rng.IntN(10) == 0 {
		p = p.unknown()
	}
	for i := range rng.IntN(3) {
		p = p.charged(theirs(i, rng.IntN(3)))
	}
	return p
}

func randomCluster(rng *rand.Rand, name string) clusterBuilder {
	c := cluster(name).label("zone", fmt.Sprint(rng.IntN(2)))
	for i := range rng.IntN(4) {
		c.c.Pools = append(c.c.Pools, randomPool(rng, fmt.Sprintf("p%d", i)).p)
	}
	switch rng.IntN(12) {
	case 0:
		return c.notReady()
	case 1:
		return c.noAddress()
	case 2:
		return c.taint("t", "", NoSchedule)
	case 3:
		return c.taint("t", "", NoExecute)
	}
	return c
}

// randomWorld is a fleet with replicas in all states there are.
func randomWorld(rng *rand.Rand) world {
	w := deploy(rng.IntN(6))
	for i := range 1 + rng.IntN(3) {
		w.s.Deployment.Engines = append(w.s.Deployment.Engines, randomEngine(rng, fmt.Sprintf("e%d", i)))
	}
	for i := range rng.IntN(5) {
		w = w.onto(randomCluster(rng, fmt.Sprintf("c%d", i)))
	}
	if rng.IntN(3) == 0 {
		w = w.spreading(Spread{TopologyKey: "zone", MaxSkew: 1, Required: rng.IntN(2) == 0})
	}
	if rng.IntN(8) == 0 {
		w = w.hold()
	}
	for i := range rng.IntN(5) {
		w.s.Replicas = append(w.s.Replicas, randomReplica(rng, fmt.Sprintf("r%d", i)))
	}
	for i := range w.s.Clusters {
		c := &w.s.Clusters[i]
		for j := range c.Pools {
			if rng.IntN(10) == 0 {
				c.Pools[j].Charges = append(c.Pools[j].Charges, ours(rng.IntN(3), 1).yielding())
			}
		}
	}
	return w
}

func randomReplica(rng *rand.Rand, name string) Replica {
	r := Replica{
		Name:     name,
		Cluster:  fmt.Sprintf("c%d", rng.IntN(5)),
		Index:    rng.IntN(3),
		Ready:    rng.IntN(2) == 0,
		Update:   rng.IntN(3) > 0,
		Outdated: rng.IntN(2) == 0,
	}
	for i := range 1 + rng.IntN(3) {
		r.Engines = append(r.Engines, on(fmt.Sprintf("e%d", i), fmt.Sprintf("p%d", rng.IntN(3)), 1+rng.IntN(2)))
	}
	return r
}

func TestProperties(t *testing.T) {
	for seed := range uint64(4000) {
		rng := rand.New(rand.NewPCG(seed, 4))
		w := randomWorld(rng)
		r := Schedule(w.s)
		for name, check := range map[string]func(Snapshot, Result) error{
			"Accounts":     accounts,
			"NothingMoves": nothingMoves,
			"Capacity":     withinCapacity,
			"Satisfied":    satisfied,
			"Explained":    explained,
			"Stable":       stable,
		} {
			if err := check(w.s, r); err != nil {
				t.Fatalf("seed %d: %s: %v\n%+v\n%+v", seed, name, err, w.s, r)
			}
		}
		for range 3 {
			if diff := cmp.Diff(r, Schedule(shuffle(rng, w.s))); diff != "" {
				t.Fatalf("seed %d: shuffled: -want, +got:\n%s", seed, diff)
			}
		}
	}
}

// shuffle reorders everything whose order means nothing.
func shuffle(rng *rand.Rand, s Snapshot) Snapshot {
	s.Clusters = permute(rng, s.Clusters)
	s.Replicas = permute(rng, s.Replicas)
	for i := range s.Clusters {
		c := &s.Clusters[i]
		c.Taints = permute(rng, c.Taints)
		c.Pools = permute(rng, c.Pools)
		for j := range c.Pools {
			c.Pools[j].Charges = permute(rng, c.Pools[j].Charges)
			c.Pools[j].Devices = permute(rng, c.Pools[j].Devices)
		}
	}
	for i := range s.Replicas {
		s.Replicas[i].Engines = permute(rng, s.Replicas[i].Engines)
	}
	return s
}

func permute[E any](rng *rand.Rand, in []E) []E {
	out := slices.Clone(in)
	rng.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out
}

// accounts: every replica is kept or dropped, identities are unique, and an
// index dropped is not given out.
func accounts(s Snapshot, r Result) error {
	seen := map[string]int{}
	identity := map[string]bool{}
	for _, p := range r.Placements {
		seen[p.Replica]++
		id := fmt.Sprintf("%s/%d", p.Cluster, p.Index)
		if identity[id] {
			return fmt.Errorf("%s is placed twice", id)
		}
		identity[id] = true
	}
	delete(seen, "")
	for _, d := range r.Drops {
		seen[d.Replica]++
		id := fmt.Sprintf("%s/%d", d.Cluster, d.Index)
		if identity[id] && d.Reason != DropDuplicate {
			return fmt.Errorf("index %s of a dropped replica is given out", id)
		}
	}
	for _, replica := range s.Replicas {
		if seen[replica.Name] != 1 {
			return fmt.Errorf("replica %s is accounted for %d times", replica.Name, seen[replica.Name])
		}
	}
	if want := max(0, s.Deployment.Replicas-len(r.Placements)); r.Unplaced != want {
		return fmt.Errorf("%d unplaced, want %d", r.Unplaced, want)
	}
	return nil
}

// nothingMoves: what is kept keeps its cluster, index and pools.
func nothingMoves(s Snapshot, r Result) error {
	for _, p := range r.Placements {
		i := slices.IndexFunc(s.Replicas, func(r Replica) bool { return r.Name == p.Replica })
		if i < 0 {
			continue
		}
		before := s.Replicas[i]
		if before.Cluster != p.Cluster || before.Index != p.Index {
			return fmt.Errorf("replica %s moved", before.Name)
		}
		if !before.Update && p.Engines != nil {
			return fmt.Errorf("replica %s is updated before its time", before.Name)
		}
		for _, e := range p.Engines {
			if pin, ok := before.on(e.Engine); ok && pin.Pool != e.Pool {
				return fmt.Errorf("engine %s of replica %s moved", e.Engine, before.Name)
			}
		}
	}
	return nil
}

// withinCapacity: no pool that has something new is charged beyond its nodes.
func withinCapacity(s Snapshot, r Result) error {
	charged, had := map[spot]int{}, map[spot]int{}
	grown := map[spot]bool{}
	for _, replica := range s.Replicas {
		for _, e := range replica.Engines {
			had[spot{replica.Cluster, e.Pool}] += e.Nodes
		}
	}
	for _, p := range r.Placements {
		for at, n := range placedNodes(s, p) {
			charged[at] += n
			grown[at] = grown[at] || n > replicaNodes(s, p.Replica, at)
		}
	}
	for _, c := range s.Clusters {
		for _, p := range c.Pools {
			at := spot{c.Name, p.Name}
			total := charged[at]
			for _, ch := range p.Charges {
				if !s.Deployment.owns(ch) {
					total += ch.Nodes
				}
			}
			if grown[at] && total > p.Nodes {
				return fmt.Errorf("pool %v is charged %d of %d", at, total, p.Nodes)
			}
		}
	}
	return nil
}

func placedNodes(s Snapshot, p Placement) map[spot]int {
	out := map[spot]int{}
	for _, e := range p.Engines {
		out[spot{p.Cluster, e.Pool}] += e.Nodes
	}
	if p.Engines != nil {
		return out
	}
	for _, replica := range s.Replicas {
		for _, e := range replica.Engines {
			if replica.Name == p.Replica {
				out[spot{p.Cluster, e.Pool}] += e.Nodes
			}
		}
	}
	return out
}

func replicaNodes(s Snapshot, name string, at spot) int {
	n := 0
	for _, replica := range s.Replicas {
		for _, e := range replica.Engines {
			if replica.Name == name && (spot{replica.Cluster, e.Pool}) == at {
				n += e.Nodes
			}
		}
	}
	return n
}

// satisfied: every engine placed has a pool that meets every member's requests,
// and what is new is where it may be.
func satisfied(s Snapshot, r Result) error {
	m := devices.NewMatcher(nil)
	for _, p := range r.Placements {
		for i, e := range p.Engines {
			want := s.Deployment.Engines[i]
			if e.Engine != want.Name || len(e.Claims) != len(want.Members) {
				return fmt.Errorf("%+v is not engine %s", e, want.Name)
			}
			c := s.Clusters[slices.IndexFunc(s.Clusters, func(c Cluster) bool { return c.Name == p.Cluster })]
			at := c.Pools[slices.IndexFunc(c.Pools, func(q Pool) bool { return q.Name == e.Pool })]
			cost := 0
			for j, member := range want.Members {
				a := m.Assign(member.Requests, at.Devices)
				if !a.OK || !cmp.Equal(a.Claims, e.Claims[j]) {
					return fmt.Errorf("%+v does not satisfy member %s", e, member.Name)
				}
				if len(a.Claims) > 0 {
					cost += want.Copies * member.Pods
				}
			}
			if cost != e.Nodes || cost == 0 {
				return fmt.Errorf("%+v costs %d", e, cost)
			}
			if p.Replica == "" && (refusal(s.Deployment, c) != nil || !at.Known || s.Hold) {
				return fmt.Errorf("%+v is where nothing new may be", p)
			}
		}
	}
	return nil
}

// explained: a shortfall has a reason for every cluster, and a bounded message.
func explained(s Snapshot, r Result) error {
	want := 0
	if r.Unplaced > 0 && !s.Hold {
		want = len(s.Clusters)
	}
	if len(r.Rejections) != want {
		return fmt.Errorf("%d rejections, want %d", len(r.Rejections), want)
	}
	for _, rejection := range r.Rejections {
		if rejection.Why == "" || rejection.Detail == "" || rejection.Reason.rank() < 0 {
			return fmt.Errorf("unexplained: %+v", rejection)
		}
	}
	if msg := r.Message(); len(msg) > maxMessage {
		return fmt.Errorf("message of %d bytes", len(msg))
	}
	return nil
}

// stable: what was decided, observed, is decided again.
func stable(s Snapshot, r Result) error {
	next := s
	next.Replicas = nil
	for _, p := range r.Placements {
		replica := Replica{Name: p.Replica, Cluster: p.Cluster, Index: p.Index, Ready: true, Update: true}
		if p.Replica == "" {
			replica.Name = fmt.Sprintf("new-%s-%d", p.Cluster, p.Index)
		}
		if p.Engines == nil {
			return nil // It waits for something.
		}
		for _, e := range p.Engines {
			replica.Engines = append(replica.Engines, on(e.Engine, e.Pool, e.Nodes))
		}
		next.Replicas = append(next.Replicas, replica)
	}
	next.Clusters = slices.Clone(s.Clusters)
	for i := range next.Clusters {
		next.Clusters[i].Pools = slices.Clone(next.Clusters[i].Pools)
		for j := range next.Clusters[i].Pools {
			p := &next.Clusters[i].Pools[j]
			p.Charges = slices.DeleteFunc(slices.Clone(p.Charges), s.Deployment.owns)
		}
	}
	again := Schedule(next)
	if len(again.Drops) > 0 || len(again.Placements) < len(r.Placements) {
		return fmt.Errorf("decided again: %+v", again)
	}
	return nil
}
