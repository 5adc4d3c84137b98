package controlplane

import (
	"context"
	"log/slog"

	"github.com/go-logr/logr"
	"golang.org/x/sync/errgroup"
	"k8s.io/klog/v2"
	ctrllog "sigs.k8s.io/controller-runtime/pkg/log"
)

// together does some things at once, and returns the first error. The others are
// told to give up.
func together(ctx context.Context, tasks ...func(ctx context.Context) error) error {
	g, ctx := errgroup.WithContext(ctx)
	for _, t := range tasks {
		g.Go(func() error { return t(ctx) })
	}
	return g.Wait()
}

// quiet keeps the libraries we use from printing among what we say. What they
// have to complain of are API servers that are down, which tests bring about.
func quiet() {
	klog.SetSlogLogger(slog.New(slog.DiscardHandler))
	ctrllog.SetLogger(logr.Discard())
}
