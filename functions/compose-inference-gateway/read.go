package main

import (
	"cmp"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"

	"github.com/modelplane-go/modelplane/functions/internal/names"
	"github.com/modelplane-go/modelplane/functions/internal/release"
	"github.com/modelplane-go/modelplane/functions/internal/xfn"
	"github.com/modelplane-go/modelplane/schemas/modelplane/v1alpha1"
	"github.com/modelplane-go/modelplane/schemas/remote"
)

// defaultReplicas are those of the schema, for who composes without it.
const defaultReplicas = 2

// An input is everything the function read.
type input struct {
	gateway    *v1alpha1.InferenceGateway
	chart      remote.Chart
	image      string // Of the authorizer. Empty if it is not known.
	installed  bool   // The controller is.
	accepted   bool   // The GatewayClass and the Gateway are, by the controller.
	observed   string // Address the Gateway has.
	listener   listener
	authorizer string    // Image of the one in the observed Release. Empty if that has none.
	services   xfn.State // Of all ModelServices.
}

// A listener is how the HTTPS listener is.
type listener struct {
	programmed bool
	refused    string // Why its certificate is, if it is.
}

func read(c *xfn.Call) (input, error) {
	in := input{gateway: &v1alpha1.InferenceGateway{}}
	if err := c.Composite(in.gateway); err != nil {
		return input{}, err
	}
	in.chart = release.Traefik()
	if t := in.gateway.Spec.Traefik; t != nil {
		in.chart = release.Override(in.chart, t.Repository, t.Version)
	}
	in.installed = c.Ready(names.KeyTraefik)
	in.accepted = accepted(c, names.KeyGatewayClass) && accepted(c, names.KeyGateway)

	observed := &gatewayv1.Gateway{}
	if _, err := c.Observed(names.KeyGateway, observed); err != nil {
		return input{}, err
	}
	if a := observed.Status.Addresses; len(a) > 0 {
		in.observed = a[0].Value
	}
	in.listener = readListener(observed)

	var err error
	if in.authorizer, err = readAuthorizer(c); err != nil {
		return input{}, err
	}
	if in.image, err = readImage(c, in); err != nil {
		return input{}, err
	}
	in.services, err = readServices(c)
	return in, err
}

func accepted(c *xfn.Call, key string) bool {
	return c.Condition(key, string(gatewayv1.GatewayConditionAccepted)).Status == metav1.ConditionTrue
}

// readListener finds what is said of the HTTPS listener as it is now.
func readListener(g *gatewayv1.Gateway) listener {
	for _, l := range g.Status.Listeners {
		if l.Name != names.ListenerHTTPS {
			continue
		}
		programmed := current(g, l, gatewayv1.ListenerConditionProgrammed)
		refs := current(g, l, gatewayv1.ListenerConditionResolvedRefs)
		out := listener{programmed: programmed != nil && programmed.Status == metav1.ConditionTrue}
		if refs != nil && refs.Status == metav1.ConditionFalse {
			out.programmed, out.refused = false, refs.Message
		}
		return out
	}
	return listener{}
}

// current condition of a listener, if it is of the Gateway's present generation.
func current(g *gatewayv1.Gateway, l gatewayv1.ListenerStatus, t gatewayv1.ListenerConditionType) *metav1.Condition {
	cond := meta.FindStatusCondition(l.Conditions, string(t))
	if cond == nil || cond.ObservedGeneration != 0 && cond.ObservedGeneration < g.GetGeneration() {
		return nil
	}
	return cond
}

// A traefikRelease is what is read of the observed Release.
type traefikRelease struct {
	Spec struct {
		ForProvider struct {
			Values struct {
				Deployment struct {
					AdditionalContainers []struct {
						Name  string `json:"name"`
						Image string `json:"image"`
					} `json:"additionalContainers"`
				} `json:"deployment"`
			} `json:"values"`
		} `json:"forProvider"`
	} `json:"spec"`
}

// readAuthorizer finds the image of the authorizer in the observed Release.
func readAuthorizer(c *xfn.Call) (string, error) {
	r := &traefikRelease{}
	if _, err := c.Observed(names.KeyTraefik, r); err != nil {
		return "", err
	}
	for _, container := range r.Spec.ForProvider.Values.Deployment.AdditionalContainers {
		if container.Name == names.AuthorizerContainer {
			return container.Image, nil
		}
	}
	return "", nil
}

// A function is what is read of the Function this is.
type function struct {
	Spec struct {
		Package string `json:"package"`
	} `json:"spec"`
	Status struct {
		ResolvedPackage string `json:"resolvedPackage"`
	} `json:"status"`
}

// readImage finds the authorizer's image: the one that is named, or this
// function's own, which is the same program. The one there is stays while neither
// is known.
func readImage(c *xfn.Call, in input) (string, error) {
	named := ""
	if a := in.gateway.Spec.Authorizer; a != nil {
		named = a.Image
	}
	found, err := xfn.Require[function](c, "function", xfn.Selector{
		APIVersion: "pkg.crossplane.io/v1",
		Kind:       "Function",
		Name:       names.GatewayFunction,
	})
	if err != nil {
		return "", err
	}
	own := ""
	if found.State == xfn.Present {
		own = cmp.Or(found.Items[0].Status.ResolvedPackage, found.Items[0].Spec.Package)
	}
	return cmp.Or(named, own, in.authorizer), nil
}

// readServices finds whether there are ModelServices. Nothing of them is read.
func readServices(c *xfn.Call) (xfn.State, error) {
	found, err := xfn.Require[struct{}](c, "services", xfn.Selector{
		APIVersion: v1alpha1.GroupVersion.String(),
		Kind:       v1alpha1.KindModelService,
	})
	return found.State, err
}

// replicas of the gateway.
func (in input) replicas() int32 {
	return cmp.Or(in.gateway.Spec.Replicas, defaultReplicas)
}

// certificate is the name of the Secret that has it. It is empty without TLS.
func (in input) certificate() string {
	if t := in.gateway.Spec.TLS; t != nil {
		return t.SecretRef.Name
	}
	return ""
}

// asked says what callers should be asked for.
func (in input) asked() v1alpha1.GatewayAuthentication {
	return cmp.Or(in.gateway.Spec.Authentication, v1alpha1.AuthenticationNone)
}
