package admission

import "strings"

const modelService = `
apiVersion: modelplane.ai/v1alpha1
kind: ModelService
metadata: {name: qwen, namespace: ml-team}
spec:
  endpoints:
  - selector: {matchLabels: {modelplane.ai/deployment: qwen3-8b}}
    weight: 9
    priority: 1
  - selector:
      matchExpressions:
      - {key: team, operator: In, values: [blue, green]}
      - {key: example.com/canary, operator: Exists}
`

func modelServices() map[string]Case {
	expression := func(e string) string {
		return with(modelService, "spec.endpoints.1.selector.matchExpressions", "["+e+"]")
	}
	return map[string]Case{
		"Good": {
			Reason: "A service that says all a service can say should be accepted.",
			Object: modelService,
		},
		"NameIsNoLabel": {
			Reason: "A Service is named after it, so it is a DNS-1035 label.",
			Object: with(modelService, "metadata.name", "qwen.v2"),
			Field:  "metadata.name",
			Want:   "metadata.name must be lower case letters, digits and '-'",
		},
		"NameTooLong": {
			Reason: "A name must fit into a label.",
			Object: with(modelService, "metadata.name", strings.Repeat("a", 64)),
			Field:  "metadata.name",
			Want:   "Too long: may not be more than 63 bytes",
		},
		"NoEndpoints": {
			Reason: "A service is over endpoints.",
			Object: with(modelService, "spec.endpoints", "[]"),
			Field:  "spec.endpoints",
			Want:   "Invalid value: 0: spec.endpoints in body should have at least 1 items",
		},
		"NoSelector": {
			Reason: "A group is what it selects.",
			Object: with(modelService, "spec.endpoints.0", "{weight: 1}"),
			Field:  "spec.endpoints[0].selector",
			Want:   "Required value",
		},
		"EmptySelector": {
			Reason: "An empty selector would select every endpoint of the namespace.",
			Object: with(modelService, "spec.endpoints.0.selector", "{}"),
			Field:  "spec.endpoints[0].selector",
			Want:   "selector must have matchLabels or matchExpressions",
		},
		"SelectorOfEmptyParts": {
			Reason: "A selector whose parts are empty is empty.",
			Object: with(modelService, "spec.endpoints.0.selector", "{matchLabels: {}, matchExpressions: []}"),
			Field:  "spec.endpoints[0].selector",
			Want:   "selector must have matchLabels or matchExpressions",
		},
		"UnknownOperator": {
			Reason: "A label selector has four operators.",
			Object: expression("{key: team, operator: Equals, values: [blue]}"),
			Field:  "spec.endpoints[1].selector.matchExpressions[0].operator",
			Want:   `Unsupported value: "Equals"`,
		},
		"InWithoutValues": {
			Reason: "In nothing is nothing.",
			Object: expression("{key: team, operator: In}"),
			Field:  "spec.endpoints[1].selector.matchExpressions[0].values",
			Want:   "values are required with operator In or NotIn",
		},
		"NotInWithEmptyValues": {
			Reason: "Empty values are no values.",
			Object: expression("{key: team, operator: NotIn, values: []}"),
			Field:  "spec.endpoints[1].selector.matchExpressions[0].values",
			Want:   "values are required with operator In or NotIn",
		},
		"ExistsWithValues": {
			Reason: "Exists compares with no values.",
			Object: expression("{key: team, operator: Exists, values: [blue]}"),
			Field:  "spec.endpoints[1].selector.matchExpressions[0].values",
			Want:   "values may not be set with operator Exists",
		},
		"DoesNotExistWithValues": {
			Reason: "DoesNotExist compares with no values.",
			Object: expression("{key: team, operator: DoesNotExist, values: [blue]}"),
			Field:  "spec.endpoints[1].selector.matchExpressions[0].values",
			Want:   "values may not be set with operator Exists",
		},
		"ExpressionKeyIsNoLabelKey": {
			Reason: "No object has a label of such a key.",
			Object: expression("{key: the team, operator: Exists}"),
			Field:  "spec.endpoints[1].selector.matchExpressions[0].key",
			Want:   "key must be a label key",
		},
		"ExpressionValueIsNoLabelValue": {
			Reason: "No object has a label of such a value.",
			Object: expression("{key: team, operator: In, values: [dark blue]}"),
			Field:  "spec.endpoints[1].selector.matchExpressions[0].values[0]",
			Want:   "Invalid value",
		},
		"MatchLabelIsNoLabelKey": {
			Reason: "No object has a label of such a key.",
			Object: with(modelService, "spec.endpoints.0.selector.matchLabels", "{a/b/c: d}"),
			Field:  "spec.endpoints[0].selector.matchLabels",
			Want:   "keys of matchLabels must be label keys",
		},
		"MatchLabelIsNoLabelValue": {
			Reason: "No object has a label of such a value.",
			Object: with(modelService, "spec.endpoints.0.selector.matchLabels", "{team: dark blue}"),
			Field:  "spec.endpoints[0].selector.matchLabels.team",
			Want:   "Invalid value",
		},
		"NegativePriority": {
			Reason: "Nothing comes before the first.",
			Object: with(modelService, "spec.endpoints.0.priority", "-1"),
			Field:  "spec.endpoints[0].priority",
			Want:   "should be greater than or equal to 0",
		},
		"PriorityTooHigh": {
			Reason: "There are as many tiers as there can be groups.",
			Object: with(modelService, "spec.endpoints.0.priority", "16"),
			Field:  "spec.endpoints[0].priority",
			Want:   "should be less than or equal to 15",
		},
		"NoWeight": {
			Reason: "A group without traffic is left out instead.",
			Object: with(modelService, "spec.endpoints.0.weight", "0"),
			Field:  "spec.endpoints[0].weight",
			Want:   "Invalid value: 0",
		},
	}
}
