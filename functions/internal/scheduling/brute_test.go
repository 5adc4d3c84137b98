package scheduling

import (
	"cmp"
	"slices"
	"strings"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/modelplane-go/modelplane/functions/internal/devices"
)

// What is in this file answers the scheduler's questions by trying everything.
// It shares nothing with the code it judges but the types of a snapshot.

// A bruteKind is devices that differ in nothing but their names, and so are told
// apart by nobody.
type bruteKind struct {
	device devices.Device // The first by name. Its number is of all together.
	names  []string
}

func bruteKinds(ds []devices.Device) []bruteKind {
	ds = slices.SortedFunc(slices.Values(ds), func(a, b devices.Device) int { return cmp.Compare(a.Name, b.Name) })
	var out []bruteKind
	for _, d := range ds {
		i := slices.IndexFunc(out, func(k bruteKind) bool {
			like := d
			like.Name, like.Count = k.device.Name, k.device.Count
			return gocmp.Equal(like, k.device)
		})
		if i < 0 {
			i = len(out)
			out = append(out, bruteKind{device: d})
			out[i].device.Count = 0
		}
		out[i].device.Count += d.Count
		out[i].names = append(out[i].names, d.Name)
	}
	return out
}

// A bruteNode is how many of each kind of device a node has left.
type bruteNode []byte

// bruteVector is what a pod takes of a pool's nodes. What cannot be told is all
// of one.
func bruteVector(kinds []bruteKind, takes map[string]int) bruteNode {
	whole := make(bruteNode, len(kinds))
	for i, k := range kinds {
		whole[i] = byte(k.device.Count)
	}
	part := make(bruteNode, len(kinds))
	for name, n := range takes {
		i := slices.IndexFunc(kinds, func(k bruteKind) bool { return slices.Contains(k.names, name) })
		if i < 0 {
			return whole
		}
		part[i] += byte(n)
	}
	if len(takes) == 0 || !bruteFits(part, whole) {
		return whole
	}
	return part
}

// brutePods are the pods of each copy of some groups, but for single ones that
// take nothing and are in nobody's way.
func brutePods(kinds []bruteKind, groups []Group) [][]bruteNode {
	var out [][]bruteNode
	for _, g := range groups {
		var pods []bruteNode
		for _, p := range g.Pods {
			for range max(1, p.Count) {
				pods = append(pods, bruteVector(kinds, p.Devices))
			}
		}
		if len(pods) == 0 || len(pods) == 1 && bruteSum(pods[0]) == 0 {
			continue
		}
		for range max(1, g.Copies) {
			out = append(out, pods)
		}
	}
	// The largest first, which only makes the search short.
	slices.SortStableFunc(out, func(a, b []bruteNode) int { return bruteTotal(b) - bruteTotal(a) })
	return out
}

func bruteSum(n bruteNode) int {
	sum := 0
	for _, x := range n {
		sum += int(x)
	}
	return sum
}

func bruteTotal(pods []bruteNode) int {
	sum := len(pods)
	for _, p := range pods {
		sum += 16 * bruteSum(p)
	}
	return sum
}

// A brutePacker puts the pods of one copy after the other onto nodes, in every
// way.
type brutePacker struct {
	copies [][]bruteNode
	seen   map[string]bool
	ends   map[string]bool // What may be left, of those asked for. Nil stops at the first.
	found  bool
}

func newBrutePacker(ds []devices.Device, groups []Group) *brutePacker {
	return &brutePacker{copies: brutePods(bruteKinds(ds), groups), seen: map[string]bool{}}
}

// brutePacks says whether groups of pods find room on a pool's nodes together.
func brutePacks(p Pool, groups ...Group) bool {
	b := newBrutePacker(p.Devices, groups)
	b.pack(0, bruteNodes(p))
	return b.found
}

// bruteEnds are all ways in which a pool's nodes may be left.
func bruteEnds(p Pool, groups ...Group) map[string]bool {
	b := newBrutePacker(p.Devices, groups)
	b.ends = map[string]bool{}
	b.pack(0, bruteNodes(p))
	return b.ends
}

func bruteNodes(p Pool) []bruteNode {
	out := make([]bruteNode, max(0, p.Nodes))
	for i := range out {
		out[i] = bruteVector(bruteKinds(p.Devices), nil)
	}
	return out
}

