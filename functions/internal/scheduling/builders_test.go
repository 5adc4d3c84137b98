package scheduling

import (
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/modelplane-go/modelplane/functions/internal/devices"
)

// Selectors the tests use.
const (
	anyGPU  = `device.driver == "gpu.example.com"`
	big     = `device.capacity["gpu.example.com"].memory.compareTo(quantity("80Gi")) >= 0`
	huge    = `device.capacity["gpu.example.com"].memory.compareTo(quantity("141Gi")) >= 0`
	little  = `device.capacity["gpu.example.com"].memory.compareTo(quantity("80Gi")) <= 0`
	anyNIC  = `device.driver == "nic.example.com"`
	invalid = `device.nope`
)

// gpus are devices with so much memory.
func gpus(count int, memory string) devices.Device {
	return devices.Device{
		Name: "gpu", Driver: "gpu.example.com", DeviceClassName: "gpu.example.com", Count: count,
		Capacity: map[string]string{"memory": memory},
	}
}

func nics(count int) devices.Device {
	return devices.Device{Name: "nic", Driver: "nic.example.com", Synthetic: true, Count: count}
}

// fake are GPUs that cannot be claimed.
func fake(count int, memory string) devices.Device {
	d := gpus(count, memory)
	d.Name, d.Synthetic, d.DeviceClassName = "fake", true, ""
	return d
}

// other are GPUs of another kind, of a DeviceClass of their own or not.
func other(count int, memory, class string) devices.Device {
	d := gpus(count, memory)
	d.Name, d.DeviceClassName = "alt", class
	kind := "other"
	d.Attributes = map[string]devices.Attribute{"kind": {String: &kind}}
	return d
}

// A poolBuilder makes pools.
type poolBuilder struct{ p Pool }

func pool(name string, nodes int, ds ...devices.Device) poolBuilder {
	return poolBuilder{Pool{Name: name, Known: true, Nodes: nodes, Devices: ds}}
}

func (b poolBuilder) unknown() poolBuilder {
	b.p.Known, b.p.Devices = false, nil
	return b
}

// whole pools charge whole nodes.
func (b poolBuilder) whole() poolBuilder { b.p.WholeNodes = true; return b }

func (b poolBuilder) charged(cs ...Charge) poolBuilder {
	b.p.Charges = append(slices.Clone(b.p.Charges), cs...)
	return b
}

// theirs is another deployment's charge of whole nodes, ours one of the tests'
// deployment.
func theirs(index, nodes int) Charge {
	return Charge{Namespace: "other", Deployment: "model", Index: index, Groups: wholeNodes(nodes)}
}

func ours(index, nodes int) Charge {
	return Charge{Namespace: "team", Deployment: "model", Index: index, Groups: wholeNodes(nodes)}
}

// wholeNodes are pods that take a node each.
func wholeNodes(n int) []Group {
	if n == 0 {
		return nil
	}
	return []Group{{Copies: n, Pods: []Pod{{Count: 1}}}}
}

// pods are so many that take so many GPUs each, and may share nodes.
func pods(n, gpus int) Group {
	return Group{Copies: n, Pods: []Pod{{Count: 1, Devices: map[string]int{"gpu": gpus}}}}
}

func (c Charge) taking(gs ...Group) Charge { c.Groups = gs; return c }
func (c Charge) priority(p int) Charge     { c.Priority = p; return c }
func (c Charge) by(deployment string) Charge {
	c.Deployment = deployment
	return c
}

func (c Charge) yielding() Charge { c.Yield = true; return c }

// A clusterBuilder makes clusters.
type clusterBuilder struct{ c Cluster }

// cluster is Ready, has an address and the pools.
func cluster(name string, ps ...poolBuilder) clusterBuilder {
	c := Cluster{Name: name, Labels: map[string]string{}, Ready: true, Address: name + ".example.com"}
	for _, p := range ps {
		c.Pools = append(c.Pools, p.p)
	}
	return clusterBuilder{c}
}

// simple has one pool p of nodes with one GPU.
func simple(name string, nodes int) clusterBuilder {
	return cluster(name, pool("p", nodes, gpus(1, "80Gi")))
}

func (b clusterBuilder) label(key, value string) clusterBuilder {
	b.c.Labels[key] = value
	return b
}

