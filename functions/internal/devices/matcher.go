package devices

import (
	"slices"
	"strconv"
	"strings"

	"k8s.io/dynamic-resource-allocation/cel"
)

// A Matcher decides which requests fit which nodes, and why others do not. It
// remembers what it worked out and is meant for one decision; it is not safe
// for concurrent use.
type Matcher struct {
	nodes    map[string]*Node // By content.
	kinds    map[string]*kind // By content.
	verdicts map[verdictKey]verdict
	known    *vocabulary // Of all nodes. Nil until needed.
}

// NewMatcher returns a Matcher that knows no nodes yet.
func NewMatcher() *Matcher {
	return &Matcher{
		nodes:    map[string]*Node{},
		kinds:    map[string]*kind{},
		verdicts: map[verdictKey]verdict{},
	}
}

// A Node is the devices of a node, prepared for matching.
type Node struct {
	kinds []*kind // By name.
}

// Node prepares the devices of a node. Nodes of equal devices, in whatever
// order, are the same Node. The devices of all nodes a Matcher has prepared are
// what a selector may refer to without it being a typo.
func (m *Matcher) Node(ds []Device) *Node {
	keys := make([]string, len(ds))
	for i, d := range ds {
		keys[i] = deviceKey(d)
	}
	slices.Sort(keys)
	key := strings.Join(keys, "")
	if n, ok := m.nodes[key]; ok {
		return n
	}
	n := &Node{kinds: m.intern(Merge(ds))}
	m.nodes[key] = n
	m.known = nil
	return n
}

// An Assignment is how a pod's requests are met by a node's devices.
type Assignment struct {
	OK     bool           // All requests are met.
	Claims []Claim        // In the order of the requests. None for what only Synthetic devices meet.
	Takes  map[string]int // How many of each kind of device, by name, Synthetic ones too.
}

// Assign decides whether a pod with the requests fits an empty node, in the way
// the package prefers. A selector that does not compile matches nothing.
func (m *Matcher) Assign(requests []Request, n *Node) Assignment {
	a, _ := m.assign(requests, n.kinds)
	return a
}

// Ways are all ways in which a pod with the requests fits an empty node, the one
// Assign returns first, and none if it does not. Which requests are claimed is
// the same in all of them. There are at most maxWays.
func (m *Matcher) Ways(requests []Request, n *Node) []Assignment {
	first, demands := m.assign(requests, n.kinds)
	if !first.OK {
		return nil
	}
	return ways(requests, demands, n.kinds, first)
}

// A kind is a device kind prepared for selectors.
type kind struct {
	Device
	key string // Equal for devices selectors cannot tell apart.
	cel cel.Device
	err error // Why no selector can match it.
}

// claimable says whether a claim can be made for the device.
func (k *kind) claimable() bool { return !k.Synthetic }

// available is how many of the kind a node can give.
func (k *kind) available() int {
	if k.claimable() && k.DeviceClassName == "" {
		return 0 // A claim needs a class. Validate says so.
	}
	return max(0, k.Count)
}

// intern prepares a node's devices.
func (m *Matcher) intern(node []Device) []*kind {
	out := make([]*kind, 0, len(node))
	for _, d := range node {
		key := deviceKey(d)
		k, ok := m.kinds[key]
		if !ok {
			k = &kind{Device: d, key: contentKey(d)}
			k.cel, k.err = toCEL(d)
			m.kinds[key] = k
		}
		out = append(out, k)
	}
	return out
}

type verdictKey struct{ device, selector string }

// A verdict says whether a selector is true of a device.
type verdict struct {
	match bool
	why   string // How evaluating it failed, if it did.
}

func (m *Matcher) verdict(k *kind, selector string) verdict {
	key := verdictKey{device: k.key, selector: selector}
	if v, ok := m.verdicts[key]; ok {
		return v
	}
	v := judge(k, selector)
	m.verdicts[key] = v
	return v
}

func judge(k *kind, selector string) verdict {
	if k.err != nil {
		return verdict{why: k.err.Error()}
	}
	p, err := Compile(selector)
	if err != nil {
		return verdict{why: "does not compile"}
	}
	ok, err := p.matches(k.cel)
	if err != nil {
		return verdict{why: err.Error()}
	}
	return verdict{match: ok}
}

// satisfies says whether every selector of a request is true of a device.
func (m *Matcher) satisfies(k *kind, r Request) bool {
	if k.err != nil {
		return false
	}
	for _, s := range r.Selectors {
		if !m.verdict(k, s).match {
			return false
		}
	}
	return true
}

// wanted is how many devices a request asks for: one if it does not say, as in
// DRA.
func (r Request) wanted() int { return max(1, r.Count) }

// deviceKey is equal for equal devices.
func deviceKey(d Device) string {
	var b strings.Builder
	write(&b, d.Name, d.DeviceClassName, strconv.FormatBool(d.Synthetic), strconv.Itoa(d.Count))
	b.WriteString(contentKey(d))
	return b.String()
}

// contentKey is equal for devices of which every selector says the same.
func contentKey(d Device) string {
	var b strings.Builder
	write(&b, d.Driver, strconv.Itoa(len(d.Attributes)))
	for _, name := range sortedKeys(d.Attributes) {
		write(&b, name)
		write(&b, d.Attributes[name].parts()...)
	}
	write(&b, strconv.Itoa(len(d.Capacity)))
	for _, name := range sortedKeys(d.Capacity) {
		write(&b, name, d.Capacity[name])
	}
	return b.String()
}

// parts tell attributes of equal text and different type apart, malformed ones
// with more than one value or none too.
func (a Attribute) parts() []string {
	out := make([]string, 4)
	if a.String != nil {
		out[0] = "=" + *a.String
	}
	if a.Version != nil {
		out[1] = "=" + *a.Version
	}
	if a.Bool != nil {
		out[2] = strconv.FormatBool(*a.Bool)
	}
	if a.Int != nil {
		out[3] = strconv.FormatInt(*a.Int, 10)
	}
	return out
}

// write appends each part with its length, so that no two lists of parts make
// the same key.
func write(b *strings.Builder, parts ...string) {
	for _, p := range parts {
		b.WriteString(strconv.Itoa(len(p)))
		b.WriteByte(':')
		b.WriteString(p)
	}
}
