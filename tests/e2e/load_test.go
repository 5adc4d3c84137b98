package e2e

import (
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/modelplane-go/modelplane/tests/openai"
)

// BenchmarkRequest asks one pod for a completion: itself, through its cluster's
// gateway, and through the control plane's and its cluster's. One caller after the
// other measures what a gateway adds to a request, and many at a time how many
// requests go through. The pod takes 5 ms to answer, and everything here shares
// the same cores: callers, gateways and the pod.
func BenchmarkRequest(b *testing.B) {
	needsGateways(b)
	ns := inNamespace(b, "load")
	front := call{url: url(ns, "qwen"), header: []string{openai.HeaderDelay, "5ms"}}
	apply(b, ns, model("qwen", 1))
	apply(b, ns, over("qwen", of("qwen", 1)))
	eventually(b, soon, all(serves(ns, "qwen", 1), allAnswer(front, 1)))

	placed := placements(b, ns, "qwen")[0]
	cluster := fleet.Remote(placed.Cluster)
	found, err := pods(b.Context(), cluster, ns)
	if err != nil || len(found) != 1 {
		b.Fatalf("want one pod, got %v, %v", found, err)
	}
	for _, hop := range []struct{ name, url string }{
		{"Pod", "http://" + found[0].Status.PodIP + ":8000"},
		{"OneGateway", "http://" + cluster.GatewayAddress() + "/" + ns + "/" + placed.Replica},
		{"TwoGateways", front.url},
	} {
		c := call{url: hop.url, header: front.header}
		b.Run(hop.name, func(b *testing.B) { load(b, c, 1) })
		b.Run(hop.name+"/Many", func(b *testing.B) { load(b, c, 32) })
	}
}

// load a service with so many callers at a time.
func load(b *testing.B, c call, callers int) {
	b.Helper()
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: callers}}
	defer client.CloseIdleConnections()
	took := make([][]time.Duration, callers)
	failed := make([]error, callers)
	next := make(chan struct{})

	b.ResetTimer()
	start := time.Now()
	var wg sync.WaitGroup
	for i := range callers {
		wg.Go(func() {
			for range next {
				asked := time.Now()
				if _, err := c.make(b.Context(), client); err != nil {
					failed[i] = err
				}
				took[i] = append(took[i], time.Since(asked))
			}
		})
	}
	for range b.N {
		next <- struct{}{}
	}
	close(next)
	wg.Wait()
	b.StopTimer()

	for _, err := range failed {
		if err != nil {
			b.Error(err)
		}
	}
	sorted := slices.Sorted(slices.Values(slices.Concat(took...)))
	b.ReportMetric(float64(b.N)/time.Since(start).Seconds(), "req/s")
	b.ReportMetric(float64(sorted[len(sorted)/2].Microseconds())/1000, "p50-ms")
	b.ReportMetric(float64(sorted[len(sorted)*99/100].Microseconds())/1000, "p99-ms")
}
