package internal

import (
	"os/exec"
	"strings"
	"testing"
)

// TestPurity holds the fence between what decides and what speaks to Crossplane,
// through dependencies of dependencies too. Lint holds it for direct imports.
func TestPurity(t *testing.T) {
	const (
		sdk     = "github.com/crossplane/"
		grpc    = "google.golang.org/grpc"
		runtime = "sigs.k8s.io/controller-runtime"
		client  = "k8s.io/client-go/"
	)
	cases := map[string]struct {
		reason    string
		packages  []string
		forbidden []string
	}{
		"Decisions": {
			reason:    "Packages that decide know of no client, nor of what carries requests.",
			packages:  []string{"./scheduling", "./devices", "./fleet", "./rollout", "./names", "./authorizer"},
			forbidden: []string{sdk, grpc, runtime, client},
		},
		"Builders": {
			reason:    "Packages that build objects use apply configurations, which bring a client's types along, but no client.",
			packages:  []string{"./workload", "./planning", "./routing", "./remote", "./release"},
			forbidden: []string{sdk, grpc, runtime, client + "dynamic", client + "informers", client + "kubernetes/typed", client + "tools/cache"},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			out, err := exec.CommandContext(t.Context(), "go", append([]string{"list", "-deps"}, tc.packages...)...).Output()
			if err != nil {
				t.Fatalf("cannot list dependencies: %v", err)
			}
			for dep := range strings.Lines(string(out)) {
				for _, f := range tc.forbidden {
					if strings.HasPrefix(dep, f) {
						t.Errorf("\n%s\n%s depend on %s", tc.reason, strings.Join(tc.packages, ", "), strings.TrimSpace(dep))
					}
				}
			}
		})
	}
}
