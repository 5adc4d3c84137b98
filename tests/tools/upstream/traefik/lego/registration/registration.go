// Package registration describes how Traefik would introduce itself.
package registration

// RegisterOptions of an account.
type RegisterOptions struct{ TermsOfServiceAgreed bool }

// RegisterEABOptions of an account that is bound to another.
type RegisterEABOptions struct {
	TermsOfServiceAgreed bool
	Kid, HmacEncoded     string
}
