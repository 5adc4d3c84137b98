package main

import (
	"cmp"

	"github.com/modelplane-go/modelplane/functions/internal/routing"
)

// secure says whether the gateway serves HTTPS. What did before does until it
// is told not to: nobody falls back to HTTP because a certificate is amiss.
func (in input) secure() bool {
	return in.certificate() != "" && (in.listener.programmed || routing.Secure(in.gateway.Status.Address))
}

// address of the gateway, as a URL. One that was known stays while the Gateway has
// none. A gateway that serves HTTP goes on to until it serves HTTPS, but a new
// one that is to serve HTTPS has no address before it does.
func (in input) address() string {
	known := in.gateway.Status.Address
	if in.observed == "" && known == "" {
		return ""
	}
	host := cmp.Or(in.gateway.Spec.Hostname, in.observed, routing.Address(known))
	if in.secure() {
		return routing.SecureOrigin(host)
	}
	if in.certificate() != "" && known == "" {
		return ""
	}
	return routing.Origin(host)
}

// authorizes says whether the authorizer is installed.
func (in input) authorizes() bool {
	return in.installed && in.authorizer != ""
}
