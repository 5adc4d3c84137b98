package openai

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Headers of requests that say how to answer.
const (
	// HeaderDelay is how long to wait before each chunk of an answer, or before
	// an answer that is not streamed, such as 50ms.
	HeaderDelay = "X-Mock-Delay"

	// HeaderChunks is how many chunks an answer has.
	HeaderChunks = "X-Mock-Chunks"

	// HeaderStatus is the status of the answer, which then is an error.
	HeaderStatus = "X-Mock-Status"
)

// HeaderServedBy is the header of an answer that says who gave it.
const HeaderServedBy = "X-Served-By"

const (
	defaultChunks = 5

	// thinks is how long a server takes to begin an answer at least. No model is
	// quicker. Proxies that are made with Go may break off an answer that begins
	// before they have noticed that they have sent all of the request.
	thinks = 5 * time.Millisecond

	// maxBody is how much of a body is read and recorded.
	maxBody = 1 << 20
)

// A Request is what a server was asked.
type Request struct {
	Server string // The name of the server.
	Time   time.Time

	Method string
	Host   string
	Path   string
	Query  string
	Header http.Header
	Body   []byte
}

// A Server answers as a model server would.
type Server struct {
	// Name of the server, which it says in every answer.
	Name string

	// Model it says it has. What it is asked for it answers as.
	Model string

	// Record is told what the server is asked, if it is not nil. Whether it is
	// healthy is nothing it is told of.
	Record func(Request)
}

// Handler of the server's requests.
func (s *Server) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /health", func(http.ResponseWriter, *http.Request) {})
	mux.HandleFunc("GET /v1/models", s.recorded(s.models))
	for path, d := range dialects() {
		mux.HandleFunc("POST "+path, s.recorded(func(w http.ResponseWriter, r *http.Request, body []byte) { s.answer(w, r, body, d) }))
	}
	mux.HandleFunc("/", s.recorded(func(w http.ResponseWriter, r *http.Request, _ []byte) {
		refuse(w, http.StatusNotFound, r.Method+" "+r.URL.Path+" is nothing a model server has")
	}))
	return mux
}

// recorded does something with a request and its body, once it is recorded.
func (s *Server) recorded(do func(w http.ResponseWriter, r *http.Request, body []byte)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(io.LimitReader(r.Body, maxBody))
		if err != nil {
			refuse(w, http.StatusBadRequest, err.Error())
			return
		}
		path, _, _ := strings.Cut(r.RequestURI, "?") // As it was asked for, whatever is left of it by now.
		if s.Record != nil {
			s.Record(Request{
				Server: s.Name, Time: time.Now(),
				Method: r.Method, Host: r.Host, Path: path, Query: r.URL.RawQuery, Header: r.Header.Clone(), Body: body,
			})
		}
		w.Header().Set(HeaderServedBy, s.Name)
		if status, err := strconv.Atoi(r.Header.Get(HeaderStatus)); err == nil {
			refuse(w, status, s.Name+" was asked to refuse")
			return
		}
		do(w, r, body)
	}
}

func (s *Server) models(w http.ResponseWriter, _ *http.Request, _ []byte) {
	write(w, http.StatusOK, object{"object": "list", "data": []any{object{"id": s.Model, "object": "model", "owned_by": s.Name}}})
}

// answer in a dialect.
func (s *Server) answer(w http.ResponseWriter, r *http.Request, body []byte, d dialect) {
	asked := struct {
		Model  string `json:"model"`
		Stream bool   `json:"stream"`
	}{Model: s.Model}
	if len(bytes.TrimSpace(body)) > 0 {
		if err := json.Unmarshal(body, &asked); err != nil {
			refuse(w, http.StatusBadRequest, "the body is not JSON: "+err.Error())
			return
		}
	}
	a := answer{model: asked.Model, chunks: chunks(s.Name, r)}
	delay, _ := time.ParseDuration(r.Header.Get(HeaderDelay)) // None, if it is none.
	if !wait(r.Context(), max(0, thinks-delay)) {
		return
	}

	if !asked.Stream {
		if wait(r.Context(), delay) {
			write(w, http.StatusOK, d.whole(a))
		}
		return
	}
	s.stream(w, r, delay, a, d)
}

// stream an answer as server-sent events.
func (*Server) stream(w http.ResponseWriter, r *http.Request, delay time.Duration, a answer, d dialect) {
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-cache")
	flush := http.NewResponseController(w).Flush
	for _, e := range d.events(a) {
		if e.chunk && !wait(r.Context(), delay) {
			return
		}
		if _, err := io.WriteString(w, e.String()); err != nil {
			return
		}
		if err := flush(); err != nil {
			return
		}
	}
}

// chunks of an answer: first who gives it, and then how often he has been heard.
func chunks(name string, r *http.Request) []string {
	n, err := strconv.Atoi(r.Header.Get(HeaderChunks))
	if err != nil || n < 1 {
		n = defaultChunks
	}
	out := []string{name}
	for i := 1; i < n; i++ {
		out = append(out, " "+strconv.Itoa(i))
	}
	return out
}

// wait a while, and say whether anybody still listens.
func wait(ctx context.Context, d time.Duration) bool {
	if d <= 0 {
		return ctx.Err() == nil
	}
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}

func refuse(w http.ResponseWriter, status int, why string) {
	write(w, status, object{"error": object{"message": why, "type": strings.ToLower(http.StatusText(status)), "code": status}})
}

func write(w http.ResponseWriter, status int, o object) {
	j, err := json.Marshal(o)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(j)
}

// An event of a stream.
type event struct {
	name  string // May be empty.
	data  any    // Text is sent as it is.
	chunk bool   // Of the answer's text.
}

func (e event) String() string {
	text, ok := e.data.(string)
	if !ok {
		j, err := json.Marshal(e.data)
		if err != nil {
			return ""
		}
		text = string(j)
	}
	if e.name == "" {
		return fmt.Sprintf("data: %s\n\n", text)
	}
	return fmt.Sprintf("event: %s\ndata: %s\n\n", e.name, text)
}
