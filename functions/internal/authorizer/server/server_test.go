package server

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/fake"

	"github.com/modelplane-go/modelplane/functions/internal/authorizer"
	"github.com/modelplane-go/modelplane/functions/internal/names"
)

// An answer is what Traefik sees.
type answer struct {
	Status  int
	Headers map[string]string
	Body    string
}

// ask for a path, as Traefik does, and read the headers of the answer that count.
func ask(t *testing.T, server, path string, header http.Header) answer {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header = header
	rsp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer rsp.Body.Close()
	body, err := io.ReadAll(rsp.Body)
	if err != nil {
		t.Fatal(err)
	}
	out := answer{Status: rsp.StatusCode, Headers: map[string]string{}, Body: string(body)}
	for _, h := range []string{"Authorization", "Api-Key", names.HeaderCaller, "WWW-Authenticate", "Retry-After"} {
		if v := rsp.Header.Get(h); v != "" {
			out.Headers[h] = v
		}
	}
	return out
}

func keyring() *authorizer.Keyring {
	k := authorizer.NewKeyring()
	k.Put(authorizer.Secret{Namespace: "ml-team", Name: "callers", Purpose: "caller", Data: map[string][]byte{"alice": []byte("sk-alice")}})
	k.Put(authorizer.Secret{Namespace: "ml-team", Name: "openai", Purpose: "endpoint", Data: map[string][]byte{"key": []byte("sk-openai")}})
	return k
}

func TestHandler(t *testing.T) {
	none := map[string]string{}

	cases := map[string]struct {
		reason string
		unread bool
		path   string
		header http.Header
		want   answer
	}{
		"Bearer": {
			reason: "A caller with a key should be named.",
			path:   "/callers?namespace=ml-team",
			header: http.Header{"Authorization": {"Bearer sk-alice"}},
			want:   answer{Status: 200, Headers: map[string]string{names.HeaderCaller: "alice"}},
		},
		"Unavailable": {
			reason: "Who calls a service without endpoints should learn why he is not answered.",
			path:   "/unavailable?namespace=ml-team&service=qwen",
			want: answer{
				Status:  503,
				Headers: map[string]string{"Retry-After": "5"},
				Body: `{"error":{"message":"ModelService ml-team/qwen has no ready endpoint: try again later, or see kubectl describe modelservice qwen --namespace ml-team",` +
					`"type":"server_error","code":"no_ready_endpoint"}}`,
			},
		},
		"XAPIKey": {
			reason: "A caller may bring his key as Anthropic's clients do.",
			path:   "/callers?namespace=ml-team",
			header: http.Header{"X-Api-Key": {"sk-alice"}},
			want:   answer{Status: 200, Headers: map[string]string{names.HeaderCaller: "alice"}},
		},
		"Wrong": {
			reason: "A caller with another key should be refused, in the words of OpenAI's API.",
			path:   "/callers?namespace=ml-team",
			header: http.Header{"Authorization": {"Bearer sk-mallory"}, names.HeaderCaller: {"alice"}},
			want: answer{
				Status:  401,
				Headers: map[string]string{"WWW-Authenticate": "Bearer"},
				Body:    `{"error":{"message":"the API key is not known here: ask whoever runs the model for one","type":"invalid_request_error","code":"invalid_api_key"}}`,
			},
		},
		"Without": {
			reason: "A caller without a key should be told how to bring one.",
			path:   "/callers?namespace=ml-team",
			want: answer{
				Status:  401,
				Headers: map[string]string{"WWW-Authenticate": "Bearer"},
				Body:    `{"error":{"message":"there is no API key in the request: send one in the header Authorization, after the word Bearer","type":"invalid_request_error","code":"invalid_api_key"}}`,
			},
		},
		"NoNamespace": {
			reason: "A route that does not say which namespace is called should let nobody in.",
			path:   "/callers",
			header: http.Header{"Authorization": {"Bearer sk-alice"}},
			want: answer{
				Status: 503, Headers: none,
				Body: `{"error":{"message":"the gateway asks its authorizer without a valid parameter namespace: correct the Middleware of the route","type":"server_error"}}`,
			},
		},
		"Endpoint": {
			reason: "An endpoint should be called with the credential as a bearer.",
			path:   "/endpoints?namespace=ml-team&secret=openai&key=key",
			want:   answer{Status: 200, Headers: map[string]string{"Authorization": "Bearer sk-openai"}},
		},
		"EndpointHeader": {
			reason: "An endpoint may want the credential in a header of its own.",
			path:   "/endpoints?namespace=ml-team&secret=openai&key=key&header=api-key",
			want:   answer{Status: 200, Headers: map[string]string{"Api-Key": "sk-openai"}},
		},
		"EndpointBadHeader": {
			reason: "A header that cannot be should not be sent.",
			path:   "/endpoints?namespace=ml-team&secret=openai&key=key&header=" + url.QueryEscape("a\r\nb"),
			want: answer{
				Status: 503, Headers: none,
				Body: `{"error":{"message":"the gateway asks its authorizer without a valid parameter header: correct the Middleware of the route","type":"server_error"}}`,
			},
		},
		"EndpointWithoutSecret": {
			reason: "A Secret that cannot be used should be named, with what to do.",
			path:   "/endpoints?namespace=ml-team&secret=missing&key=key",
			want: answer{
				Status: 503, Headers: none,
				Body: `{"error":{"message":"the endpoint cannot be called: there is no Secret missing in namespace ml-team that the gateway may use: create it, or label it with kubectl label secret missing --namespace ml-team modelplane.ai/gateway-secret=endpoint","type":"server_error"}}`,
			},
		},
		"Unread": {
			reason: "Before the Secrets were read, nobody should be let in, and nobody be told that his key is bad.",
			unread: true,
			path:   "/callers?namespace=ml-team",
			header: http.Header{"Authorization": {"Bearer sk-alice"}},
			want: answer{
				Status: 503, Headers: map[string]string{"Retry-After": "1"},
				Body: `{"error":{"message":"the gateway is starting: try again","type":"server_error"}}`,
			},
		},
		"Elsewhere": {
			reason: "Another path should let nobody in.",
			path:   "/",
			header: http.Header{"Authorization": {"Bearer sk-alice"}},
			want:   answer{Status: 404, Headers: none, Body: "404 page not found\n"},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			s := httptest.NewServer(Handler(keyring(), func() bool { return !tc.unread }))
			defer s.Close()
			if diff := cmp.Diff(tc.want, ask(t, s.URL, tc.path, tc.header)); diff != "" {
				t.Errorf("\n%s\n%s: -want, +got:\n%s", tc.reason, tc.path, diff)
			}
		})
	}
}

