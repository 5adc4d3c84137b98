package routing

import (
	"fmt"
	"net/netip"
	"net/url"
	"strconv"
	"strings"

	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/util/validation"
)

// maxPath is the longest path a route may put in the place of another.
const maxPath = 1024

// A Target is where an endpoint's URL leads.
type Target struct {
	Scheme  string // http or https.
	Host    string // An IP address without brackets, or a DNS name.
	Port    int32
	Type    discoveryv1.AddressType // Of the host.
	Rewrite string                  // What stands for a service's path, unless the endpoint says otherwise.
}

// ParseTarget finds where a URL leads. An error completes a sentence that begins
// with the URL, and says what to do.
func ParseTarget(raw string) (Target, error) {
	u, err := url.Parse(raw)
	if err != nil {
		return Target{}, fmt.Errorf("is not a URL: write it like https://api.example.com:8443")
	}

	t := Target{Scheme: strings.ToLower(u.Scheme), Rewrite: rewritten(u.EscapedPath())}
	if t.Scheme != "http" && t.Scheme != "https" {
		return Target{}, fmt.Errorf("must begin with http:// or https://")
	}
	if u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return Target{}, fmt.Errorf("must be a scheme, a host and optionally a port and a path: remove what else it has")
	}
	if len(t.Rewrite) > maxPath {
		return Target{}, fmt.Errorf("has a path of %d characters: a route has room for %d", len(t.Rewrite), maxPath)
	}
	if t.Port, err = port(t.Scheme, u.Port()); err != nil {
		return Target{}, err
	}
	t.Host, t.Type, err = host(u.Hostname())
	return t, err
}

func port(scheme, written string) (int32, error) {
	if written == "" && scheme == "https" {
		return 443, nil
	}
	if written == "" {
		return 80, nil
	}
	n, err := strconv.ParseUint(written, 10, 16)
	if err != nil || n == 0 {
		return 0, fmt.Errorf("has port %s: it must be from 1 to 65535", written)
	}
	return int32(n), nil
}

func host(written string) (string, discoveryv1.AddressType, error) {
	if written == "" {
		return "", "", fmt.Errorf("has no host: write it like https://api.example.com")
	}
	ip, err := netip.ParseAddr(written)
	if err != nil {
		return name(strings.ToLower(written))
	}

	ip = ip.Unmap()
	if ip.IsUnspecified() || ip.IsLoopback() || ip.IsLinkLocalUnicast() || ip.IsMulticast() || ip.Zone() != "" {
		return "", "", fmt.Errorf("has host %s, which leads nowhere from the gateway: use an address other machines reach", written)
	}
	if ip.Is4() {
		return ip.String(), discoveryv1.AddressTypeIPv4, nil
	}
	return ip.String(), discoveryv1.AddressTypeIPv6, nil
}

// name checks a DNS name. One that ends in a number is a mistyped IP address.
func name(written string) (string, discoveryv1.AddressType, error) {
	last := written[strings.LastIndex(written, ".")+1:]
	if _, err := strconv.ParseUint(last, 10, 64); err == nil || len(validation.IsDNS1123Subdomain(written)) > 0 {
		return "", "", fmt.Errorf("has host %s, which is neither an IP address nor a DNS name", written)
	}
	return written, discoveryv1.AddressTypeFQDN, nil
}

// rewritten is what stands for a service's path in requests to a URL of the
// supplied path. Requests bring the API's version, so that a URL written as an
// OpenAI client takes it, with a /v1 at the end, does not say it twice.
func rewritten(path string) string {
	p := strings.TrimSuffix(strings.TrimRight(path, "/"), "/v1")
	if p == "" {
		return "/"
	}
	return p
}
