package devices

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// A property is what a selector may ask of a device, with its domain spelled
// out: an attribute, a capacity or the driver itself.
type property struct {
	kind   propertyKind
	domain string
	id     string // Empty for a driver, and where a selector names a domain only.
}

type propertyKind string

const (
	driverName propertyKind = "driver"
	attribute  propertyKind = "attribute"
	capacity   propertyKind = "capacity"
)

// String is the property as a message names it: memory, or the driver.
func (p property) String() string {
	if p.kind == driverName {
		return "driver"
	}
	if p.id == "" {
		return p.domain
	}
	return p.id
}

// qualify splits a published name into domain and id. A name without a domain
// is in its driver's.
func qualify(name, driver string) (domain, id string) {
	domain, id, ok := strings.Cut(name, "/")
	if !ok {
		return driver, name
	}
	return domain, id
}

// value is what a device has for a property, as people write it.
func (d Device) value(p property) (string, bool) {
	switch p.kind {
	case driverName:
		return d.Driver, true
	case attribute:
		return d.attribute(p)
	case capacity:
		return d.capacity(p)
	}
	return "", false
}

func (d Device) attribute(p property) (string, bool) {
	for _, name := range sortedKeys(d.Attributes) {
		if domain, id := qualify(name, d.Driver); domain == p.domain && id == p.id {
			return d.Attributes[name].text()
		}
	}
	return "", false
}

func (d Device) capacity(p property) (string, bool) {
	for _, name := range sortedKeys(d.Capacity) {
		if domain, id := qualify(name, d.Driver); domain == p.domain && id == p.id {
			return d.Capacity[name], true
		}
	}
	return "", false
}

// text is the attribute's value as people write it.
func (a Attribute) text() (string, bool) {
	switch {
	case a.String != nil:
		return *a.String, true
	case a.Version != nil:
		return *a.Version, true
	case a.Bool != nil:
		return strconv.FormatBool(*a.Bool), true
	case a.Int != nil:
		return strconv.FormatInt(*a.Int, 10), true
	}
	return "", false
}

func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K {
	return slices.Sorted(maps.Keys(m))
}
