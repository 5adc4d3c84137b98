package release

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"
)

// TestMerge merges a user's values over some of ours.
func TestMerge(t *testing.T) {
	ours := TraefikValues{
		Deployment:          TraefikDeployment{Replicas: 2, AdditionalContainers: []container{{Name: new("authorizer")}}},
		AdditionalArguments: []string{"--ours"},
		Service:             TraefikService{NameOverride: "traefik", Annotations: map[string]string{"ours": "yes"}},
	}
	type want struct {
		values string
		err    string
	}
	const rest = `
gateway: {enabled: false}
gatewayClass: {enabled: false}
providers:
  kubernetesCRD: {enabled: false, allowCrossNamespace: false}
  kubernetesGateway: {enabled: false, statusAddress: {service: {namespace: "", name: ""}}}
  kubernetesIngress: {enabled: false}
`

	cases := map[string]struct {
		reason string
		theirs string
		want   want
	}{
		"None": {
			reason: "Without values of a user ours should stay as they are.",
			want: want{values: rest + `
deployment: {replicas: 2, terminationGracePeriodSeconds: 0, additionalContainers: [{name: authorizer}]}
additionalArguments: [--ours]
service: {nameOverride: traefik, annotations: {ours: "yes"}}
`},
		},
		"Merged": {
			reason: "A user's values should win, objects be merged, and lists be replaced.",
			theirs: `{"deployment": {"replicas": 7}, "additionalArguments": ["--theirs"], "service": {"annotations": {"theirs": "yes"}}, "nodeSelector": {"front": "door"}}`,
			want: want{values: rest + `
deployment: {replicas: 7, terminationGracePeriodSeconds: 0, additionalContainers: [{name: authorizer}]}
additionalArguments: [--theirs]
service: {nameOverride: traefik, annotations: {ours: "yes", theirs: "yes"}}
nodeSelector: {front: door}
`},
		},
		"Containers": {
			reason: "Containers of a user's should not take the authorizer's place.",
			theirs: `{"deployment": {"additionalContainers": [{"name": "exporter"}]}}`,
			want: want{values: rest + `
deployment: {replicas: 2, terminationGracePeriodSeconds: 0, additionalContainers: [{name: exporter}, {name: authorizer}]}
additionalArguments: [--ours]
service: {nameOverride: traefik, annotations: {ours: "yes"}}
`},
		},
		"OwnAuthorizer": {
			reason: "A user may say all of the authorizer.",
			theirs: `{"deployment": {"additionalContainers": [{"name": "authorizer", "image": "theirs"}]}}`,
			want: want{values: rest + `
deployment: {replicas: 2, terminationGracePeriodSeconds: 0, additionalContainers: [{name: authorizer, image: theirs}]}
additionalArguments: [--ours]
service: {nameOverride: traefik, annotations: {ours: "yes"}}
`},
		},
		"NoObject": {
			reason: "What is no object, which the API refuses, should be an error.",
			theirs: `[]`,
			want:   want{values: "null", err: "cannot read values: json: cannot unmarshal array into Go value of type map[string]interface {}"},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			merged, err := Merge(ours, []byte(tc.theirs))
			if got := message(err); got != tc.want.err {
				t.Fatalf("\n%s\nwant error %q, got %q", tc.reason, tc.want.err, got)
			}
			if diff := cmp.Diff(parsed(t, tc.want.values), encoded(t, merged)); diff != "" {
				t.Errorf("\n%s\n-want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}

// TestAlone: a gateway of one pod has no budget, which would keep its node from
// being drained.
func TestAlone(t *testing.T) {
	if got := FrontTraefik(Front{Replicas: 1}).PodDisruptionBudget; got != nil {
		t.Errorf("want no budget for one pod, got %v", got)
	}
	if got := FrontTraefik(Front{Replicas: 3}).PodDisruptionBudget; got == nil || got.MinAvailable != 1 {
		t.Errorf("want a budget for three pods, got %v", got)
	}
}

// TestGrace: Kubernetes waits for a pod as long as Traefik waits for requests.
func TestGrace(t *testing.T) {
	v := FrontTraefik(Front{Replicas: 2})
	if !slices.Contains(v.AdditionalArguments, "--entryPoints.websecure.transport.lifeCycle.graceTimeOut=600s") || v.Deployment.TerminationGracePeriodSeconds < 610 {
		t.Errorf("a pod should have longer to go than its requests: %v, %d s", v.AdditionalArguments, v.Deployment.TerminationGracePeriodSeconds)
	}
}

func message(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func parsed(t *testing.T, y string) any {
	t.Helper()
	var out any
	if err := yaml.Unmarshal([]byte(y), &out); err != nil {
		t.Fatal(err)
	}
	return out
}

func encoded(t *testing.T, v any) any {
	t.Helper()
	j, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return parsed(t, string(j))
}
