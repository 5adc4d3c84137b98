package devices

import (
	"fmt"

	"github.com/blang/semver/v4"
	resourcev1 "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/validation"
)

// Validate says what is wrong with a class's devices: what no DRA driver could
// publish, and what no claim could be made for. Problems are in the order of the
// devices. Nothing is wrong if there are none.
func Validate(devices []Device) []string {
	var out []string
	seen := map[string]bool{}
	for _, d := range devices {
		for _, problem := range d.problems() {
			out = append(out, fmt.Sprintf("device %q: %s", d.Name, problem))
		}
		if seen[d.Name] {
			out = append(out, fmt.Sprintf("device %q: listed more than once", d.Name))
		}
		seen[d.Name] = true
	}
	return out
}

func (d Device) problems() []string {
	var out []string
	for _, msg := range validation.IsDNS1123Label(d.Name) {
		out = append(out, "name: "+msg)
	}
	out = append(out, d.driverProblems()...)
	if d.Count < 0 {
		out = append(out, fmt.Sprintf("count: %d is negative", d.Count))
	}
	if n := len(d.Attributes) + len(d.Capacity); n > resourcev1.ResourceSliceMaxAttributesAndCapacitiesPerDevice {
		out = append(out, fmt.Sprintf("%d attributes and capacities, at most %d", n, resourcev1.ResourceSliceMaxAttributesAndCapacitiesPerDevice))
	}
	for _, name := range sortedKeys(d.Attributes) {
		for _, problem := range append(nameProblems(name), d.Attributes[name].problems()...) {
			out = append(out, fmt.Sprintf("attribute %q: %s", name, problem))
		}
	}
	for _, name := range sortedKeys(d.Capacity) {
		for _, problem := range append(nameProblems(name), quantityProblems(d.Capacity[name])...) {
			out = append(out, fmt.Sprintf("capacity %q: %s", name, problem))
		}
	}
	out = append(out, repeated("attribute", sortedKeys(d.Attributes), d.Driver)...)
	return append(out, repeated("capacity", sortedKeys(d.Capacity), d.Driver)...)
}

func (d Device) driverProblems() []string {
	var out []string
	for _, msg := range validation.IsDNS1123Subdomain(d.Driver) {
		out = append(out, "driver: "+msg)
	}
	if n := len(d.Driver); n > resourcev1.DriverNameMaxLength {
		out = append(out, fmt.Sprintf("driver: %d characters, at most %d", n, resourcev1.DriverNameMaxLength))
	}
	if d.Synthetic && d.DeviceClassName == "" {
		return out
	}
	if d.DeviceClassName == "" {
		return append(out, "deviceClassName: needed to claim the device by DRA")
	}
	for _, msg := range validation.IsDNS1123Subdomain(d.DeviceClassName) {
		out = append(out, "deviceClassName: "+msg)
	}
	return out
}

// nameProblems checks the name of an attribute or a capacity: an identifier,
// and perhaps a domain before it.
func nameProblems(name string) []string {
	var out []string
	domain, id := qualify(name, "")
	if domain != "" || len(id) < len(name) {
		for _, msg := range validation.IsDNS1123Subdomain(domain) {
			out = append(out, "domain: "+msg)
		}
	}
	if n := len(domain); n > resourcev1.DeviceMaxDomainLength {
		out = append(out, fmt.Sprintf("domain: %d characters, at most %d", n, resourcev1.DeviceMaxDomainLength))
	}
	if n := len(id); n > resourcev1.DeviceMaxIDLength {
		out = append(out, fmt.Sprintf("name: %d characters, at most %d", n, resourcev1.DeviceMaxIDLength))
	}
	if !identifier.MatchString(id) {
		out = append(out, fmt.Sprintf("name: %q is not a C identifier", id))
	}
	return out
}

func (a Attribute) problems() []string {
	set := 0
	for _, is := range []bool{a.String != nil, a.Version != nil, a.Bool != nil, a.Int != nil} {
		if is {
			set++
		}
	}
	if set != 1 {
		return []string{fmt.Sprintf("%d values, exactly one of string, version, bool and int is wanted", set)}
	}
	text, _ := a.text()
	if n := len(text); n > resourcev1.DeviceAttributeMaxValueLength {
		return []string{fmt.Sprintf("%d characters, at most %d", n, resourcev1.DeviceAttributeMaxValueLength)}
	}
	if a.Version == nil {
		return nil
	}
	if _, err := semver.Parse(text); err != nil {
		return []string{fmt.Sprintf("version %q: %v (write 9.0.0, not 9.0)", text, err)}
	}
	return nil
}

func quantityProblems(value string) []string {
	if _, err := resource.ParseQuantity(value); err != nil {
		return []string{fmt.Sprintf("%q is not a quantity: write 80Gi or 80e9", value)}
	}
	return nil
}

// repeated finds names that mean the same once the driver is their domain.
func repeated(what string, names []string, driver string) []string {
	var out []string
	seen := map[property]string{}
	for _, name := range names {
		domain, id := qualify(name, driver)
		p := property{domain: domain, id: id}
		if first, ok := seen[p]; ok {
			out = append(out, fmt.Sprintf("%s %q: the same as %q", what, name, first))
			continue
		}
		seen[p] = name
	}
	return out
}
