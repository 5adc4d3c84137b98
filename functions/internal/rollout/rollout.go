package rollout

import (
	"cmp"
	"slices"
)

// A Type is a kind of strategy.
type Type string

// The strategies there are.
const (
	Recreate      Type = "Recreate"
	RollingUpdate Type = "RollingUpdate"
)

// A Strategy says how replicas take a new revision.
type Strategy struct {
	Type           Type // Empty means RollingUpdate.
	MaxUnavailable int  // Of the replicas wanted, how many may be not Ready.
	MaxSurge       int  // How many replicas there may be beyond those wanted.
}

// A Replica is an observed replica.
type Replica struct {
	Name    string
	Ready   bool // At the revision it has.
	Current bool // It has the new revision already.
}

// An Input is everything a plan depends on.
type Input struct {
	Wanted   int
	Strategy Strategy
	Replicas []Replica
}

// An Output is a plan.
type Output struct {
	Update []string // Names of the replicas that have or take the new revision now, sorted.
	Surge  int      // Extra replicas to ask the scheduler for now.
}

// Plan decides which replicas take the new revision now. It is a pure function:
// equal inputs give equal plans, whatever order the replicas arrive in.
func Plan(in Input) Output {
	if in.Strategy.Type == Recreate {
		return Output{Update: names(in.Replicas)}
	}

	surge := min(max(0, in.Strategy.MaxSurge), count(in.Replicas, outdated))
	spare := in.spare(surge)

	var update []Replica
	for _, r := range byName(in.Replicas) {
		if r.Current || !r.Ready {
			update = append(update, r)
			continue
		}
		if spare > 0 {
			update = append(update, r)
			spare--
		}
	}
	return Output{Update: names(update), Surge: surge}
}

// spare is how many Ready replicas can be taken down. Replicas beyond those
// asked for do not count: the scheduler may drop them in the same pass.
func (in Input) spare(surge int) int {
	ready := count(in.Replicas, func(r Replica) bool { return r.Ready })
	return min(ready, in.Wanted+surge) - (in.Wanted - in.Strategy.maxUnavailable())
}

// maxUnavailable is at least one where there is no surge either, or a rollout
// would never begin.
func (s Strategy) maxUnavailable() int {
	if s.MaxUnavailable <= 0 && s.MaxSurge <= 0 {
		return 1
	}
	return max(0, s.MaxUnavailable)
}

func outdated(r Replica) bool { return !r.Current }

func count(rs []Replica, is func(Replica) bool) int {
	n := 0
	for _, r := range rs {
		if is(r) {
			n++
		}
	}
	return n
}

func byName(rs []Replica) []Replica {
	return slices.SortedFunc(slices.Values(rs), func(a, b Replica) int { return cmp.Compare(a.Name, b.Name) })
}

func names(rs []Replica) []string {
	out := make([]string, 0, len(rs))
	for _, r := range byName(rs) {
		out = append(out, r.Name)
	}
	return out
}
