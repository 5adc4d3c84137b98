package admission

import "strings"

// gang is the example with an engine of a leader and its workers beside its own.
var gang = with(example, "spec.engines", `
- name: main
  copies: 2
  members:
  - role: Leader
    nodeSelector: {devices: [{name: gpu, count: 8, selectors: [{cel: "true"}]}]}
    template: {spec: {containers: [{name: engine, image: vllm/vllm-openai:v0.11.0}]}}
  - role: Worker
    worker: {nodes: 3}
    nodeSelector: {devices: [{name: gpu, count: 8, selectors: [{cel: "true"}]}]}
    template: {spec: {containers: [{name: engine, image: vllm/vllm-openai:v0.11.0}]}}
- name: draft
  members:
  - nodeSelector: {devices: [{name: gpu, selectors: [{cel: "true"}]}]}
    template: {spec: {containers: [{name: engine, image: vllm/vllm-openai:v0.11.0}]}}
`)

func modelDeploymentEngines() map[string]Case {
	const (
		engine = "spec.engines.0"
		device = engine + ".members.0.nodeSelector.devices.0"
		shape  = "members must be one of role Standalone, or one of role Leader and one of role Worker"
	)
	return map[string]Case{
		"Gang": {
			Reason: "An engine may be a gang, and stand beside others.",
			Object: gang,
		},
		"GangOfTwo": {
			Reason: "A worker without a size spans one node.",
			Object: with(gang, engine+".members.1.worker", "null"),
		},
		"OnlyLeaderClaims": {
			Reason: "A member without a nodeSelector rides on its engine's pool.",
			Object: with(gang, engine+".members.1.nodeSelector", "null"),
		},
		"OnlyWorkerClaims": {
			Reason: "A member without a nodeSelector rides on its engine's pool.",
			Object: with(gang, engine+".members.0.nodeSelector", "null"),
		},
		"NoEngines": {
			Reason: "A replica is its engines.",
			Object: with(example, "spec.engines", "[]"),
			Field:  "spec.engines",
			Want:   "Invalid value: 0: spec.engines in body should have at least 1 items",
		},
		"TwoEnginesOfOneName": {
			Reason: "Engines are told apart by name.",
			Object: with(gang, "spec.engines.1.name", "main"),
			Field:  "spec.engines[1]",
			Want:   `Duplicate value: {"name":"main"}`,
		},
		"EngineNameIsNoLabel": {
			Reason: "Workloads are named after an engine.",
			Object: with(example, engine+".name", "Qwen"),
			Field:  "spec.engines[0].name",
			Want:   "Invalid value",
		},
		"EngineNameTooLong": {
			Reason: "Workloads are named after an engine.",
			Object: with(example, engine+".name", strings.Repeat("a", 41)),
			Field:  "spec.engines[0].name",
			Want:   "Too long: may not be more than 40 bytes",
		},
		"TooManyCopies": {
			Reason: "A replica has at most 64 copies of an engine.",
			Object: with(example, engine+".copies", "65"),
			Field:  "spec.engines[0].copies",
			Want:   "Invalid value: 65",
		},
		"NoMembers": {
			Reason: "An engine is its members.",
			Object: with(example, engine+".members", "[]"),
			Field:  "spec.engines[0].members",
			Want:   "Invalid value: 0: spec.engines[0].members in body should have at least 1 items",
		},
		"LeaderAlone": {
			Reason: "A gang has workers.",
			Object: with(example, engine+".members.0.role", "Leader"),
			Field:  "spec.engines[0].members",
			Want:   shape,
		},
		"WorkerAlone": {
			Reason: "A gang has a leader.",
			Object: with(example, engine+".members.0.role", "Worker"),
			Field:  "spec.engines[0].members",
			Want:   shape,
		},
		"TwoLeaders": {
			Reason: "A gang has one leader.",
			Object: with(with(gang, engine+".members.1.role", "Leader"), engine+".members.1.worker", "null"),
			Field:  "spec.engines[0].members",
			Want:   shape,
		},
		"TwoWorkers": {
			Reason: "A gang has a leader.",
			Object: with(gang, engine+".members.0.role", "Worker"),
			Field:  "spec.engines[0].members",
			Want:   shape,
		},
		"TwoStandalone": {
			Reason: "More of the same are copies.",
			Object: with(with(gang, engine+".members.0.role", "Standalone"), engine+".members.1", "{template: {spec: {containers: [{name: engine, image: a}]}}}"),
			Field:  "spec.engines[0].members",
			Want:   shape,
		},
		"StandaloneAndWorker": {
			Reason: "A standalone pod has no workers.",
			Object: with(gang, engine+".members.0.role", "Standalone"),
			Field:  "spec.engines[0].members",
			Want:   shape,
		},
		"UnknownRole": {
			Reason: "There are three roles.",
			Object: with(gang, engine+".members.0.role", "Head"),
			Field:  "spec.engines[0].members[0].role",
			Want:   `Unsupported value: "Head": supported values: "Standalone", "Leader", "Worker"`,
		},
		"WorkerOnStandalone": {
			Reason: "A standalone member is one pod.",
			Object: with(example, engine+".members.0.worker", "{nodes: 2}"),
			Field:  "spec.engines[0].members[0].worker",
			Want:   "worker may only be set on a member of role Worker",
		},
		"WorkerOnLeader": {
			Reason: "A leader is one pod.",
			Object: with(gang, engine+".members.0.worker", "{nodes: 2}"),
			Field:  "spec.engines[0].members[0].worker",
			Want:   "worker may only be set on a member of role Worker",
		},
		"NoWorkerNodes": {
			Reason: "A worker spans a node at least.",
			Object: with(gang, engine+".members.1.worker.nodes", "0"),
			Field:  "spec.engines[0].members[1].worker.nodes",
			Want:   "Invalid value: 0",
		},
		"TooManyWorkerNodes": {
			Reason: "A gang is at most 64 pods.",
			Object: with(gang, engine+".members.1.worker.nodes", "64"),
			Field:  "spec.engines[0].members[1].worker.nodes",
			Want:   "Invalid value: 64",
		},
		"NobodyClaims": {
			Reason: "An engine runs on a device.",
			Object: with(with(gang, engine+".members.0.nodeSelector", "null"), engine+".members.1.nodeSelector", "null"),
			Field:  "spec.engines[0].members",
			Want:   "at least one of members must have a nodeSelector",
		},
		"NoDevices": {
			Reason: "A node is selected by its devices.",
			Object: with(example, engine+".members.0.nodeSelector.devices", "[]"),
			Field:  "spec.engines[0].members[0].nodeSelector.devices",
			Want:   "Invalid value: 0",
		},
		"DeviceNameIsNoLabel": {
			Reason: "The name of a DRA request is a DNS label.",
			Object: with(example, device+".name", "GPU"),
			Field:  "spec.engines[0].members[0].nodeSelector.devices[0].name",
			Want:   "Invalid value",
		},
		"TooManyDevices": {
			Reason: "A node has at most 64 devices.",
			Object: with(example, device+".count", "65"),
			Field:  "spec.engines[0].members[0].nodeSelector.devices[0].count",
			Want:   "Invalid value: 65",
		},
		"NoDeviceSelectors": {
			Reason: "A request says which devices it wants.",
			Object: with(example, device+".selectors", "null"),
			Field:  "spec.engines[0].members[0].nodeSelector.devices[0].selectors",
			Want:   "Required value",
		},
		"EmptyDeviceSelector": {
			Reason: "A selector selects.",
			Object: with(example, device+".selectors.0.cel", `""`),
			Field:  "spec.engines[0].members[0].nodeSelector.devices[0].selectors[0].cel",
			Want:   "Invalid value",
		},
	}
}
