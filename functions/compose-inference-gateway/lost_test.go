package main

import (
	"strings"
	"testing"

	fnv1 "github.com/crossplane/function-sdk-go/proto/v1"

	"github.com/modelplane-go/modelplane/functions/internal/xfn"
	"github.com/modelplane-go/modelplane/functions/internal/xfntest"
)

// TestNothingIsLost breaks each thing that a settled gateway rests on.
func TestNothingIsLost(t *testing.T) {
	cases := map[string]struct {
		reason string
		broken func(w *xfntest.World)
		ready  bool
		why    string // Part of the condition that says so.
	}{
		"Settled": {
			reason: "A settled gateway should be ready.",
			broken: func(*xfntest.World) {},
			ready:  true,
		},
		"ProviderConfigGone": {
			reason: "A ProviderConfig that is gone should be made again, and take nothing with it.",
			broken: func(w *xfntest.World) { delete(w.Observed, "providerconfig-helm") },
			ready:  true,
		},
		"ReleaseFails": {
			reason: "A chart that cannot be installed should leave the gateway, and say so.",
			broken: func(w *xfntest.World) { w.Observed["release-traefik"] = traefik + isFailing },
			why:    "installing chart traefik 40.1.0 from https://traefik.github.io/charts: chart not found",
		},
		"ReleaseBlank": {
			reason: "A release that nothing is said of should leave the gateway, which is not ready.",
			broken: func(w *xfntest.World) { w.Observed["release-traefik"] = traefik },
			why:    "installing chart traefik",
		},
		"ChartMistyped": {
			reason: "Another chart should leave the gateway, which is ready as long as its controller is.",
			broken: func(w *xfntest.World) {
				w.Composite = strings.Replace(settled, "Traefik\n", "Traefik\n  traefik: {version: 404.0.0}\n", 1)
			},
			ready: true,
		},
		"Unread": {
			reason: "What was not read yet should leave the authorizer, and what protects the gateway.",
			broken: func(w *xfntest.World) { w.Required = nil },
			ready:  true,
		},
		"FunctionGone": {
			reason: "A Function of another name should leave the authorizer as it is.",
			broken: func(w *xfntest.World) { w.Required["function"] = []any{} },
			ready:  true,
		},
		"CertificateMissing": {
			reason: "A gateway that is to serve HTTPS and has no certificate should serve HTTP as it did, and say which Secret is missing.",
			broken: func(w *xfntest.World) {
				w.Composite = strings.Replace(settled, "Traefik\n", "Traefik\n  tls: {secretRef: {name: front-door-tls}}\n", 1)
				w.Observed["gateway"] = secureFront + serves("False", "Cannot load CertificateRef: secret not found")
			},
			why: "the gateway serves HTTP only, for want of a certificate in Secret modelplane-system/front-door-tls of spec.tls.secretRef " +
				"(Cannot load CertificateRef: secret not found): make it with kubectl create secret tls front-door-tls --namespace modelplane-system --cert=<file> --key=<file>",
		},
		"StatusBlank": {
			reason: "A status that someone emptied should be made anew of what is observed.",
			broken: func(w *xfntest.World) { w.Composite = gateway },
			ready:  true,
		},
		"ReleaseGone": {
			reason: "A release that is gone should leave the gateway.",
			broken: func(w *xfntest.World) { delete(w.Observed, "release-traefik") },
			why:    "installing chart traefik",
		},
		"ClassRefused": {
			reason: "A class that is not accepted should stay.",
			broken: func(w *xfntest.World) { w.Observed["gatewayclass"] = class },
			why:    "Traefik has not accepted GatewayClass traefik",
		},
		"ClassGone": {
			reason: "A class that is gone should be made again, and leave the gateway.",
			broken: func(w *xfntest.World) { delete(w.Observed, "gatewayclass") },
			why:    "Traefik has not accepted GatewayClass traefik",
		},
		"GatewayRefused": {
			reason: "A gateway that is not accepted should stay, and say why it is not.",
			broken: func(w *xfntest.World) { w.Observed["gateway"] = front + isRefused },
			why:    "Traefik has not accepted Gateway modelplane-system/modelplane: At least one Listener must be valid",
		},
		"GatewayGone": {
			reason: "A gateway that is gone should be made again, at the address that was known.",
			broken: func(w *xfntest.World) { delete(w.Observed, "gateway") },
			why:    "Traefik has not accepted Gateway",
		},
		"AddressGone": {
			reason: "An address that was known should stay while the gateway has none.",
			broken: func(w *xfntest.World) { w.Observed["gateway"] = front + isAccepted },
			ready:  true,
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			w := world()
			tc.broken(&w)
			req := w.Request(t)
			rsp := xfn.Run(compose, req)

			if got := xfntest.Dropped(req, rsp); len(got) > 0 {
				t.Errorf("\n%s\ndropped %v", tc.reason, got)
			}
			if got := len(rsp.GetDesired().GetResources()); got != len(world().Observed) {
				t.Errorf("\n%s\nwant all %d desired, got %d", tc.reason, len(world().Observed), got)
			}
			if got := rsp.GetDesired().GetComposite().GetReady() == fnv1.Ready_READY_TRUE; got != tc.ready {
				t.Errorf("\n%s\nready: want %t, got %t", tc.reason, tc.ready, got)
			}
			if got := rsp.GetDesired().GetComposite().GetResource().GetFields()["status"].GetStructValue().GetFields()["address"].GetStringValue(); got != "http://203.0.113.1" {
				t.Errorf("\n%s\nstatus.address is %q", tc.reason, got)
			}
			if !says(rsp, tc.why) {
				t.Errorf("\n%s\nwant a condition that says %q, got %v", tc.reason, tc.why, rsp.GetConditions())
			}
		})
	}
}

// says whether a condition that is False says why. Nothing is said by none.
func says(rsp *fnv1.RunFunctionResponse, why string) bool {
	for _, c := range rsp.GetConditions() {
		if c.GetStatus() == fnv1.Status_STATUS_CONDITION_FALSE {
			return why != "" && strings.Contains(c.GetMessage(), why)
		}
	}
	return why == ""
}
