package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestErrors(t *testing.T) {
	const fields = "; docs/api.md names the fields\n"
	good := model("own", "{ENGINES}", engine("e", 1))
	object := func(kind, rest string) string {
		return "{apiVersion: modelplane.ai/v1alpha1, kind: " + kind + ", metadata: {name: x}, " + rest + "}"
	}
	cases := map[string]struct {
		reason string
		fleet  string
		model  string
		args   []string
		want   string
	}{
		"NoDeployment": {
			reason: "Without a deployment the command says how it is called.",
			args:   []string{"--fleet=fleet.yaml"},
			want:   "no ModelDeployment to plan: name a file with one, for example make plan FLEET=examples/fits-nowhere/fleet.yaml DEPLOYMENT=examples/fits-nowhere/model.yaml\n",
		},
		"NoFleet": {
			reason: "Nor can it plan on nothing.",
			args:   []string{"model.yaml"},
			want:   "nothing to plan on: name files with --fleet, or a control plane with --kubeconfig, for example make plan FLEET=examples/fits-nowhere/fleet.yaml DEPLOYMENT=examples/fits-nowhere/model.yaml\n",
		},
		"TwoFleets": {
			reason: "Files and a control plane are not one fleet.",
			args:   []string{"--fleet=fleet.yaml", "--kubeconfig=x", "model.yaml"},
			want:   "two fleets to plan on: leave out --fleet or --kubeconfig\n",
		},
		"ContextOfFiles": {
			reason: "A context is of a kubeconfig.",
			args:   []string{"--fleet=fleet.yaml", "--context=x", "model.yaml"},
			want:   "--context is of a kubeconfig: leave it out, or name a kubeconfig instead of --fleet\n",
		},
		"UnknownFlag": {
			reason: "What is not known is not passed over.",
			args:   []string{"--flet=fleet.yaml", "model.yaml"},
			want:   "unknown flag --flet, did you mean \"--fleet\"? (--help explains)\n",
		},
		"NoSuchFile": {
			reason: "The file that is missing is named.",
			args:   []string{"--fleet=nope", "model.yaml"},
			want:   "cannot read nope: no such file or directory\n",
		},
		"NoClusters": {
			reason: "A fleet without clusters is none. Kinds of others, and of ours that do not matter, are passed over.",
			fleet:  fleet("", "# Nothing", "- a list", "just text", "{apiVersion: v1, kind: Secret, nope: 1}", object("ModelService", "nope: 1"), class),
			want:   "there is no InferenceCluster in fleet.yaml: name a folder or a file that has some, such as examples/fits-nowhere/fleet.yaml\n",
		},
		"NoDeployments": {
			reason: "A file without deployments is a mistake.",
			model:  class,
			want:   "there is no ModelDeployment in model.yaml: name a file that has one, such as examples/fits-nowhere/model.yaml\n",
		},
		"NoYAML": {
			reason: "The file, the document, and the line in it.",
			fleet:  fleet(class, "a: 1\na: 2"),
			want:   "cannot read fleet.yaml, document 2, as YAML: line 2: key \"a\" already set in map\n",
		},
		"UnknownField": {
			reason: "A field that a kind does not have is no field, and its path is said.",
			fleet:  fleet(class, object("InferenceCluster", "spec: {nodePool: [], nodePools: [{name: p, clasName: c}]}")),
			want:   `cannot read fleet.yaml, document 2, InferenceCluster x: unknown field "spec.nodePool", unknown field "spec.nodePools[0].clasName"` + fields,
		},
		"UnknownFieldInList": {
			reason: "In a list the item is said too.",
			fleet:  "{apiVersion: v1, kind: List, items: [{apiVersion: v1, kind: Secret}, 1, " + object("InferenceCluster", "sepc: {}") + "]}",
			want:   `cannot read fleet.yaml, document 1, items[2], InferenceCluster x: unknown field "sepc"` + fields,
		},
		"WrongType": {
			reason: "A value of another type says its field, too.",
			fleet:  object("InferenceCluster", "spec: {nodePools: [{name: p, className: c, nodeCount: many}]}"),
			want:   "cannot read fleet.yaml, document 1, InferenceCluster x: spec.nodePools.nodeCount is string, and should be integer" + fields,
		},
		"WrongQuantity": {
			reason: "So does one that its type reads by itself.",
			fleet:  object("InferenceClass", "spec: {devices: [{name: a, driver: b, capacity: {memory: {value: 80Gi}, disk: {value: lots}}}]}"),
			want:   "cannot read fleet.yaml, document 1, InferenceClass x: spec.devices[0].capacity.disk.value: quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'" + fields,
		},
		"WrongReplica": {
			reason: "Every kind that matters is read strictly.",
			fleet:  object("ModelReplica", "spec: {cluster: a}"),
			want:   `cannot read fleet.yaml, document 1, ModelReplica x: unknown field "spec.cluster"` + fields,
		},
		"WrongVersion": {
			reason: "Another version may mean something else.",
			fleet:  "{apiVersion: modelplane.ai/v1, kind: InferenceCluster, metadata: {name: x}}",
			want:   "cannot read fleet.yaml, document 1: apiVersion modelplane.ai/v1 is not known; write modelplane.ai/v1alpha1\n",
		},
		"WrongKind": {
			reason: "A kind that is not ours is a typo.",
			fleet:  object("InferenceCluser", "spec: {}"),
			want:   `cannot read fleet.yaml, document 1: modelplane.ai/v1alpha1 has no kind "InferenceCluser"; it has InferenceClass, InferenceCluster, InferenceGateway, ModelDeployment, ModelEndpoint, ModelReplica, ModelService` + "\n",
		},
		"NoName": {
			reason: "Objects go by their names.",
			fleet:  "{apiVersion: modelplane.ai/v1alpha1, kind: InferenceCluster}",
			want:   "cannot read fleet.yaml, document 1: the InferenceCluster has no metadata.name; give it one\n",
		},
		"Twice": {
			reason: "Of two objects of one name neither is the right one.",
			fleet:  fleet(class, cluster("a", 1), cluster("a", 2)),
			want:   "cannot read fleet.yaml, document 3, InferenceCluster a: it is in fleet.yaml, document 2, InferenceCluster a too; remove one\n",
		},
		"NotAdmitted": {
			reason: "What no API server admits is not planned on.",
			fleet:  object("InferenceCluster", "spec: {taints: [{key: k, effect: noschedule}, {}], nodePools: [{name: p, sharing: None}, {name: p, className: c, nodeCount: -1}]}"),
			want: `cannot read fleet.yaml, document 1, InferenceCluster x: spec.nodePools[0].className is missing; spec.nodePools[0].sharing is "None", and should be Device or Node; ` +
				`spec.nodePools[1].nodeCount is negative; spec.nodePools[1].name "p" is there twice; ` +
				`spec.taints[0].effect is "noschedule", and should be NoSchedule or NoExecute; spec.taints[1].key is missing; spec.taints[1].effect is missing` + "\n",
		},
		"ClassNotAdmitted": {
			reason: "A device without a driver is of no driver.",
			fleet:  object("InferenceClass", "spec: {devices: [{claim: None}]}"),
			want:   `cannot read fleet.yaml, document 1, InferenceClass x: spec.devices[0].name is missing; spec.devices[0].driver is missing; spec.devices[0].claim is "None", and should be DRA or Synthetic` + "\n",
		},
		"DeploymentNotAdmitted": {
			reason: "An engine is one pod, or a Leader and a Worker, and asks for devices.",
			model: object("ModelDeployment", "spec: {replicas: 1001, tolerations: [{operator: exists, effect: Never}], spread: [{whenUnsatisfiable: Never}], "+
				"engines: [{members: [{role: Leader, template: {spec: {containers: []}}}]}, {name: e, members: [{nodeSelector: {devices: [{selectors: []}]}, template: {spec: {containers: []}}}]}]}"),
			want: `cannot read model.yaml, document 1, ModelDeployment x: spec.replicas is 1001, and should be 0 to 1000; spec.tolerations[0].operator is "exists", and should be Equal or Exists; ` +
				`spec.tolerations[0].effect is "Never", and should be NoSchedule or NoExecute; spec.spread[0].topologyKey is missing; ` +
				`spec.spread[0].whenUnsatisfiable is "Never", and should be DoNotSchedule or ScheduleAnyway; spec.engines[0].name is missing; ` +
				`spec.engines[0].members must be one of role Standalone, or one of role Leader and one of role Worker; ` +
				`spec.engines[0].members: at least one must have a nodeSelector with devices; spec.engines[1].members[0].nodeSelector.devices[0].name is missing` + "\n",
		},
		"NoEngines": {
			reason: "A replica of nothing fits everywhere.",
			model:  object("ModelDeployment", "spec: {}"),
			want:   "cannot read model.yaml, document 1, ModelDeployment x: spec.engines has none: at least one is needed\n",
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			files := map[string]string{"fleet.yaml": fleet(class, cluster("a", 1)), "model.yaml": good}
			if tc.fleet != "" {
				files["fleet.yaml"] = tc.fleet
			}
			if tc.model != "" {
				files["model.yaml"] = tc.model
			}
			if tc.args == nil {
				tc.args = []string{"--fleet=fleet.yaml", "model.yaml"}
			}
			want := result{Code: 1, Err: "plan: error: " + tc.want}
			if diff := cmp.Diff(want, planIn(t, files, "", tc.args...)); diff != "" {
				t.Errorf("\n%s\n-want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}
