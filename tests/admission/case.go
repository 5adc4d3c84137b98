package admission

import (
	"fmt"
	"strconv"
	"strings"

	"sigs.k8s.io/yaml"
)

// A Case is an object that someone creates.
type Case struct {
	// Reason the object should be accepted or refused.
	Reason string

	// Object in YAML.
	Object string

	// Field that the error is about. It is empty if the object is accepted, or
	// if there is no such field.
	Field string

	// Want is part of the error a user reads about the field. It is empty if
	// the object is accepted.
	Want string
}

// An Update is an object that someone changes.
type Update struct {
	// Reason the change should be accepted or refused.
	Reason string

	// Old is the object before the change, in YAML. It is accepted.
	Old string

	// New is the object after the change, in YAML.
	New string

	// Field that the error is about. It is empty if the change is accepted.
	Field string

	// Want is part of the error a user reads about the field. It is empty if
	// the change is accepted.
	Want string
}

// Cases returns the objects to create, by kind and name of the case.
func Cases() map[string]map[string]Case {
	return map[string]map[string]Case{
		"InferenceClass":   inferenceClasses(),
		"InferenceCluster": inferenceClusters(),
		"InferenceGateway": inferenceGateways(),
		"ModelDeployment":  merge(modelDeployments(), modelDeploymentEngines(), modelDeploymentPods()),
		"ModelEndpoint":    modelEndpoints(),
		"ModelReplica":     modelReplicas(),
		"ModelService":     modelServices(),
	}
}

// Updates returns the changes to make, by kind and name of the case.
func Updates() map[string]map[string]Update {
	return map[string]map[string]Update{
		"InferenceCluster": inferenceClusterUpdates(),
		"ModelDeployment":  modelDeploymentUpdates(),
	}
}

// Answers says whether an error is the one wanted of a Case or an Update: none,
// or one that says what is wanted about a field.
func Answers(err error, field, want string) bool {
	if err == nil || want == "" {
		return err == nil && want == ""
	}
	_, about, ok := strings.Cut(err.Error(), field)
	return ok && strings.Contains(about, want)
}

func merge(tables ...map[string]Case) map[string]Case {
	out := map[string]Case{}
	for _, t := range tables {
		for name, c := range t {
			if _, ok := out[name]; ok {
				panic(fmt.Sprintf("there are two cases named %s", name))
			}
			out[name] = c
		}
	}
	return out
}

// with returns an object with the field at a path set to a value in YAML. The
// path is dotted, with numbers for list items: spec.engines.0.name. A field
// set to null is removed. It panics if there is no such path: the arguments are
// ours.
func with(object, path, value string) string {
	var o, v any
	if err := yaml.Unmarshal([]byte(object), &o); err != nil {
		panic(err)
	}
	if err := yaml.Unmarshal([]byte(value), &v); err != nil {
		panic(err)
	}
	out, err := yaml.Marshal(set(o, strings.Split(path, "."), v))
	if err != nil {
		panic(err)
	}
	return string(out)
}

func set(node any, path []string, value any) any {
	if len(path) == 0 {
		return value
	}
	switch n := node.(type) {
	case nil:
		return map[string]any{path[0]: set(nil, path[1:], value)}
	case map[string]any:
		n[path[0]] = set(n[path[0]], path[1:], value)
		if n[path[0]] == nil {
			delete(n, path[0])
		}
		return n
	case []any:
		i, err := strconv.Atoi(path[0])
		if err != nil || i >= len(n) {
			panic(fmt.Sprintf("there is no item %s in %v", path[0], n))
		}
		n[i] = set(n[i], path[1:], value)
		return n
	default:
		panic(fmt.Sprintf("there is no field %s in %v", path[0], n))
	}
}
