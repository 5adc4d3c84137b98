package admission

import "strings"

const inferenceGateway = `
apiVersion: modelplane.ai/v1alpha1
kind: InferenceGateway
metadata: {name: default}
spec:
  backend: Traefik
  hostname: models.example.com
  tls: {secretRef: {name: front-door-tls}}
  replicas: 3
  loadBalancer: {class: service.k8s.aws/nlb, annotations: {example.com/internal: "true"}}
  authentication: APIKeys
  authorizer: {image: "registry.example.com/modelplane/compose-inference-gateway:v0.1.0"}
  traefik:
    repository: https://traefik.github.io/charts
    version: 37.0.0
    values: {deployment: {replicas: 5}, additionalArguments: [--log.level=DEBUG]}
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
		"HostnameWildcard": {
			Reason: "A gateway's address is in URLs, which have no wildcards.",
			Object: with(inferenceGateway, "spec.hostname", `"*.example.com"`),
			Field:  "spec.hostname",
			Want:   "hostname must be a lower case DNS name without scheme, port and wildcard, such as models.example.com",
		},
		"HostnameIsAURL": {
			Reason: "A hostname is the host of a URL, and no URL.",
			Object: with(inferenceGateway, "spec.hostname", "https://models.example.com"),
			Field:  "spec.hostname",
			Want:   "hostname must be a lower case DNS name without scheme, port and wildcard",
		},
		"HostnameWithPort": {
			Reason: "The gateway is at the usual ports.",
			Object: with(inferenceGateway, "spec.hostname", `"models.example.com:8443"`),
			Field:  "spec.hostname",
			Want:   "hostname must be a lower case DNS name without scheme, port and wildcard",
		},
		"HostnameIsAnIPAddress": {
			Reason: "A Gateway refuses an IP address for a hostname.",
			Object: with(inferenceGateway, "spec.hostname", `"203.0.113.1"`),
			Field:  "spec.hostname",
			Want:   "hostname must be a DNS name: remove it to be reached at an IP address",
		},
		"HostnameEmpty": {
			Reason: "No hostname is said by leaving it out.",
			Object: with(inferenceGateway, "spec.hostname", `""`),
			Field:  "spec.hostname",
			Want:   "should be at least 1 chars long",
		},
		"HostnameOnly": {
			Reason: "TLS may end before the gateway, and a hostname does without.",
			Object: with(inferenceGateway, "spec.tls", "null"),
		},
		"TLSOnly": {
			Reason: "A certificate may be of an IP address.",
			Object: with(inferenceGateway, "spec.hostname", "null"),
		},
		"TLSWithoutSecret": {
			Reason: "There is no TLS without a certificate.",
			Object: with(inferenceGateway, "spec.tls", "{}"),
			Field:  "spec.tls.secretRef",
			Want:   "Required value",
		},
		"TLSSecretWithoutName": {
			Reason: "A Secret is referred to by its name.",
			Object: with(inferenceGateway, "spec.tls.secretRef", "{}"),
			Field:  "spec.tls.secretRef.name",
			Want:   "Required value",
		},
		"TLSSecretOfANamespace": {
			Reason: "The certificate is where the Gateway is.",
			Object: with(inferenceGateway, "spec.tls.secretRef.name", "other/front-door-tls"),
			Field:  "spec.tls.secretRef.name",
			Want:   "name must be that of a Secret in modelplane-system, such as front-door-tls",
		},
		"NoReplicas": {
			Reason: "A door without a pod is none.",
			Object: with(inferenceGateway, "spec.replicas", "0"),
			Field:  "spec.replicas",
			Want:   "should be greater than or equal to 1",
		},
		"TooManyReplicas": {
			Reason: "A number of replicas has a bound.",
			Object: with(inferenceGateway, "spec.replicas", "101"),
			Field:  "spec.replicas",
			Want:   "should be less than or equal to 100",
		},
		"LoadBalancerClassMistyped": {
			Reason: "Services refuse a class that is no name.",
			Object: with(inferenceGateway, "spec.loadBalancer.class", "a class"),
			Field:  "spec.loadBalancer.class",
			Want:   "class must be the name of a load balancer class, such as service.k8s.aws/nlb",
		},
		"LoadBalancerAnnotationMistyped": {
			Reason: "Services refuse annotations that are none.",
			Object: with(inferenceGateway, "spec.loadBalancer.annotations", `{"not a key": "x"}`),
			Field:  "spec.loadBalancer.annotations",
			Want:   "keys of annotations must be annotation keys, such as team or example.com/team",
		},
		"LoadBalancerAnnotationOfModelplane": {
			Reason: "What is Modelplane's is not a user's to say.",
			Object: with(inferenceGateway, "spec.loadBalancer.annotations", `{"modelplane.ai/x": "x"}`),
			Field:  "spec.loadBalancer.annotations",
			Want:   "annotations may not begin with modelplane.ai/",
		},
		"LoadBalancerAnnotationOfLeaderWorkerSet": {
			Reason: "What is LeaderWorkerSet's is not a user's to say.",
			Object: with(inferenceGateway, "spec.loadBalancer.annotations", `{"leaderworkerset.sigs.k8s.io/x": "x"}`),
			Field:  "spec.loadBalancer.annotations",
			Want:   "annotations may not begin with leaderworkerset.sigs.k8s.io/",
		},
		"UnknownAuthentication": {
			Reason: "There are two kinds of authentication.",
			Object: with(inferenceGateway, "spec.authentication", "JWT"),
			Field:  "spec.authentication",
			Want:   `Unsupported value: "JWT": supported values: "None", "APIKeys"`,
		},
		"AuthorizerImageWithSpace": {
			Reason: "An image has no spaces.",
			Object: with(inferenceGateway, "spec.authorizer.image", "an image"),
			Field:  "spec.authorizer.image",
			Want:   "image must be the name of an image without spaces",
		},
		"ValuesNoObject": {
			Reason: "A chart's values are an object.",
			Object: with(inferenceGateway, "spec.traefik.values", "[]"),
			Field:  "spec.traefik.values",
			Want:   `must be of type object: "array"`,
		},
	}
}
