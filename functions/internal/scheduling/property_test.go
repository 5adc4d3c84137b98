package scheduling

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/modelplane-go/modelplane/functions/internal/devices"
)

// A property is true of every decision.
type property struct {
	name  string
	holds func(Snapshot, Result) error
}

// cheap properties do not try everything.
var cheap = []property{
	{"Accounts", accounts},
	{"NothingMoves", nothingMoves},
	{"Explained", explained},
	{"Evictions", evictions},
	{"Replaced", replaced},
}

// All properties of one decision.
var properties = slices.Concat(cheap, []property{
	{"WithinCapacity", withinCapacity},
	{"Satisfied", satisfied},
	{"Settled", settled},
	{"NothingRefused", nothingRefused},
	{"Even", even},
})

func TestProperties(t *testing.T) {
	seen := map[string]int{}
	for seed := range uint64(4000) {
		rng := seeded(seed)
		w := randomWorld(rng)
		r := Schedule(w.s)
		for _, p := range properties {
			if err := p.holds(w.s, r); err != nil {
				t.Fatalf("seed %d: %s: %v\n%+v\n%+v", seed, p.name, err, w.s, r)
			}
		}
		for range 2 {
			if diff := cmp.Diff(r, Schedule(shuffle(rng, w.s))); diff != "" {
				t.Fatalf("seed %d: shuffled: -want, +got:\n%s", seed, diff)
			}
		}
		for what := range happened(r) {
			seen[what]++
		}
	}
	for _, what := range []string{"placed", "unplaced", "evicted", "renewed", "drifted", string(DropNoLongerFit), string(DropYielded), string(DropScaledDown), string(DropTainted), string(DropFailing), "leaving", string(NotEnoughRoom)} {
		if seen[what] < 40 {
			t.Errorf("%s in %d of 4000 cases: they are not interesting", what, seen[what])
		}
	}
}

// happened is what there is in a result.
func happened(r Result) map[string]bool {
	out := map[string]bool{"unplaced": r.Unplaced > 0, "drifted": len(r.Drifts) > 0}
	for _, p := range r.Placements {
		out["placed"] = out["placed"] || p.Replica == ""
		out["leaving"] = out["leaving"] || p.Leaving
		out["evicted"] = out["evicted"] || len(p.Evicts) > 0
		out["renewed"] = out["renewed"] || p.Replica != "" && p.Engines != nil
	}
	for _, d := range r.Drops {
		out[string(d.Reason)] = true
	}
	for _, rejection := range r.Rejections {
		out[string(rejection.Reason)] = true
	}
	maps.DeleteFunc(out, func(_ string, happened bool) bool { return !happened })
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
	if want := max(0, s.Deployment.Replicas-r.Placed()); r.Unplaced != want {
		return fmt.Errorf("%d unplaced, want %d", r.Unplaced, want)
	}
	return nil
}

// replaced: as many replicas as are wanted serve or are being replaced, before one
// that serves leaves. Where there is no place for a replacement, a drain takes it
// all the same, and what fails stays.
func replaced(s Snapshot, r Result) error {
	if len(r.Invalid) > 0 {
		return nil
	}
	serving, pending, staying := 0, 0, 0
	for _, p := range r.Placements {
		before, _ := s.existing(p)
		if p.Leaving {
			staying++
		}
		switch {
		case p.Leaving && p.Engines != nil:
			return fmt.Errorf("replica %s leaves, and is changed", p.Replica)
		case before.Ready:
			serving++
		default:
			pending++
		}
	}
	for _, d := range r.Drops {
		must := d.Reason == DropTainted || d.Reason == DropPoolRemoved
		before, _ := s.existing(Placement{Replica: d.Replica})
		if d.Reason != DropFailing && (!must || !before.Ready) {
			continue
		}
		if serving < s.Deployment.Replicas-r.Unplaced {
			return fmt.Errorf("replica %s goes, %s, and %d serve of %d, with %d pending", d.Replica, d.Reason, serving, s.Deployment.Replicas, pending)
		}
		if d.Reason == DropFailing && r.Unplaced > staying {
			return fmt.Errorf("replica %s fails and goes, and nothing replaces it", d.Replica)
		}
	}
	return nil
}

