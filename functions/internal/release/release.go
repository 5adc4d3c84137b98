package release

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/modelplane-go/modelplane/functions/internal/names"
	"github.com/modelplane-go/modelplane/schemas/remote"
)

// Traefik is the chart of the control plane's gateway, with Traefik v3.7.1.
//
// Gateways need v3.7: earlier versions take a backend's own filters and ignore
// them. The chart is the last one that brings the CRDs of the Gateway API, in
// its directory crds: Helm installs those that do not exist, and neither changes
// nor deletes them afterwards. Later charts want them installed beforehand.
func Traefik() remote.Chart {
	return remote.Chart{Name: "traefik", Repository: "https://traefik.github.io/charts", Version: "40.1.0"}
}

// Override what is not empty of a chart's repository and version.
func Override(c remote.Chart, repository, version string) remote.Chart {
	if repository != "" {
		c.Repository = repository
	}
	if version != "" {
		c.Version = version
	}
	return c
}

// InClusterProviderConfig lets provider-helm install on the control plane itself.
func InClusterProviderConfig() *remote.ProviderConfig {
	return &remote.ProviderConfig{
		TypeMeta: metav1.TypeMeta{APIVersion: remote.HelmAPIVersion, Kind: remote.KindProviderConfig},
		Metadata: remote.Metadata{Name: names.HelmProviderConfig, Namespace: names.SystemNamespace},
		Spec: remote.ProviderConfigSpec{
			Credentials: &remote.ProviderCredentials{Source: remote.CredentialsInjectedIdentity},
		},
	}
}

// InCluster is a release on the control plane itself, in a namespace of its own.
//
// It does not wait for what it installs: Helm would wait for a load balancer's
// address too, and fail where there is none. Whoever needs what was installed
// looks at it.
func InCluster(name, namespace string, chart remote.Chart, values any) *remote.Release {
	return &remote.Release{
		TypeMeta: metav1.TypeMeta{APIVersion: remote.HelmAPIVersion, Kind: remote.KindRelease},
		Metadata: remote.Metadata{Name: name, Namespace: names.SystemNamespace},
		Spec: remote.ReleaseSpec{
			ProviderConfigRef: &remote.Reference{Kind: remote.KindProviderConfig, Name: names.HelmProviderConfig},
			ForProvider:       &remote.ReleaseParameters{Chart: &chart, Namespace: namespace, Values: values},
		},
	}
}
