package admission

import "strings"

const inferenceCluster = `
apiVersion: modelplane.ai/v1alpha1
kind: InferenceCluster
metadata: {name: prod-eu}
spec:
  cluster:
    source: Existing
    existing:
      secretRef: {name: prod-eu-kubeconfig}
      identitySecretRef: {name: prod-eu-identity}
      gateway: {address: gateway.prod-eu.example.com}
  taints:
  - {key: example.com/maintenance, value: planned, effect: NoSchedule}
  - {key: example.com/maintenance, effect: NoExecute}
  nodePools:
  - {name: h100, className: h100-8, nodeCount: 4, sharing: Node}
`

func inferenceClusters() map[string]Case {
	return map[string]Case{
		"Good": {
			Reason: "A cluster that says all a cluster can say should be accepted.",
			Object: inferenceCluster,
		},
		"NameTooLong": {
			Reason: "Replicas carry the cluster's name in a label.",
			Object: with(inferenceCluster, "metadata.name", strings.Repeat("a", 64)),
			Field:  "metadata.name",
			Want:   "Too long: may not be more than 63 bytes",
		},
		"UnknownSource": {
			Reason: "A cluster comes from somewhere we know.",
			Object: with(inferenceCluster, "spec.cluster.source", "GKE"),
			Field:  "spec.cluster.source",
			Want:   `Unsupported value: "GKE": supported values: "Existing"`,
		},
		"ExistingWithoutExisting": {
			Reason: "The block named like the source says what the source needs.",
			Object: with(inferenceCluster, "spec.cluster.existing", "null"),
			Field:  "spec.cluster.existing",
			Want:   "existing is required with source Existing",
		},
		"AddressWithPort": {
			Reason: "An address may have a port.",
			Object: with(inferenceCluster, "spec.cluster.existing.gateway.address", `"203.0.113.7:8080"`),
		},
		"AddressIPv6": {
			Reason: "An address may be an IPv6 address, in brackets as in a URL.",
			Object: with(inferenceCluster, "spec.cluster.existing.gateway.address", `"[2001:db8::7]:8080"`),
		},
		"AddressIsAURL": {
			Reason: "An address is the host of a URL, and no URL.",
			Object: with(inferenceCluster, "spec.cluster.existing.gateway.address", "https://gateway.example.com"),
			Field:  "spec.cluster.existing.gateway.address",
			Want:   "address must be a lower case DNS name or an IP address",
		},
		"AddressIsNoName": {
			Reason: "An address is a DNS name.",
			Object: with(inferenceCluster, "spec.cluster.existing.gateway.address", "my_gateway"),
			Field:  "spec.cluster.existing.gateway.address",
			Want:   "address must be a lower case DNS name or an IP address",
		},
		"AddressWithoutSuchAPort": {
			Reason: "There is no port 65536.",
			Object: with(inferenceCluster, "spec.cluster.existing.gateway.address", "gateway:65536"),
			Field:  "spec.cluster.existing.gateway.address",
			Want:   "address must have a port from 1 to 65535",
		},
		"TaintKeyIsNoLabelKey": {
			Reason: "A taint's key is a label key.",
			Object: with(inferenceCluster, "spec.taints.0.key", "under maintenance"),
			Field:  "spec.taints[0].key",
			Want:   "key must be a label key",
		},
		"TaintValueIsNoLabelValue": {
			Reason: "A taint's value is a label value.",
			Object: with(inferenceCluster, "spec.taints.0.value", "not now"),
			Field:  "spec.taints[0].value",
			Want:   "Invalid value",
		},
		"UnknownTaintEffect": {
			Reason: "A fleet has no soft taints.",
			Object: with(inferenceCluster, "spec.taints.0.effect", "PreferNoSchedule"),
			Field:  "spec.taints[0].effect",
			Want:   `Unsupported value: "PreferNoSchedule": supported values: "NoSchedule", "NoExecute"`,
		},
		"SameTaintTwice": {
			Reason: "Taints are told apart by key and effect.",
			Object: with(inferenceCluster, "spec.taints.1.effect", "NoSchedule"),
			Field:  "spec.taints[1]",
			Want:   `Duplicate value`,
		},
		"NodePoolNameIsNoLabel": {
			Reason: "The name of a pool is the value of a label of its nodes.",
			Object: with(inferenceCluster, "spec.nodePools.0.name", "H100"),
			Field:  "spec.nodePools[0].name",
			Want:   "Invalid value",
		},
		"NodePoolNameTooLong": {
			Reason: "The name of a pool has at most 40 characters.",
			Object: with(inferenceCluster, "spec.nodePools.0.name", strings.Repeat("a", 41)),
			Field:  "spec.nodePools[0].name",
			Want:   "Too long: may not be more than 40 bytes",
		},
		"NegativeNodes": {
			Reason: "A pool has no less than no nodes.",
			Object: with(inferenceCluster, "spec.nodePools.0.nodeCount", "-1"),
			Field:  "spec.nodePools[0].nodeCount",
			Want:   "Invalid value: -1",
		},
		"SharingUnknown": {
			Reason: "Pods share nodes by devices, or not at all.",
			Object: with(inferenceCluster, "spec.nodePools.0.sharing", "Rack"),
			Field:  "spec.nodePools[0].sharing",
			Want:   `supported values: "Device", "Node"`,
		},
	}
}

func inferenceClusterUpdates() map[string]Update {
	return map[string]Update{
		"AddPool": {
			Reason: "A cluster may change what it is made of.",
			Old:    inferenceCluster,
			New:    with(inferenceCluster, "spec.nodePools", "[{name: h200, className: h200-8}]"),
		},
		"RotateKubeconfig": {
			Reason: "A cluster may change how it is reached.",
			Old:    inferenceCluster,
			New:    with(inferenceCluster, "spec.cluster.existing.secretRef.name", "prod-eu-kubeconfig-2"),
		},
	}
}
