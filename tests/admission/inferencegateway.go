package admission

import "strings"

const inferenceGateway = `
apiVersion: modelplane.ai/v1alpha1
kind: InferenceGateway
metadata: {name: default}
spec:
  backend: Traefik
  traefik: {repository: https://traefik.github.io/charts, version: 37.0.0}
`

func inferenceGateways() map[string]Case {
	return map[string]Case{
		"Good": {
			Reason: "A gateway that says all a gateway can say should be accepted.",
			Object: inferenceGateway,
		},
		"Empty": {
			Reason: "A gateway has a backend by default.",
			Object: with(inferenceGateway, "spec", "{}"),
		},
		"NameTooLong": {
			Reason: "A name must fit into a label.",
			Object: with(inferenceGateway, "metadata.name", strings.Repeat("a", 64)),
			Field:  "metadata.name",
			Want:   "Too long: may not be more than 63 bytes",
		},
		"SecondGateway": {
			Reason: "A control plane has one front door.",
			Object: with(inferenceGateway, "metadata.name", "other"),
			Field:  "metadata.name",
			Want:   "metadata.name must be default: a control plane has one front door",
		},
		"UnknownBackend": {
			Reason: "There is one backend.",
			Object: with(inferenceGateway, "spec.backend", "Nginx"),
			Field:  "spec.backend",
			Want:   `Unsupported value: "Nginx": supported values: "Traefik"`,
		},
	}
}