// bruteKey is equal for nodes that are left alike, whichever they are.
func bruteKey(nodes []bruteNode) string {
	parts := make([]string, len(nodes))
	for i, n := range nodes {
		parts[i] = string(n)
	}
	slices.Sort(parts)
	return strings.Join(parts, "/")
}

func (b *brutePacker) pack(copied int, nodes []bruteNode) {
	if b.found && b.ends == nil {
		return
	}
	if copied == len(b.copies) {
		b.found = true
		if b.ends != nil {
			b.ends[bruteKey(nodes)] = true
		}
		return
	}
	key := string(rune('0'+copied)) + bruteKey(nodes)
	if b.seen[key] {
		return
	}
	b.seen[key] = true
	b.put(copied, 0, nodes, make([]bool, len(nodes)))
}

// put the pods of a copy, from one on, onto nodes that the copy does not use
// yet.
func (b *brutePacker) put(copied, pod int, nodes []bruteNode, used []bool) {
	if pod == len(b.copies[copied]) {
		b.pack(copied+1, nodes)
		return
	}
	takes := b.copies[copied][pod]
	for i := range nodes {
		if used[i] || !bruteFits(takes, nodes[i]) || bruteTried(nodes, used, i) {
			continue
		}
		before := nodes[i]
		nodes[i] = slices.Clone(before)
		for k := range takes {
			nodes[i][k] -= takes[k]
		}
		used[i] = true
		b.put(copied, pod+1, nodes, used)
		used[i] = false
		nodes[i] = before
	}
}

func bruteFits(takes, left bruteNode) bool {
	for k := range takes {
		if takes[k] > left[k] {
			return false
		}
	}
	return true
}

// bruteTried says whether a node before this one is as good.
func bruteTried(nodes []bruteNode, used []bool, i int) bool {
	for j := range i {
		if !used[j] && slices.Equal(nodes[j], nodes[i]) {
			return true
		}
	}
	return false
}

// bruteTrue says whether one of the tests' selectors is true of a device.
func bruteTrue(selector string, d devices.Device) bool {
	memory := map[string]int{"24Gi": 24, "80Gi": 80, "141Gi": 141}[d.Capacity["memory"]]
	gpu := d.Driver == "gpu.example.com"
	switch selector {
	case anyGPU:
		return gpu
	case big:
		return gpu && memory >= 80
	case huge:
		return gpu && memory >= 141
	case little:
		return gpu && memory <= 80
	case anyNIC:
		return d.Driver == "nic.example.com"
	}
	panic("not a selector of the tests: " + selector)
}

// A bruteWay is what a pod takes of a node, and whether it claims any of it.
type bruteWay struct {
	takes  map[string]int
	claims bool
}

// bruteWays are all ways in which a pod's requests are met by a node. What can be
// claimed is, of earlier requests rather than of later ones.
func bruteWays(requests []devices.Request, ds []devices.Device) []bruteWay {
	kinds := bruteKinds(ds)
	for mode := range 1 << len(requests) {
		synthetic := make([]bool, len(requests))
		for i := range requests {
			synthetic[i] = mode&(1<<(len(requests)-1-i)) != 0
		}
		if out := bruteWaysOf(requests, kinds, synthetic); len(out) > 0 {
			return out
		}
	}
	return nil
}

func bruteWaysOf(requests []devices.Request, kinds []bruteKind, synthetic []bool) []bruteWay {
	left := bruteVector(kinds, nil)
	claims := slices.Contains(synthetic, false)
	seen := map[string]bool{}
	var out []bruteWay

	// give the rest of a request from the kinds from one on.
	var give func(request, rest, kind int)
	give = func(request, rest, kind int) {
		if rest == 0 {
			if request++; request == len(requests) {
				takes := map[string]int{}
				for i, k := range kinds {
					if n := k.device.Count - int(left[i]); n > 0 {
						takes[k.device.Name] = n
					}
				}
				if key := string(left); !seen[key] {
					seen[key] = true
					out = append(out, bruteWay{takes: takes, claims: claims})
				}
				return
			}
			give(request, max(1, requests[request].Count), 0)
			return
		}
		if kind == len(kinds) {
			return
		}
		give(request, rest, kind+1)
		if d := kinds[kind].device; left[kind] > 0 && d.Synthetic == synthetic[request] && bruteMeets(requests[request], d) {
			left[kind]--
			give(request, rest-1, kind)
			left[kind]++
		}
	}
	if len(requests) == 0 {
		return []bruteWay{{takes: map[string]int{}}}
	}
	give(0, max(1, requests[0].Count), 0)
	return out
}

