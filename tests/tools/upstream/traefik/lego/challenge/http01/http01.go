// Package http01 names the challenge that is answered by HTTP.
package http01

import "time"

// PathPrefix of what an authority would ask for. It is standardised.
const PathPrefix = "/.well-known/acme-challenge/"

// A ChallengeOption changes nothing.
type ChallengeOption struct{}

// SetDelay is an option that changes nothing.
func SetDelay(time.Duration) (o ChallengeOption) { return o }