func (b clusterBuilder) notReady() clusterBuilder  { b.c.Ready = false; return b }
func (b clusterBuilder) noAddress() clusterBuilder { b.c.Address = ""; return b }

func (b clusterBuilder) taint(key, value string, effect Effect) clusterBuilder {
	b.c.Taints = append(slices.Clone(b.c.Taints), Taint{Key: key, Value: value, Effect: effect})
	return b
}

// request asks for devices named gpu.
func request(count int, selectors ...string) devices.Request {
	return devices.Request{Name: "gpu", Count: count, Selectors: selectors}
}

// more asks for devices beside those of another request.
func more(count int, selectors ...string) devices.Request {
	return devices.Request{Name: "more", Count: count, Selectors: selectors}
}

func nic() devices.Request {
	return devices.Request{Name: "nic", Count: 1, Selectors: []string{anyNIC}}
}

func member(name string, pods int, rs ...devices.Request) Member {
	return Member{Name: name, Pods: pods, Requests: rs}
}

func engine(name string, copies int, ms ...Member) Engine {
	return Engine{Name: name, Copies: copies, Members: ms}
}

// small is an engine of one pod with one GPU.
func small(name string) Engine { return engine(name, 1, member("Standalone", 1, request(1, anyGPU))) }

// gang is an engine of so many pods with one GPU each.
func gang(name string, pods int) Engine {
	return engine(name, 1, member("Leader", 1, request(1, anyGPU)), member("Worker", pods-1, request(1, anyGPU)))
}

// A world makes snapshots of the deployment team/model.
type world struct{ s Snapshot }

func deploy(replicas int, es ...Engine) world {
	return world{Snapshot{Deployment: Deployment{Namespace: "team", Name: "model", Replicas: replicas, Engines: es}}}
}

func (w world) onto(cs ...clusterBuilder) world {
	for _, c := range cs {
		w.s.Clusters = append(slices.Clone(w.s.Clusters), c.c)
	}
	return w
}

func (w world) has(rs ...replicaBuilder) world {
	for _, r := range rs {
		w.s.Replicas = append(slices.Clone(w.s.Replicas), r.r)
	}
	return w
}

func (w world) hold() world { w.s.Hold = true; return w }

func (w world) priority(p int) world { w.s.Deployment.Priority = p; return w }

func (w world) selecting(s string) world {
	selector, err := labels.Parse(s)
	if err != nil {
		panic(err)
	}
	w.s.Deployment.Selector = selector
	return w
}

func (w world) tolerating(ts ...Toleration) world { w.s.Deployment.Tolerations = ts; return w }
func (w world) failover(n int) world              { w.s.Deployment.Failover = n; return w }
func (w world) spreading(ss ...Spread) world      { w.s.Deployment.Spread = ss; return w }

// A replicaBuilder makes existing replicas.
type replicaBuilder struct{ r Replica }

// replica is Ready and takes the deployment's engines, which it has already.
func replica(cluster string, index int, es ...PlacedEngine) replicaBuilder {
	return replicaBuilder{Replica{Name: cluster + "-" + string(rune('0'+index)), Cluster: cluster, Index: index, Ready: true, Update: true, Engines: es}}
}

// on is an engine on a pool, one pod on each of so many nodes.
func on(engine, pool string, nodes int) PlacedEngine {
	e := PlacedEngine{Name: engine, Pool: pool}
	for _, g := range wholeNodes(nodes) {
		e.Group = g
	}
	return e
}

// gangOn is a gang of so many pods on a pool, a node each.
func gangOn(engine, pool string, pods int) PlacedEngine {
	return PlacedEngine{Name: engine, Pool: pool, Group: Group{Copies: 1, Pods: []Pod{{Count: pods}}}}
}

// sharing is an engine of so many pods on a pool, each with so many GPUs of its
// node.
func sharing(engine, pool string, n, gpus int) PlacedEngine {
	return PlacedEngine{Name: engine, Pool: pool, Group: pods(n, gpus)}
}

func (b replicaBuilder) named(s string) replicaBuilder { b.r.Name = s; return b }
func (b replicaBuilder) notReady() replicaBuilder      { b.r.Ready = false; return b }
func (b replicaBuilder) failing() replicaBuilder       { b.r.Failing = "it fails"; return b }

