package controlplane

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"path/filepath"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"

	"github.com/modelplane-go/modelplane/tests/tools"
)

// traefikController is the name Traefik looks for in GatewayClasses.
const traefikController = "traefik.io/gateway-controller"

// clusterGateway is the Gateway that routes on a cluster attach to.
const clusterGateway = "inference-gateway"

// traefikGrace is longer than Traefik gives requests to end when it is told to.
const traefikGrace = 12 * time.Second

// traefik is the name of the process that is the control plane's gateway.
const traefik = "traefik"

// startClusterGateway starts the gateway a cluster of ours would have. Without a
// network of its own a fleet has no address for it, and a stand-in says that it
// is there.
func (f *Fleet) startClusterGateway(ctx context.Context, r *Remote) error {
	if err := r.applyAtOnce(ctx, f.programs.gatewayCRDs()...); err != nil {
		return err
	}
	if !f.programs.Isolated {
		if err := f.startGateway(ctx, r.Server, r.GatewayAddress()); err != nil {
			return err
		}
		return r.Apply(ctx, gatewayOf(standIn, standInController)...)
	}

	port, err := f.ports.take()
	if err != nil {
		return err
	}
	// Nobody waits for it: what is routed takes effect when it does.
	_, _, err = f.processes.begin(f.traefik(r.Server, Gateway(r.Name), local(port),
		"--entrypoints.web.address="+net.JoinHostPort(r.GatewayAddress(), "80"),
		"--entrypoints.traefik.address="+local(port),
		"--ping=true",
		"--providers.kubernetesgateway=true",
		"--providers.kubernetesgateway.statusaddress.ip="+r.GatewayAddress(),
	))
	if err != nil {
		return err
	}
	return r.Apply(ctx, gatewayOf(traefik, traefikController)...)
}

// traefik as a process, which answers pings at an address. It takes what changes
// at once, and not after seconds as it does where clusters are large.
func (f *Fleet) traefik(s *Server, name, ping string, args ...string) command {
	return command{
		name: name,
		path: f.programs.upstream(tools.Traefik()),
		args: append(args,
			"--global.checknewversion=false",
			"--global.sendanonymoususage=false",
			"--log.nocolor=true",
			"--accesslog=true",
			"--accesslog.format=json",
			"--accesslog.filepath="+filepath.Join(f.processes.logs, name+".access.log"),
			"--providers.providersthrottleduration=100ms",
			"--providers.kubernetesgateway.throttleduration=100ms",
		),
		env:   []string{"KUBECONFIG=" + s.Kubeconfig},
		ready: pongs("http://" + ping + "/ping"),
		grace: traefikGrace,
	}
}

// pongs returns nil once a URL is answered.
func pongs(url string) func(ctx context.Context) error {
	return func(ctx context.Context) error {
		ctx, cancel := context.WithTimeout(ctx, time.Second)
		defer cancel()
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
		if err != nil {
			return fmt.Errorf("cannot ask: %w", err)
		}
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			return fmt.Errorf("nobody answers: %w", err)
		}
		_ = resp.Body.Close()
		if resp.StatusCode != http.StatusOK {
			return fmt.Errorf("%s says %s", url, resp.Status)
		}
		return nil
	}
}

// gatewayOf a cluster, of a class, and the namespace it is in.
func gatewayOf(class string, controller gatewayv1.GatewayController) []object {
	return []object{
		&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: modelplaneSystem}},
		&gatewayv1.GatewayClass{
			ObjectMeta: metav1.ObjectMeta{Name: class},
			Spec:       gatewayv1.GatewayClassSpec{ControllerName: controller},
		},
		&gatewayv1.Gateway{
			ObjectMeta: metav1.ObjectMeta{Namespace: modelplaneSystem, Name: clusterGateway},
			Spec: gatewayv1.GatewaySpec{
				GatewayClassName: gatewayv1.ObjectName(class),
				Listeners: []gatewayv1.Listener{{
					Name:     "http",
					Port:     80,
					Protocol: gatewayv1.HTTPProtocolType,
					AllowedRoutes: &gatewayv1.AllowedRoutes{
						Namespaces: &gatewayv1.RouteNamespaces{From: new(gatewayv1.NamespacesFromAll)},
					},
				}},
			},
		},
	}
}
