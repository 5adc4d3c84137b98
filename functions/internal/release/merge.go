package release

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/modelplane-go/modelplane/functions/internal/names"
)

// Where a chart's values have the containers beside its own.
const (
	fieldDeployment = "deployment"
	fieldContainers = "additionalContainers"
)

// values of a chart, as JSON has them.
type values = map[string]any

// Merge a user's values, which are JSON, over ours: objects are merged, and all
// else is replaced, lists too. The authorizer stays, unless the user names another
// container like it: routes rely on it.
func Merge(ours TraefikValues, theirs []byte) (any, error) {
	if len(theirs) == 0 {
		return ours, nil
	}
	over := values{}
	if err := json.Unmarshal(theirs, &over); err != nil {
		return nil, fmt.Errorf("cannot read values: %w", err)
	}
	j, err := json.Marshal(ours)
	if err != nil {
		return nil, fmt.Errorf("cannot encode values: %w", err)
	}
	under := values{}
	if err := json.Unmarshal(j, &under); err != nil {
		return nil, fmt.Errorf("cannot encode values: %w", err)
	}
	kept := containers(under)
	out := merged(under, over)
	keep(out, kept)
	return out, nil
}

// merged changes and returns what it merges into.
func merged(under, over values) values {
	for k, v := range over {
		a, isObject := under[k].(values)
		b, areObjects := v.(values)
		if isObject && areObjects {
			under[k] = merged(a, b)
			continue
		}
		under[k] = v
	}
	return under
}

func containers(v values) []any {
	deployment, _ := v[fieldDeployment].(values)
	list, _ := deployment[fieldContainers].([]any)
	return list
}

// keep containers that are not there any more.
func keep(v values, kept []any) {
	list := containers(v)
	if len(kept) == 0 || slices.ContainsFunc(list, isAuthorizer) {
		return
	}
	deployment, ok := v[fieldDeployment].(values)
	if !ok {
		return
	}
	deployment[fieldContainers] = append(list, kept...)
}

func isAuthorizer(container any) bool {
	c, _ := container.(values)
	return c["name"] == names.AuthorizerContainer
}
