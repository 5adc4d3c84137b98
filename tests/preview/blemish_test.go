package preview

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// Zero values that are meant, by the path they stand at, and what they mean.
var meant = map[string]*regexp.Regexp{
	"no traffic while the endpoint is not ready": regexp.MustCompile(`^spec\.rules\[\d+\]\.backendRefs\[\d+\]\.weight$`),
	"no surge where a pool has no spare node":    regexp.MustCompile(`\.(rollingUpdate|rolloutStrategy\.rollingUpdateConfiguration)\.maxSurge$`),
	"a volume of the node's own":                 regexp.MustCompile(`\.volumes\[\d+\]\.emptyDir$`),
	"every namespace":                            regexp.MustCompile(`\.namespaceSelector$`),
	"a replica of no priority":                   regexp.MustCompile(`^spec\.priority$`),
	"a header that is not to be trusted":         regexp.MustCompile(`^spec\.forwardAuth\.trustForwardHeader$`),
	"what a chart is told to leave out":          regexp.MustCompile(`^spec\.forProvider\.values\.`),
}

// blemishes of an object a function composed: what nobody meant to say, and
// what is not a function's to say. What a person has written is not one.
func blemishes(o *unstructured.Unstructured, written map[string]bool) []string {
	var out []string
	if _, ok := o.Object["status"]; ok {
		out = append(out, "status is set")
	}
	if m, err := manifest(o); err == nil {
		if _, ok := m.Object["status"]; ok {
			out = append(out, "the manifest's status is set")
		}
	}
	for _, path := range zeros("", o.Object) {
		if !isMeant(path) && !written[inTemplate(path)] {
			out = append(out, path+" is a zero value nobody set")
		}
	}
	slices.Sort(out)
	return out
}

// templateZeros returns the zero values that an example's people have written
// in their pod templates, by their path in the template.
func templateZeros(p *Preview) map[string]bool {
	out := map[string]bool{}
	for _, k := range p.deployments {
		for _, path := range zeros("", p.world.objects[k].Object) {
			out[inTemplate(path)] = true
		}
	}
	delete(out, "")
	return out
}

// inTemplate returns the part of a path that is in a pod template, if any is.
func inTemplate(path string) string {
	_, in, _ := strings.Cut(path, ".template.spec.")
	return in
}

// zeros returns the paths of the zero values below a path.
func zeros(path string, value any) []string {
	if isZero(value) {
		return []string{path}
	}
	var out []string
	switch v := value.(type) {
	case map[string]any:
		for name, field := range v {
			out = append(out, zeros(join(path, name), field)...)
		}
	case []any:
		for i, item := range v {
			out = append(out, zeros(fmt.Sprintf("%s[%d]", path, i), item)...)
		}
	}
	return out
}

func isZero(value any) bool {
	switch v := value.(type) {
	case nil:
		return true
	case bool:
		return !v
	case string:
		return v == ""
	case int64:
		return v == 0
	case float64:
		return v == 0
	case map[string]any:
		return len(v) == 0
	case []any:
		return len(v) == 0
	}
	return false
}

func isMeant(path string) bool {
	for _, r := range meant {
		if r.MatchString(path) {
			return true
		}
	}
	return false
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

func TestBlemishes(t *testing.T) {
	o := &unstructured.Unstructured{Object: map[string]any{
		"kind":     "Object",
		"metadata": map[string]any{"name": "a", "creationTimestamp": nil},
		"spec": map[string]any{"forProvider": map[string]any{"manifest": map[string]any{
			"spec": map[string]any{
				"paused":   false,
				"replicas": int64(0),
				"strategy": map[string]any{"rollingUpdate": map[string]any{"maxSurge": int64(0)}},
				"template": map[string]any{"spec": map[string]any{
					"hostNetwork": false,
					"hostIPC":     false,
					"volumes":     []any{map[string]any{"name": "shm", "emptyDir": map[string]any{}}, map[string]any{"name": ""}},
				}},
			},
			"status": map[string]any{"replicas": int64(1)},
		}}},
		"status": map[string]any{"conditions": []any{}},
	}}
	want := []string{
		"metadata.creationTimestamp is a zero value nobody set",
		"spec.forProvider.manifest.spec.paused is a zero value nobody set",
		"spec.forProvider.manifest.spec.replicas is a zero value nobody set",
		"spec.forProvider.manifest.spec.template.spec.hostIPC is a zero value nobody set",
		"spec.forProvider.manifest.spec.template.spec.volumes[1].name is a zero value nobody set",
		"status is set",
		"status.conditions is a zero value nobody set",
		"the manifest's status is set",
	}
	if diff := cmp.Diff(want, blemishes(o, map[string]bool{"hostNetwork": true})); diff != "" {
		t.Errorf("blemishes: -want, +got:\n%s", diff)
	}
}
