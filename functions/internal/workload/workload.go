package workload

import (
	"slices"

	"github.com/modelplane-go/modelplane/functions/internal/names"
	"github.com/modelplane-go/modelplane/functions/internal/remote"
	"github.com/modelplane-go/modelplane/schemas/modelplane/v1alpha1"
)

// A Replica is the replica whose engines are built.
type Replica struct {
	Name      string
	Namespace string // On the cluster.
	Serving   string // The label of the pods that serve: see ServingLabel.

	// CopiesSecrets says that its pods refer to its own copies of Secrets.
	CopiesSecrets bool
}

// A Keyed manifest is one with the key it is composed under.
type Keyed struct {
	Key string
	remote.Manifest

	// Optional objects are those that nothing waits for.
	Optional bool
}

// Check returns an error if the engines of a replica cannot be built together.
func Check(engines []v1alpha1.ReplicaEngine, secrets v1alpha1.SecretsMode) error {
	if err := SharePort(engines); err != nil || secrets != v1alpha1.SecretsProject {
		return err
	}
	return nameSecrets(engines)
}

// Engine builds the objects that run an engine: its workload, and before it the
// claim templates the workload refers to.
func Engine(r Replica, e v1alpha1.ReplicaEngine) ([]Keyed, error) {
	out := []Keyed{}
	pods := make([]pod, len(e.Members))
	for i, m := range e.Members {
		p := newPod(r, e, m)
		if claims(m) {
			ct, err := claimTemplate(r, e.Name, m)
			if err != nil {
				return nil, err
			}
			p.claimTemplate = *ct.object.GetName()
			out = append(out, Keyed{Key: ct.key, Manifest: remote.Manifest{Object: ct.object}})
		}
		pods[i] = p
	}

	w, err := backend(r, e, pods)
	if err != nil {
		return nil, err
	}
	return append(out, w), nil
}

// backend builds what runs an engine's pods.
func backend(r Replica, e v1alpha1.ReplicaEngine, pods []pod) (Keyed, error) {
	if IsGang(e) {
		o, err := leaderWorkerSet(r, e, pods)
		if err != nil {
			return Keyed{}, err
		}
		return Keyed{Key: names.KeyLeaderWorkerSet(e.Name), Manifest: remote.Manifest{Object: o, Query: remote.LeaderWorkerSetReady}}, nil
	}

	o, err := deployment(r, e, pods[0])
	if err != nil {
		return Keyed{}, err
	}
	return Keyed{Key: names.KeyDeployment(e.Name), Manifest: remote.Manifest{Object: o, Query: remote.DeploymentReady}}, nil
}

// Key of the workload that runs an engine.
func Key(e v1alpha1.ReplicaEngine) string {
	if IsGang(e) {
		return names.KeyLeaderWorkerSet(e.Name)
	}
	return names.KeyDeployment(e.Name)
}

// ServingLabel is the label of the pods that serve a replica of some engines.
func ServingLabel(replica string, engines []v1alpha1.ReplicaEngine) string {
	keys := make([]string, len(engines))
	for i, e := range engines {
		keys[i] = Key(e)
	}
	return names.Serving(replica, keys)
}

// IsGang says whether an engine is a Leader and its Workers.
func IsGang(e v1alpha1.ReplicaEngine) bool {
	return len(e.Members) > 1
}

// RollsOver says whether a replica serves while it takes other engines: each runs
// on in the same workload, with copies that serve while others are replaced.
func RollsOver(before, after []v1alpha1.ReplicaEngine) bool {
	for _, b := range before {
		i := slices.IndexFunc(after, func(a v1alpha1.ReplicaEngine) bool { return a.Name == b.Name })
		if i < 0 || Key(after[i]) != Key(b) || min(Copies(b), Copies(after[i])) < 2 {
			return false
		}
	}
	return len(before) == len(after)
}

// Copies of an engine, at least one.
func Copies(e v1alpha1.ReplicaEngine) int32 {
	return max(1, e.Copies)
}

// nodes that the pods of a member are on: those a Worker spans, or one.
func nodes(m v1alpha1.ReplicaMember) int32 {
	if m.Worker == nil {
		return 1
	}
	return max(1, m.Worker.Nodes)
}
