package routing

import (
	"net/url"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/modelplane-go/modelplane/functions/internal/names"
	"github.com/modelplane-go/modelplane/schemas/remote"
)

// How a request is sent again. A gateway answers 502 or 503 for an endpoint that
// it does not reach, that breaks off before it answers, or that is not there. Each
// attempt goes to the endpoint whose turn it is, which may be the same one if its
// weight is large, so there are some; a gateway that is told of an endpoint's end
// has heard by the last of them.
const (
	retryAttempts = 10
	retryInterval = "100ms"

	// retryBody is 512 KiB, the largest body that is kept to be sent again: more than
	// 100,000 tokens of text. Larger requests, which bring images, are sent once.
	// Traefik sets as much memory aside for every request, however small it is, until
	// it is answered (v3.7.13), so that a thousand streams take half a gigabyte.
	retryBody = 512 << 10

	// maxAnswer is 64 KiB, the largest answer of the authorizer.
	maxAnswer = 64 << 10
)

// credentialHeaders are those that clients of OpenAI's and Anthropic's APIs present
// a key in.
//
//nolint:gochecknoglobals // A constant in all but Go's type system.
var credentialHeaders = []string{"Authorization", "X-Api-Key"}

// ServiceRetry sends a service's requests again that no endpoint answered.
// Generating is no less repeatable than reading, so that a POST is sent again too.
func ServiceRetry(s Service) *remote.Middleware {
	return middleware(s.Namespace, names.ServiceRetry(s.Namespace, s.Name), remote.MiddlewareSpec{Retry: &remote.Retry{
		Attempts:                 retryAttempts,
		InitialInterval:          retryInterval,
		Status:                   []string{"502", "503"},
		RetryNonIdempotentMethod: new(true),
		MaxRequestBodyBytes:      new(int64(retryBody)),
	}})
}

// ServiceUnavailable answers for a service that has no endpoint to send requests to,
// and says so in a way that clients understand.
func ServiceUnavailable(s Service) *remote.Middleware {
	query := map[string]string{names.ParameterNamespace: s.Namespace, names.ParameterService: s.Name}
	return ask(s.Namespace, names.ServiceUnavailable(s.Namespace, s.Name), names.AuthorizerUnavailable, query, nil)
}

// ServiceCallers asks who calls a service. The caller's key goes no further, and
// the caller's name does.
func ServiceCallers(s Service) *remote.Middleware {
	query := map[string]string{names.ParameterNamespace: s.Namespace}
	headers := slices.Concat(credentialHeaders, []string{names.HeaderCaller})
	return ask(s.Namespace, names.ServiceCallers(s.Namespace, s.Name), names.AuthorizerCallers, query, headers)
}

// ask the authorizer about a request, which gets the headers of its answer.
func ask(namespace, name, path string, query map[string]string, headers []string) *remote.Middleware {
	values := url.Values{}
	for k, v := range query {
		values.Set(k, v)
	}
	u := url.URL{Scheme: "http", Host: names.AuthorizerAddress, Path: path, RawQuery: values.Encode()}
	return middleware(namespace, name, remote.MiddlewareSpec{ForwardAuth: &remote.ForwardAuth{
		Address:             u.String(),
		AuthRequestHeaders:  credentialHeaders,
		AuthResponseHeaders: headers,
		TrustForwardHeader:  new(false),
		MaxResponseBodySize: new(int64(maxAnswer)),
	}})
}

func middleware(namespace, name string, spec remote.MiddlewareSpec) *remote.Middleware {
	return &remote.Middleware{
		TypeMeta: metav1.TypeMeta{APIVersion: remote.TraefikAPIVersion, Kind: remote.KindMiddleware},
		Metadata: remote.Metadata{Namespace: namespace, Name: name},
		Spec:     spec,
	}
}
