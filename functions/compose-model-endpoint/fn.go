package main

import (
	"crypto/x509"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/modelplane-go/modelplane/functions/internal/routing"
	"github.com/modelplane-go/modelplane/functions/internal/xfn"
	"github.com/modelplane-go/modelplane/schemas/modelplane/v1alpha1"
)

// caKey is the key of a ConfigMap that holds certificates of CAs. The Gateway API
// says so of the ConfigMaps that a BackendTLSPolicy refers to.
const caKey = "ca.crt"

// compose a ModelEndpoint: read it and the CAs it trusts, decide whether requests
// can be sent to it, say so.
func compose(c *xfn.Call) error {
	endpoint := &v1alpha1.ModelEndpoint{}
	if err := c.Composite(endpoint); err != nil {
		return err
	}
	why, err := routable(c, endpoint)
	if err != nil {
		return err
	}
	c.SetConditions(why)
	c.SetReady(why.Status == metav1.ConditionTrue)
	return c.SetStatus(v1alpha1.ModelEndpointStatus{})
}

func routable(c *xfn.Call, e *v1alpha1.ModelEndpoint) (v1alpha1.Condition, error) {
	if _, err := routing.ParseTarget(e.Spec.URL); err != nil {
		return v1alpha1.URLInvalid(fmt.Sprintf("spec.url %q %v", e.Spec.URL, err)), nil
	}
	if t := e.Spec.TLS; t != nil && t.CAConfigMapRef != nil {
		return trusted(c, e, t.CAConfigMapRef.Name)
	}
	return v1alpha1.EndpointRoutable(), nil
}

// trusted says whether the CAs that an endpoint trusts are there.
func trusted(c *xfn.Call, e *v1alpha1.ModelEndpoint, name string) (v1alpha1.Condition, error) {
	found, err := xfn.Require[corev1.ConfigMap](c, "ca", xfn.Selector{
		APIVersion: "v1",
		Kind:       "ConfigMap",
		Namespace:  e.GetNamespace(),
		Name:       name,
	})
	if err != nil {
		return v1alpha1.Condition{}, err
	}
	where := fmt.Sprintf("ConfigMap %s/%s, which spec.tls.caConfigMapRef refers to,", e.GetNamespace(), name)
	switch found.State {
	case xfn.Unresolved:
		return v1alpha1.CAWaiting("waiting to read " + where), nil
	case xfn.Absent:
		return v1alpha1.CAInvalid(where + " does not exist: create it"), nil
	case xfn.Present:
	}
	if !x509.NewCertPool().AppendCertsFromPEM([]byte(found.Items[0].Data[caKey])) {
		return v1alpha1.CAInvalid(fmt.Sprintf("%s has no certificate in PEM in its key %s: put the CA's there", where, caKey)), nil
	}
	return v1alpha1.EndpointRoutable(), nil
}
