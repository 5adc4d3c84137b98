package controlplane

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/modelplane-go/modelplane/tests/openai"
)

// An External is a provider of models outside the fleet, with a name and a
// certificate for it, of a CA that nobody trusts who is not told to.
type External struct {
	// Name and Address it has. It listens at port 443.
	Name, Address string

	mu       sync.Mutex
	requests []openai.Request
}

// External starts a provider of models that has a DNS name, until the fleet stops.
func (f *Fleet) External(ctx context.Context, name string) (*External, error) {
	f.mu.Lock()
	f.externals++
	e := &External{Name: name, Address: fmt.Sprintf("10.245.254.%d", f.externals)}
	f.mu.Unlock()

	if err := f.Name(name, e.Address); err != nil {
		return nil, err
	}
	pair, err := f.public.server(name, name)
	if err != nil {
		return nil, err
	}
	cert, err := tls.X509KeyPair(pair.cert, pair.key)
	if err != nil {
		return nil, fmt.Errorf("cannot use the certificate of %s: %w", name, err)
	}
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", net.JoinHostPort(e.Address, "443"))
	if err != nil {
		return nil, fmt.Errorf("cannot serve %s: %w", name, err)
	}
	s := &http.Server{
		Handler:           below((&openai.Server{Name: name, Model: "mock", Record: e.record}).Handler()),
		TLSConfig:         &tls.Config{Certificates: []tls.Certificate{cert}, MinVersion: tls.VersionTLS12},
		ReadHeaderTimeout: time.Minute,
		ErrorLog:          log.New(io.Discard, "", 0), // Who trusts it not is nothing to it.
	}
	go func() { _ = s.ServeTLS(l, "", "") }()
	f.atEnd(func() { _ = s.Close() })
	return e, nil
}

// below any path is where some providers have their API.
func below(api http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		prefix := r.URL.Path[:max(0, strings.Index(r.URL.Path, "/v1/"))]
		http.StripPrefix(prefix, api).ServeHTTP(w, r)
	})
}

func (e *External) record(r openai.Request) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.requests = append(e.requests, r)
}

// Requests that reached the provider, in the order they came.
func (e *External) Requests() []openai.Request {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.requests)
}

// PublicCA is the certificate, in PEM, of the authority that vouches for external
// providers.
func (f *Fleet) PublicCA() []byte { return f.public.pem }
