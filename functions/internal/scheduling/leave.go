package scheduling

import (
	"cmp"
	"maps"
	"slices"
)

// A leaver is a replica that is replaced before it goes.
type leaver struct {
	Replica

	reason Reason
	drop   DropReason
	detail string
	must   bool // It goes though nothing can replace it.
}

// Leaving names the replicas that are to be replaced elsewhere before they go,
// sorted.
func Leaving(s Snapshot) []string {
	return slices.Sorted(maps.Keys(leavers(s)))
}

// leavers, by name. Of the replicas that fail, as many as may be replaced at a
// time.
func leavers(s Snapshot) map[string]leaver {
	clusters := make(map[string]*Cluster, len(s.Clusters))
	for i := range s.Clusters {
		clusters[s.Clusters[i].Name] = &s.Clusters[i]
	}
	out := map[string]leaver{}
	failing := 0
	for _, r := range slices.SortedFunc(slices.Values(s.Replicas), compareReplicas) {
		c, ok := clusters[r.Cluster]
		if !ok {
			continue
		}
		l, ok := s.Deployment.leaver(c, r)
		if !ok || l.reason == Failing && failing == s.Deployment.Failover {
			continue
		}
		if l.reason == Failing {
			failing++
		}
		out[r.Name] = l
	}
	return out
}

// leaver says whether a replica is to be replaced elsewhere: because its place
// was taken from it, or because it fails there.
func (d Deployment) leaver(c *Cluster, r Replica) (leaver, bool) {
	if t, ok := d.untolerated(*c, NoExecute); ok {
		return leaver{Replica: r, reason: Tainted, drop: DropTainted, detail: "tainted " + t.String(), must: true}, true
	}
	if detail, ok := c.removed(r); ok {
		return leaver{Replica: r, reason: PoolRemoved, drop: DropPoolRemoved, detail: detail, must: true}, true
	}
	return leaver{Replica: r, reason: Failing, drop: DropFailing, detail: r.Failing}, r.Failing != ""
}

// lodge a leaver where it is until it goes. A cluster on which a replica fails
// takes no other of the deployment meanwhile.
func (d *decision) lodge(st *site, l leaver) {
	st.taken[l.Index] = true
	st.charge(l.Engines)
	if l.reason == Failing && st.refused == nil {
		st.refused = refuse(st.Name, Failing, "with a replica that fails there", "")
	}
	d.lodged = append(d.lodged, l)
}

// dismiss the leavers that nobody needs any longer, and keep the others as they
// are. One that serves is needed until another does; one that fails may still
// recover.
func (d *decision) dismiss() {
	pending := d.pending()
	missing := max(0, d.deployment.Replicas-len(d.result.Placements))

	slices.SortFunc(d.lodged, func(a, b leaver) int { return cmp.Or(before(a.Ready, b.Ready), cmp.Compare(a.Name, b.Name)) })
	for _, l := range d.lodged {
		if !d.needs(l, pending, missing) {
			d.drop(l.Replica, l.drop, l.detail)
			continue
		}
		if pending > 0 {
			pending--
		} else {
			missing--
		}
		d.result.Placements = append(d.result.Placements, Placement{Cluster: l.Cluster, Index: l.Index, Replica: l.Name, Leaving: true})
		d.drift(l.Replica, l.reason, l.detail+": it goes once another replica serves instead")
	}
}

// needs says whether a leaver stays, where so many replicas have a place and do
// not serve yet, and so many have none. One that must go and serves stays for
// those that have none only while one may still be found for them.
func (d *decision) needs(l leaver, pending, missing int) bool {
	if !l.must {
		return d.hold || pending+missing > 0
	}
	return l.Ready && (pending > 0 || d.hold || missing > 0 && d.mayFind())
}

// mayFind says whether a cluster may yet take a replica that has no place: one
// that is away, or of which a pool is not known.
func (d *decision) mayFind() bool {
	return slices.ContainsFunc(d.sites, func(st *site) bool {
		if st.refused != nil {
			return st.refused.Reason == NotReady || st.refused.Reason == NoGatewayAddress
		}
		return slices.ContainsFunc(st.Pools, func(p Pool) bool { return !p.Known })
	})
}

// pending counts the replicas that have a place and do not serve there yet.
func (d *decision) pending() int {
	serves := make(map[string]bool, len(d.replicas))
	for _, r := range d.replicas {
		serves[r.Name] = r.Ready
	}
	n := 0
	for _, p := range d.result.Placements {
		if !serves[p.Replica] {
			n++
		}
	}
	return n
}
