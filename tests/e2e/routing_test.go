package e2e

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelplane-go/modelplane/schemas/modelplane/v1alpha1"
)

// TestRoutingPage applies every example of docs/routing.md, in order, and checks
// that what the page says of it comes true.
func TestRoutingPage(t *testing.T) {
	needsGateways(t)
	ns := inNamespace(t, "ml-team")
	provider, err := fleet.External(t.Context(), "api.example.com")
	if err != nil {
		t.Fatal(err)
	}
	// The page's names, of models that fit this fleet.
	apply(t, ns, on("Arena", "qwen-v1", "replicas: 1", 1))
	apply(t, ns, on("Arena", "qwen-v2", "replicas: 1", 1))
	eventually(t, soon, all(serves(ns, "qwen-v1", 1), serves(ns, "qwen-v2", 1)))
	c := call{url: url(ns, "qwen")}
	answers := func(want ...string) func(ctx context.Context) error {
		return func(ctx context.Context) error {
			got := map[string]bool{}
			for range 40 {
				server, err := c.make(ctx, http.DefaultClient)
				if err != nil {
					return err
				}
				got[modelOf(server)] = true
			}
			if len(got) != len(want) {
				return fmt.Errorf("%v answer, want %v", got, want)
			}
			for _, w := range want {
				if !got[w] {
					return fmt.Errorf("%v answer, want %v", got, want)
				}
			}
			return nil
		}
	}

	examples := examplesOf(t, "routing.md")
	example := func(title string, check func(t *testing.T)) {
		t.Helper()
		y, ok := examples[title]
		delete(examples, title)
		if !ok {
			t.Errorf("docs/routing.md has no example in %q", title)
		}
		t.Run(title, func(t *testing.T) {
			apply(t, ns, strings.Join(y, "\n---\n"))
			check(t)
		})
	}
	example("One model", func(t *testing.T) {
		t.Helper()
		eventually(t, soon, answers("qwen-v1"))
	})
	example("Weights", func(t *testing.T) {
		t.Helper()
		eventually(t, soon, answers("qwen-v1", "qwen-v2"))
	})
	example("Priorities", func(t *testing.T) {
		t.Helper()
		eventually(t, soon, answers("qwen-v2"))
		kubectl(t, "patch", "md/qwen-v2", "--namespace="+ns, "--type=merge", `--patch={"spec":{"replicas":0}}`)
		eventually(t, soon, answers("qwen-v1"))
	})
	example("Endpoints of your own", func(t *testing.T) {
		t.Helper()
		// The CA that vouches for it here is not one that systems trust.
		trust(t, ns, "ca")
		kubectl(t, "patch", "me/provider", "--namespace="+ns, "--type=merge", `--patch={"spec":{"tls":{"caConfigMapRef":{"name":"ca"}}}}`)
		eventually(t, soon, answers(provider.Name))
		sees(t, provider, "/v1/chat/completions", "Authorization", "Bearer sk-provider-0123")
	})
	example("Callers", func(t *testing.T) {
		t.Helper()
		door(t, `{"spec":{"authentication":"APIKeys"}}`, `{"spec":{"authentication":"None"}}`)
		eventually(t, soon, front(func(ig v1alpha1.InferenceGateway) string { return string(ig.Status.Authentication) }, "APIKeys"))
		eventually(t, soon, refuses(c, "401", ""))
		c.header = []string{"Authorization", "Bearer sk-alice-0123"}
		eventually(t, soon, answers(provider.Name))
	})
	for title := range examples {
		t.Errorf("nothing applies the example of %q", title)
	}
}

// modelOf a server: the deployment of its replica, or its own name.
func modelOf(server string) string {
	if !strings.Contains(server, "/") {
		return server
	}
	words := strings.Split(server[strings.LastIndex(server, "/")+1:], "-")
	return strings.Join(words[:min(2, len(words))], "-")
}

// examplesOf a page of docs, by the title of their section.
func examplesOf(t *testing.T, page string) map[string][]string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "docs", page))
	if err != nil {
		t.Fatal(err)
	}
	return blocks(string(text), "yaml")
}

// blocks of a language in Markdown, by the title of their section.
func blocks(text, language string) map[string][]string {
	out := map[string][]string{}
	for section := range strings.SplitSeq(text, "\n## ") {
		title, text, _ := strings.Cut(section, "\n")
		for i, part := range strings.Split(text, "\n```") {
			if block, ok := strings.CutPrefix(part, language+"\n"); ok && i%2 == 1 {
				out[title] = append(out[title], block)
			}
		}
	}
	return out
}
