// Package challenge describes who would answer the challenges of an authority.
package challenge

import "context"

// A Provider answers challenges.
type Provider interface {
	Present(ctx context.Context, domain, token, keyAuth string) error
	CleanUp(ctx context.Context, domain, token, keyAuth string) error
}
