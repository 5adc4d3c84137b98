package devices

import (
	"fmt"
	"regexp"
	"strconv"

	"github.com/blang/semver/v4"
	"k8s.io/apimachinery/pkg/api/resource"
)

// identifier is what DRA allows as the name of an attribute or a capacity, and
// what can be selected with a dot in CEL.
var identifier = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// Vocabulary is what a selector may say of devices: CEL expressions, each true
// of at least one of them, sorted. What a device publishes in a malformed way is
// left out, for no selector can be true of it.
func Vocabulary(devices []Device) []string {
	var out []string
	for _, d := range devices {
		out = append(out, "device.driver == "+strconv.Quote(d.Driver))
		for _, name := range sortedKeys(d.Attributes) {
			if s, ok := sayAttribute(access("attributes", name, d.Driver), d.Attributes[name]); ok {
				out = append(out, s)
			}
		}
		for _, name := range sortedKeys(d.Capacity) {
			if s, ok := sayCapacity(access("capacity", name, d.Driver), d.Capacity[name]); ok {
				out = append(out, s)
			}
		}
	}
	return distinct(out)
}

// access is how a selector gets at an attribute or a capacity.
func access(field, name, driver string) string {
	domain, id := qualify(name, driver)
	s := fmt.Sprintf("device.%s[%s]", field, strconv.Quote(domain))
	if identifier.MatchString(id) {
		return s + "." + id
	}
	return s + "[" + strconv.Quote(id) + "]"
}

func sayAttribute(access string, a Attribute) (string, bool) {
	text, ok := a.text()
	if !ok {
		return "", false
	}
	switch {
	case a.String != nil:
		return access + " == " + strconv.Quote(text), true
	case a.Version != nil:
		_, err := semver.Parse(text)
		return fmt.Sprintf("%s.compareTo(semver(%s)) >= 0", access, strconv.Quote(text)), err == nil
	}
	return access + " == " + text, true
}

func sayCapacity(access, value string) (string, bool) {
	_, err := resource.ParseQuantity(value)
	return fmt.Sprintf("%s.compareTo(quantity(%s)) >= 0", access, strconv.Quote(value)), err == nil
}
