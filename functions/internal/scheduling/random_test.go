package scheduling

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/modelplane-go/modelplane/functions/internal/devices"
)

// A dice decides what a random case is like.
type dice interface{ IntN(n int) int }

// seeded dice are the same for the same seed.
func seeded(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 4)) }

func one[T any](d dice, of ...T) T { return of[d.IntN(len(of))] }

func randomMemory(d dice) string   { return one(d, "24Gi", "80Gi", "141Gi") }
func randomSelector(d dice) string { return one(d, anyGPU, anyGPU, big, huge, little) }

// randomNode has GPUs, and perhaps more of another kind, some that cannot be
// claimed, NICs, and one more GPU of another name.
func randomNode(d dice) []devices.Device {
	out := []devices.Device{gpus(1+d.IntN(4), randomMemory(d))}
	if d.IntN(3) == 0 {
		out = append(out, other(1+d.IntN(2), randomMemory(d), one(d, "gpu.example.com", "alt.example.com")))
	}
	if d.IntN(6) == 0 {
		out = append(out, fake(1+d.IntN(2), randomMemory(d)))
	}
	if d.IntN(4) == 0 {
		out = append(out, nics(1+d.IntN(2)))
	}
	if d.IntN(6) == 0 {
		like := out[0]
		like.Name, like.Count = "fgpu", 1
		out = append(out, like)
	}
	return out
}

func randomRequests(d dice) []devices.Request {
	out := []devices.Request{request(1+d.IntN(2), randomSelector(d))}
	if d.IntN(4) == 0 {
		out = append(out, more(1, randomSelector(d)))
	}
	if d.IntN(8) == 0 {
		out = append(out, nic())
	}
	return out
}

// randomEngine is a pod, or a gang the leader of which may claim nothing.
func randomEngine(d dice, name string) Engine {
	e := engine(name, 1+d.IntN(2), member("Leader", 1, randomRequests(d)...))
	if d.IntN(3) > 0 {
		return e
	}
	if d.IntN(3) == 0 {
		e.Members[0].Requests = nil
	}
	e.Members = append(e.Members, member("Worker", 1+d.IntN(2), randomRequests(d)...))
	return e
}

// randomGroup of a pod or a gang of pods.
func randomGroup(d dice) Group {
	g := Group{Copies: 1 + d.IntN(2), Pods: []Pod{randomPodOf(d)}}
	if d.IntN(4) == 0 {
		g.Pods = append(g.Pods, randomPodOf(d))
	}
	return g
}

func randomPodOf(d dice) Pod {
	p := Pod{Count: 1}
	if d.IntN(4) == 0 {
		p.Count = 2
	}
	switch d.IntN(6) {
	case 0: // All of its node.
	case 1:
		p.Devices = map[string]int{"gpu": 1, "alt": 1}
	default:
		p.Devices = map[string]int{"gpu": 1 + d.IntN(3)}
	}
	return p
}

func randomPool(d dice, name string) poolBuilder {
	p := pool(name, d.IntN(4), randomNode(d)...)
	if d.IntN(6) == 0 {
		p = p.whole()
	}
	for i := range d.IntN(3) {
		priority := d.IntN(3)
		p = p.charged(theirs(i, 0).by(fmt.Sprintf("m%d", priority)).priority(priority).taking(randomGroup(d)))
	}
	if d.IntN(10) == 0 {
		p = p.unknown()
	}
	return p
}

func randomCluster(d dice, name string) clusterBuilder {
	c := cluster(name).label("zone", fmt.Sprint(d.IntN(2)))
	for i := range d.IntN(4) {
		c.c.Pools = append(c.c.Pools, randomPool(d, fmt.Sprintf("p%d", i)).p)
	}
	switch d.IntN(16) {
	case 0:
		return c.notReady()
	case 1:
		return c.noAddress()
	case 2:
		return c.taint("t", "", NoSchedule).taint("u", "", NoSchedule)
	case 3:
		return c.taint("t", "", NoExecute)
	}
	return c
}

