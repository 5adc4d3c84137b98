package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	extv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

func TestFirstSentences(t *testing.T) {
	cases := map[string]struct {
		reason string
		text   string
		fit    int
		want   string
	}{
		"Fits": {
			reason: "A text that fits should be left alone.",
			text:   "One. Two.",
			fit:    9,
			want:   "One. Two.",
		},
		"SomeSentencesFit": {
			reason: "As many sentences as fit should be kept.",
			text:   "One. Two.\nThree. Four.",
			fit:    10,
			want:   "One. Two.",
		},
		"FirstSentenceIsTooLong": {
			reason: "At least one sentence should be kept, however long.",
			text:   "One and a half. Two.",
			fit:    5,
			want:   "One and a half.",
		},
		"NoSentences": {
			reason: "A text that does not end should be kept.",
			text:   "name of it, e.g. foo",
			fit:    5,
			want:   "name of it, e.g. foo",
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, firstSentences(tc.text, tc.fit)); diff != "" {
				t.Errorf("\n%s\nfirstSentences(...): -want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}

func TestShorten(t *testing.T) {
	long := "Long. " + strings.Repeat("Longer. ", longestDescription)
	schema := func(d string) *extv1.JSONSchemaProps {
		return &extv1.JSONSchemaProps{
			Description: d,
			Properties: map[string]extv1.JSONSchemaProps{
				"list": {Items: &extv1.JSONSchemaPropsOrArray{Schema: &extv1.JSONSchemaProps{Description: d}}},
				"map":  {AdditionalProperties: &extv1.JSONSchemaPropsOrBool{Schema: &extv1.JSONSchemaProps{Description: d}}},
			},
		}
	}
	got := schema(long)
	shorten(got)
	want := schema(firstSentences(long, longestDescription))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("shorten(...): -want, +got:\n%s", diff)
	}
	if got.Description == long {
		t.Errorf("shorten(...): want a shorter description")
	}
}
