package routing

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseTarget(t *testing.T) {
	type want struct {
		target Target
		err    string // Part of it.
	}
	cases := map[string]struct {
		reason string
		url    string
		want   want
	}{
		"IPv4": {
			reason: "A cluster's gateway should be reached at its address.",
			url:    "http://203.0.113.7",
			want:   want{target: Target{Scheme: "http", Host: "203.0.113.7", Port: 80, Type: "IPv4", Rewrite: "/"}},
		},
		"IPv4Port": {
			reason: "A port should be taken as it is.",
			url:    "http://203.0.113.7:8080/",
			want:   want{target: Target{Scheme: "http", Host: "203.0.113.7", Port: 8080, Type: "IPv4", Rewrite: "/"}},
		},
		"IPv6": {
			reason: "An IPv6 address should lose its brackets, and be written the one way there is.",
			url:    "https://[2001:DB8::0007]:8443",
			want:   want{target: Target{Scheme: "https", Host: "2001:db8::7", Port: 8443, Type: "IPv6", Rewrite: "/"}},
		},
		"IPv4InIPv6": {
			reason: "An IPv4 address in IPv6's clothes should be an IPv4 address: an EndpointSlice wants it so.",
			url:    "http://[::ffff:203.0.113.7]",
			want:   want{target: Target{Scheme: "http", Host: "203.0.113.7", Port: 80, Type: "IPv4", Rewrite: "/"}},
		},
		"Name": {
			reason: "A DNS name should be in lower case, with the port of https.",
			url:    "https://API.example.com",
			want:   want{target: Target{Scheme: "https", Host: "api.example.com", Port: 443, Type: "FQDN", Rewrite: "/"}},
		},
		"Version": {
			reason: "Requests bring the API's version, so that the URL's should not be repeated.",
			url:    "https://api.example.com/v1/",
			want:   want{target: Target{Scheme: "https", Host: "api.example.com", Port: 443, Type: "FQDN", Rewrite: "/"}},
		},
		"Path": {
			reason: "A path should come before that of a request.",
			url:    "https://api.example.com/openai/v1",
			want:   want{target: Target{Scheme: "https", Host: "api.example.com", Port: 443, Type: "FQDN", Rewrite: "/openai"}},
		},
		"NotAURL": {
			reason: "Something else should be refused.",
			url:    "http://[::1",
			want:   want{err: "is not a URL"},
		},
		"NoScheme": {
			reason: "A scheme should be needed.",
			url:    "api.example.com:443",
			want:   want{err: "must begin with http:// or https://"},
		},
		"OtherScheme": {
			reason: "A scheme a gateway does not speak should be refused.",
			url:    "grpc://api.example.com",
			want:   want{err: "must begin with http:// or https://"},
		},
		"NoHost": {
			reason: "A host should be needed.",
			url:    "http://:8000",
			want:   want{err: "has no host"},
		},
		"PortName": {
			reason: "A port that is no number should be refused.",
			url:    "http://api.example.com:http",
			want:   want{err: "is not a URL"},
		},
		"PortZero": {
			reason: "Port 0 should be refused.",
			url:    "http://api.example.com:0",
			want:   want{err: "has port 0: it must be from 1 to 65535"},
		},
		"PortTooLarge": {
			reason: "A port beyond the largest should be refused.",
			url:    "http://api.example.com:65536",
			want:   want{err: "has port 65536: it must be from 1 to 65535"},
		},
		"Credentials": {
			reason: "Credentials should be refused, because nothing would send them.",
			url:    "https://user:secret@api.example.com",
			want:   want{err: "remove what else it has"},
		},
		"Query": {
			reason: "A query should be refused, because nothing would send it.",
			url:    "https://api.example.com/?key=secret",
			want:   want{err: "remove what else it has"},
		},
		"Loopback": {
			reason: "An EndpointSlice refuses a loopback address.",
			url:    "http://127.0.0.1:8000",
			want:   want{err: "leads nowhere from the gateway"},
		},
		"LinkLocal": {
			reason: "An EndpointSlice refuses a link-local address.",
			url:    "http://[fe80::1]:8000",
			want:   want{err: "leads nowhere from the gateway"},
		},
		"MistypedAddress": {
			reason: "A mistyped address should not pass for a name.",
			url:    "http://203.0.113.256",
			want:   want{err: "has host 203.0.113.256, which is neither"},
		},
		"MistypedName": {
			reason: "A name that is none should be refused.",
			url:    "http://api_1.example.com",
			want:   want{err: "has host api_1.example.com, which is neither"},
		},
		"LongPath": {
			reason: "A path a route has no room for should be refused.",
			url:    "http://api.example.com/" + strings.Repeat("a", 1024),
			want:   want{err: "has a path of 1025 characters"},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got, err := ParseTarget(tc.url)
			if (err != nil) != (tc.want.err != "") || (err != nil && !strings.Contains(err.Error(), tc.want.err)) {
				t.Fatalf("\n%s\nParseTarget(%q): want error %q, got %v", tc.reason, tc.url, tc.want.err, err)
			}
			if err != nil {
				return
			}
			if diff := cmp.Diff(tc.want.target, got); diff != "" {
				t.Errorf("\n%s\nParseTarget(%q): -want, +got:\n%s", tc.reason, tc.url, diff)
			}
		})
	}
}

func TestURL(t *testing.T) {
	cases := map[string]struct {
		reason  string
		gateway string
		want    string
		address string
		secure  bool
	}{
		"IPv4":   {reason: "An IPv4 address should stand as it is.", gateway: Origin("203.0.113.7"), want: "http://203.0.113.7/ml-team/qwen", address: "203.0.113.7"},
		"IPv6":   {reason: "An IPv6 address should have brackets.", gateway: Origin("2001:db8::7"), want: "http://[2001:db8::7]/ml-team/qwen", address: "[2001:db8::7]"},
		"Known":  {reason: "An address of a URL should make the same URL.", gateway: Origin("[2001:db8::7]"), want: "http://[2001:db8::7]/ml-team/qwen", address: "[2001:db8::7]"},
		"Port":   {reason: "An address may have a port.", gateway: Origin("203.0.113.7:8080"), want: "http://203.0.113.7:8080/ml-team/qwen", address: "203.0.113.7:8080"},
		"Name":   {reason: "A DNS name should stand as it is.", gateway: Origin("lb.example.com"), want: "http://lb.example.com/ml-team/qwen", address: "lb.example.com"},
		"Secure": {reason: "A gateway with TLS should be reached by HTTPS.", gateway: SecureOrigin("2001:db8::7"), want: "https://[2001:db8::7]/ml-team/qwen", address: "[2001:db8::7]", secure: true},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, URL(tc.gateway, "ml-team", "qwen")); diff != "" {
				t.Errorf("\n%s\nURL(%q): -want, +got:\n%s", tc.reason, tc.gateway, diff)
			}
			if diff := cmp.Diff(tc.address, Address(tc.gateway)); diff != "" {
				t.Errorf("\n%s\nAddress(%q): -want, +got:\n%s", tc.reason, tc.gateway, diff)
			}
			if got := Secure(tc.gateway); got != tc.secure {
				t.Errorf("\n%s\nSecure(%q): want %t, got %t", tc.reason, tc.gateway, tc.secure, got)
			}
		})
	}
}
