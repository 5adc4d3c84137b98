package scheduling

import (
	"cmp"
	"slices"
)

// scaleDown drops replicas beyond those wanted, the least missed first.
func (d *decision) scaleDown(kept []Replica) []Replica {
	for len(kept) > max(0, d.deployment.Replicas) {
		i := d.leastMissed(kept)
		r := kept[i]
		d.drop(r, DropScaledDown, "")
		if st, ok := d.byName[r.Cluster]; ok {
			d.host(st, -1)
			st.credit(r.Engines)
		}
		kept = slices.Delete(kept, i, i+1)
	}
	return kept
}

func (d *decision) leastMissed(kept []Replica) int {
	least := 0
	for i := range kept {
		if d.compareMissed(kept[i], kept[least]) < 0 {
			least = i
		}
	}
	return least
}

// compareMissed orders replicas by how little they would be missed: not Ready
// first, then outdated, then by the most replicas on their cluster, the later
// cluster and the higher index.
func (d *decision) compareMissed(a, b Replica) int {
	return cmp.Or(
		before(!a.Ready, !b.Ready),
		before(a.Outdated, b.Outdated),
		cmp.Compare(d.hosted(b.Cluster), d.hosted(a.Cluster)),
		cmp.Compare(b.Cluster, a.Cluster),
		cmp.Compare(b.Index, a.Index),
		cmp.Compare(b.Name, a.Name),
	)
}

// hosted is how many replicas a cluster has. A cluster that is not known has
// none to lose.
func (d *decision) hosted(cluster string) int {
	if st, ok := d.byName[cluster]; ok {
		return st.hosted
	}
	return 0
}

// before orders what is before what is not.
func before(a, b bool) int {
	if a == b {
		return 0
	}
	if a {
		return -1
	}
	return 1
}