// randomWorld is a fleet with replicas in all states there are.
func randomWorld(d dice) world {
	w := deploy(d.IntN(6))
	w.s.Deployment.Priority = d.IntN(3)
	for i := range 1 + d.IntN(2) {
		w.s.Deployment.Engines = append(w.s.Deployment.Engines, randomEngine(d, fmt.Sprintf("e%d", i)))
	}
	for i := range d.IntN(4) {
		w = w.onto(randomCluster(d, fmt.Sprintf("c%d", i)))
	}
	if d.IntN(3) == 0 {
		w = w.spreading(Spread{TopologyKey: "zone", MaxSkew: 1, Required: d.IntN(2) == 0})
	}
	if d.IntN(8) == 0 {
		w = w.tolerating(Toleration{Key: "t", Exists: true}, Toleration{Key: "v", Exists: true})
	}
	if d.IntN(8) == 0 {
		w = w.hold()
	}
	for i := range d.IntN(5) {
		w.s.Replicas = append(w.s.Replicas, randomReplica(d, fmt.Sprintf("r%d", i)))
	}
	for i := range w.s.Clusters {
		c := &w.s.Clusters[i]
		for j := range c.Pools {
			if d.IntN(10) == 0 {
				c.Pools[j].Charges = append(c.Pools[j].Charges, ours(d.IntN(3), 1).yielding())
			}
		}
	}
	w.s.Deployment.Failover = d.IntN(3)
	for i := range w.s.Replicas {
		if d.IntN(4) == 1 {
			w.s.Replicas[i].Failing = "it fails"
		}
	}
	return w
}

func randomReplica(d dice, name string) Replica {
	r := Replica{
		Name:     name,
		Cluster:  fmt.Sprintf("c%d", d.IntN(4)),
		Index:    d.IntN(3),
		Ready:    d.IntN(2) == 0,
		Update:   d.IntN(3) > 0,
		Outdated: d.IntN(2) == 0,
	}
	for i := range 1 + d.IntN(2) {
		r.Engines = append(r.Engines, PlacedEngine{
			Name:  fmt.Sprintf("e%d", i),
			Pool:  fmt.Sprintf("p%d", d.IntN(3)),
			Group: randomGroup(d),
		})
	}
	return r
}

// shuffle reorders everything whose order means nothing.
func shuffle(rng *rand.Rand, s Snapshot) Snapshot {
	s.Deployment.Tolerations = permute(rng, s.Deployment.Tolerations)
	s.Clusters = permute(rng, s.Clusters)
	for i := range s.Clusters {
		c := &s.Clusters[i]
		c.Taints = permute(rng, c.Taints)
		c.Pools = shufflePools(rng, c.Pools)
	}
	s.Replicas = permute(rng, s.Replicas)
	for i := range s.Replicas {
		s.Replicas[i].Engines = shuffleEngines(rng, s.Replicas[i].Engines)
	}
	return s
}

func shufflePools(rng *rand.Rand, in []Pool) []Pool {
	out := permute(rng, in)
	for i := range out {
		p := &out[i]
		p.Devices = permute(rng, p.Devices)
		p.Charges = permute(rng, p.Charges)
		for j := range p.Charges {
			c := &p.Charges[j]
			c.Groups = permute(rng, c.Groups)
			for k := range c.Groups {
				c.Groups[k].Pods = permute(rng, c.Groups[k].Pods)
			}
		}
	}
	return out
}

func shuffleEngines(rng *rand.Rand, in []PlacedEngine) []PlacedEngine {
	out := permute(rng, in)
	for i := range out {
		out[i].Group.Pods = permute(rng, out[i].Group.Pods)
	}
	return out
}

func permute[E any](rng *rand.Rand, in []E) []E {
	out := slices.Clone(in)
	rng.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out
}
