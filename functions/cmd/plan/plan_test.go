package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

//nolint:misspell // An example has a typo.
func TestExamples(t *testing.T) {
	cases := map[string]struct {
		reason string
		folder string
		want   result
	}{
		"FitsNowhere": {
			reason: "Every cluster lacks something, and a typo is no shortage.",
			folder: "fits-nowhere",
			want: result{Code: 2, Err: notAll, Out: `ModelDeployment ml-team/too-big: 0 of 2 replicas would be placed

CLUSTER    REPLICAS  ROOM FOR  WHY NO MORE
lab        0         0         not selected by clusterSelector
prod-asia  0         0         tainted maintenance=true:NoSchedule
prod-eu    0         0         no pool has device "gpu" with memory >= 130Gi
prod-us    0         0         not enough room (need 4 pods of 8 gpu, a node each)

What would have to change for another replica: all that is said of a cluster, and of one of its pools
CLUSTER    POOL  CHANGE
lab        -     label tier=production
prod-asia  -     tolerate maintenance=true:NoSchedule, or remove the taint
prod-eu    h100  memory of device "gpu": 130Gi wanted, 81559Mi there (short by 51561Mi)
prod-us    h200  2 more nodes (room for 2 of 4 pods); 6 for 2 replicas


ModelDeployment ml-team/mistyped: 0 of 1 replicas would be placed

What is wrong with the deployment
- device "gpu": no class in the fleet publishes attribute "archtecture" of "gpu.nvidia.com", did you mean
  "architecture"?

CLUSTER    REPLICAS  ROOM FOR  WHY NO MORE
lab        0         0         no pool has device "gpu" with archtecture == "Hopper"
prod-asia  0         0         tainted maintenance=true:NoSchedule
prod-eu    0         0         no pool has device "gpu" with archtecture == "Hopper"
prod-us    0         0         no pool has device "gpu" with archtecture == "Hopper"

What would have to change for another replica: all that is said of a cluster, and of one of its pools
CLUSTER    POOL  CHANGE
prod-asia  -     tolerate maintenance=true:NoSchedule, or remove the taint

Notes on the fleet
- Without a status, and so taken as Ready, with the gateway address and the taints of the spec: lab,
  prod-asia, prod-eu, prod-us
`},
		},
		"Quickstart": {
			reason: "What is placed has a place, and what is left is said.",
			folder: "quickstart",
			want: result{Out: `ModelDeployment ml-team/qwen3-8b: 1 of 1 replicas would be placed

CLUSTER  REPLICAS  ROOM FOR  WHY NO MORE
lab      0         0         not selected by clusterSelector
prod-eu  1         2         not enough room (need 1 pod of 1 gpu)

Placements
CLUSTER  INDEX  REPLICA  ENGINE -> POOL      PODS  DEVICES OF EACH POD
prod-eu  0      new      qwen3-8b -> medium  1     1 gpu

Notes on the fleet
- Without a status, and so taken as Ready, with the gateway address and the taints of the spec: lab, prod-eu
`},
		},
		"TwoVariants": {
			reason: "Each deployment is planned on the fleet as it is.",
			folder: "two-variants",
			want: result{Out: `ModelDeployment ml-team/qwen3-32b-fp8: 2 of 2 replicas would be placed

CLUSTER  REPLICAS  ROOM FOR  WHY NO MORE
new-eu   2         2         not enough room (need 1 pod of 1 gpu)
old-us   0         0         no pool has device "gpu" with cudaComputeCapability > 8.9.0

Placements
CLUSTER  INDEX  REPLICA  ENGINE -> POOL  PODS  DEVICES OF EACH POD
new-eu   0      new      vllm -> h100    1     1 gpu
new-eu   1      new      vllm -> h100    1     1 gpu


ModelDeployment ml-team/qwen3-32b-bf16: 3 of 3 replicas would be placed

CLUSTER  REPLICAS  ROOM FOR  WHY NO MORE
new-eu   0         0         no pool has device "gpu" with architecture == "Ampere"
old-us   3         4         not enough room (need 1 pod of 2 gpu)

Placements
CLUSTER  INDEX  REPLICA  ENGINE -> POOL  PODS  DEVICES OF EACH POD
old-us   0      new      vllm -> a100    1     2 gpu
old-us   1      new      vllm -> a100    1     2 gpu
old-us   2      new      vllm -> a100    1     2 gpu

Notes on the fleet
- Without a status, and so taken as Ready, with the gateway address and the taints of the spec: new-eu, old-us
`},
		},
		"Gang": {
			reason: "Members that take different devices each say what.",
			folder: "data-expert-parallel",
			want: result{Out: `ModelDeployment ml-team/deepseek-v3: 1 of 1 replicas would be placed

CLUSTER  REPLICAS  ROOM FOR  WHY NO MORE
prod-us  1         1         not enough room (need 2 pods of 8 gpu, 16 nic, a node each)

Placements
CLUSTER  INDEX  REPLICA  ENGINE -> POOL  PODS  DEVICES OF EACH POD
prod-us  0      new      vllm -> h200    3     Leader: none; Worker: 16 efa, 8 gpu

Notes on the fleet
- Without a status, and so taken as Ready, with the gateway address and the taints of the spec: prod-us
`},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join("..", "..", "..", "examples", tc.folder)
			got := planHere(t, "", "--fleet", filepath.Join(dir, "fleet.yaml"), filepath.Join(dir, "model.yaml"))
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("\n%s\n-want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}

func TestPlan(t *testing.T) {
	cases := map[string]struct {
		reason string
		files  map[string]string
		stdin  string
		args   []string
		want   result
	}{
		"Existing": {
			reason: "What exists stays, and what is added is new. Others' charges count.",
			files: map[string]string{
				"fleet/class.yaml":       class,
				"fleet/clusters/a.yml":   cluster("a", 2),
				"fleet/.git/b.yaml":      "not: {read",
				"fleet/replicas/ours.md": "not: {read",
				"fleet/replicas/x.yaml":  replicas(replica("own-1", "own", "a", 0, 0), replica("other-1", "other", "a", 0, 0)),
			},
			stdin: model("own", "{replicas: 3, ENGINES}", engine("e", 1)),
			args:  []string{"--fleet=fleet", "-"},
			want: result{Out: `ModelDeployment team/own: 3 of 3 replicas would be placed, 1 of them there already

CLUSTER  REPLICAS  ROOM FOR  WHY NO MORE
a        3         3         not enough room (need 1 pod of 1 gpu)

Placements
CLUSTER  INDEX  REPLICA  ENGINE -> POOL  PODS  DEVICES OF EACH POD
a        0      own-1    e -> p          1     1 gpu
a        1      new      e -> p          1     1 gpu
a        2      new      e -> p          1     1 gpu

Notes on the fleet
- Without a status, and so taken as Ready, with the gateway address and the taints of the spec: a
`},
		},
		"Fewer": {
			reason: "What would go says why.",
			files:  map[string]string{"fleet.yaml": fleet(class, cluster("a", 2), replicas(replica("own-1", "own", "a", 0, 0), replica("own-2", "own", "a", 1, 0), replica("own-3", "own", "gone", 0, 0)))},
			stdin:  model("own", "{replicas: 1, ENGINES}", engine("e", 1)),
			args:   []string{"--fleet=fleet.yaml", "-"},
			want: result{Out: `ModelDeployment team/own: 1 of 1 replicas would be placed, 1 of them there already

CLUSTER  REPLICAS  ROOM FOR  WHY NO MORE
a        1         4         not enough room (need 1 pod of 1 gpu)

Placements
CLUSTER  INDEX  REPLICA  ENGINE -> POOL  PODS  DEVICES OF EACH POD
a        0      own-1    e -> p          1     1 gpu

What would go
CLUSTER  INDEX  REPLICA  WHY
a        1      own-2    ScaledDown
gone     0      own-3    ClusterGone: cluster "gone" is gone

Notes on the fleet
- Without a status, and so taken as Ready, with the gateway address and the taints of the spec: a
- ModelReplicas whose label modelplane.ai/cluster names no InferenceCluster that there is, and so charged to
  none: team/own-3
`},
		},
		"Eviction": {
			reason: "Others of lower priority make way, and their room is none that the cluster has.",
			files:  map[string]string{"fleet.yaml": fleet(class, cluster("a", 1), replicas(replica("low-1", "low", "a", 0, -10), replica("high-1", "high", "a", 0, 10)))},
			stdin:  model("own", "{replicas: 2, ENGINES}", engine("e", 1)),
			args:   []string{"--fleet=fleet.yaml", "-"},
			want: result{Code: 2, Err: notAll, Out: `ModelDeployment team/own: 1 of 2 replicas would be placed

CLUSTER  REPLICAS  ROOM FOR                 WHY NO MORE
a        1         0, 1 if others make way  not enough room (need 1 pod of 1 gpu)

Placements
CLUSTER  INDEX  REPLICA  ENGINE -> POOL  PODS  DEVICES OF EACH POD  MAKE WAY
a        0      new      e -> p          1     1 gpu                team/low/0 (priority -10)

What would have to change for another replica: all that is said of a cluster, and of one of its pools
CLUSTER  POOL  CHANGE
a        p     1 more node (room for 0 of 1 pod)

Notes on the fleet
- Without a status, and so taken as Ready, with the gateway address and the taints of the spec: a
`},
		},
		"StaleStatus": {
			reason: "A ledger that was published is brought up to date: the spec has fewer nodes now, and its charges still count where no ModelReplica was read.",
			files: map[string]string{"fleet.yaml": fleet(class, cluster("a", 1)+`status:
  conditions: [{type: Ready, status: "True", reason: Available, message: "", lastTransitionTime: "2026-01-01T00:00:00Z"}]
  providerConfigRef: {name: a}
  gateway: {address: 192.0.2.1}
  crossplane: {whatever: it says}
  gpuPools:
  - name: p
    className: former
    nodes: 8
    nodesCharged: 1
    devices: [{name: gpu, driver: gpu.example.com, deviceClassName: gpu.example.com, count: 8}]
    charges:
    - {namespace: team, deployment: other, index: 0, groups: [{pods: [{devices: {gpu: 1}}]}]}
    - {namespace: team, deployment: own, index: 3, groups: [{pods: [{devices: {gpu: 1}}]}]}
`)},
			stdin: model("own", "{replicas: 2, ENGINES}", engine("e", 1)),
			args:  []string{"--fleet=fleet.yaml", "-"},
			want: result{Code: 2, Err: notAll, Out: `ModelDeployment team/own: 1 of 2 replicas would be placed, 1 of them there already

CLUSTER  REPLICAS  ROOM FOR  WHY NO MORE
a        1         1         not enough room (need 1 pod of 1 gpu)

Placements
CLUSTER  INDEX  REPLICA       ENGINE -> POOL  PODS  DEVICES OF EACH POD
a        3      own-def278e0  p               1     1 gpu

What would have to change for another replica: all that is said of a cluster, and of one of its pools
CLUSTER  POOL  CHANGE
a        p     1 more node (room for 0 of 1 pod)

Notes on the fleet
- There are no ModelReplicas in the files: what is charged to pools is what the clusters' statuses say
`},
		},
		"NotReady": {
			reason: "A cluster with a status is taken as the status says. What is behind an obstacle is said too.",
			files: map[string]string{"fleet.yaml": fleet(class,
				cluster("down", 0)+`status: {conditions: [{type: Ready, status: "False", reason: Unavailable, message: cannot reach it, lastTransitionTime: "2026-01-01T00:00:00Z"}]}`,
				cluster("dev", 0), cluster("new", 0)+`status: {summary: {nodes: 0/0}}`,
				strings.Replace(cluster("old", 1)+`status: {gateway: {address: 192.0.2.1}}`, "name: old", "name: old, deletionTimestamp: 2026-01-01T00:00:00Z", 1),
				strings.Replace(cluster("unlabelled", 1), "labels: {name: unlabelled}", "labels: {}", 1),
				strings.Replace(cluster("poolless", 1), "nodePools:", "taints: [{key: x, effect: NoExecute}, {key: z, value: v, effect: NoSchedule}]\n  nodePools: []\n#", 1),
				strings.Replace(cluster("unclassed", 1), "className: gpu-2x", "className: nope", 1),
			)},
			stdin: model("own", "{clusterSelector: {matchExpressions: [{key: name, operator: NotIn, values: [dev]}]}, spread: [{topologyKey: name}], ENGINES}", engine("e", 1)),
			args:  []string{"--fleet=fleet.yaml", "-"},
			want: result{Code: 2, Err: notAll, Out: `ModelDeployment team/own: 0 of 1 replicas would be placed

CLUSTER     REPLICAS  ROOM FOR  WHY NO MORE
dev         0         0         not selected by clusterSelector
down        0         0         not Ready
new         0         0         not Ready
old         0         0         not Ready
poolless    0         0         tainted x:NoExecute
unclassed   0         0         the devices of no pool are known yet
unlabelled  0         0         no label name to spread over

What would have to change for another replica: all that is said of a cluster, and of one of its pools
CLUSTER     POOL  CHANGE
dev         -     no label name=dev
dev         p     1 more node (room for 0 of 1 pod)
down        -     be Ready: Unavailable: cannot reach it
down        -     have a gateway address, from spec.cluster.existing.gateway.address
down        p     1 more node (room for 0 of 1 pod)
new         -     be Ready: its status does not say that it is
new         -     have a gateway address, from spec.cluster.existing.gateway.address
new         p     1 more node (room for 0 of 1 pod)
old         -     stay: it is being deleted
poolless    -     tolerate x:NoExecute, or remove the taint
poolless    -     tolerate z=v:NoSchedule, or remove the taint
poolless    -     have a node pool, in spec.nodePools
unclassed   p     create InferenceClass "nope", or name another
unlabelled  -     label name, to spread over

Notes on the fleet
- Without a status, and so taken as Ready, with the gateway address and the taints of the spec: dev, poolless,
  unclassed, unlabelled
- InferenceCluster unclassed, pool p: there is no InferenceClass "nope"; create it, or name another in
  spec.nodePools
`},
		},
		"SeveralEngines": {
			reason: "What each engine lacks is said, and what all lack together.",
			files: map[string]string{
				"fleet.yaml":    fleet(class, cluster("a", 1), cluster("b", 3), replicas()),
				"apart.yaml":    model("apart", "{replicas: 2, ENGINES}", engine("e", 4), strings.Replace(engine("f", 1), "gpu.example", "gpu.exampel", 1)),
				"together.yaml": model("together", "{replicas: 3, ENGINES}", engine("e", 2), engine("f", 1)),
			},
			args: []string{"--fleet=fleet.yaml", "."},
			want: result{Code: 2, Err: notAll, Out: `ModelDeployment team/apart: 0 of 2 replicas would be placed

What is wrong with the deployment
- engine "f", device "gpu": no class in the fleet has driver "gpu.exampel.com", did you mean
  "gpu.example.com"?

CLUSTER  REPLICAS  ROOM FOR  WHY NO MORE
a        0         0         no pool has 4 of device "gpu" on a node for engine "e"
b        0         0         no pool has 4 of device "gpu" on a node for engine "e"

What would have to change for another replica: all that is said of a cluster, and of one of its pools
CLUSTER  ENGINE  POOL  CHANGE
a        e       p     2 more of device "gpu" on each node (room for 2 of 4)
b        e       p     2 more of device "gpu" on each node (room for 2 of 4)


ModelDeployment team/together: 2 of 3 replicas would be placed

CLUSTER  REPLICAS  ROOM FOR  WHY NO MORE
a        0         0         not enough room (all engines together need 2 pods)
b        2         2         not enough room for engine "e" (need 1 pod of 2 gpu)

Placements
CLUSTER  INDEX  REPLICA  ENGINE -> POOL  PODS  DEVICES OF EACH POD
b        0      new      e -> p          1     2 gpu
b        0      new      f -> p          1     1 gpu
b        1      new      e -> p          1     2 gpu
b        1      new      f -> p          1     1 gpu

What would have to change for another replica: all that is said of a cluster, and of one of its pools
CLUSTER  ENGINE  POOL  CHANGE
a        -       p     1 more node (room for 1 of 2 pods)
b        e       p     2 more nodes (room for 0 of 1 pod)

Notes on the fleet
- Without a status, and so taken as Ready, with the gateway address and the taints of the spec: a, b
`},
		},
		"Spread": {
			reason: "A spread may be what keeps replicas off a cluster that has room.",
			files:  map[string]string{"fleet.yaml": fleet(class, cluster("a", 1), cluster("b", 4))},
			stdin:  model("own", "{replicas: 6, spread: [{topologyKey: name}], ENGINES}", engine("e", 1)),
			args:   []string{"--fleet=fleet.yaml", "-"},
			want: result{Code: 2, Err: notAll, Out: `ModelDeployment team/own: 5 of 6 replicas would be placed

CLUSTER  REPLICAS  ROOM FOR  WHY NO MORE
a        2         2         not enough room (need 1 pod of 1 gpu)
b        3         3         would exceed maxSkew 1 of name

Placements
CLUSTER  INDEX  REPLICA  ENGINE -> POOL  PODS  DEVICES OF EACH POD
a        0      new      e -> p          1     1 gpu
a        1      new      e -> p          1     1 gpu
b        0      new      e -> p          1     1 gpu
b        1      new      e -> p          1     1 gpu
b        2      new      e -> p          1     1 gpu

What would have to change for another replica: all that is said of a cluster, and of one of its pools
CLUSTER  POOL  CHANGE
a        p     1 more node (room for 0 of 1 pod)
b        -     room elsewhere first, or a greater maxSkew: would exceed maxSkew 1 of name (3 replicas in b)

Notes on the fleet
- Without a status, and so taken as Ready, with the gateway address and the taints of the spec: a, b
`},
		},
		"RoomForMore": {
			reason: "More is not looked for than a deployment may have.",
			files:  map[string]string{"fleet.yaml": fleet(class, cluster("a", 600), strings.Replace(cluster("b", 1), "nodePools:", "taints: [{key: x, effect: NoExecute}]\n  nodePools:", 1))},
			stdin:  model("own", "{ENGINES}", engine("e", 1)),
			args:   []string{"--fleet=fleet.yaml", "-"},
			want: result{Out: `ModelDeployment team/own: 1 of 1 replicas would be placed

CLUSTER  REPLICAS  ROOM FOR      WHY NO MORE
a        1         1000 or more  -
b        0         0             tainted x:NoExecute

Placements
CLUSTER  INDEX  REPLICA  ENGINE -> POOL  PODS  DEVICES OF EACH POD
a        0      new      e -> p          1     1 gpu

Notes on the fleet
- Without a status, and so taken as Ready, with the gateway address and the taints of the spec: a, b
`},
		},
		"WholeNodes": {
			reason: "A pool that is not shared is charged by the node.",
			files:  map[string]string{"fleet.yaml": fleet(class, strings.Replace(cluster("a", 1), "nodeCount: 1", "nodeCount: 1, sharing: Node", 1))},
			stdin:  strings.Replace(model("own", "{ENGINES}", engine("e", 1)), ", namespace: team", "", 1),
			args:   []string{"--fleet=fleet.yaml", "-"},
			want: result{Out: `ModelDeployment default/own: 1 of 1 replicas would be placed

CLUSTER  REPLICAS  ROOM FOR  WHY NO MORE
a        1         1         not enough room (need 1 pod of 1 gpu)

Placements
CLUSTER  INDEX  REPLICA  ENGINE -> POOL  PODS  DEVICES OF EACH POD
a        0      new      e -> p          1     a whole node

Notes on the fleet
- Without a status, and so taken as Ready, with the gateway address and the taints of the spec: a
`},
		},
		"Held": {
			reason: "A deployment that cannot be understood changes nothing, and what exists stays.",
			files: map[string]string{
				"fleet.yaml": fleet(class, cluster("a", 2), replicas(replica("own-1", "own", "a", 0, 0))),
				"1.yaml":     model("own", "{ENGINES}", strings.Replace(engine("e", 1), "device.driver", "device.drive", 1)),
				"2.yaml":     strings.Replace(model("system", "{ENGINES}", engine("e", 1)), "namespace: team", "namespace: kube-system", 1),
				"3.yaml":     model("operator", "{clusterSelector: {matchExpressions: [{key: name, operator: Near}]}, ENGINES}", engine("e", 1)),
			},
			args: []string{"--fleet=fleet.yaml", "."},
			want: result{Code: 2, Err: notAll, Out: `ModelDeployment team/own: nothing would be done until it is corrected

What is wrong with the deployment
- engine e, member Standalone, request gpu, selectors[0].cel: compilation failed: ERROR: <input>:1:7:
  undefined field 'drive' | device.drive == "gpu.example.com" | ......^

Placements
CLUSTER  INDEX  REPLICA  ENGINE -> POOL  PODS  DEVICES OF EACH POD
a        0      own-1    e -> p          1     1 gpu


ModelDeployment kube-system/system: nothing would be done until it is corrected

What is wrong with the deployment
- metadata.namespace: models may not run in "kube-system"; use a namespace of your own


ModelDeployment team/operator: nothing would be done until it is corrected

What is wrong with the deployment
- spec.clusterSelector: "Near" is not a valid label selector operator

Notes on the fleet
- Without a status, and so taken as Ready, with the gateway address and the taints of the spec: a
`},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got := planIn(t, tc.files, tc.stdin, tc.args...)
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("\n%s\n-want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}
