package xfn

import (
	"fmt"
	"strings"
)

// maxListed is how many things a message names before it counts the rest.
const maxListed = 5

// Join names the first few items of a list, and counts the rest, so that a
// message stays short however large the fleet.
func Join(items []string, separator string) string {
	if len(items) <= maxListed {
		return strings.Join(items, separator)
	}
	return fmt.Sprintf("%s%sand %d more", strings.Join(items[:maxListed], separator), separator, len(items)-maxListed)
}