// TestWatch follows a Secret from its making to its end.
func TestWatch(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	secret := func(key string) *corev1.Secret {
		return &corev1.Secret{
			ObjectMeta: metav1.ObjectMeta{Namespace: "ml-team", Name: "callers", Labels: map[string]string{"modelplane.ai/gateway-secret": "caller"}},
			Data:       map[string][]byte{"alice": []byte(key)},
		}
	}
	unlabelled := &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Namespace: "ml-team", Name: "unlabelled"},
		Data:       map[string][]byte{"mallory": []byte("sk-mallory")},
	}
	client := fake.NewClientset(secret("sk-1"), unlabelled)
	keys := authorizer.NewKeyring()
	ready, err := Watch(ctx, client, keys)
	if err != nil {
		t.Fatal(err)
	}
	eventually(t, "the Secrets are read", ready)

	knows := func(key string) bool {
		name, ok := keys.Caller("ml-team", key)
		return ok && name == "alice"
	}
	if !knows("sk-1") || knows("sk-mallory") {
		t.Error("once it is ready, the keys of labelled Secrets should be known, and no others")
	}
	if _, err := client.CoreV1().Secrets("ml-team").Update(ctx, secret("sk-2"), metav1.UpdateOptions{}); err != nil {
		t.Fatal(err)
	}
	eventually(t, "a key that was replaced is bad", func() bool { return knows("sk-2") && !knows("sk-1") })

	if err := client.CoreV1().Secrets("ml-team").Delete(ctx, "callers", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	eventually(t, "a key of a Secret that is gone is bad", func() bool { return !knows("sk-2") })
}

func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for range 500 {
		if ok() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("not so after 5 s: %s", what)
}
