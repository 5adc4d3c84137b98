package controlplane

import (
	"context"
	"fmt"
	"path/filepath"

	pkgv1 "github.com/crossplane/crossplane/apis/v2/pkg/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// identityDir is where a pod finds who it is. There is one in a fleet that has
// it to itself, for the one program that looks there.
const identityDir = "/run/secrets/kubernetes.io/serviceaccount"

// A day is longer than any fleet lives.
const tokenSeconds = 24 * 60 * 60

// identify returns the environment of a program that runs as the ServiceAccount
// its DeploymentRuntimeConfig names, as in a pod. Where there is no place for
// that it is an administrator, and cannot do what takes an identity of its own.
func (r *packageRuntime) identify(ctx context.Context, rev *pkgv1.ProviderRevision) ([]string, error) {
	if !r.programs.Isolated {
		return []string{"KUBECONFIG=" + r.ControlPlane.Kubeconfig}, nil
	}
	account := &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Namespace: crossplaneSystem, Name: rev.GetName()}}
	config, err := r.runtimeConfig(ctx, rev)
	if err != nil {
		return nil, err
	}
	if t := config.Spec.ServiceAccountTemplate; t != nil && t.Metadata != nil && t.Metadata.Name != nil {
		account.Name = *t.Metadata.Name
	}
	if err := r.ControlPlane.Apply(ctx, account); err != nil {
		return nil, err
	}

	seconds := int64(tokenSeconds)
	token := &authenticationv1.TokenRequest{Spec: authenticationv1.TokenRequestSpec{ExpirationSeconds: &seconds}}
	if err := r.ControlPlane.Client.SubResource("token").Create(ctx, account, token); err != nil {
		return nil, fmt.Errorf("cannot make a token of %s: %w", account.Name, err)
	}
	err = writeFiles(identityDir, map[string][]byte{
		corev1.ServiceAccountTokenKey:     []byte(token.Status.Token),
		corev1.ServiceAccountRootCAKey:    r.ControlPlane.authority.pem,
		corev1.ServiceAccountNamespaceKey: []byte(crossplaneSystem),
	})
	if err != nil {
		return nil, err
	}
	return []string{
		"KUBERNETES_SERVICE_HOST=127.0.0.1",
		"KUBERNETES_SERVICE_PORT=" + portText(r.ControlPlane.port),
		// Helm keeps what it has fetched.
		"HELM_CACHE_HOME=" + filepath.Join(r.dir, "helm"),
		"HELM_CONFIG_HOME=" + filepath.Join(r.dir, "helm"),
		"HELM_DATA_HOME=" + filepath.Join(r.dir, "helm"),
	}, nil
}
