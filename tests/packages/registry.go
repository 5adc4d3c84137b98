package packages

import (
	"context"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"runtime"
	"time"

	"github.com/google/go-containerregistry/pkg/registry"
	"golang.org/x/sync/errgroup"
)

// A Registry holds images in memory, and serves them over plain HTTP.
type Registry struct {
	// Address it is served at, such as 127.0.0.1:5000.
	Address string

	server *http.Server
}

// Serve a new registry at a loopback address, of any port if the port is 0, until
// it is closed.
func Serve(ctx context.Context, address string) (*Registry, error) {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", address)
	if err != nil {
		return nil, fmt.Errorf("cannot serve a registry: %w", err)
	}
	s := &http.Server{
		Handler:           registry.New(registry.Logger(log.New(io.Discard, "", 0))),
		ReadHeaderTimeout: 10 * time.Second,
	}
	go func() { _ = s.Serve(l) }()
	return &Registry{Address: l.Addr().String(), server: s}, nil
}

// Close stops serving, and forgets every image.
func (r *Registry) Close() error { return r.server.Close() }

// Push packages to a registry with the Crossplane CLI, as anybody would. A
// registry at a loopback address is taken to speak plain HTTP.
func Push(ctx context.Context, cli, registry string, all ...Package) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.NumCPU())
	for _, p := range all {
		g.Go(func() error {
			if err := run(ctx, ".", cli, "xpkg", "push", "--package-files="+p.Path, p.Reference(registry)); err != nil {
				return fmt.Errorf("cannot push %s: %w", p.Reference(registry), err)
			}
			return nil
		})
	}
	return g.Wait()
}
