package admission

import "strings"

const modelEndpoint = `
apiVersion: modelplane.ai/v1alpha1
kind: ModelEndpoint
metadata: {name: openai, namespace: ml-team, labels: {team: blue}}
spec:
  url: https://api.example.com:8443/v1/models
  rewritePath: /v1
`

func modelEndpoints() map[string]Case {
	url := func(u string) string { return with(modelEndpoint, "spec.url", `"`+u+`"`) }
	const (
		scheme = "url must be absolute and of scheme http or https"
		host   = "url must have a host"
		port   = "url must have a port from 1 to 65535"
		extra  = "url may not have a user, a query or a fragment"
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
			Reason: "A URL has at most 2048 characters.",
			Object: url("https://api.example.com/" + strings.Repeat("a", 2048)),
			Field:  "spec.url",
			Want:   "Too long: may not be more than 2048 bytes",
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
