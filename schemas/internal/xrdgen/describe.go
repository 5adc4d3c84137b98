package main

import (
	"regexp"

	extv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// longestDescription is how long a description may be before only its first
// sentences are kept. Kubernetes' own types explain themselves at such length,
// and as often as a type is used, that a ModelDeployment's XRD would not fit
// into the annotation in which `kubectl apply` keeps what it applied.
const longestDescription = 240

var sentenceEnd = regexp.MustCompile(`[.!?]\s+[A-Z]`)

// shorten the descriptions of a schema and of all that is in it.
func shorten(s *extv1.JSONSchemaProps) {
	s.Description = firstSentences(s.Description, longestDescription)
	for name, p := range s.Properties {
		shorten(&p)
		s.Properties[name] = p
	}
	if s.Items != nil && s.Items.Schema != nil {
		shorten(s.Items.Schema)
	}
	if s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil {
		shorten(s.AdditionalProperties.Schema)
	}
}

// firstSentences returns as many of a text's sentences as fit, and at least one.
func firstSentences(text string, fit int) string {
	if len(text) <= fit {
		return text
	}
	end := 0
	for _, m := range sentenceEnd.FindAllStringIndex(text, -1) {
		if next := m[0] + 1; end == 0 || next <= fit {
			end = next
		}
	}
	if end == 0 {
		return text
	}
	return text[:end]
}
