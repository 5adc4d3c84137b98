package tools

// A Tool is an upstream program.
type Tool struct {
	// Name of the binary.
	Name string

	// Title of the program, for people.
	Title string

	// Module is the folder of upstream/ whose go.mod pins the program.
	Module string

	// Requires is the module of Module's go.mod whose version the program has.
	Requires string

	// Package that holds the program's main function.
	Package string

	// Stamps are the variables that tell the program its version, or something it
	// cannot be told otherwise, and what they are set to: {version}, {major} and
	// {minor} stand for the version and its parts.
	Stamps []string

	// Env names the environment variable that holds the path of a binary to use
	// instead.
	Env string

	// Takes says how long building takes the first time, on two cores.
	Takes string
}

// The version Crossplane's programs take themselves to be. Core refuses every
// package with a version constraint without it.
const crossplaneStamp = "github.com/crossplane/crossplane-runtime/v2/pkg/version.version={version}"

// Providers serve metrics, all at the same address, and cannot be told another.
// As processes side by side they serve none.
const noMetricsStamp = "sigs.k8s.io/controller-runtime/pkg/metrics/server.DefaultBindAddress=0"

// CrossplaneCLI is the crossplane command line.
func CrossplaneCLI() Tool {
	return Tool{
		Name:     "crossplane",
		Title:    "the Crossplane CLI",
		Module:   "crossplane",
		Requires: "github.com/crossplane/cli/v2",
		Package:  "github.com/crossplane/cli/v2/cmd/crossplane",
		Stamps:   []string{crossplaneStamp},
		Env:      "CROSSPLANE_CLI",
		Takes:    "3 min",
	}
}

// CrossplaneCore is Crossplane itself.
func CrossplaneCore() Tool {
	return Tool{
		Name:     "crossplane-core",
		Title:    "Crossplane core",
		Module:   "crossplane",
		Requires: "github.com/crossplane/crossplane/v2",
		Package:  "github.com/crossplane/crossplane/v2/cmd/crossplane",
		Stamps:   []string{crossplaneStamp},
		Env:      "CROSSPLANE_CORE",
		Takes:    "30 s",
	}
}

// ProviderKubernetes keeps objects on other clusters.
func ProviderKubernetes() Tool {
	return Tool{
		Name:     "provider-kubernetes",
		Title:    "provider-kubernetes",
		Module:   "provider-kubernetes",
		Requires: "github.com/crossplane-contrib/provider-kubernetes",
		Package:  "github.com/crossplane-contrib/provider-kubernetes/cmd/provider",
		Stamps:   []string{"github.com/crossplane-contrib/provider-kubernetes/internal/version.Version={version}", noMetricsStamp},
		Env:      "PROVIDER_KUBERNETES_BINARY",
		Takes:    "2 min",
	}
}

// ProviderHelm installs Helm charts on other clusters.
func ProviderHelm() Tool {
	return Tool{
		Name:     "provider-helm",
		Title:    "provider-helm",
		Module:   "provider-helm",
		Requires: "github.com/crossplane-contrib/provider-helm",
		Package:  "github.com/crossplane-contrib/provider-helm/cmd/provider",
		Stamps:   []string{"github.com/crossplane-contrib/provider-helm/pkg/version.Version={version}", noMetricsStamp},
		Env:      "PROVIDER_HELM_BINARY",
		Takes:    "2 min",
	}
}

// Traefik is the gateway of a control plane.
func Traefik() Tool {
	return Tool{
		Name:     "traefik",
		Title:    "Traefik",
		Module:   "traefik",
		Requires: "github.com/traefik/traefik/v3",
		Package:  "github.com/traefik/traefik/v3/cmd/traefik",
		Stamps:   []string{"github.com/traefik/traefik/v3/pkg/version.Version={version}"},
		Env:      "TRAEFIK",
		Takes:    "4 min",
	}
}

// GolangCILint is the linter.
func GolangCILint() Tool {
	return Tool{
		Name:     "golangci-lint",
		Title:    "golangci-lint",
		Module:   "golangci-lint",
		Requires: "github.com/golangci/golangci-lint/v2",
		Package:  "github.com/golangci/golangci-lint/v2/cmd/golangci-lint",
		Env:      "GOLANGCI_LINT",
		Takes:    "1 min",
	}
}

// Benchstat compares benchmarks.
func Benchstat() Tool {
	return Tool{
		Name:     "benchstat",
		Title:    "benchstat",
		Module:   "benchstat",
		Requires: "golang.org/x/perf",
		Package:  "golang.org/x/perf/cmd/benchstat",
		Env:      "BENCHSTAT",
		Takes:    "10 s",
	}
}

// All upstream programs.
func All() []Tool {
	return append(Fleet(), CrossplaneCLI(), GolangCILint(), Benchstat())
}

// Fleet returns the programs a fleet runs, in the order they are best built in.
func Fleet() []Tool {
	return []Tool{
		Etcd(),
		KubeAPIServer(),
		KubeControllerManager(),
		KubeScheduler(),
		Kubectl(),
		Kwok(),
		LWS(),
		CrossplaneCore(),
		ProviderKubernetes(),
		ProviderHelm(),
		Traefik(),
	}
}
