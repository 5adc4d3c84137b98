// Package ext stands in for the package in which builds of Traefik add fields to
// its configuration. This build adds none.
package ext

// HTTP is embedded in the configuration of everything that is HTTP's.
type HTTP struct{}

// Router is embedded in the configuration of a router.
type Router struct{}
