package routing

import (
	"net/netip"
)

// Path is the path prefix of a ModelService or a replica. It begins and ends
// with a slash.
func Path(namespace, name string) string {
	return "/" + namespace + "/" + name + "/"
}

// URL is the base URL of a ModelService at a gateway: the paths of the OpenAI
// API, such as /v1/models, follow it.
func URL(address, namespace, name string) string {
	return Origin(address) + "/" + namespace + "/" + name
}

// Origin is the URL of a gateway by its address, which is an IP address or a
// DNS name.
func Origin(address string) string {
	if ip, err := netip.ParseAddr(address); err == nil && ip.Is6() {
		return "http://[" + address + "]"
	}
	return "http://" + address
}
