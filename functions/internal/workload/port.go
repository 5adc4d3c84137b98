package workload

import (
	"fmt"

	"github.com/modelplane-go/modelplane/schemas/modelplane/v1alpha1"
)

// Port on which an engine serves: the first that the engine container of its
// Standalone or Leader declares, or the conventional one.
func Port(e v1alpha1.ReplicaEngine) int32 {
	for _, m := range e.Members {
		if m.Role == v1alpha1.RoleWorker {
			continue
		}
		for _, c := range m.Template.Spec.Containers {
			if c.Name == engineContainer && len(c.Ports) > 0 {
				return c.Ports[0].ContainerPort
			}
		}
	}
	return DefaultPort
}

// Serving are a deployment's engines as far as their pods are the user's to write,
// so what they serve on and refer to. They are pinned nowhere.
func Serving(engines []v1alpha1.Engine) []v1alpha1.ReplicaEngine {
	out := make([]v1alpha1.ReplicaEngine, len(engines))
	for i, e := range engines {
		out[i].Name = e.Name
		for _, m := range e.Members {
			out[i].Members = append(out[i].Members, v1alpha1.ReplicaMember{Role: m.Role, Template: m.Template})
		}
	}
	return out
}

// SharePort returns an error that names two engines that serve on different
// ports. One Service stands before the engines of a replica, and sends requests
// to one port.
func SharePort(engines []v1alpha1.ReplicaEngine) error {
	for _, e := range engines[min(1, len(engines)):] {
		if a, b := Port(engines[0]), Port(e); a != b {
			return fmt.Errorf("engine %q serves on port %d and engine %q on %d; give their engine containers the same first port",
				engines[0].Name, a, e.Name, b)
		}
	}
	return nil
}
