package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"
)

// A controlPlane serves lists, or refuses to. Every list is two pages.
type controlPlane struct {
	lists map[string][]string // YAML of objects by resource. Others are not installed.
	fail  map[string]int      // Status by resource.
}

func (c controlPlane) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	resource := strings.TrimPrefix(r.URL.Path, "/apis/modelplane.ai/v1alpha1/")
	objects, ok := c.lists[resource]
	switch {
	case r.Method != http.MethodGet:
		refuse(w, http.StatusMethodNotAllowed, "plan changes nothing")
	case c.fail[resource] != 0:
		refuse(w, c.fail[resource], "not today")
	case !ok:
		refuse(w, http.StatusNotFound, "the server could not find the requested resource")
	default:
		next, items := "", objects
		if len(items) > 1 && r.URL.Query().Get("continue") == "" {
			next, items = "more", items[:1]
		} else if len(items) > 1 {
			items = items[1:]
		}
		list := map[string]any{"apiVersion": "modelplane.ai/v1alpha1", "kind": "List", "metadata": map[string]any{"continue": next}, "items": decoded(items)}
		answer(w, http.StatusOK, list)
	}
}

func refuse(w http.ResponseWriter, code int, message string) {
	reasons := map[int]metav1.StatusReason{http.StatusNotFound: metav1.StatusReasonNotFound, http.StatusForbidden: metav1.StatusReasonForbidden, http.StatusUnauthorized: metav1.StatusReasonUnauthorized}
	answer(w, code, metav1.Status{
		TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Status"},
		Status:   metav1.StatusFailure, Code: int32(code), Reason: reasons[code], Message: message,
	})
}

func answer(w http.ResponseWriter, code int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	if err := json.NewEncoder(w).Encode(body); err != nil {
		panic(err)
	}
}

func decoded(objects []string) []any {
	out := make([]any, len(objects))
	for i, o := range objects {
		if err := yaml.Unmarshal([]byte(strings.TrimPrefix(strings.TrimSpace(o), "- ")), &out[i]); err != nil {
			panic(err)
		}
	}
	return out
}