// existing is the replica a placement keeps.
func (s Snapshot) existing(p Placement) (Replica, bool) {
	i := slices.IndexFunc(s.Replicas, func(r Replica) bool { return r.Name == p.Replica })
	if i < 0 {
		return Replica{}, false
	}
	return s.Replicas[i], true
}

func (s Snapshot) cluster(name string) (Cluster, bool) {
	i := slices.IndexFunc(s.Clusters, func(c Cluster) bool { return c.Name == name })
	if i < 0 {
		return Cluster{}, false
	}
	return s.Clusters[i], true
}

// nothingMoves: what is kept keeps its cluster, index and pools, and exactly all
// of it unless it takes engines that are new to it.
func nothingMoves(s Snapshot, r Result) error {
	for _, p := range r.Placements {
		before, ok := s.existing(p)
		if !ok {
			continue
		}
		if before.Cluster != p.Cluster || before.Index != p.Index {
			return fmt.Errorf("replica %s moved", before.Name)
		}
		if p.Engines != nil && (!before.Update || !before.Outdated) {
			return fmt.Errorf("replica %s is changed and has no reason to", before.Name)
		}
		if len(p.Evicts) > 0 {
			return fmt.Errorf("replica %s evicts others where it is", before.Name)
		}
		for _, e := range p.Engines {
			if pin, ok := before.on(e.Engine); ok && pin.Pool != e.Pool {
				return fmt.Errorf("engine %s of replica %s moved", e.Engine, before.Name)
			}
		}
	}
	return nil
}

// groupOf is what an engine is charged for where it is placed.
func groupOf(e Engine, p EnginePlacement) Group {
	g := Group{Copies: max(1, e.Copies)}
	for i, m := range p.Members {
		if len(m.Claims) > 0 {
			g.Pods = append(g.Pods, Pod{Count: max(1, e.Members[i].Pods), Devices: m.Devices})
		}
	}
	return g
}

// engines of a replica as they are placed.
func (s Snapshot) engines(p Placement) []PlacedEngine {
	if before, ok := s.existing(p); ok && p.Engines == nil {
		return before.Engines
	}
	out := make([]PlacedEngine, 0, len(p.Engines))
	for i, e := range p.Engines {
		out = append(out, PlacedEngine{Name: e.Engine, Pool: e.Pool, Group: groupOf(s.Deployment.Engines[i], e)})
	}
	return out
}

// decided is what is charged to a cluster's pools once everything is as decided:
// the replicas placed, and others' that were not evicted.
func decided(s Snapshot, r Result, c Cluster) *bruteFleet {
	var evicted []Evicted
	for _, p := range r.Placements {
		if p.Cluster == c.Name {
			evicted = append(evicted, p.Evicts...)
		}
	}
	out := newBruteFleet(c, func(ch Charge) bool {
		return !s.Deployment.owns(ch) && !slices.Contains(evicted, evictionOf(ch))
	})
	for _, p := range r.Placements {
		if p.Cluster != c.Name {
			continue
		}
		for _, e := range s.engines(p) {
			out.takes(e.Pool, e.Group)
		}
	}
	return out
}

func evictionOf(c Charge) Evicted {
	return Evicted{Namespace: c.Namespace, Deployment: c.Deployment, Index: c.Index, Priority: c.Priority}
}

// withinCapacity: no pool that has something new is charged for more than finds
// room on its nodes.
func withinCapacity(s Snapshot, r Result) error {
	for _, c := range s.Clusters {
		all := decided(s, r, c)
		for _, p := range c.Pools {
			if grown(s, r, c.Name, p) && !all.fits(p.Name) {
				return fmt.Errorf("pool %s/%s has no room for %+v", c.Name, p.Name, all.groups[p.Name])
			}
		}
	}
	return nil
}

// grown says whether an engine on a pool takes what its replica did not have
// there.
func grown(s Snapshot, r Result, cluster string, p Pool) bool {
	for _, placed := range r.Placements {
		before, _ := s.existing(placed)
		if placed.Cluster != cluster || placed.Engines == nil {
			continue
		}
		for _, e := range s.engines(placed) {
			had, _ := before.on(e.Name)
			if e.Pool == p.Name && !covers(p, had, e) {
				return true
			}
		}
	}
	return false
}

