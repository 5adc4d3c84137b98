package names

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/validation"
)

// TestGatewayNames pins the names and keys of what carries requests.
func TestGatewayNames(t *testing.T) {
	long := strings.Repeat("long-", 50)

	cases := map[string]struct {
		reason string
		got    string
		want   string
	}{
		"Backend": {
			reason: "A Service's name shows the endpoint it stands for.",
			got:    Backend("ml-team", "qwen", "qwen-12345678"),
			want:   "qwen-12345678-255141cd",
		},
		"LongBackend": {
			reason: "A Service's name is a label.",
			got:    Backend("ml-team", "qwen", long),
			want:   "long-long-long-long-long-long-long-long-long-long-long-" + Hash("ml-team", "qwen", long),
		},
		"EndpointSlice": {
			reason: "A slice's name shows the type of its addresses, which is immutable.",
			got:    EndpointSlice("ml-team", "qwen", "qwen-12345678", "IPv4"),
			want:   "qwen-12345678-ipv4-f7fa6b7a",
		},
		"EndpointSliceKey": {
			reason: "A slice's key carries the type of its addresses, so that another type is another slice.",
			got:    KeyEndpointSlice("openai", "FQDN"),
			want:   "endpointslice-fqdn-openai",
		},
		"ServiceRetry": {
			reason: "A Middleware's name shows its service and what it does.",
			got:    ServiceRetry("ml-team", "qwen"),
			want:   "qwen-retry-b6098c65",
		},
		"ServiceUnavailable": {
			reason: "A Middleware's name shows its service and what it does.",
			got:    ServiceUnavailable("ml-team", "qwen"),
			want:   "qwen-unavailable-1bad33fb",
		},
		"ServiceCallers": {
			reason: "A Middleware's name shows its service and what it does.",
			got:    ServiceCallers("ml-team", "qwen"),
			want:   "qwen-callers-2f0f0b1d",
		},
		"BackendKey": {
			reason: "A key shows the endpoint.",
			got:    KeyBackend("openai"),
			want:   "service-openai",
		},
		"ServiceRoute": {
			reason: "A route's name shows its service.",
			got:    ServiceRoute("ml-team", "qwen"),
			want:   "qwen-12181a30",
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, tc.got); diff != "" {
				t.Errorf("\n%s\n-want, +got:\n%s", tc.reason, diff)
			}
			if msgs := validation.IsDNS1035Label(tc.got); len(msgs) > 0 {
				t.Errorf("\n%s\n%q: %v", tc.reason, tc.got, msgs)
			}
		})
	}
}
