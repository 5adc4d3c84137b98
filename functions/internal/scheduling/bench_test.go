package scheduling

import (
	"fmt"
	"testing"
)

// fleet has clusters of four pools, with so many replicas of others charged.
func fleet(clusters, charges int) world {
	w := deploy(10, gang("e", 2), engine("f", 1, member("m", 1, request(8, big))))
	per := charges / (clusters * 4)
	for i := range clusters {
		c := cluster(fmt.Sprintf("c%04d", i)).label("zone", fmt.Sprint(i%7))
		for j, memory := range []string{"24Gi", "40Gi", "80Gi", "141Gi"} {
			p := pool(fmt.Sprintf("p%d", j), per+j, gpus(8, memory), nics(8))
			for k := range per {
				p = p.charged(theirs(k, 1))
			}
			c.c.Pools = append(c.c.Pools, p.p)
		}
		w = w.onto(c)
	}
	return w.spreading(Spread{TopologyKey: "zone", MaxSkew: 1})
}

// shared is a fleet with pods that share nodes, of sizes that do not go together
// well.
func shared(clusters, charges int) world {
	w := fleet(clusters, charges)
	sizes := []int{1, 2, 3, 5}
	for i, c := range w.s.Clusters {
		for j, p := range c.Pools {
			for k := range p.Charges {
				p.Charges[k] = p.Charges[k].taking(pods(1, sizes[(i+j+k)%len(sizes)]), gangOf(1, 1, 1))
			}
		}
	}
	return w
}

func BenchmarkSchedule(b *testing.B)       { benchmarkSchedule(b, fleet) }
func BenchmarkScheduleShared(b *testing.B) { benchmarkSchedule(b, shared) }

func benchmarkSchedule(b *testing.B, of func(clusters, charges int) world) {
	b.Helper()
	for _, size := range []struct{ clusters, charges int }{{10, 100}, {100, 1000}, {1000, 10000}} {
		b.Run(fmt.Sprintf("%dClusters%dCharges", size.clusters, size.charges), func(b *testing.B) {
			w := of(size.clusters, size.charges)
			if r := Schedule(w.s); r.Unplaced > 0 {
				b.Fatal(r.Message())
			}
			b.ReportAllocs()
			for b.Loop() {
				Schedule(w.s)
			}
		})
	}
}

// BenchmarkScheduleRefused explains why none of a hundred clusters will do.
func BenchmarkScheduleRefused(b *testing.B) {
	w := fleet(100, 1000)
	w.s.Deployment.Engines = []Engine{needs(request(16, huge))}
	b.ReportAllocs()
	for b.Loop() {
		if Schedule(w.s).Message() == "" {
			b.Fatal("no message")
		}
	}
}

// BenchmarkSchedulePreempt takes the room of others on the best of a hundred
// clusters, all of which are full.
func BenchmarkSchedulePreempt(b *testing.B) {
	w := shared(100, 1000).priority(1)
	w.s.Deployment.Replicas = 1
	w.s.Deployment.Engines = []Engine{wide(1, 4, 8)}
	if r := Schedule(w.s); r.Unplaced > 0 || len(r.Placements[0].Evicts) == 0 {
		b.Fatalf("%+v", r.Placements)
	}
	b.ReportAllocs()
	for b.Loop() {
		Schedule(w.s)
	}
}

// BenchmarkYields finds who must go of a hundred replicas on four pools, each of
// which has lost a node.
func BenchmarkYields(b *testing.B) {
	c := shared(1, 100).s.Clusters[0]
	var cs []Contender
	for i := range c.Pools {
		p := &c.Pools[i]
		for j, ch := range p.Charges {
			c := contender(p.Name, 0).index(j).priority(j%3).created(int64(j%10)).takes(p.Name, ch.Groups...)
			cs = append(cs, c.c)
		}
		p.Nodes = NodesTaken(*p) - 1
	}
	if len(Yields(c.Pools, cs)) == 0 {
		b.Fatal("nobody yields")
	}
	b.ReportAllocs()
	for b.Loop() {
		Yields(c.Pools, cs)
	}
}
