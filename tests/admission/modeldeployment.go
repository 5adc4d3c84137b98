package admission

import "strings"

// example is the ModelDeployment of the API's documentation, to the letter.
const example = `
apiVersion: modelplane.ai/v1alpha1
kind: ModelDeployment
metadata: {name: qwen3-8b, namespace: ml-team}
spec:
  replicas: 1
  clusterSelector: {matchLabels: {modelplane.ai/tier: production}}
  engines:
  - name: qwen3-8b
    members:
    - role: Standalone
      nodeSelector:
        devices:
        - name: gpu
          count: 1
          selectors:
          - cel: device.capacity["gpu.nvidia.com"].memory.compareTo(quantity("16Gi")) >= 0
      template:
        spec:
          containers:
          - name: engine
            image: vllm/vllm-openai:v0.11.0
            args: [--model=Qwen/Qwen2.5-7B-Instruct]
`

// modelDeployment is the example with all that may be said of where and when
// its replicas run.
const modelDeployment = example + `
  tolerations:
  - {key: example.com/maintenance, value: planned, effect: NoSchedule}
  - {operator: Exists}
  spread:
  - {topologyKey: topology.kubernetes.io/region, maxSkew: 2, whenUnsatisfiable: ScheduleAnyway}
  priority: 100
  strategy: {type: RollingUpdate, rollingUpdate: {maxUnavailable: 0, maxSurge: 1}}
  serving: {mode: Unified}
  secrets: Project
  replicaMetadata:
    labels: {team: blue, example.com/cost-center: "42"}
    annotations: {example.com/Owner: Ada Lovelace <ada@example.com>}
`

