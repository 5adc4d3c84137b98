package fleet

import (
	"cmp"
	"slices"
	"strconv"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/modelplane-go/modelplane/functions/internal/names"
	"github.com/modelplane-go/modelplane/functions/internal/scheduling"
	"github.com/modelplane-go/modelplane/schemas/modelplane/v1alpha1"
)

// A Replica is the part of a ModelReplica that says what it takes. Templates are
// passed over: they are most of a replica, and charge for nothing.
type Replica struct {
	metav1.ObjectMeta `json:"metadata"`

	Spec struct {
		ClusterName string   `json:"clusterName"`
		Priority    int32    `json:"priority"`
		Engines     []Engine `json:"engines"`
	} `json:"spec"`

	Status struct {
		Conditions []metav1.Condition `json:"conditions"`
	} `json:"status"`
}

// An Engine is the part of a ModelReplica's engine that says what it takes.
type Engine struct {
	Name    string   `json:"name"`
	Copies  int32    `json:"copies"`
	Members []Member `json:"members"`
}

// A Member is the part of an engine's member that says what it takes.
type Member struct {
	Worker         *v1alpha1.Worker     `json:"worker"`
	NodePoolName   string               `json:"nodePoolName"`
	DeviceRequests []struct{}           `json:"deviceRequests"`
	Devices        v1alpha1.NodeDevices `json:"devices"`
}

// Engines are the parts of a ModelReplica's engines that say what they take.
func Engines(in []v1alpha1.ReplicaEngine) []Engine {
	out := make([]Engine, len(in))
	for i, e := range in {
		out[i] = Engine{Name: e.Name, Copies: e.Copies, Members: make([]Member, len(e.Members))}
		for j, m := range e.Members {
			out[i].Members[j] = Member{
				Worker:         m.Worker,
				NodePoolName:   m.NodePoolName,
				DeviceRequests: make([]struct{}, len(m.DeviceRequests)),
				Devices:        m.Devices,
			}
		}
	}
	return out
}

// Placed are a replica's engines, their pools, and what each is charged for. A
// member that claims nothing is charged for nothing.
func Placed(engines []Engine) []scheduling.PlacedEngine {
	out := make([]scheduling.PlacedEngine, len(engines))
	for i, e := range engines {
		out[i] = scheduling.PlacedEngine{Name: e.Name, Group: scheduling.Group{Copies: max(1, int(e.Copies))}}
		for _, m := range e.Members {
			out[i].Pool = m.NodePoolName
			if len(m.DeviceRequests) > 0 {
				out[i].Group.Pods = append(out[i].Group.Pods, scheduling.Pod{Count: Pods(m.Worker), Devices: Numbers(m.Devices)})
			}
		}
	}
	return out
}

// contender is a replica as one of those that are charged to a cluster.
func contender(r *Replica) scheduling.Contender {
	return scheduling.Contender{
		Namespace:  r.GetNamespace(),
		Deployment: r.GetLabels()[names.LabelDeployment],
		Index:      index(r),
		Priority:   int(r.Spec.Priority),
		Ready:      meta.IsStatusConditionTrue(r.Status.Conditions, "Ready"),
		Created:    r.GetCreationTimestamp().Unix(),
		Engines:    Placed(r.Spec.Engines),
	}
}

// contenders of a cluster, by namespace, deployment and index.
func contenders(replicas []Replica) []scheduling.Contender {
	out := make([]scheduling.Contender, 0, len(replicas))
	for i := range replicas {
		out = append(out, contender(&replicas[i]))
	}
	slices.SortFunc(out, func(a, b scheduling.Contender) int {
		return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Deployment, b.Deployment), cmp.Compare(a.Index, b.Index))
	})
	return out
}

// index of a replica among its deployment's on the cluster. One without is
// someone's own making, and is charged like any other.
func index(r metav1.Object) int {
	i, err := strconv.Atoi(r.GetLabels()[names.LabelReplicaIndex])
	if err != nil {
		return 0
	}
	return i
}

// Numbers of devices as the scheduler counts them. Nil stays nil: all of a node.
func Numbers(in v1alpha1.NodeDevices) map[string]int {
	if len(in) == 0 {
		return nil
	}
	out := make(map[string]int, len(in))
	for name, n := range in {
		out[name] = int(n)
	}
	return out
}

// NodeDevices are numbers of devices as the API has them.
func NodeDevices(in map[string]int) v1alpha1.NodeDevices {
	if len(in) == 0 {
		return nil
	}
	out := make(v1alpha1.NodeDevices, len(in))
	for name, n := range in {
		out[name] = int32(n) //nolint:gosec // At most 64.
	}
	return out
}
