package release

import "github.com/modelplane-go/modelplane/functions/internal/names"

// TraefikValues are the values of the Traefik chart.
type TraefikValues struct {
	Providers    TraefikProviders `json:"providers"`
	Service      TraefikService   `json:"service"`
	Gateway      TraefikEnabled   `json:"gateway"`
	GatewayClass TraefikEnabled   `json:"gatewayClass"`
}

// TraefikProviders are where Traefik takes routes from.
type TraefikProviders struct {
	KubernetesGateway TraefikGatewayProvider `json:"kubernetesGateway"`
	KubernetesIngress TraefikEnabled         `json:"kubernetesIngress"`
}

// A TraefikGatewayProvider takes routes from the Gateway API.
type TraefikGatewayProvider struct {
	Enabled       bool                 `json:"enabled"`
	StatusAddress TraefikStatusAddress `json:"statusAddress"`
}

// A TraefikStatusAddress is where Traefik takes the address of a Gateway from.
type TraefikStatusAddress struct {
	Service TraefikServiceReference `json:"service"`
}

// A TraefikServiceReference refers to a Service.
type TraefikServiceReference struct {
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
}

// TraefikService is the Service Traefik is reached by.
type TraefikService struct {
	NameOverride string `json:"nameOverride"`
}

// TraefikEnabled switches a part of the chart on or off.
type TraefikEnabled struct {
	Enabled bool `json:"enabled"`
}

// FrontTraefik are the values of the control plane's gateway. Traefik takes
// routes from the Gateway API only, and its Gateways get the address of its
// Service, whose name the chart is told. The Gateway and its class are
// Modelplane's own to compose.
func FrontTraefik() TraefikValues {
	return TraefikValues{
		Providers: TraefikProviders{
			KubernetesGateway: TraefikGatewayProvider{
				Enabled:       true,
				StatusAddress: TraefikStatusAddress{Service: TraefikServiceReference{Namespace: names.TraefikNamespace, Name: names.TraefikRelease}},
			},
		},
		Service: TraefikService{NameOverride: names.TraefikRelease},
	}
}
