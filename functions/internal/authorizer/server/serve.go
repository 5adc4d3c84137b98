package server

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/modelplane-go/modelplane/functions/internal/authorizer"
)

const (
	// headerTimeout is ample for who asks from the same pod.
	headerTimeout = 5 * time.Second

	// grace is how long it serves on when its pod is to go. Traefik, which is told
	// at the same time, takes requests for 10 s more. Of those it has taken it asks
	// nothing any more.
	grace = 20 * time.Second
)

// Serve at an address until some time after the context is done.
func Serve(ctx context.Context, config *rest.Config, address string) error {
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return fmt.Errorf("cannot reach the API server: %w", err)
	}
	serving, stop := linger(ctx)
	defer stop()

	keys := authorizer.NewKeyring()
	ready, err := Watch(serving, client, keys)
	if err != nil {
		return err
	}
	l, err := (&net.ListenConfig{}).Listen(serving, "tcp", address)
	if err != nil {
		return fmt.Errorf("cannot listen: %w", err)
	}
	slog.InfoContext(ctx, "serving", "address", l.Addr().String())

	s := &http.Server{Handler: Handler(keys, ready), ReadHeaderTimeout: headerTimeout}
	context.AfterFunc(serving, func() { _ = s.Close() })
	if err := s.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("cannot serve: %w", err)
	}
	return nil
}

// linger returns a context that is done some time after another is.
func linger(ctx context.Context) (context.Context, context.CancelFunc) {
	out, cancel := context.WithCancel(context.WithoutCancel(ctx))
	context.AfterFunc(ctx, func() { time.AfterFunc(grace, cancel) })
	return out, cancel
}
