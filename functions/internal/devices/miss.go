package devices

import (
	"fmt"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"
)

// Bounds of what people read, in bytes.
const (
	maxWant = 120
	maxHave = 80
)

// A Miss explains why a node cannot meet a pod's requests: the first request
// that fails, and the device that comes closest.
type Miss struct {
	Request string // That cannot be met.
	Count   int    // Devices it asks for.

	// TooFew says that devices match, but not as many as are asked for. Free
	// is how many the requests before this one leave.
	TooFew bool
	Free   int

	Selector string // The first one the closest device fails.
	Want     string // What that selector demands: memory >= 141Gi.
	Device   string // The closest kind of device. Empty if the node has none.
	Have     string // What it has instead: 80Gi.
	Passed   int    // How much of what the selectors demand it satisfies.
	Order    int    // 1 if a greater Have is closer, -1 if a lesser one is.

	// Unknown says that the selector names a domain, an attribute, a capacity
	// or a driver that no device of the fleet has: a typo, not a shortage.
	Unknown string
}

// Lack is what the node does not have: device "gpu" with memory >= 141Gi. It is
// equal for nodes that miss in the same way.
func (m Miss) Lack() string {
	if m.TooFew {
		return fmt.Sprintf("%d of device %q on a node", m.Count, m.Request)
	}
	s := fmt.Sprintf("device %q", m.Request)
	if m.Want != "" {
		s += " with " + m.Want
	}
	if m.Unknown != "" {
		s += ": " + m.Unknown
	}
	return s
}

// Closest is what the closest device has. Empty if nothing comes close.
func (m Miss) Closest() string {
	if m.TooFew {
		return fmt.Sprintf("%d", m.Free)
	}
	return m.Have
}

// Gap says what would have to change about the closest device:
// memory of device "gpu": 130Gi wanted, 81559Mi there (short by 51561Mi).
func (m Miss) Gap() string {
	if m.TooFew {
		return fmt.Sprintf("%s more of device %q on each node (room for %d of %d)", m.Short(), m.Request, m.Free, m.Count)
	}
	device := fmt.Sprintf("device %q", m.Request)
	there := m.Have
	if there == "" {
		there = "nothing"
	}
	if m.Want == "" {
		return device + ": " + there
	}
	name, bound, value, ok := m.limit()
	if !ok {
		return fmt.Sprintf("%s: %s wanted, %s there", device, m.Want, there)
	}
	s := fmt.Sprintf("%s of %s: %s%s wanted, %s there", name, device, bound, value, there)
	short := m.Short()
	switch {
	case short == "":
		return s
	case m.Order < 0:
		return s + " (" + short + " too much)"
	}
	return s + " (short by " + short + ")"
}

// Short is by how much the closest device misses the amount that is demanded:
// 51561Mi. Empty if what it misses is no amount.
func (m Miss) Short() string {
	if m.TooFew {
		return strconv.Itoa(m.Count - m.Free)
	}
	_, _, value, ok := m.limit()
	if !ok {
		return ""
	}
	want, errWant := resource.ParseQuantity(value)
	have, errHave := resource.ParseQuantity(m.Have)
	if errWant != nil || errHave != nil {
		return ""
	}
	want.Sub(have)
	if m.Order < 0 {
		want.Neg()
	}
	if want.Sign() <= 0 {
		return ""
	}
	return want.String()
}

// limit reads what is wanted as a property and the limit set to it. It returns
// false if that is no limit.
func (m Miss) limit() (name, bound, value string, ok bool) {
	if m.Order == 0 {
		return "", "", "", false
	}
	for _, o := range []struct{ operator, bound string }{
		{" >= ", ""}, {" <= ", "at most "}, {" > ", "more than "}, {" < ", "less than "},
	} {
		if name, value, ok = strings.Cut(m.Want, o.operator); ok {
			return name, o.bound, value, true
		}
	}
	return "", "", "", false
}

