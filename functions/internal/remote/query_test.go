package remote

import (
	"encoding/json"
	"testing"

	"github.com/google/cel-go/cel"
	celtypes "github.com/google/cel-go/common/types"
	"sigs.k8s.io/yaml"
)

// TestQueries evaluates the queries as provider-kubernetes does: over the variable
// object, of any type, decoded from JSON, with a result that must be a bool.
func TestQueries(t *testing.T) {
	cases := map[string]struct {
		reason string
		query  string
		object string
		want   bool
	}{
		"DeploymentNew": {
			reason: "A Deployment without a status is not ready.",
			query:  DeploymentReady,
			object: `{metadata: {generation: 1}}`,
			want:   false,
		},
		"DeploymentEmptyStatus": {
			reason: "A Deployment of which nothing is known is not ready.",
			query:  DeploymentReady,
			object: `{metadata: {generation: 1}, status: {}}`,
			want:   false,
		},
		"DeploymentUnavailable": {
			reason: "A Deployment that may miss its one replica is Available without any pod, and does not serve.",
			query:  DeploymentReady,
			object: `{metadata: {generation: 1}, status: {observedGeneration: 1, replicas: 1, conditions: [{type: Available, status: "True"}]}}`,
			want:   false,
		},
		"DeploymentStale": {
			reason: "A status of an older spec says nothing of this one.",
			query:  DeploymentReady,
			object: `{metadata: {generation: 2}, status: {observedGeneration: 1, availableReplicas: 1}}`,
			want:   false,
		},
		"DeploymentPartial": {
			reason: "A Deployment that misses a copy serves on.",
			query:  DeploymentReady,
			object: `{metadata: {generation: 2}, status: {observedGeneration: 2, replicas: 8, availableReplicas: 7}}`,
			want:   true,
		},
		"GangNoneReady": {
			reason: "A LeaderWorkerSet without a complete group does not serve.",
			query:  LeaderWorkerSetReady,
			object: `{metadata: {generation: 1}, status: {observedGeneration: 1, replicas: 1, readyReplicas: 0}}`,
			want:   false,
		},
		"GangReady": {
			reason: "A LeaderWorkerSet with a complete group serves.",
			query:  LeaderWorkerSetReady,
			object: `{metadata: {generation: 1}, status: {observedGeneration: 1, replicas: 2, readyReplicas: 1}}`,
			want:   true,
		},
		"GangWithoutGeneration": {
			reason: "A LeaderWorkerSet before v0.9 does not say which spec its status is of.",
			query:  LeaderWorkerSetReady,
			object: `{metadata: {generation: 3}, status: {replicas: 1, readyReplicas: 1}}`,
			want:   true,
		},
		"RouteNew": {
			reason: "A route that no gateway has seen is not ready.",
			query:  RouteReady,
			object: `{metadata: {generation: 1}}`,
			want:   false,
		},
		"RouteRefused": {
			reason: "A route that a gateway refused is not ready.",
			query:  RouteReady,
			object: `{metadata: {generation: 1}, status: {parents: [{conditions: [{type: Accepted, status: "False"}]}]}}`,
			want:   false,
		},
		"RouteAccepted": {
			reason: "A route that a gateway accepted is ready.",
			query:  RouteReady,
			object: `{metadata: {generation: 1}, status: {parents: [{}, {conditions: [{type: ResolvedRefs, status: "True"}, {type: Accepted, status: "True"}]}]}}`,
			want:   true,
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if got := evaluate(t, tc.query, tc.object); got != tc.want {
				t.Errorf("\n%s\nwant %t, got %t", tc.reason, tc.want, got)
			}
		})
	}
}

func evaluate(t *testing.T, query, object string) bool {
	t.Helper()

	env, err := cel.NewEnv(cel.Variable("object", cel.AnyType))
	if err != nil {
		t.Fatal(err)
	}
	ast, iss := env.Compile(query)
	if iss.Err() != nil {
		t.Fatal(iss.Err())
	}
	if ast.OutputType() != cel.BoolType {
		t.Fatalf("the query is a %s, and must be a bool", ast.OutputType())
	}
	program, err := env.Program(ast)
	if err != nil {
		t.Fatal(err)
	}

	j, err := yaml.YAMLToJSON([]byte(object))
	if err != nil {
		t.Fatal(err)
	}
	var o map[string]any
	if err := json.Unmarshal(j, &o); err != nil {
		t.Fatal(err)
	}
	val, _, err := program.Eval(map[string]any{"object": o})
	if err != nil {
		t.Fatal(err)
	}
	return val == celtypes.True
}