func bruteMeets(r devices.Request, d devices.Device) bool {
	if !d.Synthetic && d.DeviceClassName == "" {
		return false
	}
	for _, s := range r.Selectors {
		if !bruteTrue(s, d) {
			return false
		}
	}
	return true
}

// A bruteOption is a pool an engine may be on and what it takes there.
type bruteOption struct {
	pool  string
	group Group
}

// bruteOptions are all ways in which an engine may run on a cluster's pools,
// whether or not they have room: every member's requests are met, some member
// claims a device, and none is left without that could claim one on another
// pool.
func bruteOptions(e Engine, c Cluster) []bruteOption {
	var out []bruteOption
	for _, p := range c.Pools {
		if !p.Known {
			continue
		}
		groups := []Group{{Copies: max(1, e.Copies)}}
		for _, m := range e.Members {
			ways := bruteWays(m.Requests, p.Devices)
			if len(ways) > 0 && !ways[0].claims && bruteClaimsSomewhere(m, c) {
				ways = nil
			}
			var next []Group
			for _, g := range groups {
				for _, w := range ways {
					next = append(next, bruteWith(g, m, w, p))
				}
			}
			groups = next
		}
		for _, g := range groups {
			if len(g.Pods) > 0 {
				out = append(out, bruteOption{pool: p.Name, group: g})
			}
		}
	}
	return out
}

func bruteClaimsSomewhere(m Member, c Cluster) bool {
	for _, p := range c.Pools {
		if ways := bruteWays(m.Requests, p.Devices); p.Known && len(ways) > 0 && ways[0].claims {
			return true
		}
	}
	return false
}

// bruteWith is a group with a member's pods added, if they claim anything.
func bruteWith(g Group, m Member, w bruteWay, p Pool) Group {
	g.Pods = slices.Clone(g.Pods)
	if !w.claims {
		return g
	}
	pod := Pod{Count: max(1, m.Pods), Devices: w.takes}
	if p.WholeNodes {
		pod.Devices = nil
	}
	g.Pods = append(g.Pods, pod)
	return g
}

// A bruteFleet is what is charged to the pools of one cluster.
type bruteFleet struct {
	cluster Cluster
	groups  map[string][]Group // By pool.
}

func newBruteFleet(c Cluster, counts func(Charge) bool) *bruteFleet {
	f := &bruteFleet{cluster: c, groups: map[string][]Group{}}
	for _, p := range c.Pools {
		for _, ch := range p.Charges {
			if counts(ch) {
				f.groups[p.Name] = append(f.groups[p.Name], ch.Groups...)
			}
		}
	}
	return f
}

func (f *bruteFleet) pool(name string) Pool {
	i := slices.IndexFunc(f.cluster.Pools, func(p Pool) bool { return p.Name == name })
	if i < 0 {
		return Pool{Name: name}
	}
	return f.cluster.Pools[i]
}

// fits says whether what is charged to a pool finds room there.
func (f *bruteFleet) fits(name string) bool {
	return brutePacks(f.pool(name), f.groups[name]...)
}

// takes charges a pool, and release takes that back.
func (f *bruteFleet) takes(pool string, g Group) { f.groups[pool] = append(f.groups[pool], g) }

func (f *bruteFleet) release(pool string) {
	f.groups[pool] = f.groups[pool][:len(f.groups[pool])-1]
}

// hosts says whether so many more replicas find room, each of whose engines may
// be where its options say.
func (f *bruteFleet) hosts(options [][]bruteOption, replicas int) bool {
	return f.seat(options, replicas, 0, 0)
}

// seat puts the engines of replicas on pools: the first engine of all of them,
// then the second. Replicas are alike, so each takes an option no earlier than
// the one before.
func (f *bruteFleet) seat(options [][]bruteOption, replicas, seat, from int) bool {
	if seat == len(options)*replicas {
		return true
	}
	if seat%replicas == 0 {
		from = 0
	}
	for i := from; i < len(options[seat/replicas]); i++ {
		o := options[seat/replicas][i]
		f.takes(o.pool, o.group)
		ok := f.fits(o.pool) && f.seat(options, replicas, seat+1, i)
		f.release(o.pool)
		if ok {
			return true
		}
	}
	return false
}
