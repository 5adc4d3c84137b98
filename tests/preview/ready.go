package preview

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// manifest returns what an Object keeps on its cluster.
func manifest(o *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	m, found, err := unstructured.NestedMap(o.Object, "spec", "forProvider", "manifest")
	if err != nil || !found {
		return nil, errors.New("it has no spec.forProvider.manifest")
	}
	return &unstructured.Unstructured{Object: m}, nil
}

// ready says whether an Object is ready whose manifest is as it is observed.
func ready(o, observed *unstructured.Unstructured) (bool, error) {
	policy, _, err := unstructured.NestedString(o.Object, "spec", "readiness", "policy")
	if err != nil {
		return false, err
	}
	switch policy {
	case "", "SuccessfulCreate":
		return true, nil
	case "DeriveFromCelQuery":
	default:
		return false, fmt.Errorf("the preview does not know readiness policy %q", policy)
	}
	query, _, err := unstructured.NestedString(o.Object, "spec", "readiness", "celQuery")
	if err != nil {
		return false, err
	}
	return evaluate(query, observed)
}

// evaluate a readiness query as provider-kubernetes does.
func evaluate(query string, observed *unstructured.Unstructured) (bool, error) {
	env, err := cel.NewEnv(cel.Variable("object", cel.AnyType))
	if err != nil {
		return false, fmt.Errorf("cannot set up CEL: %w", err)
	}
	ast, iss := env.Compile(query)
	if err := iss.Err(); err != nil {
		return false, fmt.Errorf("cannot compile readiness query: %w", err)
	}
	if !ast.OutputType().IsExactType(cel.BoolType) {
		return false, fmt.Errorf("readiness query %q is not a bool", query)
	}
	program, err := env.Program(ast)
	if err != nil {
		return false, fmt.Errorf("cannot use readiness query: %w", err)
	}
	data, err := json.Marshal(observed.Object)
	if err != nil {
		return false, fmt.Errorf("cannot encode object: %w", err)
	}
	object := map[string]any{}
	if err := json.Unmarshal(data, &object); err != nil {
		return false, fmt.Errorf("cannot decode object: %w", err)
	}
	val, _, err := program.Eval(map[string]any{"object": object})
	if err != nil {
		return false, fmt.Errorf("cannot evaluate readiness query %q: %w", query, err)
	}
	return val == types.True, nil
}
