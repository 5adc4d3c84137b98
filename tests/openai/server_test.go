package openai

import (
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestServer(t *testing.T) {
	cases := map[string]struct {
		reason string
		path   string
		body   string
		header map[string]string
		status int
		want   []string // Each is in the answer, in this order.
	}{
		"Chat": {
			reason: "A chat completion should say who gives it, as the model it was asked for.",
			path:   "/v1/chat/completions", body: `{"model":"m"}`,
			want: []string{`"content":"eu/ns/pod 1 2 3 4"`, `"model":"m"`, `"object":"chat.completion"`},
		},
		"ChatStream": {
			reason: "A stream should have as many chunks as are wanted, and end.",
			path:   "/v1/chat/completions", body: `{"model":"m","stream":true}`, header: map[string]string{HeaderChunks: "2"},
			want: []string{"data: {", `"content":"eu/ns/pod"`, "\n\ndata: {", `"content":" 1"`, "\n\ndata: {", `"finish_reason":"stop"`, "\n\ndata: [DONE]\n\n"},
		},
		"Completion": {
			reason: "A completion should have a text.",
			path:   "/v1/completions", body: `{"model":"m"}`,
			want: []string{`"text":"eu/ns/pod 1 2 3 4"`, `"object":"text_completion"`},
		},
		"CompletionStream": {
			reason: "A completion should be streamed too.",
			path:   "/v1/completions", body: `{"stream":true}`,
			want: []string{`"text":"eu/ns/pod"`, `"text":" 4"`, "data: [DONE]\n\n"},
		},
		"Messages": {
			reason: "A message should be what Anthropic's clients expect.",
			path:   "/v1/messages", body: `{"model":"m"}`,
			want: []string{`"content":[{"text":"eu/ns/pod 1 2 3 4","type":"text"}]`, `"type":"message"`},
		},
		"MessagesStream": {
			reason: "The events of a message should have names.",
			path:   "/v1/messages", body: `{"stream":true}`, header: map[string]string{HeaderChunks: "1"},
			want: []string{
				"event: message_start\ndata: {", "event: content_block_start\n", "event: content_block_delta\n", `"text":"eu/ns/pod"`,
				"event: content_block_stop\n", "event: message_delta\n", "event: message_stop\n",
			},
		},
		"Responses": {
			reason: "A response should have an output.",
			path:   "/v1/responses", body: `{"model":"m"}`,
			want: []string{`"text":"eu/ns/pod 1 2 3 4","type":"output_text"`},
		},
		"ResponsesStream": {
			reason: "A response should be streamed too.",
			path:   "/v1/responses", body: `{"stream":true}`,
			want: []string{"event: response.created\n", "event: response.output_text.delta\n", "event: response.completed\n"},
		},
		"Refused": {
			reason: "An error should be had for the asking.",
			path:   "/v1/chat/completions", header: map[string]string{HeaderStatus: "429"}, status: http.StatusTooManyRequests,
			want: []string{`"code":429`},
		},
		"NotJSON": {
			reason: "A body that is not JSON should be refused.",
			path:   "/v1/chat/completions", body: "hello", status: http.StatusBadRequest,
			want: []string{"the body is not JSON"},
		},
		"NotThere": {
			reason: "What a model server does not have should not be there.",
			path:   "/ml-team/qwen/v1/chat/completions", status: http.StatusNotFound,
			want: []string{"/ml-team/qwen/v1/chat/completions"},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			w := ask(t, &Server{Name: "eu/ns/pod", Model: "m"}, tc.path, tc.body, tc.header)
			want := tc.status
			if want == 0 {
				want = http.StatusOK
			}
			if w.Code != want || w.Header().Get(HeaderServedBy) != "eu/ns/pod" {
				t.Errorf("%s: want status %d, got %d with headers %v", tc.reason, want, w.Code, w.Header())
			}
			quoted := make([]string, 0, len(tc.want))
			for _, s := range tc.want {
				quoted = append(quoted, regexp.QuoteMeta(s))
			}
			if got := w.Body.String(); !regexp.MustCompile("(?s)" + strings.Join(quoted, ".*")).MatchString(got) {
				t.Errorf("%s: want %q, got\n%s", tc.reason, tc.want, got)
			}
		})
	}
}

func TestRecord(t *testing.T) {
	var got []Request
	s := &Server{Name: "s", Record: func(r Request) { got = append(got, r) }}
	ask(t, s, "/v1/completions?a=b", `{"model":"m"}`, map[string]string{"Authorization": "Bearer k"})

	w := httptest.NewRecorder()
	s.Handler().ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/health", nil))
	if w.Code != http.StatusOK || len(got) != 1 {
		t.Fatalf("want one request that is recorded, got %d: %+v", w.Code, got)
	}
	got[0].Time = time.Time{}
	want := Request{
		Server: "s", Method: http.MethodPost, Host: "example.com", Path: "/v1/completions", Query: "a=b",
		Header: http.Header{"Authorization": {"Bearer k"}}, Body: []byte(`{"model":"m"}`),
	}
	if diff := cmp.Diff(want, got[0]); diff != "" {
		t.Errorf("-want, +got:\n%s", diff)
	}
}

// TestDelay looks for a stream that begins before it ends.
func TestDelay(t *testing.T) {
	s := httptest.NewServer((&Server{Name: "s"}).Handler())
	defer s.Close()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL+"/v1/completions", strings.NewReader(`{"stream":true}`))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set(HeaderDelay, "20ms")
	start := time.Now()
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	if _, err := resp.Body.Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	first := time.Since(start)
	if _, err := io.Copy(io.Discard, resp.Body); err != nil {
		t.Fatal(err)
	}
	if total := time.Since(start); total < 5*20*time.Millisecond || first > total-2*20*time.Millisecond {
		t.Errorf("want 5 chunks 20ms apart, got the first after %s and the last after %s", first, total)
	}
}

func ask(t *testing.T, s *Server, path, body string, header map[string]string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, path, strings.NewReader(body))
	for k, v := range header {
		r.Header.Set(k, v)
	}
	w := httptest.NewRecorder()
	s.Handler().ServeHTTP(w, r)
	return w
}
