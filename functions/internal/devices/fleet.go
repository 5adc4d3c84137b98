package devices

import (
	"fmt"
	"slices"
)

// A vocabulary is everything the devices of a fleet publish.
type vocabulary struct {
	drivers    []string
	domains    []string
	properties map[property]bool
}

// vocabulary of the fleet, gathered when something is refused.
func (m *Matcher) vocabulary() *vocabulary {
	if m.known != nil {
		return m.known
	}
	v := &vocabulary{properties: map[property]bool{}}
	seen := map[string]bool{}
	for _, k := range m.kinds {
		if !seen[k.key] {
			seen[k.key] = true
			v.add(k.Device)
		}
	}
	v.drivers = distinct(v.drivers)
	v.domains = distinct(v.domains)
	m.known = v
	return v
}

func (v *vocabulary) add(d Device) {
	v.drivers = append(v.drivers, d.Driver)
	for name := range d.Attributes {
		v.publish(attribute, name, d.Driver)
	}
	for name := range d.Capacity {
		v.publish(capacity, name, d.Driver)
	}
}

func (v *vocabulary) publish(kind propertyKind, name, driver string) {
	domain, id := qualify(name, driver)
	v.domains = append(v.domains, domain)
	v.properties[property{kind: kind, domain: domain, id: id}] = true
}

// ids of a domain, sorted.
func (v *vocabulary) ids(kind propertyKind, domain string) []string {
	var out []string
	for p := range v.properties {
		if p.kind == kind && p.domain == domain {
			out = append(out, p.id)
		}
	}
	return distinct(out)
}

// unknown says what a clause names that no device of the fleet has. Empty if
// there is no such thing, or nothing is known of the fleet.
func (m *Matcher) unknown(c clause) string {
	v := m.vocabulary()
	if len(v.drivers) == 0 {
		return ""
	}
	if c.driver != "" && !slices.Contains(v.drivers, c.driver) {
		return fmt.Sprintf("no class in the fleet has driver %q%s", c.driver, guess(c.driver, v.drivers))
	}
	for _, p := range c.properties {
		if s := v.unknown(p); s != "" {
			return s
		}
	}
	return ""
}

func (v *vocabulary) unknown(p property) string {
	if p.kind == driverName {
		return ""
	}
	if !slices.Contains(v.domains, p.domain) {
		return fmt.Sprintf("no class in the fleet publishes domain %q%s", p.domain, guess(p.domain, v.domains))
	}
	if p.id == "" || v.properties[p] {
		return ""
	}
	other := property{kind: attribute, domain: p.domain, id: p.id}
	if p.kind == attribute {
		other.kind = capacity
	}
	if v.properties[other] {
		return fmt.Sprintf("%s of %q is published as %s, not %s", p.id, p.domain, article(other.kind), article(p.kind))
	}
	return fmt.Sprintf("no class in the fleet publishes %s %q of %q%s", p.kind, p.id, p.domain, guess(p.id, v.ids(p.kind, p.domain)))
}

func article(k propertyKind) string {
	if k == attribute {
		return "an attribute"
	}
	return "a capacity"
}

// guess asks after the known word nearest to an unknown one, if any is near.
func guess(word string, known []string) string {
	best, distance := "", 3
	for _, k := range known {
		if d := edits(word, k); d < distance && d < len(word) {
			best, distance = k, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf(", did you mean %q?", best)
}

// edits is the Levenshtein distance of two words.
func edits(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, diagonal+1, row[j]+1)
		}
	}
	return row[len(b)]
}

func distinct(in []string) []string {
	slices.Sort(in)
	return slices.Compact(in)
}