// covers says whether an engine had as much as it takes now: for every copy one
// with at least as many pods, each of which has what one of the copy's takes.
func covers(p Pool, had, now PlacedEngine) bool {
	kinds := bruteKinds(p.Devices)
	copies, before := brutePods(kinds, []Group{now.Group}), brutePods(kinds, []Group{had.Group})
	if len(copies) == 0 {
		return true
	}
	if had.Pool != now.Pool || len(before) < len(copies) {
		return false
	}
	return matches(copies[0], before[0])
}

// matches says whether every pod has one of its own that it fits into.
func matches(pods, into []bruteNode) bool {
	if len(pods) == 0 {
		return true
	}
	for i, n := range into {
		if bruteFits(pods[0], n) && matches(pods[1:], slices.Delete(slices.Clone(into), i, i+1)) {
			return true
		}
	}
	return false
}

// satisfied: every engine placed has a pool that meets every member's requests,
// says truly what it takes there, and what is new is where it may be.
func satisfied(s Snapshot, r Result) error {
	for _, placed := range r.Placements {
		if placed.Engines == nil {
			continue
		}
		if len(placed.Engines) != len(s.Deployment.Engines) {
			return fmt.Errorf("%+v has not all engines", placed)
		}
		c, _ := s.cluster(placed.Cluster)
		if placed.Replica == "" && (refusal(s.Deployment, c) != nil || s.Hold) {
			return fmt.Errorf("%+v is where nothing new may be", placed)
		}
		for i, e := range placed.Engines {
			if err := engineSatisfied(s, c, placed, s.Deployment.Engines[i], e); err != nil {
				return fmt.Errorf("%w: %+v", err, placed)
			}
		}
	}
	return nil
}

func engineSatisfied(s Snapshot, c Cluster, placed Placement, want Engine, e EnginePlacement) error {
	at := newBruteFleet(c, s.Deployment.owns).pool(e.Pool)
	if e.Engine != want.Name || len(e.Members) != len(want.Members) || !at.Known {
		return fmt.Errorf("engine %s is not as it should be", want.Name)
	}
	if placed.Replica == "" && slices.ContainsFunc(at.Charges, func(ch Charge) bool { return ch.Yield && s.Deployment.owns(ch) }) {
		return fmt.Errorf("pool %s told a replica to yield", at.Name)
	}
	claims := false
	for i, m := range want.Members {
		if err := memberSatisfied(at, m, e.Members[i]); err != nil {
			return fmt.Errorf("member %s: %w", m.Name, err)
		}
		claims = claims || len(e.Members[i].Claims) > 0
		if placed.Replica == "" && len(e.Members[i].Claims) == 0 && bruteClaimsSomewhere(m, c) {
			return fmt.Errorf("member %s is left without a claim", m.Name)
		}
	}
	if !claims {
		return fmt.Errorf("engine %s claims nothing", want.Name)
	}
	return nil
}

func memberSatisfied(at Pool, want Member, got MemberPlacement) error {
	ways := bruteWays(want.Requests, at.Devices)
	if len(ways) == 0 || ways[0].claims != (len(got.Claims) > 0) {
		return fmt.Errorf("%+v is no way of %+v", got, ways)
	}
	if !ways[0].claims {
		if got.Devices != nil || got.SharesNode {
			return fmt.Errorf("it claims nothing and takes %+v", got)
		}
		return nil
	}
	if at.WholeNodes {
		if got.Devices != nil || got.SharesNode {
			return fmt.Errorf("it takes %+v, and not a whole node", got)
		}
		return nil
	}
	if !slices.ContainsFunc(ways, func(w bruteWay) bool { return maps.Equal(w.takes, got.Devices) }) {
		return fmt.Errorf("it takes %v, which is no way of %+v", got.Devices, ways)
	}
	byClass, left := map[string]int{}, 0
	for _, k := range bruteKinds(at.Devices) {
		if d := k.device; !d.Synthetic {
			byClass[d.DeviceClassName] += got.Devices[d.Name]
			left += d.Count - got.Devices[d.Name]
		}
	}
	if got.SharesNode != (left > 0) {
		return fmt.Errorf("it leaves %d devices and shares its node: %v", left, got.SharesNode)
	}
	return claimsSatisfied(want.Requests, got.Claims, byClass)
}

