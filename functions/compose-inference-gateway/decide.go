package main

import (
	"cmp"

	"github.com/modelplane-go/modelplane/functions/internal/routing"
	"github.com/modelplane-go/modelplane/schemas/modelplane/v1alpha1"
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

// authentication that is in force. It is asked for once what checks keys is
// there, and from then on whatever becomes of that: who is asked for a key that
// nothing checks is refused, which is better than that nobody is asked.
func (in input) authentication() v1alpha1.GatewayAuthentication {
	if in.asked() == v1alpha1.AuthenticationNone {
		return v1alpha1.AuthenticationNone
	}
	if in.authorizes() || in.gateway.Status.Authentication == v1alpha1.AuthenticationAPIKeys {
		return v1alpha1.AuthenticationAPIKeys
	}
	return v1alpha1.AuthenticationNone
}

// authorizes says whether the authorizer is installed.
func (in input) authorizes() bool {
	return in.installed && in.authorizer != ""
}
