// Package dns knows no DNS provider.
package dns

import (
	"errors"

	"github.com/go-acme/lego/v5/challenge"
)

// NewDNSChallengeProviderByName returns an error.
func NewDNSChallengeProviderByName(string) (challenge.Provider, error) {
	return nil, errors.New("this build of Traefik is without ACME")
}
