package scheduling

import (
	"fmt"
	"slices"
)

// rank is the place of a reason in the order they are checked. The later one
// fails, the nearer a pool or cluster is to hosting a replica.
func (r Reason) rank() int {
	order := [...]Reason{
		NotSelected,
		NotReady,
		NoGatewayAddress,
		Tainted,
		Failing,
		SpreadViolated,
		PoolUnknown,
		NoMatchingDevice,
		NotEnoughDevices,
		NothingToClaim,
		NotEnoughRoom,
	}
	return slices.Index(order[:], r)
}

// nearest is the pool that came nearest to taking an engine, the first of
// several.
func nearest(pools []PoolRejection) PoolRejection {
	best := pools[0]
	for _, p := range pools[1:] {
		if p.nearer(best) {
			best = p
		}
	}
	return best
}

// nearer says whether a pool is nearer to taking an engine than another.
func (r PoolRejection) nearer(other PoolRejection) bool {
	if r.Reason != other.Reason {
		return r.Reason.rank() > other.Reason.rank()
	}
	if r.Miss != nil && other.Miss != nil {
		return r.Miss.Closer(*other.Miss)
	}
	return r.Free-r.Need > other.Free-other.Need
}

// note is what the pool that came nearest has.
func (r PoolRejection) note(name string) string {
	if r.Miss != nil && r.Miss.Closest() == "" {
		return ""
	}
	if r.Miss != nil {
		return bounded(fmt.Sprintf("closest: %s, %s", name, r.Miss.Closest()), maxWhy)
	}
	if r.Reason == NotEnoughRoom {
		return bounded(fmt.Sprintf("most: %s, %d", name, r.Free), maxWhy)
	}
	return ""
}
