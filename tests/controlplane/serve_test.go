package controlplane

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/modelplane-go/modelplane/tests/openai"
)

// service is the path of the quickstart's ModelService.
const service = "/" + namespace + "/qwen"

// ask a service for a completion, by the URL of a gateway.
func ask(ctx context.Context, gateway, body string, header ...string) (*http.Response, error) {
	return post(ctx, gateway+service+"/v1/chat/completions", body, header...)
}

func post(ctx context.Context, url, body string, header ...string) (*http.Response, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	return http.DefaultClient.Do(r)
}

// answered asks once, and returns the name of the pod that answers.
func answered(ctx context.Context, gateway string) (pod string, err error) {
	resp, err := ask(ctx, gateway, `{"model":"qwen"}`)
	if err != nil {
		return "", err
	}
	defer func() { _ = resp.Body.Close() }()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		return "", err
	}
	pod, ok := strings.CutPrefix(resp.Header.Get(openai.HeaderServedBy), fleet.Remotes[0].Name+"/"+namespace+"/")
	if resp.StatusCode != http.StatusOK || !ok || !strings.Contains(string(b), pod+" 1 2 3 4") {
		return "", fmt.Errorf("want an answer of a pod's, got %s by %q\n%s", resp.Status, resp.Header.Get(openai.HeaderServedBy), b)
	}
	return pod, nil
}

// answers asks through both gateways, and looks at what arrived.
func answers(ctx context.Context) error {
	if !fleet.programs.Isolated {
		return nil
	}
	pod := ""
	err := eventually(ctx, 10*time.Second, func(ctx context.Context) error {
		var err error
		pod, err = answered(ctx, fleet.FrontURL)
		return err
	})
	if err != nil {
		return err
	}
	got := fleet.Remotes[0].Requests(namespace)
	if len(got) != 1 || got[0].Path != "/v1/chat/completions" || got[0].Server != fleet.Remotes[0].Name+"/"+namespace+"/"+pod {
		return fmt.Errorf("want one request at pod %s, got %+v", pod, got)
	}
	return nil
}

// streams looks for a stream that begins before it ends.
func streams(ctx context.Context) error {
	if !fleet.programs.Isolated {
		return nil
	}
	start := time.Now()
	resp, err := ask(ctx, fleet.FrontURL, `{"stream":true}`, openai.HeaderDelay, "50ms", openai.HeaderChunks, "10")
	if err != nil {
		return err
	}
	defer func() { _ = resp.Body.Close() }()
	chunks, first := 0, time.Duration(0)
	for lines := bufio.NewScanner(resp.Body); lines.Scan(); {
		if strings.Contains(lines.Text(), `"role":"assistant"`) {
			chunks++
		}
		if chunks == 1 && first == 0 {
			first = time.Since(start)
		}
	}
	if total := time.Since(start); chunks != 10 || first > 300*time.Millisecond || total < 450*time.Millisecond {
		return fmt.Errorf("want 10 chunks 50ms apart, got %d, the first after %s and the last after %s", chunks, first, total)
	}
	return nil
}

// scalesUp asks until both of two replicas have answered.
func scalesUp(ctx context.Context) error {
	if !fleet.programs.Isolated {
		return nil
	}
	if err := scale(ctx, 2); err != nil {
		return err
	}
	seen := map[string]bool{}
	return eventually(ctx, 20*time.Second, func(ctx context.Context) error {
		pod, err := answered(ctx, fleet.FrontURL)
		seen[pod] = err == nil
		if len(seen) < 2 {
			return errors.Join(err, fmt.Errorf("want answers of two pods, got those of %v", seen))
		}
		return err
	})
}

func scale(ctx context.Context, n int) error {
	md, err := deployment(ctx)
	if err != nil {
		return err
	}
	return fleet.ControlPlane.Client.Patch(ctx, md, client.RawPatch(types.MergePatchType, fmt.Appendf(nil, `{"spec":{"replicas":%d}}`, n)))
}

// finishesWhatItBegan deletes a pod in the middle of its answer.
func finishesWhatItBegan(ctx context.Context) error {
	if !fleet.programs.Isolated {
		return nil
	}
	resp, err := ask(ctx, fleet.FrontURL, `{"stream":true}`, openai.HeaderDelay, "100ms", openai.HeaderChunks, "20")
	if err != nil {
		return err
	}
	defer func() { _ = resp.Body.Close() }()
	pod := podOf(resp)
	if err := fleet.Remotes[0].Client.Delete(ctx, pod); err != nil {
		return err
	}
	b, err := io.ReadAll(resp.Body)
	if err != nil || !strings.HasSuffix(string(b), "data: [DONE]\n\n") {
		return errors.Join(err, fmt.Errorf("want a whole stream, got\n%s", b))
	}
	return errors.Join(gone(ctx, pod), everythingAnswers(ctx))
}

// crashes a pod in the middle of its answer.
func crashes(ctx context.Context) error {
	if !fleet.programs.Isolated {
		return nil
	}
	resp, err := ask(ctx, fleet.FrontURL, `{"stream":true}`, openai.HeaderDelay, "100ms", openai.HeaderChunks, "50")
	if err != nil {
		return err
	}
	defer func() { _ = resp.Body.Close() }()
	pod := podOf(resp)
	if err := fleet.Remotes[0].Crash(ctx, client.ObjectKeyFromObject(pod)); err != nil {
		return err
	}
	if b, _ := io.ReadAll(resp.Body); strings.Contains(string(b), "[DONE]") {
		return fmt.Errorf("want a stream that breaks off, got\n%s", b)
	}
	return errors.Join(gone(ctx, pod), everythingAnswers(ctx))
}

