package demo

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/modelplane-go/modelplane/tests/openai"
)

const (
	// question is what a person would ask a model.
	question = `{"model": "Qwen/Qwen2.5-7B-Instruct", "stream": true, "messages": [{"role": "user", "content": "Where are you?"}]}`

	// servedWithin is how long it may take until a route that was made leads to a
	// model.
	servedWithin = 30 * time.Second

	// rounds of questions, of which each replica has its share.
	rounds = 12
)

// Curl is the command by which a person asks a model at a URL.
func Curl(url string) string {
	return fmt.Sprintf("curl --no-buffer %s/v1/chat/completions \\\n      --data '%s'", url, question)
}

// Ask a model at a URL, as Curl does, and say each word of the answer as it comes.
// Then ask some more, and say where each question went.
func Ask(ctx context.Context, url string, say func(text string)) error {
	ctx, cancel := context.WithTimeout(ctx, servedWithin)
	defer cancel()
	for {
		_, err := ask(ctx, url, say)
		if err == nil {
			break
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("cannot ask the model at %s within %s: %w", url, servedWithin, err)
		case <-time.After(pace):
		}
	}

	went := map[string]int{}
	for range rounds {
		by, err := ask(ctx, url, func(string) {})
		if err != nil {
			return err
		}
		went[by]++
	}
	say("\n\n" + whereTo(went))
	return nil
}

// whereTo says where questions went: to pods of clusters, sorted.
func whereTo(went map[string]int) string {
	b := &strings.Builder{}
	fmt.Fprintf(b, "Of %d more questions\n", rounds)
	rows := [][]string{}
	for by, n := range went {
		parts := append(strings.SplitN(by, "/", 3), "", "")
		rows = append(rows, []string{fmt.Sprintf("%3d went to cluster %s,", n, parts[0]), "pod " + parts[2]})
	}
	slices.SortFunc(rows, slices.Compare)
	table(b, rows)
	return b.String()
}

// ask once. It returns the name of the pod that answered.
func ask(ctx context.Context, url string, say func(text string)) (by string, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, url+"/v1/chat/completions", strings.NewReader(question))
	if err != nil {
		return "", fmt.Errorf("cannot ask: %w", err)
	}
	r.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		return "", fmt.Errorf("cannot ask: %w", err)
	}
	defer func() { _ = resp.Body.Close() }()
	if resp.StatusCode != http.StatusOK {
		return "", fmt.Errorf("%s is answered with %s", url, resp.Status)
	}
	lines := bufio.NewScanner(resp.Body)
	for lines.Scan() {
		if data, ok := strings.CutPrefix(lines.Text(), "data: {"); ok {
			say(word("{" + data))
		}
	}
	if err := lines.Err(); err != nil {
		return "", fmt.Errorf("the answer broke off: %w", err)
	}
	return resp.Header.Get(openai.HeaderServedBy), nil
}

// word of a chunk of an answer.
func word(chunk string) string {
	c := struct {
		Choices []struct {
			Delta struct {
				Content string `json:"content"`
			} `json:"delta"`
		} `json:"choices"`
	}{}
	if err := json.Unmarshal([]byte(chunk), &c); err != nil || len(c.Choices) == 0 {
		return ""
	}
	return c.Choices[0].Delta.Content
}
