package authorizer

import "strings"

const bearer = "Bearer "

// Key of a caller, by the headers of his request: what OpenAI's clients send, or
// else what Anthropic's do.
func Key(authorization, apiKey string) string {
	if len(authorization) > len(bearer) && strings.EqualFold(authorization[:len(bearer)], bearer) {
		return strings.TrimSpace(authorization[len(bearer):])
	}
	return strings.TrimSpace(apiKey)
}

// A Header is one to call an endpoint with.
type Header struct {
	Name  string
	Value string
}

// With is the header that says a credential, by the name the endpoint wants:
// Authorization, as a bearer, if it wants none in particular.
func With(name, credential string) Header {
	if name == "" {
		return Header{Name: "Authorization", Value: bearer + credential}
	}
	return Header{Name: name, Value: credential}
}

// HeaderName says whether a header may have a name, by RFC 9110.
func HeaderName(name string) bool {
	for i := range len(name) {
		c := name[i]
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
		if !letter && !strings.ContainsRune("!#$%&'*+-.^_`|~", rune(c)) {
			return false
		}
	}
	return name != ""
}
