package rollout

import (
	"fmt"
	"strings"
)

// maxNames is how many replicas a message names.
const maxNames = 3

// Progress says for people how far the rollout of a revision is and what it
// waits for: revision abc: 1 of 3 updated, waiting for x to be Ready.
func Progress(in Input, revision string) string {
	total := max(in.Wanted, len(in.Replicas))
	updated := count(in.Replicas, func(r Replica) bool { return r.Current })
	s := fmt.Sprintf("revision %s: %d of %d updated", revision, updated, total)
	if waits := in.waits(); waits != "" {
		s += ", waiting for " + waits
	}
	return s
}

// Done says whether every replica wanted has the revision and is Ready at it.
func Done(in Input) bool {
	done := count(in.Replicas, func(r Replica) bool { return r.Current && r.Ready })
	return done >= in.Wanted && count(in.Replicas, outdated) == 0
}

// waits is what must happen before the rollout goes on.
func (in Input) waits() string {
	var unready []Replica
	for _, r := range byName(in.Replicas) {
		if r.Current && !r.Ready {
			unready = append(unready, r)
		}
	}
	if len(unready) > 0 {
		return enumerate(names(unready)) + " to be Ready"
	}
	if missing := in.Wanted - len(in.Replicas); missing > 0 {
		return fmt.Sprintf("%s to be placed", quantity(missing, "replica"))
	}
	out := Plan(in)
	if len(out.Update) < len(in.Replicas) && in.spare(out.Surge) <= 0 {
		if extra := in.Wanted + out.Surge - len(in.Replicas); extra > 0 {
			return fmt.Sprintf("%s to be placed", quantity(extra, "extra replica"))
		}
	}
	return ""
}

func quantity(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// enumerate names the first few.
func enumerate(names []string) string {
	if len(names) <= maxNames {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:maxNames], ", "), len(names)-maxNames)
}
