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

func BenchmarkSchedule(b *testing.B) {
	for _, size := range []struct{ clusters, charges int }{{10, 100}, {100, 1000}, {1000, 10000}} {
		b.Run(fmt.Sprintf("%dClusters%dCharges", size.clusters, size.charges), func(b *testing.B) {
			w := fleet(size.clusters, size.charges)
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
