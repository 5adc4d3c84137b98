package demo

import (
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/modelplane-go/modelplane/tests/openai"
)

// TestAsk asks a stand-in for a model, and looks for its words and its name.
func TestAsk(t *testing.T) {
	s := httptest.NewServer((&openai.Server{Name: "prod-eu/ml-team/qwen-0", Model: "m"}).Handler())
	defer s.Close()

	said := &strings.Builder{}
	if err := Ask(t.Context(), s.URL, func(text string) { said.WriteString(text) }); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"prod-eu/ml-team/qwen-0 1 2 3 4", "12 went to cluster prod-eu,  pod qwen-0"} {
		if !strings.Contains(said.String(), want) {
			t.Errorf("want %q to be said, got:\n%s", want, said)
		}
	}
}

// TestAskNobody asks where nobody answers.
func TestAskNobody(t *testing.T) {
	s := httptest.NewServer(nil)
	s.Close()
	if by, err := ask(t.Context(), s.URL, func(string) {}); err == nil {
		t.Errorf("want an error, got an answer of %q", by)
	}
}