// kubeconfig that reaches a server.
func kubeconfig(t *testing.T, server string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "kubeconfig")
	content := fmt.Sprintf(`{apiVersion: v1, kind: Config, current-context: here,
clusters: [{name: here, cluster: {server: %q}}], users: [{name: me, user: {token: x}}],
contexts: [{name: here, context: {cluster: here, user: me}}]}`, server)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestLive(t *testing.T) {
	ready := `status:
  newer: {field: of another version}
  conditions: [{type: Ready, status: "True", reason: Available, message: "", lastTransitionTime: "2026-01-01T00:00:00Z"}]
  providerConfigRef: {name: a}
  gateway: {address: 192.0.2.1}
  gpuPools:
  - {name: p, className: gpu-2x, nodes: 1, nodesCharged: 1, charges: [{namespace: team, deployment: gone, index: 0, groups: [{pods: [{devices: {gpu: 2}}]}]}]}
`
	lists := map[string][]string{
		"inferenceclasses":  {class},
		"inferenceclusters": {cluster("a", 1) + ready, cluster("b", 1)},
		"modelreplicas":     {strings.ReplaceAll(replica("own-1", "own", "a", 0, 0), "\n  ", "\n")},
	}
	type want struct {
		code     int
		out, err string
	}
	cases := map[string]struct {
		reason string
		plane  controlPlane
		args   []string
		want   want
	}{
		"Plan": {
			reason: "A control plane knows all of its replicas, and whether its clusters are Ready.",
			plane:  controlPlane{lists: lists},
			want: want{code: 2, err: notAll, out: `ModelDeployment team/own: 2 of 3 replicas would be placed, 1 of them there already

CLUSTER  REPLICAS  ROOM FOR  WHY NO MORE
a        2         2         not enough room (need 1 pod of 1 gpu)
b        0         0         not Ready

Placements
CLUSTER  INDEX  REPLICA  ENGINE -> POOL  PODS  DEVICES OF EACH POD
a        0      own-1    e -> p          1     1 gpu
a        1      new      e -> p          1     1 gpu

What would have to change for another replica: all that is said of a cluster, and of one of its pools
CLUSTER  POOL  CHANGE
a        p     1 more node (room for 0 of 1 pod)
b        -     be Ready: its status does not say that it is
b        -     have a gateway address, from spec.cluster.existing.gateway.address
`},
		},
		"NotInstalled": {
			reason: "A control plane without Modelplane is the wrong one, or Modelplane is missing.",
			plane:  controlPlane{},
			want:   want{code: 1, err: "plan: error: the control plane at SERVER has no inferenceclusters of modelplane.ai/v1alpha1: install Modelplane there, as docs/install.md says, or choose another control plane with --context\n"},
		},
		"Forbidden": {
			reason: "What to ask for is said, all of it.",
			plane:  controlPlane{lists: lists, fail: map[string]int{"modelreplicas": http.StatusForbidden}},
			want:   want{code: 1, err: "plan: error: the control plane at SERVER does not let you list modelreplicas: ask for the verb list on inferenceclusters, inferenceclasses and modelreplicas of modelplane.ai, in all namespaces (not today)\n"},
		},
		"Unauthorized": {
			reason: "Credentials run out.",
			plane:  controlPlane{lists: lists, fail: map[string]int{"inferenceclasses": http.StatusUnauthorized}},
			want:   want{code: 1, err: "plan: error: the control plane at SERVER does not know who you are: renew the credentials in KUBECONFIG (not today)\n"},
		},
		"Broken": {
			reason: "Whatever else is wrong is said as it was said.",
			plane:  controlPlane{lists: lists, fail: map[string]int{"inferenceclasses": http.StatusInternalServerError}},
			want:   want{code: 1, err: "plan: error: cannot list inferenceclasses on the control plane at SERVER: not today; is it up, and does KUBECONFIG reach it?\n"},
		},
		"NoClusters": {
			reason: "There may be none yet.",
			plane:  controlPlane{lists: map[string][]string{"inferenceclusters": {}}},
			want:   want{code: 1, err: "plan: error: there is no InferenceCluster on the control plane at SERVER: add one, as docs/install.md says, or choose another control plane with --context\n"},
		},
		"UnknownContext": {
			reason: "A context that is not in the kubeconfig is a typo.",
			args:   []string{"--context=there"},
			want:   want{code: 1, err: "plan: error: cannot use kubeconfig KUBECONFIG: context \"there\" does not exist; name one that reaches a control plane, and a context it has\n"},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			s := httptest.NewServer(tc.plane)
			defer s.Close()
			config := kubeconfig(t, s.URL)
			got := planHere(t, model("own", "{replicas: 3, ENGINES}", engine("e", 1)), append(tc.args, "--kubeconfig", config, "-")...)
			want := result{Code: tc.want.code, Out: tc.want.out, Err: strings.NewReplacer("SERVER", s.URL, "KUBECONFIG", config).Replace(tc.want.err)}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("\n%s\n-want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}

// TestKubeconfigs plans with what the variable KUBECONFIG may hold.
func TestKubeconfigs(t *testing.T) {
	s := httptest.NewServer(controlPlane{})
	defer s.Close()
	config := kubeconfig(t, s.URL)

	_, several := newReader(filepath.Join(t.TempDir(), "none")+string(filepath.ListSeparator)+config, "here")
	if several != nil {
		t.Errorf("several kubeconfigs, one of which is not there: %v", several)
	}
	_, one := newReader("none", "")
	want := "cannot use kubeconfig none: stat none: no such file or directory; name one that reaches a control plane, and a context it has"
	if diff := cmp.Diff(want, fmt.Sprint(one)); diff != "" {
		t.Errorf("-want, +got:\n%s", diff)
	}
}