// claimsSatisfied: a member claims what it takes, and every request is claimed
// whole or not at all.
func claimsSatisfied(requests []devices.Request, claims []devices.Claim, byClass map[string]int) error {
	names := map[string]bool{}
	byRequest := map[string]int{}
	for _, c := range claims {
		byClass[c.DeviceClassName] -= c.Count
		i := slices.IndexFunc(requests, func(r devices.Request) bool {
			return strings.HasPrefix(c.Name, r.Name) && slices.Equal(c.Selectors, r.Selectors)
		})
		if i < 0 || names[c.Name] || c.Count < 1 {
			return fmt.Errorf("claim %+v is of no request", c)
		}
		names[c.Name] = true
		byRequest[requests[i].Name] += c.Count
	}
	for class, n := range byClass {
		if n != 0 {
			return fmt.Errorf("class %s: it takes %d more than it claims", class, n)
		}
	}
	for _, r := range requests {
		if n := byRequest[r.Name]; n != 0 && n != max(1, r.Count) {
			return fmt.Errorf("request %s claims %d of %d", r.Name, n, r.Count)
		}
	}
	return nil
}

// evictions: who goes is of lower priority and on a pool that the new replica
// uses, and goes once.
func evictions(s Snapshot, r Result) error {
	seen := map[string]bool{}
	for _, p := range r.Placements {
		c, _ := s.cluster(p.Cluster)
		for _, e := range p.Evicts {
			id := fmt.Sprintf("%s %v", p.Cluster, e)
			if seen[id] {
				return fmt.Errorf("%s is evicted twice", id)
			}
			seen[id] = true
			if e.Priority >= s.Deployment.Priority {
				return fmt.Errorf("%v is not of lower priority", e)
			}
			if !slices.ContainsFunc(p.Engines, func(placed EnginePlacement) bool { return charged(c, placed.Pool, e) }) {
				return fmt.Errorf("%v is on no pool of %+v", e, p)
			}
		}
	}
	return nil
}

func charged(c Cluster, pool string, e Evicted) bool {
	for _, p := range c.Pools {
		if p.Name == pool && slices.ContainsFunc(p.Charges, func(ch Charge) bool { return evictionOf(ch) == e }) {
			return true
		}
	}
	return false
}

// explained: a shortfall has a reason for every cluster, and a bounded message.
func explained(s Snapshot, r Result) error {
	want := 0
	if r.Unplaced > 0 && !s.Hold && len(r.Invalid) == 0 {
		want = len(s.Clusters)
	}
	if len(r.Rejections) != want {
		return fmt.Errorf("%d rejections, want %d", len(r.Rejections), want)
	}
	for _, rejection := range r.Rejections {
		if rejection.Why == "" || rejection.Detail == "" || rejection.Reason.rank() < 0 {
			return fmt.Errorf("unexplained: %+v", rejection)
		}
		for _, p := range rejection.Pools {
			if p.Detail == "" || p.Reason.rank() < 0 || p.Free > p.Need {
				return fmt.Errorf("unexplained: %+v", p)
			}
		}
	}
	if msg := r.Message(); len(msg) > maxMessage {
		return fmt.Errorf("message of %d bytes", len(msg))
	}
	return nil
}

// fails says whether a replica on a cluster is being replaced because it fails.
func (s Snapshot) fails(cluster string) bool {
	all := leavers(s)
	return slices.ContainsFunc(s.Replicas, func(r Replica) bool {
		l, ok := all[r.Name]
		return ok && l.reason == Failing && r.Cluster == cluster
	})
}

// nothingRefused: while replicas are missing, no cluster that they may go to has
// room for one more, nor would it if all that is of lower priority went.
func nothingRefused(s Snapshot, r Result) error {
	if r.Unplaced == 0 || s.Hold || left(r) || slices.ContainsFunc(s.Deployment.Spread, func(sp Spread) bool { return sp.Required }) {
		return nil
	}
	for _, c := range s.Clusters {
		if refusal(s.Deployment, c) != nil || s.fails(c.Name) {
			continue
		}
		options := make([][]bruteOption, len(s.Deployment.Engines))
		for i, e := range s.Deployment.Engines {
			options[i] = slices.DeleteFunc(bruteOptions(e, c), func(o bruteOption) bool { return s.closed(c, o.pool) })
		}
		now := decided(s, r, c)
		if now.hosts(options, 1) {
			return fmt.Errorf("%s has room for one more", c.Name)
		}
		lower := c
		lower.Pools = slices.Clone(c.Pools)
		for i, p := range lower.Pools {
			lower.Pools[i].Charges = slices.DeleteFunc(slices.Clone(p.Charges), func(ch Charge) bool { return ch.Priority < s.Deployment.Priority })
		}
		if decided(s, r, lower).hosts(options, 1) {
			return fmt.Errorf("%s has room for one more if those of lower priority go", c.Name)
		}
	}
	return nil
}

