package admission

import "strings"

const modelEndpoint = `
apiVersion: modelplane.ai/v1alpha1
kind: ModelEndpoint
metadata: {name: openai, namespace: ml-team, labels: {team: blue}}
spec:
  url: https://api.example.com:8443/v1/models
  rewritePath: /v1
  tls: {serverName: models.example.com, caConfigMapRef: {name: private-ca}}
  auth: {secretRef: {name: openai, key: apiKey}, header: x-api-key}
`

func modelEndpoints() map[string]Case {
	url := func(u string) string {
		return with(with(modelEndpoint, "spec.url", `"`+u+`"`), "spec.tls", "null")
	}
	secure := func(u string) string { return with(modelEndpoint, "spec.url", `"`+u+`"`) }
	const (
		scheme = "url must be absolute and of scheme http or https"
		host   = "url must have a host"
		port   = "url must have a port from 1 to 65535"
		extra  = "url may not have a user, a query or a fragment"

		nowhere = "url must have a host that other machines reach"
	)
	return map[string]Case{
		"Good":        {Reason: "An endpoint that says all an endpoint can say should be accepted.", Object: modelEndpoint},
		"OnlyAHost":   {Reason: "A host is enough.", Object: url("http://models")},
		"IPv4":        {Reason: "A host may be an IP address.", Object: url("http://203.0.113.7:80/ml-team/qwen3-8b-abcde")},
		"IPv6":        {Reason: "A host may be an IPv6 address.", Object: url("http://[2001:db8::7]:8000/")},
		"HighestPort": {Reason: "There is a port 65535.", Object: url("http://models:65535")},
		"EscapedPath": {Reason: "A path may be escaped.", Object: url("https://api.example.com/v1/a%20b")},
		"Empty":       {Reason: "An endpoint is somewhere.", Object: url(""), Field: "spec.url", Want: "should be at least 1 chars long"},
		"NoScheme":    {Reason: "How to connect must be known.", Object: url("api.example.com/v1"), Field: "spec.url", Want: scheme},
		"WrongScheme": {Reason: "A gateway speaks HTTP.", Object: url("ftp://api.example.com/v1"), Field: "spec.url", Want: scheme},
		"Unescaped":   {Reason: "A path must be escaped.", Object: url("https://api.example.com/%zz"), Field: "spec.url", Want: scheme},
		"WordAsPort":  {Reason: "A port is a number.", Object: url("https://api.example.com:https/v1"), Field: "spec.url", Want: scheme},
		"NoHost":      {Reason: "There must be someone to connect to.", Object: url("https:///v1"), Field: "spec.url", Want: host},
		"NoHostButAPort": {
			Reason: "A port is on a host.", Object: url("https://:8443/v1"), Field: "spec.url", Want: host,
		},
		"HostIsNoName": {Reason: "A host has a DNS name.", Object: url("https://my_api.example.com"), Field: "spec.url", Want: host},
		"EmptyPort":    {Reason: "A colon is followed by a port.", Object: url("https://api.example.com:/v1"), Field: "spec.url", Want: host},
		"PortZero":     {Reason: "There is no port 0.", Object: url("https://api.example.com:0/v1"), Field: "spec.url", Want: port},
		"PortTooHigh":  {Reason: "There is no port 65536.", Object: url("https://api.example.com:65536"), Field: "spec.url", Want: port},
		"PortTooLong":  {Reason: "A port has five digits.", Object: url("https://api.example.com:99999999999999999999"), Field: "spec.url", Want: port},
		"User":         {Reason: "A password does not belong into a URL.", Object: url("https://me:secret@api.example.com/v1"), Field: "spec.url", Want: extra},
		"Query":        {Reason: "A route cannot add a query.", Object: url("https://api.example.com/v1?key=secret"), Field: "spec.url", Want: extra},
		"Fragment":     {Reason: "A fragment is not sent.", Object: url("https://api.example.com/v1#top"), Field: "spec.url", Want: extra},
		"TooLong": {
			Reason: "A URL has at most 1024 characters, as many as a route has room for in a path.",
			Object: url("https://api.example.com/" + strings.Repeat("a", 1024)),
			Field:  "spec.url",
			Want:   "Too long: may not be more than 1024 bytes",
		},
		"Loopback":    {Reason: "A gateway is another machine.", Object: url("http://127.0.0.1:8000"), Field: "spec.url", Want: nowhere},
		"LoopbackIn6": {Reason: "A gateway is another machine.", Object: url("http://[::1]:8000"), Field: "spec.url", Want: nowhere},
		"LinkLocal":   {Reason: "A gateway may be on another network.", Object: url("http://169.254.169.254"), Field: "spec.url", Want: nowhere},
		"Unspecified": {Reason: "There is nobody at no address.", Object: url("http://0.0.0.0"), Field: "spec.url", Want: nowhere},
		"MistypedIP": {
			Reason: "An address that is none is no name either.", Object: url("http://203.0.113.256"), Field: "spec.url",
			Want: "url must have a host that is a DNS name or an IP address",
		},
		"TLSOverHTTP": {
			Reason: "Without https there is nothing to verify.", Object: secure("http://api.example.com"), Field: "spec.tls",
			Want: "tls applies to a url of scheme https",
		},
		"TLSOfAddress": {
			Reason: "A certificate is for a name.",
			Object: with(secure("https://203.0.113.7"), "spec.tls", "{caConfigMapRef: {name: private-ca}}"), Field: "spec.tls",
			Want: "tls needs a serverName if the host of url is an IP address",
		},
		"TLSOfAddressWithName": {Reason: "The name may be said.", Object: secure("https://[2001:db8::7]")},
		"TLSOfNothing": {
			Reason: "TLS that says nothing is left out instead.", Object: with(modelEndpoint, "spec.tls", "{}"), Field: "spec.tls",
			Want: "should have at least 1 properties",
		},
		"ServerNameIsNoName": {
			Reason: "A server name is a DNS name.", Object: with(modelEndpoint, "spec.tls.serverName", "Models!"), Field: "spec.tls.serverName",
			Want: "Invalid value",
		},
		"AuthWithoutSecret": {
			Reason: "A credential is in a Secret.", Object: with(modelEndpoint, "spec.auth", "{header: x-api-key}"), Field: "spec.auth.secretRef",
			Want: "Required value",
		},
		"AuthInHost": {
			Reason: "Some headers are HTTP's own.", Object: with(modelEndpoint, "spec.auth.header", "Host"), Field: "spec.auth.header",
			Want: "header may not be one that HTTP itself uses",
		},
		"AuthInNoHeader": {
			Reason: "A header has a name.", Object: with(modelEndpoint, "spec.auth.header", "x api key"), Field: "spec.auth.header",
			Want: "Invalid value",
		},
		"SecretKeyIsNone": {
			Reason: "A Secret's keys have a form.", Object: with(modelEndpoint, "spec.auth.secretRef.key", "api/key"), Field: "spec.auth.secretRef.key",
			Want: "Invalid value",
		},
		"RelativeRewritePath": {
			Reason: "A path is absolute.",
			Object: with(modelEndpoint, "spec.rewritePath", "v1"),
			Field:  "spec.rewritePath",
			Want:   "Invalid value",
		},
		"NameIsNoLabel": {
			Reason: "A Service is named after it, so it is a DNS-1035 label.",
			Object: with(modelEndpoint, "metadata.name", "2nd-openai"),
			Field:  "metadata.name",
			Want:   "metadata.name must be lower case letters, digits and '-'",
		},
		"NameTooLong": {
			Reason: "A name must fit into a label.",
			Object: with(modelEndpoint, "metadata.name", strings.Repeat("a", 64)),
			Field:  "metadata.name",
			Want:   "Too long: may not be more than 63 bytes",
		},
	}
}
