package rollout

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func ready(name string) Replica          { return Replica{Name: name, Ready: true} }
func unready(name string) Replica        { return Replica{Name: name} }
func updated(name string) Replica        { return Replica{Name: name, Ready: true, Current: true} }
func updatedUnready(name string) Replica { return Replica{Name: name, Current: true} }

func rolling(unavailable, surge int) Strategy {
	return Strategy{Type: RollingUpdate, MaxUnavailable: unavailable, MaxSurge: surge}
}

func TestPlan(t *testing.T) {
	cases := map[string]struct {
		reason string
		in     Input
		want   Output
	}{
		"NoReplicas": {
			reason: "Nothing exists, so nothing is updated. What is placed is placed with the new revision.",
			in:     Input{Wanted: 3, Strategy: rolling(1, 1)},
			want:   Output{Update: []string{}},
		},
		"RecreateTakesAll": {
			reason: "Recreate updates every replica at once, Ready or not.",
			in:     Input{Wanted: 2, Strategy: Strategy{Type: Recreate}, Replicas: []Replica{ready("b"), unready("a")}},
			want:   Output{Update: []string{"a", "b"}},
		},
		"OneAtATimeByName": {
			reason: "One replica may be unavailable, and the first by name is.",
			in:     Input{Wanted: 3, Strategy: rolling(1, 0), Replicas: []Replica{ready("c"), ready("a"), ready("b")}},
			want:   Output{Update: []string{"a"}},
		},
		"WaitsForTheUpdated": {
			reason: "The one that may be unavailable is. A rollout that does not come up stops here.",
			in:     Input{Wanted: 3, Strategy: rolling(1, 0), Replicas: []Replica{updatedUnready("a"), ready("b"), ready("c")}},
			want:   Output{Update: []string{"a"}},
		},
		"GoesOnOnceReady": {
			reason: "The updated replica is Ready, so the next one goes.",
			in:     Input{Wanted: 3, Strategy: rolling(1, 0), Replicas: []Replica{updated("a"), ready("b"), ready("c")}},
			want:   Output{Update: []string{"a", "b"}},
		},
		"UnreadyOutdatedGoFirst": {
			reason: "A replica that serves nobody takes the revision, and uses up what may be unavailable.",
			in:     Input{Wanted: 3, Strategy: rolling(1, 0), Replicas: []Replica{ready("a"), ready("b"), unready("c")}},
			want:   Output{Update: []string{"c"}},
		},
		"UnreadyOutdatedAlwaysGo": {
			reason: "Updating replicas that are not Ready costs no availability, however many there are.",
			in:     Input{Wanted: 3, Strategy: rolling(1, 0), Replicas: []Replica{unready("a"), unready("b"), ready("c")}},
			want:   Output{Update: []string{"a", "b"}},
		},
		"MissingCountAsUnavailable": {
			reason: "A replica that is not placed is not Ready either.",
			in:     Input{Wanted: 3, Strategy: rolling(1, 0), Replicas: []Replica{ready("a"), ready("b")}},
			want:   Output{Update: []string{}},
		},
		"MoreUnavailable": {
			reason: "Two may be unavailable.",
			in:     Input{Wanted: 3, Strategy: rolling(2, 0), Replicas: []Replica{ready("a"), ready("b"), ready("c")}},
			want:   Output{Update: []string{"a", "b"}},
		},
		"SurgeFirst": {
			reason: "None may be unavailable, so an extra replica is asked for and nothing is taken down yet.",
			in:     Input{Wanted: 2, Strategy: rolling(0, 1), Replicas: []Replica{ready("a"), ready("b")}},
			want:   Output{Update: []string{}, Surge: 1},
		},
		"SurgeReady": {
			reason: "The extra replica is Ready, so one of the others can go.",
			in:     Input{Wanted: 2, Strategy: rolling(0, 1), Replicas: []Replica{ready("a"), ready("b"), updated("c")}},
			want:   Output{Update: []string{"a", "c"}, Surge: 1},
		},
		"SurgeEnds": {
			reason: "Everything is updated, so no extra replica is wanted.",
			in:     Input{Wanted: 2, Strategy: rolling(0, 1), Replicas: []Replica{updated("a"), updatedUnready("b"), updated("c")}},
			want:   Output{Update: []string{"a", "b", "c"}},
		},
		"SurgeIsBoundedByOutdated": {
			reason: "No more extra replicas than there are replicas to update.",
			in:     Input{Wanted: 3, Strategy: rolling(0, 5), Replicas: []Replica{updated("a"), updated("b"), ready("c")}},
			want:   Output{Update: []string{"a", "b"}, Surge: 1},
		},
		"ScalingDownGivesNoBudget": {
			reason: "The scheduler drops one of four in this pass, so only one more may go.",
			in:     Input{Wanted: 3, Strategy: rolling(1, 0), Replicas: []Replica{ready("a"), ready("b"), ready("c"), ready("d")}},
			want:   Output{Update: []string{"a"}},
		},
		"BothBoundsZero": {
			reason: "A rollout that may neither take down nor add would never begin.",
			in:     Input{Wanted: 1, Strategy: rolling(0, 0), Replicas: []Replica{ready("a")}},
			want:   Output{Update: []string{"a"}},
		},
		"EmptyTypeRolls": {
			reason: "Rolling is the default.",
			in:     Input{Wanted: 2, Strategy: Strategy{MaxUnavailable: 1}, Replicas: []Replica{ready("a"), ready("b")}},
			want:   Output{Update: []string{"a"}},
		},
		"ScaledToZero": {
			reason: "Nothing is wanted, so nothing can be unavailable.",
			in:     Input{Wanted: 0, Strategy: rolling(1, 0), Replicas: []Replica{ready("a"), ready("b")}},
			want:   Output{Update: []string{"a"}},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, Plan(tc.in)); diff != "" {
				t.Errorf("\n%s\nPlan(...): -want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}

func TestProgress(t *testing.T) {
	type want struct {
		progress string
		done     bool
	}
	cases := map[string]struct {
		reason string
		in     Input
		want   want
	}{
		"Waiting": {
			reason: "It names what the rollout waits for.",
			in:     Input{Wanted: 3, Strategy: rolling(1, 0), Replicas: []Replica{updatedUnready("x"), ready("y"), ready("z")}},
			want:   want{progress: "revision abc: 1 of 3 updated, waiting for x to be Ready"},
		},
		"Done": {
			reason: "Nothing is left to wait for.",
			in:     Input{Wanted: 2, Strategy: rolling(1, 0), Replicas: []Replica{updated("x"), updated("y")}},
			want:   want{progress: "revision abc: 2 of 2 updated", done: true},
		},
		"Missing": {
			reason: "A replica that has no place is waited for.",
			in:     Input{Wanted: 2, Strategy: rolling(1, 0), Replicas: []Replica{updated("x")}},
			want:   want{progress: "revision abc: 1 of 2 updated, waiting for 1 replica to be placed"},
		},
		"Surge": {
			reason: "An extra replica has no place yet and nothing else can go on.",
			in:     Input{Wanted: 1, Strategy: rolling(0, 2), Replicas: []Replica{ready("x")}},
			want:   want{progress: "revision abc: 0 of 1 updated, waiting for 1 extra replica to be placed"},
		},
		"Many": {
			reason: "The message is bounded.",
			in:     Input{Wanted: 5, Strategy: Strategy{Type: Recreate}, Replicas: []Replica{updatedUnready("e"), updatedUnready("d"), updatedUnready("c"), updatedUnready("b"), updatedUnready("a")}},
			want:   want{progress: "revision abc: 5 of 5 updated, waiting for a, b, c and 2 more to be Ready"},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got := want{progress: Progress(tc.in, "abc"), done: Done(tc.in)}
			if diff := cmp.Diff(tc.want, got, cmp.AllowUnexported(want{})); diff != "" {
				t.Errorf("\n%s\n-want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}

// TestSimulation runs rollouts under random readiness, scaling and loss, next to
// a scheduler that adds and drops replicas as ours does.
func TestSimulation(t *testing.T) {
	for seed := range uint64(500) {
		rng := rand.New(rand.NewPCG(seed, 1))
		s := newSimulation(rng)
		for range 200 {
			s.step(t, rng)
			if t.Failed() {
				t.Fatalf("seed %d", seed)
			}
		}
		for range 200 {
			s.settle(t)
		}
		if !Done(s.in) || len(s.in.Replicas) != s.in.Wanted {
			t.Fatalf("seed %d: a rollout whose replicas become Ready did not end: %+v", seed, s.in)
		}
	}
}

type simulation struct {
	in   Input
	next int
}

func newSimulation(rng *rand.Rand) *simulation {
	s := &simulation{in: Input{Wanted: 1 + rng.IntN(6), Strategy: rolling(rng.IntN(3), rng.IntN(3))}}
	for range s.in.Wanted {
		s.in.Replicas = append(s.in.Replicas, ready(s.name()))
	}
	return s
}

func (s *simulation) name() string {
	s.next++
	return "r" + strconv.Itoa(s.next*7919%1000) + "-" + strconv.Itoa(s.next)
}

// step plans, checks the plan's effect, and lets something happen.
func (s *simulation) step(t *testing.T, rng *rand.Rand) {
	t.Helper()
	if rng.IntN(20) == 0 {
		s.in.Wanted = 1 + rng.IntN(6)
	}
	if rng.IntN(20) == 0 {
		for i := range s.in.Replicas {
			s.in.Replicas[i].Current = false // A newer revision still.
		}
	}
	s.apply(t)
	for i := range s.in.Replicas {
		r := &s.in.Replicas[i]
		r.Ready = r.Ready && rng.IntN(30) > 0 || !r.Ready && rng.IntN(3) == 0
	}
}

func (s *simulation) settle(t *testing.T) {
	t.Helper()
	s.apply(t)
	for i := range s.in.Replicas {
		s.in.Replicas[i].Ready = true
	}
}

func (s *simulation) apply(t *testing.T) {
	t.Helper()
	before := s.ready()
	out := Plan(s.in)
	if !slices.IsSorted(out.Update) {
		t.Errorf("not sorted: %v", out.Update)
	}
	dropped := s.scaleDown(s.in.Wanted + out.Surge)
	for i := range s.in.Replicas {
		r := &s.in.Replicas[i]
		if !r.Current && slices.Contains(out.Update, r.Name) {
			r.Current, r.Ready = true, false
		}
	}
	for len(s.in.Replicas) < s.in.Wanted+out.Surge {
		s.in.Replicas = append(s.in.Replicas, updatedUnready(s.name()))
	}
	floor := min(before, s.in.Wanted-s.in.Strategy.maxUnavailable())
	if got := s.ready(); got < floor {
		t.Errorf("%d Ready left of %d, want at least %d (wanted %d, %+v, dropped %d, plan %+v)", got, before, floor, s.in.Wanted, s.in.Strategy, dropped, out)
	}
}

// scaleDown drops as the scheduler does: not Ready first, then outdated.
func (s *simulation) scaleDown(want int) int {
	slices.SortFunc(s.in.Replicas, func(a, b Replica) int { return rank(b) - rank(a) })
	n := max(0, len(s.in.Replicas)-want)
	s.in.Replicas = s.in.Replicas[:len(s.in.Replicas)-n]
	return n
}

func rank(r Replica) int {
	n := 0
	if r.Ready {
		n += 2
	}
	if r.Current {
		n++
	}
	return n
}

func (s *simulation) ready() int {
	return count(s.in.Replicas, func(r Replica) bool { return r.Ready })
}
