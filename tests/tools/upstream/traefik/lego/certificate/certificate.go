// Package certificate describes the certificates Traefik would ask for.
package certificate

import "github.com/go-acme/lego/v5/certcrypto"

// A Resource is a certificate and its key.
type Resource struct {
	ID                      string
	Domains                 []string
	Certificate, PrivateKey []byte
}

// An ObtainRequest asks for a certificate.
type ObtainRequest struct {
	Domains, EmailAddresses  []string
	Bundle, EnableCommonName bool
	PreferredChain, Profile  string
	KeyType                  certcrypto.KeyType
}

// RenewOptions say how to ask for a certificate again.
type RenewOptions struct {
	EmailAddresses           []string
	Bundle, EnableCommonName bool
	PreferredChain, Profile  string
}
