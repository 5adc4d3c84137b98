package devices

import (
	"strconv"
	"strings"
)

// maxName is the most characters a DNS label has.
const maxName = 63

// number names the claims of one request that is divided among DeviceClasses,
// <request>-1 and so on, passing over names that are taken.
func number(claims []Claim, taken map[string]bool) {
	n := 0
	for i := range claims {
		request := claims[i].Name
		for {
			n++
			claims[i].Name = suffixed(request, n)
			if !taken[claims[i].Name] {
				break
			}
		}
		taken[claims[i].Name] = true
	}
}

// suffixed appends a number and shortens the name where the two are too long
// for a DNS label.
func suffixed(name string, n int) string {
	suffix := "-" + strconv.Itoa(n)
	if over := len(name) + len(suffix) - maxName; over > 0 {
		name = strings.TrimRight(name[:len(name)-over], "-")
	}
	return name + suffix
}
