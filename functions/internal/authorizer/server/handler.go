package server

import (
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/modelplane-go/modelplane/functions/internal/authorizer"
	"github.com/modelplane-go/modelplane/functions/internal/names"
)

// Handler answers what a Keyring says, once it is ready.
func Handler(keys *authorizer.Keyring, ready func() bool) http.Handler {
	h := &handler{keys: keys}
	mux := http.NewServeMux()
	mux.HandleFunc(names.AuthorizerCallers, h.callers)
	mux.HandleFunc(names.AuthorizerEndpoints, h.endpoints)
	mux.HandleFunc(names.AuthorizerUnavailable, unavailable)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !ready() {
			w.Header().Set("Retry-After", "1")
			refuse(w, http.StatusServiceUnavailable, failure{Type: typeServer, Message: "the gateway is starting: try again"})
			return
		}
		mux.ServeHTTP(w, r)
	})
}

type handler struct {
	keys *authorizer.Keyring
}

// callers says who calls.
func (h *handler) callers(w http.ResponseWriter, r *http.Request) {
	namespace := r.URL.Query().Get(names.ParameterNamespace)
	if namespace == "" {
		misconfigured(w, names.ParameterNamespace)
		return
	}
	key := authorizer.Key(r.Header.Get("Authorization"), r.Header.Get("X-Api-Key"))
	name, ok := h.keys.Caller(namespace, key)
	if !ok {
		w.Header().Set("WWW-Authenticate", "Bearer")
		refuse(w, http.StatusUnauthorized, unauthorized(key))
		return
	}
	w.Header().Set(names.HeaderCaller, name)
	w.WriteHeader(http.StatusOK)
}

func unauthorized(key string) failure {
	out := failure{Type: typeRequest, Code: "invalid_api_key"}
	out.Message = "the API key is not known here: ask whoever runs the model for one"
	if key == "" {
		out.Message = "there is no API key in the request: send one in the header Authorization, after the word Bearer"
	}
	return out
}

// endpoints says what to call an endpoint with.
func (h *handler) endpoints(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	for _, p := range []string{names.ParameterNamespace, names.ParameterSecret, names.ParameterKey} {
		if q.Get(p) == "" {
			misconfigured(w, p)
			return
		}
	}
	name := q.Get(names.ParameterHeader)
	if name != "" && !authorizer.HeaderName(name) {
		misconfigured(w, names.ParameterHeader)
		return
	}
	credential, err := h.keys.Credential(authorizer.Use{
		Namespace: q.Get(names.ParameterNamespace),
		Secret:    q.Get(names.ParameterSecret),
		Key:       q.Get(names.ParameterKey),
	})
	if err != nil {
		refuse(w, http.StatusServiceUnavailable, failure{Type: typeServer, Message: "the endpoint cannot be called: " + err.Error()})
		return
	}
	header := authorizer.With(name, credential)
	w.Header().Set(header.Name, header.Value)
	w.WriteHeader(http.StatusOK)
}

// unavailable says that a service has no endpoint that is ready.
func unavailable(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	namespace, service := q.Get(names.ParameterNamespace), q.Get(names.ParameterService)
	w.Header().Set("Retry-After", "5")
	refuse(w, http.StatusServiceUnavailable, failure{
		Type: typeServer,
		Code: "no_ready_endpoint",
		Message: fmt.Sprintf("ModelService %[1]s/%[2]s has no ready endpoint: try again later, or see kubectl describe modelservice %[2]s --namespace %[1]s",
			namespace, service),
	})
}

// misconfigured says that a route asks for something that makes no sense. Only
// who writes Middlewares himself can cause it.
func misconfigured(w http.ResponseWriter, parameter string) {
	refuse(w, http.StatusServiceUnavailable, failure{
		Type:    typeServer,
		Message: fmt.Sprintf("the gateway asks its authorizer without a valid parameter %s: correct the Middleware of the route", parameter),
	})
}

// Types of failures, as OpenAI has them.
const (
	typeRequest = "invalid_request_error"
	typeServer  = "server_error"
)

// A failure is what OpenAI's clients read of an error.
type failure struct {
	Message string `json:"message"`
	Type    string `json:"type"`
	Code    string `json:"code,omitempty"`
}

func refuse(w http.ResponseWriter, status int, f failure) {
	j, err := json.Marshal(struct {
		Error failure `json:"error"`
	}{f})
	if err != nil {
		http.Error(w, http.StatusText(status), status)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(j)
}
