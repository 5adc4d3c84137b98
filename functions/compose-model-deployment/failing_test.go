package main

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/modelplane-go/modelplane/functions/internal/xfn"
)

// TestCallAgain: Crossplane is asked to call when a replica will have been not
// Ready for too long, and not much later.
func TestCallAgain(t *testing.T) {
	cases := map[string]struct {
		reason   string
		failover string
		down     time.Duration
		least    time.Duration
		most     time.Duration
	}{
		"NoFailover": {reason: "Nobody waits for anything.", down: 5 * time.Minute, least: xfn.TTLSettled, most: xfn.TTLSettled},
		"Soon":       {reason: "Ten seconds are left.", failover: "{afterSeconds: 310}", down: 5 * time.Minute, least: 9 * time.Second, most: 11 * time.Second},
		"Later":      {reason: "Until then it is looked at anyway.", failover: "{afterSeconds: 600}", down: 5 * time.Minute, least: xfn.TTLSettled, most: xfn.TTLSettled},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			w := settled()
			if tc.failover != "" {
				w.Composite = strings.Replace(deployment, "  replicas: 1\n", "  replicas: 1\n  failover: "+tc.failover+"\n", 1)
			}
			since := time.Now().Add(-tc.down).UTC().Format(time.RFC3339)
			w.Required = map[string][]any{"cluster-a": {inferenceCluster("a", "", fmt.Sprintf(`{type: Ready, status: "False", lastTransitionTime: %q}`, since))}}

			ttl := xfn.Run(compose, w.Request(t)).GetMeta().GetTtl().AsDuration()
			if ttl < tc.least || ttl > tc.most {
				t.Errorf("\n%s\nTTL: got %s, want %s to %s", tc.reason, ttl, tc.least, tc.most)
			}
		})
	}
}
