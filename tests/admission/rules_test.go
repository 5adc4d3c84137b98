package admission

import (
	"strings"
	"testing"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
)

// cannotBeBroken are rules that no object can break yet, by message, and why.
var cannotBeBroken = map[string]string{
	"source may not be changed: make another InferenceCluster, and delete this one when its replicas have left": "there is one source; see TestSourceIsImmutable",
}

// TestEveryRuleIsBroken demands an object that breaks a rule, for each rule. A
// rule that nothing breaks may be one that cannot refuse anything.
func TestEveryRuleIsBroken(t *testing.T) {
	servers := newServers(t)
	said := &strings.Builder{}
	for kind, cases := range Cases() {
		for _, tc := range cases {
			if _, err := servers.create(kind, tc.Object); err != nil {
				said.WriteString(err.Error())
			}
		}
	}
	for kind, s := range servers {
		for _, message := range rules(s.structural) {
			if message == "" {
				t.Errorf("%s has a rule without a message", kind)
			}
			if cannotBeBroken[message] == "" && !strings.Contains(said.String(), message) {
				t.Errorf("%s: no case breaks the rule: %s", kind, message)
			}
		}
	}
}

// rules returns the messages of the rules of a schema and all that is in it.
func rules(s *schema.Structural) []string {
	if s == nil {
		return nil
	}
	var out []string
	for _, r := range s.XValidations {
		out = append(out, r.Message)
	}
	for _, p := range s.Properties {
		out = append(out, rules(&p)...)
	}
	if s.AdditionalProperties != nil {
		out = append(out, rules(s.AdditionalProperties.Structural)...)
	}
	return append(out, rules(s.Items)...)
}

// TestSourceIsImmutable tests the rules about a cluster's source as they will
// be once there is a second source.
func TestSourceIsImmutable(t *testing.T) {
	crds, err := newCRDs()
	if err != nil {
		t.Fatal(err)
	}
	const kind = "InferenceCluster"
	addSource(t, crds[kind], "Other")
	server, err := newServer(crds[kind])
	if err != nil {
		t.Fatal(err)
	}
	s := servers{kind: server}

	other := with(inferenceCluster, "spec.cluster", "{source: Other}")
	if _, err := s.create(kind, other); err != nil {
		t.Errorf("want a cluster of another source to be accepted, got: %v", err)
	}

	both := with(inferenceCluster, "spec.cluster.source", "Other")
	if _, err := s.create(kind, both); !Answers(err, "spec.cluster.existing", "may not be set with another") {
		t.Errorf("want the block of another source to be refused, got: %v", err)
	}

	if _, err := s.update(kind, other, inferenceCluster); !Answers(err, "spec.cluster.source", "source may not be changed") {
		t.Errorf("want a change of source to be refused, got: %v", err)
	}
}

func addSource(t *testing.T, crd *apiextensions.CustomResourceDefinition, source string) {
	t.Helper()
	s, err := apiextensions.GetSchemaForVersion(crd, crd.Spec.Versions[0].Name)
	if err != nil {
		t.Fatal(err)
	}
	cluster := s.OpenAPIV3Schema.Properties["spec"].Properties["cluster"].Properties
	p := cluster["source"]
	p.Enum = append(p.Enum, source)
	cluster["source"] = p
}
