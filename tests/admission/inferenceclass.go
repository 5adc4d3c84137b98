package admission

import "strings"

const inferenceClass = `
apiVersion: modelplane.ai/v1alpha1
kind: InferenceClass
metadata: {name: h100-8}
spec:
  description: Eight H100 and four NICs.
  devices:
  - name: gpu
    driver: gpu.nvidia.com
    deviceClassName: gpu.nvidia.com
    count: 8
    attributes:
      productName: {string: NVIDIA H100 80GB HBM3}
      cudaComputeCapability: {version: 9.0.0}
      gpu.nvidia.com/ecc: {bool: true}
      index: {int: 0}
    capacity:
      memory: {value: 81559Mi}
  - name: nic
    claim: Synthetic
    driver: nic.example.com
`

func inferenceClasses() map[string]Case {
	return map[string]Case{
		"Good": {
			Reason: "A class that says all a class can say should be accepted.",
			Object: inferenceClass,
		},
		"NameTooLong": {
			Reason: "A class is referred to by name, and a name must fit into a label.",
			Object: with(inferenceClass, "metadata.name", strings.Repeat("a", 64)),
			Field:  "metadata.name",
			Want:   "Too long: may not be more than 63 bytes",
		},
		"NoDevices": {
			Reason: "A class without devices says nothing.",
			Object: with(inferenceClass, "spec.devices", "[]"),
			Field:  "spec.devices",
			Want:   "Invalid value: 0: spec.devices in body should have at least 1 items",
		},
		"TwoDevicesOfOneName": {
			Reason: "Devices are told apart by name.",
			Object: with(inferenceClass, "spec.devices.1.name", "gpu"),
			Field:  "spec.devices[1]",
			Want:   `Duplicate value: {"name":"gpu"}`,
		},
		"DeviceNameIsNoLabel": {
			Reason: "The name of a device is a DNS label.",
			Object: with(inferenceClass, "spec.devices.0.name", "GPU"),
			Field:  "spec.devices[0].name",
			Want:   "Invalid value",
		},
		"DriverIsNoSubdomain": {
			Reason: "A DRA driver is named by a DNS subdomain.",
			Object: with(inferenceClass, "spec.devices.0.driver", "nvidia/gpu"),
			Field:  "spec.devices[0].driver",
			Want:   "Invalid value",
		},
		"DRAWithoutDeviceClass": {
			Reason: "A device claimed by DRA is claimed through its DeviceClass. DRA is the default.",
			Object: with(inferenceClass, "spec.devices.0.deviceClassName", "null"),
			Field:  "spec.devices[0].deviceClassName",
			Want:   "deviceClassName is required with claim DRA",
		},
		"DeviceClassIsNoSubdomain": {
			Reason: "A DeviceClass is named by a DNS subdomain.",
			Object: with(inferenceClass, "spec.devices.0.deviceClassName", "GPU_class"),
			Field:  "spec.devices[0].deviceClassName",
			Want:   "Invalid value",
		},
		"UnknownClaim": {
			Reason: "There are two ways to claim a device.",
			Object: with(inferenceClass, "spec.devices.0.claim", "Device"),
			Field:  "spec.devices[0].claim",
			Want:   `Unsupported value: "Device": supported values: "DRA", "Synthetic"`,
		},
		"TooManyOfADevice": {
			Reason: "A node has at most 64 devices of a kind.",
			Object: with(inferenceClass, "spec.devices.0.count", "65"),
			Field:  "spec.devices[0].count",
			Want:   "Invalid value: 65",
		},
		"AttributeWithoutValue": {
			Reason: "An attribute has a value.",
			Object: with(inferenceClass, "spec.devices.0.attributes.index", "{}"),
			Field:  "spec.devices[0].attributes[index]",
			Want:   "exactly one of string, version, bool and int must be set",
		},
		"AttributeWithTwoValues": {
			Reason: "An attribute has one value.",
			Object: with(inferenceClass, "spec.devices.0.attributes.index", "{int: 1, string: one}"),
			Field:  "spec.devices[0].attributes[index]",
			Want:   "exactly one of string, version, bool and int must be set",
		},
		"VersionIsNoSemver": {
			Reason: "DRA compares versions strictly, so 9.0 would match nothing.",
			Object: with(inferenceClass, "spec.devices.0.attributes.cudaComputeCapability.version", `"9.0"`),
			Field:  "spec.devices[0].attributes[cudaComputeCapability].version",
			Want:   "version must be a full semantic version",
		},
		"StringTooLong": {
			Reason: "DRA has no attribute of more than 64 characters, so it would match nothing.",
			Object: with(inferenceClass, "spec.devices.0.attributes.productName.string", strings.Repeat("a", 65)),
			Field:  "spec.devices[0].attributes.productName.string",
			Want:   "Too long: may not be more than 64 bytes",
		},
		"AttributeNameIsNoIdentifier": {
			Reason: "An attribute is a field in CEL, so its name is an identifier.",
			Object: with(inferenceClass, "spec.devices.0.attributes", "{product-name: {string: a}}"),
			Field:  "spec.devices[0].attributes",
			Want:   "names of attributes must be C identifiers",
		},
		"AttributeNameTooLong": {
			Reason: "DRA has no identifier of more than 32 characters.",
			Object: with(inferenceClass, "spec.devices.0.attributes", "{"+strings.Repeat("a", 33)+": {int: 1}}"),
			Field:  "spec.devices[0].attributes",
			Want:   "names of attributes must be C identifiers",
		},
		"AttributeDomainIsNoSubdomain": {
			Reason: "An attribute's domain is a DNS subdomain.",
			Object: with(inferenceClass, "spec.devices.0.attributes", "{NVIDIA/ecc: {bool: true}}"),
			Field:  "spec.devices[0].attributes",
			Want:   "names of attributes must be C identifiers",
		},
		"AttributeDomainTooLong": {
			Reason: "DRA has no domain of more than 63 characters.",
			Object: with(inferenceClass, "spec.devices.0.attributes", "{"+strings.Repeat("a", 64)+"/ecc: {bool: true}}"),
			Field:  "spec.devices[0].attributes",
			Want:   "names of attributes must be C identifiers",
		},
		"CapacityNameIsNoIdentifier": {
			Reason: "A capacity is a field in CEL, so its name is an identifier.",
			Object: with(inferenceClass, "spec.devices.0.capacity", "{gpu-memory: {value: 80Gi}}"),
			Field:  "spec.devices[0].capacity",
			Want:   "names of capacity must be C identifiers",
		},
		"CapacityIsNoQuantity": {
			Reason: "A capacity is a Kubernetes quantity.",
			Object: with(inferenceClass, "spec.devices.0.capacity.memory.value", "80GB"),
			Field:  "spec.devices[0].capacity.memory.value",
			Want:   "Invalid value",
		},
		"CapacityIsANumber": {
			Reason: "A quantity may be a plain number.",
			Object: with(inferenceClass, "spec.devices.0.capacity", "{multiprocessors: {value: 132}}"),
		},
	}
}
