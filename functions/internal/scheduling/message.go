package scheduling

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Bounds of what people read, in bytes.
const (
	maxMessage = 1024
	maxDetail  = 512
	maxWhy     = 256
)

// Message says how many replicas are placed and why no more are, in the
// kube-scheduler's words. It is bounded, and equal for equal results.
func (r Result) Message() string {
	if len(r.Invalid) > 0 {
		return bounded(invalidMessage(r.Invalid), maxMessage)
	}
	head := fmt.Sprintf("%d of %d replicas scheduled", len(r.Placements), len(r.Placements)+r.Unplaced)
	if r.Unplaced == 0 {
		return head
	}
	if r.Held {
		return head + ": placement is on hold"
	}
	if len(r.Rejections) == 0 {
		return head + ": there are no clusters"
	}
	head += fmt.Sprintf(": 0/%d clusters can host another: ", len(r.Rejections))
	return head + enumerate(groups(r.Rejections), maxMessage-len(head))
}

func invalidMessage(errs []SelectorError) string {
	e := errs[0]
	s := fmt.Sprintf("selector %d of device request %q of engine %q, member %q, does not compile: %s", e.Selector, e.Request, e.Engine, e.Member, e.Message)
	if len(errs) == 1 {
		return s
	}
	return fmt.Sprintf("%d selectors do not compile, the first: %s", len(errs), s)
}

// A group is the clusters that were refused for one reason.
type group struct {
	why     string
	reason  Reason
	n       int
	nearest PoolRejection
	at      string // The nearest pool, as cluster/pool. Empty if none came near.
}

// groups counts rejections by reason, in the order the reasons are checked.
func groups(rejections []Rejection) []*group {
	byWhy := map[string]*group{}
	for _, r := range rejections {
		g, ok := byWhy[r.Why]
		if !ok {
			g = &group{why: r.Why, reason: r.Reason}
			byWhy[r.Why] = g
		}
		g.n++
		g.consider(r)
	}
	out := make([]*group, 0, len(byWhy))
	for _, why := range slices.Sorted(maps.Keys(byWhy)) {
		out = append(out, byWhy[why])
	}
	slices.SortStableFunc(out, func(a, b *group) int { return cmp.Compare(a.reason.rank(), b.reason.rank()) })
	return out
}

// consider keeps the nearest of the rejections' pools.
func (g *group) consider(r Rejection) {
	if r.Engine == "" || len(r.Pools) == 0 {
		return
	}
	p := nearest(r.Pools)
	if g.at == "" || p.nearer(g.nearest) {
		g.nearest = p
		g.at = r.Cluster + "/" + p.Pool
	}
}

func (g *group) String() string {
	s := fmt.Sprintf("%d %s", g.n, g.why)
	if g.at == "" {
		return s
	}
	return annotate(s, g.nearest.note(g.at))
}

// enumerate joins as many groups as fit and counts the others.
func enumerate(gs []*group, room int) string {
	const more = ", and %d more reasons"
	var b strings.Builder
	for i, g := range gs {
		s := g.String()
		if i > 0 {
			s = ", " + s
		}
		reserve := len(more) + 4
		if i == len(gs)-1 {
			reserve = 0
		}
		if b.Len()+len(s)+reserve > room {
			fmt.Fprintf(&b, more, len(gs)-i)
			break
		}
		b.WriteString(s)
	}
	return strings.TrimPrefix(b.String(), ", ")
}

// annotate adds a note in parentheses, into those the text ends with if it does.
func annotate(s, note string) string {
	if note == "" {
		return s
	}
	if head, ok := strings.CutSuffix(s, ")"); ok {
		return head + ", " + note + ")"
	}
	return s + " (" + note + ")"
}

// bounded cuts a text for people at a rune, and puts it on one line.
func bounded(s string, n int) string {
	s = strings.Join(strings.Fields(strings.ToValidUTF8(s, "?")), " ")
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n-len("…")], "") + "…"
}

func sortedKeys[V any](m map[string]V) []string {
	return slices.Sorted(maps.Keys(m))
}