func podOf(resp *http.Response) *corev1.Pod {
	_, name, _ := strings.Cut(resp.Header.Get(openai.HeaderServedBy), "/"+namespace+"/")
	pod := &corev1.Pod{}
	pod.SetNamespace(namespace)
	pod.SetName(name)
	return pod
}

func gone(ctx context.Context, pod *corev1.Pod) error {
	return eventually(ctx, 5*time.Second, func(ctx context.Context) error {
		err := fleet.Remotes[0].Client.Get(ctx, client.ObjectKeyFromObject(pod), pod)
		if client.IgnoreNotFound(err) != nil || err == nil {
			return errors.Join(err, fmt.Errorf("pod %s is still there", pod.GetName()))
		}
		return nil
	})
}

// everythingAnswers waits until so many requests in a row are answered that each
// replica has had some.
func everythingAnswers(ctx context.Context) error {
	return eventually(ctx, 30*time.Second, func(ctx context.Context) error {
		for range 10 {
			if _, err := answered(ctx, fleet.FrontURL); err != nil {
				return err
			}
		}
		return nil
	})
}

// gatewayComesBack kills a cluster's gateway, and the control plane's.
func gatewayComesBack(ctx context.Context) error {
	if !fleet.programs.Isolated {
		return nil
	}
	for _, c := range []string{Gateway(fleet.Remotes[0].Name), traefik} {
		if err := fleet.Kill(c); err != nil {
			return err
		}
		if _, err := answered(ctx, fleet.FrontURL); err == nil {
			return fmt.Errorf("%s was killed, and requests are answered", c)
		}
		if err := fleet.Restart(ctx, c); err != nil {
			return err
		}
		if err := everythingAnswers(ctx); err != nil {
			return err
		}
	}
	return nil
}

// wholeClusterComesBack switches a cluster off and on.
func wholeClusterComesBack(ctx context.Context) error {
	if !fleet.programs.Isolated {
		return nil
	}
	r := fleet.Remotes[0]
	pods := &corev1.PodList{}
	if err := r.Client.List(ctx, pods, client.InNamespace(namespace)); err != nil {
		return err
	}
	if err := fleet.StopCluster(r); err != nil {
		return err
	}
	for _, p := range pods.Items {
		if listens(p.Status.PodIP+":8000")(ctx) == nil {
			return fmt.Errorf("pod %s listens, though its cluster is off", p.GetName())
		}
	}
	if err := fleet.StartCluster(ctx, r); err != nil {
		return err
	}
	return errors.Join(everythingAnswers(ctx), scale(ctx, 1), eventually(ctx, time.Minute, podsRun))
}

// asksAnother asks a provider outside the fleet, by its name, through the control
// plane's gateway.
func asksAnother(ctx context.Context) error {
	if !fleet.programs.Isolated {
		return nil
	}
	e, err := fleet.External(ctx, "api.provider.test")
	if err != nil {
		return err
	}
	ca := &corev1.ConfigMap{Data: map[string]string{"ca.crt": string(fleet.PublicCA())}}
	ca.SetNamespace(namespace)
	ca.SetName("public-ca")
	if err := errors.Join(fleet.ControlPlane.Apply(ctx, ca), fleet.ControlPlane.ApplyYAML(ctx, external)); err != nil {
		return err
	}
	err = eventually(ctx, 30*time.Second, func(ctx context.Context) error {
		resp, err := post(ctx, fleet.FrontURL+"/"+namespace+"/provider/v1/messages", "{}")
		if err != nil {
			return err
		}
		defer func() { _ = resp.Body.Close() }()
		if resp.StatusCode != http.StatusOK || resp.Header.Get(openai.HeaderServedBy) != e.Name {
			return fmt.Errorf("want an answer of %s, got %s by %q", e.Name, resp.Status, resp.Header.Get(openai.HeaderServedBy))
		}
		return nil
	})
	if err != nil {
		return err
	}
	if got := e.Requests(); len(got) != 1 || got[0].Path != "/v1/messages" || got[0].Host != e.Name {
		return fmt.Errorf("want one request as it was sent, got %+v", got)
	}
	return nil
}

const external = `
apiVersion: modelplane.ai/v1alpha1
kind: ModelEndpoint
metadata: {name: provider, namespace: ml-team, labels: {provider: external}}
spec: {url: "https://api.provider.test", tls: {caConfigMapRef: {name: public-ca}}}
---
apiVersion: modelplane.ai/v1alpha1
kind: ModelService
metadata: {name: provider, namespace: ml-team}
spec: {endpoints: [{selector: {matchLabels: {provider: external}}}]}
`

// TestForward goes through a door to the control plane's gateway.
func TestForward(t *testing.T) {
	if fleet == nil {
		t.Skip(skipped)
	}
	web := httptest.NewServer((&openai.Server{Name: "front", Model: "m"}).Handler())
	defer web.Close()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	go forward(t.Context(), l, func() string { return strings.TrimPrefix(web.URL, "http://") })

	resp, err := post(t.Context(), "http://"+l.Addr().String()+"/v1/completions", "{}")
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	if got := resp.Header.Get(openai.HeaderServedBy); got != "front" {
		t.Errorf("want an answer from behind the door, got %s by %q", resp.Status, got)
	}
}