func modelDeployments() map[string]Case {
	return map[string]Case{
		"Example": {
			Reason: "The example of the documentation should be accepted.",
			Object: example,
		},
		"Good": {
			Reason: "A deployment that says all a deployment can say should be accepted.",
			Object: modelDeployment,
		},
		"NameBeginsWithDigit": {
			Reason: "Services are named after it, so it is a DNS-1035 label.",
			Object: with(example, "metadata.name", "3qwen"),
			Field:  "metadata.name",
			Want:   "metadata.name must be lower case letters, digits and '-', begin with a letter",
		},
		"NameHasDots": {
			Reason: "Services are named after it, so it is a DNS-1035 label.",
			Object: with(example, "metadata.name", "qwen2.5"),
			Field:  "metadata.name",
			Want:   "metadata.name must be lower case letters, digits and '-', begin with a letter",
		},
		"NameAsLongAsMayBe": {
			Reason: "A DNS label has at most 63 characters.",
			Object: with(example, "metadata.name", strings.Repeat("a", 63)),
		},
		"NameTooLong": {
			Reason: "A DNS label has at most 63 characters.",
			Object: with(example, "metadata.name", strings.Repeat("a", 64)),
			Field:  "metadata.name",
			Want:   "Too long: may not be more than 63 bytes",
		},
		"NoReplicas": {
			Reason: "A deployment may be scaled to nothing.",
			Object: with(example, "spec.replicas", "0"),
		},
		"NegativeReplicas": {
			Reason: "There is less than nothing nowhere.",
			Object: with(example, "spec.replicas", "-1"),
			Field:  "spec.replicas",
			Want:   "Invalid value: -1",
		},
		"TooManyReplicas": {
			Reason: "A deployment has at most 1000 replicas.",
			Object: with(example, "spec.replicas", "1001"),
			Field:  "spec.replicas",
			Want:   "Invalid value: 1001",
		},
		"ClusterSelectorInWithoutValues": {
			Reason: "In nothing is nothing.",
			Object: with(example, "spec.clusterSelector", "{matchExpressions: [{key: region, operator: In}]}"),
			Field:  "spec.clusterSelector.matchExpressions[0].values",
			Want:   "values are required with operator In or NotIn",
		},
		"ClusterSelectorExistsWithValues": {
			Reason: "Exists compares with no values.",
			Object: with(example, "spec.clusterSelector", "{matchExpressions: [{key: region, operator: Exists, values: [eu]}]}"),
			Field:  "spec.clusterSelector.matchExpressions[0].values",
			Want:   "values may not be set with operator Exists",
		},
		"ClusterSelectorUnknownOperator": {
			Reason: "A label selector has four operators.",
			Object: with(example, "spec.clusterSelector", "{matchExpressions: [{key: region, operator: Gt, values: [a]}]}"),
			Field:  "spec.clusterSelector.matchExpressions[0].operator",
			Want:   `Unsupported value: "Gt": supported values: "In", "NotIn", "Exists", "DoesNotExist"`,
		},
		"ClusterSelectorEmpty": {
			Reason: "An empty selector selects every cluster, as none does.",
			Object: with(example, "spec.clusterSelector", "{}"),
		},
		"EqualWithoutKey": {
			Reason: "Equal is the default operator, and compares with the taint of a key.",
			Object: with(modelDeployment, "spec.tolerations", "[{value: planned}]"),
			Field:  "spec.tolerations[0].key",
			Want:   "key is required with operator Equal",
		},
		"EqualWithEmptyKey": {
			Reason: "An empty key is no key.",
			Object: with(modelDeployment, "spec.tolerations", `[{key: "", operator: Equal}]`),
			Field:  "spec.tolerations[0].key",
			Want:   "key is required with operator Equal",
		},
		"ExistsWithValue": {
			Reason: "Exists compares with no value.",
			Object: with(modelDeployment, "spec.tolerations", "[{key: maintenance, operator: Exists, value: planned}]"),
			Field:  "spec.tolerations[0].value",
			Want:   "value may not be set with operator Exists",
		},
		"TolerationKeyIsNoLabelKey": {
			Reason: "No taint has such a key.",
			Object: with(modelDeployment, "spec.tolerations", "[{key: under maintenance, operator: Exists}]"),
			Field:  "spec.tolerations[0].key",
			Want:   "key must be a label key",
		},
		"TolerationValueIsNoLabelValue": {
			Reason: "No taint has such a value.",
			Object: with(modelDeployment, "spec.tolerations", "[{key: maintenance, value: not now}]"),
			Field:  "spec.tolerations[0].value",
			Want:   "Invalid value",
		},
		"UnknownTolerationOperator": {
			Reason: "A toleration has two operators.",
			Object: with(modelDeployment, "spec.tolerations.0.operator", "Lt"),
			Field:  "spec.tolerations[0].operator",
			Want:   `Unsupported value: "Lt": supported values: "Equal", "Exists"`,
		},
		"SpreadKeyIsNoLabelKey": {
			Reason: "No cluster has a label of such a key.",
			Object: with(modelDeployment, "spec.spread.0.topologyKey", "the region"),
			Field:  "spec.spread[0].topologyKey",
			Want:   "topologyKey must be a label key",
		},
		"SpreadWithoutSkew": {
			Reason: "Two values always differ by one at times.",
			Object: with(modelDeployment, "spec.spread.0.maxSkew", "0"),
			Field:  "spec.spread[0].maxSkew",
			Want:   "Invalid value: 0",
		},
		"UnknownUnsatisfiableAction": {
			Reason: "A spread that cannot be kept is given up or waited for.",
			Object: with(modelDeployment, "spec.spread.0.whenUnsatisfiable", "Evict"),
			Field:  "spec.spread[0].whenUnsatisfiable",
			Want:   `Unsupported value: "Evict": supported values: "DoNotSchedule", "ScheduleAnyway"`,
		},
		"Recreate": {
			Reason: "A strategy need not be rolling.",
			Object: with(modelDeployment, "spec.strategy", "{type: Recreate}"),
		},
		"RecreateWithRollingUpdate": {
			Reason: "Recreate has nothing to bound.",
			Object: with(modelDeployment, "spec.strategy.type", "Recreate"),
			Field:  "spec.strategy.rollingUpdate",
			Want:   "rollingUpdate may only be set with type RollingUpdate",
		},
		"UpdateCouldNeverBegin": {
			Reason: "An update takes a replica away, or adds one.",
			Object: with(modelDeployment, "spec.strategy.rollingUpdate", "{maxUnavailable: 0}"),
			Field:  "spec.strategy.rollingUpdate",
			Want:   "maxUnavailable and maxSurge may not both be 0",
		},
		"Failover": {
			Reason: "Failover has a default for everything.",
			Object: with(modelDeployment, "spec.failover", "{}"),
		},
		"HastyFailover": {
			Reason: "What comes back in a moment is not replaced.",
			Object: with(modelDeployment, "spec.failover", "{afterSeconds: 5}"),
			Field:  "spec.failover.afterSeconds",
			Want:   "should be greater than or equal to 10",
		},
		"FailoverOfNone": {
			Reason: "Failover replaces at least one at a time.",
			Object: with(modelDeployment, "spec.failover", "{maxConcurrent: 0}"),
			Field:  "spec.failover.maxConcurrent",
			Want:   "should be greater than or equal to 1",
		},
		"UnknownServingMode": {
			Reason: "There is one mode.",
			Object: with(modelDeployment, "spec.serving.mode", "PrefillDecode"),
			Field:  "spec.serving.mode",
			Want:   `Unsupported value: "PrefillDecode": supported values: "Unified"`,
		},
		"UnknownSecrets": {
			Reason: "Secrets are on the clusters, or are copied there.",
			Object: with(modelDeployment, "spec.secrets", "Copy"),
			Field:  "spec.secrets",
			Want:   `Unsupported value: "Copy": supported values: "Existing", "Project"`,
		},
		"ReservedReplicaLabel": {
			Reason: "Modelplane's labels are Modelplane's to set.",
			Object: with(modelDeployment, "spec.replicaMetadata.labels", "{modelplane.ai/cluster: a}"),
			Field:  "spec.replicaMetadata.labels",
			Want:   "labels may not begin with modelplane.ai/",
		},
		"ReservedReplicaAnnotation": {
			Reason: "Modelplane's annotations are Modelplane's to set.",
			Object: with(modelDeployment, "spec.replicaMetadata.annotations", "{modelplane.ai/revision: a}"),
			Field:  "spec.replicaMetadata.annotations",
			Want:   "annotations may not begin with modelplane.ai/",
		},
		"ReplicaLabelIsNoLabelKey": {
			Reason: "A replica could not be made with such a label.",
			Object: with(modelDeployment, "spec.replicaMetadata.labels", "{Example.com/team: blue}"),
			Field:  "spec.replicaMetadata.labels",
			Want:   "keys of labels must be label keys",
		},
		"ReplicaLabelIsNoLabelValue": {
			Reason: "A replica could not be made with such a label.",
			Object: with(modelDeployment, "spec.replicaMetadata.labels.team", "dark blue"),
			Field:  "spec.replicaMetadata.labels.team",
			Want:   "Invalid value",
		},
		"ReplicaAnnotationIsNoAnnotationKey": {
			Reason: "A replica could not be made with such an annotation.",
			Object: with(modelDeployment, "spec.replicaMetadata.annotations", "{a b: c}"),
			Field:  "spec.replicaMetadata.annotations",
			Want:   "keys of annotations must be annotation keys",
		},
	}
}

func modelDeploymentUpdates() map[string]Update {
	return map[string]Update{
		"EverythingElse": {
			Reason: "A deployment may change all it says, and its replicas take the change.",
			Old:    example,
			New:    modelDeployment,
		},
		"ScaleToTooMany": {
			Reason: "A change is held to the same rules.",
			Old:    example,
			New:    with(example, "spec.replicas", "1001"),
			Field:  "spec.replicas",
			Want:   "Invalid value: 1001",
		},
		"TakeTheOnlyNodeSelector": {
			Reason: "A change is held to the same rules.",
			Old:    example,
			New:    with(example, "spec.engines.0.members.0.nodeSelector", "null"),
			Field:  "spec.engines[0].members",
			Want:   "at least one of members must have a nodeSelector",
		},
	}
}