// outdated replicas have older engines and take the new ones now.
func (b replicaBuilder) outdated() replicaBuilder { b.r.Outdated = true; return b }

// waiting replicas have older engines and keep them for now.
func (b replicaBuilder) waiting() replicaBuilder {
	b.r.Outdated, b.r.Update = true, false
	return b
}

// claimed is one claim of devices named gpu.
func claimed(count int, selectors ...string) []devices.Claim {
	return []devices.Claim{{Name: "gpu", DeviceClassName: "gpu.example.com", Count: count, Selectors: selectors}}
}

// at is where a small engine is placed on a node of one GPU.
func at(engine, pool string) EnginePlacement {
	return EnginePlacement{Engine: engine, Pool: pool, Members: []MemberPlacement{takes(1, anyGPU)}}
}

// gangAt is where a gang is placed on nodes of one GPU.
func gangAt(engine, pool string) EnginePlacement {
	return EnginePlacement{Engine: engine, Pool: pool, Members: []MemberPlacement{takes(1, anyGPU), takes(1, anyGPU)}}
}

// takes is a member each pod of which claims so many GPUs, all of its node.
func takes(count int, selectors ...string) MemberPlacement {
	return MemberPlacement{Claims: claimed(count, selectors...), Devices: map[string]int{"gpu": count}}
}

// shares is a member each pod of which leaves devices on its node.
func shares(count int, selectors ...string) MemberPlacement {
	m := takes(count, selectors...)
	m.SharesNode = true
	return m
}

// and takes of another kind too, which it does not claim.
func (m MemberPlacement) and(kind string, count int) MemberPlacement {
	m.Devices = maps.Clone(m.Devices)
	m.Devices[kind] = count
	return m
}

// whole is the same on a pool that charges whole nodes.
func (m MemberPlacement) whole() MemberPlacement {
	return MemberPlacement{Claims: m.Claims}
}

// fresh is a new replica, kept an existing one that stays exactly as it is unless
// it has engines.
func fresh(cluster string, index int, es ...EnginePlacement) Placement {
	return Placement{Cluster: cluster, Index: index, Engines: es}
}

// freshOnes are new replicas of the indexes from 0 on.
func freshOnes(cluster string, n int, es ...EnginePlacement) []Placement {
	out := make([]Placement, 0, n)
	for i := range n {
		out = append(out, fresh(cluster, i, es...))
	}
	return out
}

// evicting others by their charges.
func (p Placement) evicting(cs ...Charge) Placement {
	for _, c := range cs {
		p.Evicts = append(p.Evicts, evictionOf(c))
	}
	return p
}

func kept(r replicaBuilder, es ...EnginePlacement) Placement {
	return Placement{Cluster: r.r.Cluster, Index: r.r.Index, Replica: r.r.Name, Engines: es}
}

// leaving is a replica that is kept until another serves.
func leaving(r replicaBuilder) Placement {
	p := kept(r)
	p.Leaving = true
	return p
}

func dropped(r replicaBuilder, reason DropReason) Drop {
	return Drop{Replica: r.r.Name, Cluster: r.r.Cluster, Index: r.r.Index, Reason: reason}
}

func drifted(r replicaBuilder, reason Reason) Drift {
	return Drift{Replica: r.r.Name, Cluster: r.r.Cluster, Reason: reason}
}

// A scheduleCase is a snapshot and its whole result, but for why clusters are
// refused and for people's texts, which have tables of their own.
type scheduleCase struct {
	reason string
	in     world
	want   Result
}

func runSchedule(t *testing.T, cases map[string]scheduleCase) {
	t.Helper()
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got := Schedule(tc.in.s)
			opts := cmp.Options{
				cmpopts.IgnoreFields(Result{}, "Rejections"),
				cmpopts.IgnoreFields(Drop{}, "Detail"),
				cmpopts.IgnoreFields(Drift{}, "Detail"),
			}
			if diff := cmp.Diff(tc.want, got, opts); diff != "" {
				t.Errorf("\n%s\nSchedule(...): -want, +got:\n%s", tc.reason, diff)
			}
			if (got.Unplaced > 0 && !got.Held && len(got.Invalid) == 0) != (len(got.Rejections) > 0) && len(tc.in.s.Clusters) > 0 {
				t.Errorf("%d unplaced, and rejections %+v", got.Unplaced, got.Rejections)
			}
		})
	}
}
