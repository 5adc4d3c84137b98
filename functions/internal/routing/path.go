package routing

import (
	"net/netip"
	"strings"
)

// What the URL of a gateway begins with.
const (
	schemeHTTP  = "http://"
	schemeHTTPS = "https://"
)

// Path is the path prefix of a ModelService or a replica. It begins and ends
// with a slash.
func Path(namespace, name string) string {
	return "/" + namespace + "/" + name + "/"
}

// URL is the base URL of a ModelService or a replica at a gateway, by the
// gateway's own URL: the paths of the OpenAI API, such as /v1/models, follow it.
func URL(gateway, namespace, name string) string {
	return gateway + "/" + namespace + "/" + name
}

// Origin is the URL of a gateway that serves HTTP by its address, which is an IP
// address or a DNS name, and a port if it is not the usual one.
func Origin(address string) string {
	return schemeHTTP + bracketed(address)
}

// SecureOrigin is the URL of a gateway that serves HTTPS.
func SecureOrigin(address string) string {
	return schemeHTTPS + bracketed(address)
}

// Secure says whether a gateway of the supplied URL serves HTTPS.
func Secure(gateway string) bool {
	return strings.HasPrefix(gateway, schemeHTTPS)
}

// Address in the URL of a gateway.
func Address(gateway string) string {
	return strings.TrimPrefix(strings.TrimPrefix(gateway, schemeHTTPS), schemeHTTP)
}

// bracketed is an address as URLs have it: an IPv6 address is in brackets.
func bracketed(address string) string {
	if ip, err := netip.ParseAddr(address); err == nil && ip.Is6() {
		return "[" + address + "]"
	}
	return address
}
