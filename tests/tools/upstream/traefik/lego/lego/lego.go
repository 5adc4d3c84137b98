// Package lego has the client with which Traefik would ask for certificates.
// Here there is none: whoever configures ACME is told so.
package lego

import (
	"context"
	"crypto/x509"
	"errors"
	"net/http"
	"time"

	"github.com/go-acme/lego/v5/acme"
	"github.com/go-acme/lego/v5/certificate"
	"github.com/go-acme/lego/v5/challenge"
	"github.com/go-acme/lego/v5/challenge/dns01"
	"github.com/go-acme/lego/v5/challenge/http01"
	"github.com/go-acme/lego/v5/challenge/tlsalpn01"
	"github.com/go-acme/lego/v5/registration"
)

// DirectoryURLLetsEncrypt is the default authority: none.
const DirectoryURLLetsEncrypt = ""

var errWithout = errors.New("this build of Traefik is without ACME")

// CertificateConfig of a Client.
type CertificateConfig struct{ Timeout time.Duration }

// Config of a Client.
type Config struct {
	CADirURL, UserAgent string
	HTTPClient          *http.Client
	Certificate         CertificateConfig
}

// NewConfig returns an empty Config.
func NewConfig(any) *Config { return &Config{} }

// CreateCertPool returns an error.
func CreateCertPool([]string, bool) (*x509.CertPool, error) { return nil, errWithout }

// A Client cannot be had: NewClient returns an error.
type Client struct {
	Certificate  *Certifier
	Challenge    *Solvers
	Registration *Registrar
}

// NewClient returns an error.
func NewClient(*Config) (*Client, error) { return nil, errWithout }

// Solvers of challenges.
type Solvers struct{}

// SetDNS01Provider returns an error.
func (*Solvers) SetDNS01Provider(challenge.Provider, ...dns01.ChallengeOption) error {
	return errWithout
}

// SetHTTP01Provider returns an error.
func (*Solvers) SetHTTP01Provider(challenge.Provider, ...http01.ChallengeOption) error {
	return errWithout
}

// SetTLSALPN01Provider returns an error.
func (*Solvers) SetTLSALPN01Provider(challenge.Provider, ...tlsalpn01.ChallengeOption) error {
	return errWithout
}

// A Registrar of accounts.
type Registrar struct{}

// Register returns an error.
func (*Registrar) Register(context.Context, registration.RegisterOptions) (*acme.ExtendedAccount, error) {
	return nil, errWithout
}

// RegisterWithExternalAccountBinding returns an error.
func (*Registrar) RegisterWithExternalAccountBinding(context.Context, registration.RegisterEABOptions) (*acme.ExtendedAccount, error) {
	return nil, errWithout
}

// A Certifier obtains certificates.
type Certifier struct{}

// Obtain returns an error.
func (*Certifier) Obtain(context.Context, certificate.ObtainRequest) (*certificate.Resource, error) {
	return nil, errWithout
}

// Renew returns an error.
func (*Certifier) Renew(context.Context, certificate.Resource, *certificate.RenewOptions) (*certificate.Resource, error) {
	return nil, errWithout
}