// Closer says whether a miss is nearer to a match than another. Neither of two
// equally near ones is closer.
func (m Miss) Closer(other Miss) bool {
	if m.TooFew != other.TooFew {
		return m.TooFew
	}
	if m.TooFew {
		return m.Free > other.Free
	}
	if m.Passed != other.Passed {
		return m.Passed > other.Passed
	}
	if m.Selector != other.Selector || m.Want != other.Want {
		return false
	}
	return m.Order*compareValues(m.Have, other.Have) > 0
}

// Explain says why a node's devices do not meet the requests. It is zero if they
// do.
func (m *Matcher) Explain(requests []Request, n *Node) Miss {
	kinds := n.kinds
	if a, _ := m.assign(requests, kinds); a.OK {
		return Miss{}
	}
	options := m.options(requests, kinds)
	for i, ways := range options {
		if len(ways) == 0 {
			return m.unmatched(requests[i], kinds)
		}
	}
	return tooFew(requests, options, kinds)
}

// tooFew finds the first request for which the ones before it leave too few
// devices.
func tooFew(requests []Request, options [][]demand, kinds []*kind) Miss {
	counts := available(kinds)
	for i, r := range requests {
		if _, ok := choose(options[:i+1], counts); ok {
			continue
		}
		free := r.wanted() - 1
		for ; free > 0; free-- {
			if _, ok := choose(append(options[:i:i], withCount(options[i], free)), counts); ok {
				break
			}
		}
		return Miss{Request: r.Name, Count: r.wanted(), TooFew: true, Free: free}
	}
	return Miss{}
}

func withCount(ways []demand, n int) []demand {
	out := make([]demand, 0, len(ways))
	for _, d := range ways {
		d.count = n
		out = append(out, d)
	}
	return out
}

// unmatched explains a request of which no device satisfies all selectors.
func (m *Matcher) unmatched(r Request, kinds []*kind) Miss {
	best := m.absent(r)
	for _, k := range kinds {
		if k.available() == 0 && k.Count <= 0 {
			continue
		}
		miss := m.compare(r, k)
		if best.Device == "" || miss.Closer(best) {
			best = miss
		}
	}
	return best
}

// absent is the miss of a node without devices: the first thing demanded is
// what is lacking.
func (m *Matcher) absent(r Request) Miss {
	miss := Miss{Request: r.Name, Count: r.wanted()}
	for _, s := range r.Selectors {
		p, err := Compile(s)
		if err != nil {
			continue
		}
		c := p.clauses()[0]
		miss.Selector = s
		miss.Want = bounded(c.phrase, maxWant)
		miss.Unknown = m.unknown(c)
		return miss
	}
	return miss
}

// compare says how far a device is from a request.
func (m *Matcher) compare(r Request, k *kind) Miss {
	miss := Miss{Request: r.Name, Count: r.wanted(), Device: k.Name}
	failed := false
	for _, s := range r.Selectors {
		p, err := Compile(s)
		if err != nil {
			continue
		}
		for _, c := range p.clauses() {
			v := m.verdict(k, c.text)
			if v.match {
				miss.Passed++
				continue
			}
			if failed {
				continue
			}
			failed = true
			miss.Selector = s
			miss.Want = bounded(c.phrase, maxWant)
			miss.Have = bounded(have(k, c, v), maxHave)
			miss.Order = c.order
			miss.Unknown = m.unknown(c)
		}
	}
	if !failed && k.available() == 0 {
		miss.Have = "no DeviceClass to claim it by"
	}
	return miss
}

// have is what a device has where a clause is not true of it.
func have(k *kind, c clause, v verdict) string {
	if k.err != nil {
		return k.err.Error()
	}
	var parts []string
	missing := false
	for _, p := range c.properties {
		if p.kind != driverName && p.id == "" {
			continue
		}
		value, ok := k.value(p)
		if !ok {
			missing = true
			parts = append(parts, "no "+p.String())
			continue
		}
		if len(c.properties) > 1 {
			value = p.String() + " " + value
		}
		parts = append(parts, value)
	}
	if v.why != "" && !missing {
		parts = append(parts, v.why)
	}
	return strings.Join(parts, ", ")
}

// bounded cuts a text for people, at a rune.
func bounded(s string, n int) string {
	s = strings.Join(strings.Fields(strings.ToValidUTF8(s, "?")), " ")
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n-len("…")], "") + "…"
}
