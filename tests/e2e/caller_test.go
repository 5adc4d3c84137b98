package e2e

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelplane-go/modelplane/tests/openai"
)

const (
	// patience is how long a caller waits for an answer.
	patience = 30 * time.Second

	// thinking is how long a caller waits before the next call.
	thinking = 20 * time.Millisecond
)

// needsGateways skips a test that needs real gateways.
func needsGateways(t testing.TB) {
	t.Helper()
	if fleet.FrontURL == "" {
		t.Skip("without a network of its own a fleet has no gateways, and its pods no addresses")
	}
}

// A call is a request to a model, and how it is made.
type call struct {
	url    string // Of the service. The path of the API follows it.
	stream bool
	header []string // Names and values.
}

// chunks and delays of answers: short, but long enough to be broken off.
const (
	streamChunks = "20"
	streamDelay  = "15ms"
	answerDelay  = "10ms"
)

// make the call, and return who answered all of it.
func (c call) make(ctx context.Context, client *http.Client) (server string, err error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	resp, err := c.send(ctx, client)
	if err != nil {
		return "", err
	}
	defer func() { _ = resp.Body.Close() }()
	if resp.StatusCode != http.StatusOK {
		b, _ := io.ReadAll(io.LimitReader(resp.Body, 300))
		return "", fmt.Errorf("%s: %s", resp.Status, strings.TrimSpace(string(b)))
	}
	server = resp.Header.Get(openai.HeaderServedBy)
	last := ""
	for lines := bufio.NewScanner(resp.Body); ; {
		if !lines.Scan() {
			err = lines.Err()
			break
		}
		if text := lines.Text(); text != "" {
			last = text
		}
	}
	switch {
	case err != nil:
		return "", fmt.Errorf("%s broke off: %w", server, err)
	case server == "" || last == "":
		return "", fmt.Errorf("nobody says who answered: %q", last)
	case c.stream && last != "data: [DONE]":
		return "", fmt.Errorf("the stream of %s ends with %q", server, last)
	}
	return server, nil
}

// send a request for a chat completion, and return the answer as it begins.
func (c call) send(ctx context.Context, client *http.Client) (*http.Response, error) {
	body, delay := `{"model": "m", "messages": [{"role": "user", "content": "Hello"}]}`, answerDelay
	if c.stream {
		body, delay = `{"model": "m", "stream": true, "messages": [{"role": "user", "content": "Hello"}]}`, streamDelay
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url+"/v1/chat/completions", strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set(openai.HeaderDelay, delay)
	r.Header.Set(openai.HeaderChunks, streamChunks)
	for i := 0; i+1 < len(c.header); i += 2 {
		r.Header.Set(c.header[i], c.header[i+1])
	}
	return client.Do(r)
}

// A tally is what callers have seen.
type tally struct {
	calls    int
	failures []string
	servers  map[string]int       // How many calls each answered.
	last     map[string]time.Time // When each answered last.
	slowest  time.Duration
	gap      time.Duration // The longest time in which none succeeded.
}

// replicas that answered, and how many calls each.
func (y tally) replicas() map[string]int {
	out := map[string]int{}
	for server, n := range y.servers {
		out[replicaOfServer(server)] += n
	}
	return out
}

func (y tally) String() string {
	return fmt.Sprintf("%d calls, %d failed, the slowest took %s, at most %s without an answer", y.calls, len(y.failures),
		y.slowest.Round(time.Millisecond), y.gap.Round(time.Millisecond))
}

// replicaOfServer is the replica of a server, which is <cluster>/<namespace>/<pod>.
// A pod's name begins with its replica's: the deployment's name, which has no dash
// here, and a hash.
func replicaOfServer(server string) string {
	words := strings.Split(server[strings.LastIndex(server, "/")+1:], "-")
	return strings.Join(words[:min(2, len(words))], "-")
}

// callers call all the time, each one call after the other, until the function
// it returns is called.
func callers(t *testing.T, n int, c call) (stop func() tally) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	var mu sync.Mutex
	sum := tally{servers: map[string]int{}, last: map[string]time.Time{}}
	answered := time.Now()

	one := func(client *http.Client) {
		start := time.Now()
		server, err := c.make(context.WithoutCancel(ctx), client)
		end := time.Now()
		mu.Lock()
		defer mu.Unlock()
		sum.calls++
		sum.slowest = max(sum.slowest, end.Sub(start))
		if err != nil {
			sum.failures = append(sum.failures, fmt.Sprintf("%s, asked at %s: %v", end.Format("15:04:05.000"), start.Format("15:04:05.000"), err))
			return
		}
		sum.servers[server]++
		sum.last[server] = end
		sum.gap = max(sum.gap, end.Sub(answered))
		answered = end
	}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			client := &http.Client{Transport: &http.Transport{}}
			defer client.CloseIdleConnections()
			for ; ctx.Err() == nil; time.Sleep(thinking) {
				one(client)
			}
		})
	}
	end := sync.OnceValue(func() tally {
		cancel()
		wg.Wait()
		return sum
	})
	t.Cleanup(func() { _ = end() })
	return end
}

// unfailing stops callers, and fails the test if a call failed.
func unfailing(t *testing.T, what string, stop func() tally) tally {
	t.Helper()
	y := stop()
	t.Logf("%s: %s", what, y)
	if len(y.failures) > 0 {
		t.Errorf("%s: %d of %d calls failed, the first of them:\n%s", what, len(y.failures), y.calls, strings.Join(y.failures[:min(10, len(y.failures))], "\n"))
	}
	return y
}

// answers checks that a call is answered by one of some deployments.
func answers(c call, deployments ...string) func(ctx context.Context) error {
	return func(ctx context.Context) error {
		server, err := c.make(ctx, http.DefaultClient)
		if err != nil {
			return err
		}
		of := func(d string) bool { return strings.HasPrefix(replicaOfServer(server), d+"-") }
		if !slices.ContainsFunc(deployments, of) {
			return fmt.Errorf("%s answers, which is none of %v", server, deployments)
		}
		return nil
	}
}

// count who answers so many calls, one after the other.
func count(ctx context.Context, c call, n int) (map[string]int, error) {
	out := map[string]int{}
	var errs []error
	for range n {
		server, err := c.make(ctx, http.DefaultClient)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		out[replicaOfServer(server)]++
	}
	return out, errors.Join(errs...)
}

// url of a service, through the control plane's gateway.
func url(namespace, service string) string { return fleet.FrontURL + "/" + namespace + "/" + service }

// over is a ModelService over groups, each a selector and what comes after it.
func over(name string, groups ...string) string {
	return fmt.Sprintf(`
apiVersion: modelplane.ai/v1alpha1
kind: ModelService
metadata: {name: %s, namespace: NAMESPACE}
spec:
  endpoints:
  - %s
`, name, strings.Join(groups, "\n  - "))
}

// of a deployment, a group of a weight.
func of(deployment string, weight int) string {
	return fmt.Sprintf("{selector: {matchLabels: {modelplane.ai/deployment: %s}}, weight: %d}", deployment, weight)
}

// shares are the counts of each deployment's replicas, sorted.
func shares(counts map[string]int) map[string][]int {
	out := map[string][]int{}
	for _, replica := range slices.Sorted(maps.Keys(counts)) {
		deployment, _, _ := strings.Cut(replica, "-")
		out[deployment] = append(out[deployment], counts[replica])
	}
	for _, s := range out {
		slices.Sort(s)
	}
	return out
}
