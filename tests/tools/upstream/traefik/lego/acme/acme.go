// Package acme names what an authority would know of Traefik.
package acme

// An Account nobody has.
type Account struct{}

// An ExtendedAccount is an Account and where it would be.
type ExtendedAccount struct {
	Account

	Location string
}
