package main

import (
	"cmp"
	"context"
	"fmt"
	"os/signal"
	"syscall"

	"k8s.io/client-go/tools/clientcmd"

	"github.com/modelplane-go/modelplane/functions/internal/authorizer/server"
	"github.com/modelplane-go/modelplane/functions/internal/names"
)

// authorize is the command that runs the authorizer, in a container beside
// Traefik.
type authorize struct {
	Address    string `help:"Address at which to answer Traefik. 127.0.0.1:9099 by default: nobody is asked who he is."`
	Kubeconfig string `env:"KUBECONFIG" help:"Kubeconfig that reaches the control plane, outside of it."`
}

// Run until the pod is to go.
func (a *authorize) Run() error {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	config, err := clientcmd.BuildConfigFromFlags("", a.Kubeconfig)
	if err != nil {
		return fmt.Errorf("cannot find the control plane: %w", err)
	}
	return server.Serve(ctx, config, cmp.Or(a.Address, names.AuthorizerAddress))
}
