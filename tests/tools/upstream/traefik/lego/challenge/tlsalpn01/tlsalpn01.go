// Package tlsalpn01 names the challenge that is answered in a TLS handshake.
package tlsalpn01

import (
	"errors"
	"time"
)

// ACMETLS1Protocol is the protocol of the handshake. It is standardised, and
// Traefik tells such handshakes from others by it.
const ACMETLS1Protocol = "acme-tls/1"

// A ChallengeOption changes nothing.
type ChallengeOption struct{}

// SetDelay is an option that changes nothing.
func SetDelay(time.Duration) (o ChallengeOption) { return o }

// ChallengeBlocks has no certificate to answer with.
func ChallengeBlocks(_, _ string) (cert, key []byte, err error) {
	return nil, nil, errors.New("this build of Traefik is without ACME")
}