// closed says whether a pool told a replica of the deployment to yield.
func (s Snapshot) closed(c Cluster, pool string) bool {
	return slices.ContainsFunc(c.Pools, func(p Pool) bool {
		return p.Name == pool && slices.ContainsFunc(p.Charges, func(ch Charge) bool { return ch.Yield && s.Deployment.owns(ch) })
	})
}

// even: where something new is placed, no required spread is exceeded.
func even(s Snapshot, r Result) error {
	for _, sp := range s.Deployment.Spread {
		if !sp.Required {
			continue
		}
		count, grew := map[string]int{}, map[string]bool{}
		for _, c := range s.Clusters {
			if zone, ok := c.Labels[sp.TopologyKey]; ok && refusal(s.Deployment, c) == nil {
				count[zone] += 0
			}
		}
		domains := slices.Collect(maps.Keys(count))
		for _, p := range r.Placements {
			if p.Leaving {
				continue
			}
			c, _ := s.cluster(p.Cluster)
			zone, ok := c.Labels[sp.TopologyKey]
			if !ok && p.Replica == "" {
				return fmt.Errorf("%+v is where there is no %s", p, sp.TopologyKey)
			}
			count[zone]++
			grew[zone] = grew[zone] || p.Replica == ""
		}
		for _, zone := range domains {
			for _, other := range domains {
				if grew[zone] && count[zone]-count[other] > sp.MaxSkew {
					return fmt.Errorf("%d in %s and %d in %s", count[zone], zone, count[other], other)
				}
			}
		}
	}
	return nil
}

// left says whether a replica left to nobody, and its devices were not free when
// others were placed.
func left(r Result) bool {
	return slices.ContainsFunc(r.Drops, func(d Drop) bool { return d.Reason == DropTainted || d.Reason == DropPoolRemoved })
}

// settled: what was decided, observed, is decided again, whether or not those
// evicted have gone. Only where a replica left to nobody is there room that there
// was not before.
func settled(s Snapshot, r Result) error {
	if r.Unplaced > 0 && left(r) {
		return nil
	}
	next := observed(s, r)
	if err := sameAgain(r, Schedule(next)); err != nil {
		return err
	}
	next.Clusters = slices.Clone(next.Clusters)
	for i := range next.Clusters {
		c := &next.Clusters[i]
		c.Pools = slices.Clone(c.Pools)
		for j := range c.Pools {
			c.Pools[j].Charges = slices.DeleteFunc(slices.Clone(c.Pools[j].Charges), func(ch Charge) bool {
				return slices.ContainsFunc(r.Placements, func(p Placement) bool {
					return p.Cluster == c.Name && slices.Contains(p.Evicts, evictionOf(ch))
				})
			})
		}
	}
	if err := sameAgain(r, Schedule(next)); err != nil {
		return fmt.Errorf("once the evicted are gone: %w", err)
	}
	return nil
}

// observed is the snapshot after a decision was carried out.
func observed(s Snapshot, r Result) Snapshot {
	next := s
	next.Replicas = nil
	for _, p := range r.Placements {
		replica, ok := s.existing(p)
		if !ok {
			replica = Replica{Name: fmt.Sprintf("new-%s-%d", p.Cluster, p.Index), Cluster: p.Cluster, Index: p.Index, Update: true}
		}
		if p.Engines != nil {
			replica.Engines = s.engines(p)
			replica.Outdated = false
		}
		next.Replicas = append(next.Replicas, replica)
	}
	return next
}

func sameAgain(r, again Result) error {
	if len(again.Drops) > 0 || len(again.Placements) != len(r.Placements) {
		return fmt.Errorf("decided again: %+v", again)
	}
	for i, p := range again.Placements {
		if p.Cluster != r.Placements[i].Cluster || p.Index != r.Placements[i].Index || p.Engines != nil {
			return fmt.Errorf("decided again: %+v, not %+v", p, r.Placements[i])
		}
	}
	return nil
}
