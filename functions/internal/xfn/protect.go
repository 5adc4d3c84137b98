package xfn

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/modelplane-go/modelplane/functions/internal/names"
	"github.com/modelplane-go/modelplane/schemas/remote"
)

// Protect something from deletion on behalf of the composite resource of a name:
// something in a namespace, or in none. It is ready once the usage exists: what is
// protected serves without it.
func (c *Call) Protect(owner, key, namespace string, spec remote.UsageSpec) error {
	kind := remote.KindClusterUsage
	if namespace != "" {
		kind = remote.KindUsage
	}
	return c.Desire(key, &remote.Usage{
		TypeMeta: metav1.TypeMeta{APIVersion: remote.ProtectionAPIVersion, Kind: kind},
		Metadata: remote.Metadata{Name: names.Usage(owner, key), Namespace: namespace},
		Spec:     spec,
	}, c.Exists(key))
}
