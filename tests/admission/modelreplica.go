package admission

import "strings"

const modelReplica = `
apiVersion: modelplane.ai/v1alpha1
kind: ModelReplica
metadata: {name: qwen3-8b-abcde, namespace: ml-team}
spec:
  clusterName: prod-eu
  providerConfigRef: {name: prod-eu}
  gateway: {name: inference-gateway, namespace: modelplane-system}
  serving: {mode: Unified}
  secrets: Project
  engines:
  - name: main
    members:
    - role: Leader
      nodePoolName: h100
      deviceRequests:
      - name: gpu
        deviceClassName: gpu.nvidia.com
        count: 8
        selectors: [{cel: 'device.driver == "gpu.nvidia.com"'}]
      devices: {gpu: 8, nic: 1}
      sharesNode: true
      template: {spec: {containers: [{name: engine, image: vllm/vllm-openai:v0.11.0}]}}
    - role: Worker
      worker: {nodes: 3}
      nodePoolName: h100
      template: {spec: {containers: [{name: engine, image: vllm/vllm-openai:v0.11.0}]}}
`

func modelReplicas() map[string]Case {
	const engine = "spec.engines.0"
	return map[string]Case{
		"Good": {
			Reason: "A replica that says all a replica can say should be accepted.",
			Object: modelReplica,
		},
		"NameIsNoLabel": {
			Reason: "A Service is named after it, so it is a DNS-1035 label.",
			Object: with(modelReplica, "metadata.name", "8b-abcde"),
			Field:  "metadata.name",
			Want:   "metadata.name must be lower case letters, digits and '-'",
		},
		"NameTooLong": {
			Reason: "A name must fit into a label.",
			Object: with(modelReplica, "metadata.name", strings.Repeat("a", 64)),
			Field:  "metadata.name",
			Want:   "Too long: may not be more than 63 bytes",
		},
		"NoCluster": {
			Reason: "A replica is on a cluster.",
			Object: with(modelReplica, "spec.clusterName", "null"),
			Field:  "spec.clusterName",
			Want:   "Required value",
		},
		"NoNodePool": {
			Reason: "A member is pinned to a pool.",
			Object: with(modelReplica, engine+".members.0.nodePoolName", "null"),
			Field:  "spec.engines[0].members[0].nodePoolName",
			Want:   "Required value",
		},
		"LeaderAlone": {
			Reason: "A gang has workers.",
			Object: with(modelReplica, engine+".members", "[{role: Leader, nodePoolName: h100, deviceRequests: [{name: gpu, deviceClassName: a}], template: {spec: {containers: [{name: engine, image: a}]}}}]"),
			Field:  "spec.engines[0].members",
			Want:   "members must be one of role Standalone, or one of role Leader and one of role Worker",
		},
		"WorkerOnLeader": {
			Reason: "A leader is one pod.",
			Object: with(modelReplica, engine+".members.0.worker", "{nodes: 2}"),
			Field:  "spec.engines[0].members[0].worker",
			Want:   "worker may only be set on a member of role Worker",
		},
		"NoDeviceRequests": {
			Reason: "An engine runs on a device.",
			Object: with(modelReplica, engine+".members.0.deviceRequests", "null"),
			Field:  "spec.engines[0].members",
			Want:   "at least one of members must have deviceRequests",
		},
		"NoDeviceClass": {
			Reason: "A device is claimed through its DeviceClass.",
			Object: with(modelReplica, engine+".members.0.deviceRequests.0.deviceClassName", "null"),
			Field:  "spec.engines[0].members[0].deviceRequests[0].deviceClassName",
			Want:   "Required value",
		},
		"DeviceClassIsNoSubdomain": {
			Reason: "A DeviceClass is named by a DNS subdomain.",
			Object: with(modelReplica, engine+".members.0.deviceRequests.0.deviceClassName", "GPU"),
			Field:  "spec.engines[0].members[0].deviceRequests[0].deviceClassName",
			Want:   "Invalid value",
		},
		"DeviceRequestIsNoLabel": {
			Reason: "The name of a request is a DNS label.",
			Object: with(modelReplica, engine+".members.0.deviceRequests.0.name", "GPU"),
			Field:  "spec.engines[0].members[0].deviceRequests[0].name",
			Want:   "Invalid value",
		},
		"NoEngineContainer": {
			Reason: "One container runs the model.",
			Object: with(modelReplica, engine+".members.1.template.spec.containers.0.name", "vllm"),
			Field:  "spec.engines[0].members[1].template.spec.containers",
			Want:   "exactly one of containers must be named engine",
		},
		"UnknownSecrets": {
			Reason: "Secrets are on the cluster, or are copied there.",
			Object: with(modelReplica, "spec.secrets", "Copy"),
			Field:  "spec.secrets",
			Want:   `Unsupported value: "Copy": supported values: "Existing", "Project"`,
		},
		"ReservedPodLabel": {
			Reason: "Modelplane's labels are Modelplane's to set.",
			Object: with(modelReplica, engine+".members.0.template.metadata", "{labels: {modelplane.ai/pool: a}}"),
			Field:  "spec.engines[0].members[0].template.metadata.labels",
			Want:   "labels may not begin with modelplane.ai/",
		},
	}
}
