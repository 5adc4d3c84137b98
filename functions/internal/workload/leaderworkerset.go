package workload

import (
	lwsac "sigs.k8s.io/lws/client-go/applyconfiguration/leaderworkerset/v1"

	"github.com/modelplane-go/modelplane/functions/internal/names"
	"github.com/modelplane-go/modelplane/schemas/modelplane/v1alpha1"
)

// leaderWorkerSet runs the copies of a gang: each a group of one leader and as
// many workers as the Worker member spans nodes.
func leaderWorkerSet(r Replica, e v1alpha1.ReplicaEngine, pods []pod) (*lwsac.LeaderWorkerSetApplyConfiguration, error) {
	template := lwsac.LeaderWorkerTemplate()
	size := int32(0)
	for i, m := range e.Members {
		t, err := pods[i].build()
		if err != nil {
			return nil, err
		}
		if m.Role == v1alpha1.RoleWorker {
			template.WithWorkerTemplate(t)
			size += nodes(m)
			continue
		}
		template.WithLeaderTemplate(t)
		size++
	}

	return lwsac.LeaderWorkerSet(names.Workload(r.Name, e.Name), r.Namespace).WithSpec(lwsac.LeaderWorkerSetSpec().
		WithReplicas(Copies(e)).
		WithLeaderWorkerTemplate(template.WithSize(size))), nil
}
