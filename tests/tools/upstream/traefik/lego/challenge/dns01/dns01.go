// Package dns01 names the challenge that is answered by DNS.
package dns01

import (
	"strings"
	"time"
)

// UnFqdn returns a name without the dot of the root. It is the one thing here
// Traefik needs for certificates that are not an authority's.
func UnFqdn(name string) string { return strings.TrimSuffix(name, ".") }

// Options of a Client.
type Options struct{ RecursiveNameservers []string }

// A Client asks nobody.
type Client struct{}

// NewClient returns a Client.
func NewClient(*Options) *Client { return &Client{} }

// SetDefaultClient sets nothing.
func SetDefaultClient(*Client) {}

// A ChallengeOption changes nothing.
type ChallengeOption struct{}

// CondOptions is an option that changes nothing.
func CondOptions(bool, ...ChallengeOption) (o ChallengeOption) { return o }

// PropagationWait is an option that changes nothing.
func PropagationWait(time.Duration, bool) (o ChallengeOption) { return o }

// DisableAuthoritativeNssPropagationRequirement is an option that changes nothing.
func DisableAuthoritativeNssPropagationRequirement() (o ChallengeOption) { return o }

// DisableRecursiveNSsPropagationRequirement is an option that changes nothing.
func DisableRecursiveNSsPropagationRequirement() (o ChallengeOption) { return o }
