package demo

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"
)

func TestView(t *testing.T) {
	cases := map[string]struct {
		reason string
		state  string
		want   string
	}{
		"Empty": {
			reason: "Before anything exists there is nothing to see.",
			state:  `{}`,
			want: `
CLUSTERS

MODELS
  none
`,
		},
		"Fleet": {
			reason: "A fleet shows its pools, its replicas and how far they are, and why what is not placed is not.",
			state: `
Clusters:
- metadata: {name: prod-us}
  status: {conditions: [{type: Ready, status: "False"}]}
- metadata: {name: prod-eu}
  spec: {taints: [{key: maintenance, effect: NoSchedule}]}
  status:
    conditions: [{type: Ready, status: "True"}]
    gpuPools:
    - {name: small, nodes: 2, nodesCharged: 0, devices: [{name: gpu, count: 1, capacity: {memory: {value: 15Gi}}}]}
    - {name: large, nodes: 3, nodesCharged: 2, devices: [{name: gpu, count: 8, capacity: {memory: {value: 80Gi}}}, {name: nic, count: 4}],
       charges: [{namespace: ml-team, deployment: qwen, index: 0, nodes: 2}]}
Deployments:
- metadata: {name: qwen, namespace: ml-team}
  status:
    summary: {replicas: 0/2}
    placements: [{replica: qwen-1, cluster: prod-eu, pools: [{engine: a, pool: large}], ready: false}]
    conditions: [{type: ReplicasScheduled, status: "False", reason: InsufficientCapacity, message: "1 of 2 replicas scheduled: 0/2 clusters can host another: 1 not ready, 1 tainted maintenance:NoSchedule"}]
Replicas:
- metadata: {name: qwen-1, namespace: ml-team}
  status: {conditions: [{type: ModelReady, status: "False", reason: ModelStarting, message: "engine a: 0 of 1 copies serve"}]}
Services:
- metadata: {name: qwen, namespace: ml-team}
  status: {address: "http://192.0.2.1/ml-team/qwen", summary: {endpoints: 0/1}}
`,
			want: `
CLUSTERS
  prod-eu  Ready, tainted maintenance:NoSchedule  small  □□ 0/2 nodes   1× gpu 15Gi
                                                  large  ■■□ 2/3 nodes  8× gpu 80Gi, 4× nic  ml-team/qwen
  prod-us  not ready                              no pools known

MODELS
  ml-team/qwen  0/2 replicas serve
    qwen-1  prod-eu/large  ModelStarting: engine a: 0 of 1 copies serve
    InsufficientCapacity: 1 of 2 replicas scheduled: 0/2 clusters can host another: 1 not ready, 1 tainted
      maintenance:NoSchedule

ADDRESSES
  ml-team/qwen  http://192.0.2.1/ml-team/qwen  0/1 endpoints
`,
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			s := State{}
			if err := yaml.Unmarshal([]byte(tc.state), &s); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(strings.TrimPrefix(tc.want, "\n"), View(s)); diff != "" {
				t.Errorf("\n%s\nView(...): -want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}
