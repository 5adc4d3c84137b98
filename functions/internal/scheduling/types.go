package scheduling

import (
	"fmt"

	"k8s.io/apimachinery/pkg/labels"

	"github.com/modelplane-go/modelplane/functions/internal/devices"
)

// A Snapshot is everything a decision depends on.
type Snapshot struct {
	Deployment Deployment
	Clusters   []Cluster
	Replicas   []Replica // The deployment's own, as observed.

	// Hold places nothing new: what the decision needs is not known yet.
	Hold bool
}

// A Deployment is what is to be placed.
type Deployment struct {
	Namespace, Name string

	Replicas    int             // Wanted.
	Selector    labels.Selector // Of clusters. Nil selects every one.
	Tolerations []Toleration
	Spread      []Spread
	Priority    int
	Engines     []Engine

	// Failover is how many replicas that fail may be replaced at a time.
	Failover int
}

// A Toleration lets replicas onto a cluster with a matching taint.
type Toleration struct {
	Key    string // Empty matches every taint.
	Exists bool   // Operator Exists: the value does not matter.
	Value  string
	Effect Effect // Empty matches every effect.
}

// A Taint keeps replicas that do not tolerate it off a cluster.
type Taint struct {
	Key, Value string
	Effect     Effect
}

// An Effect is what a taint does.
type Effect string

// The effects a taint may have.
const (
	NoSchedule Effect = "NoSchedule"
	NoExecute  Effect = "NoExecute"
)

// A Spread spreads replicas over the values of a cluster label.
type Spread struct {
	TopologyKey string
	MaxSkew     int
	Required    bool // DoNotSchedule rather than ScheduleAnyway.
}

// An Engine is a set of pods that share a node pool.
type Engine struct {
	Name    string
	Copies  int
	Members []Member
}

// A Member is a number of like pods of an engine, each on a node of its own.
type Member struct {
	Name     string // As a person knows it: its role.
	Pods     int    // In each copy of the engine.
	Requests []devices.Request
}

// A Cluster is a cluster of the fleet and the ledger of what it has.
type Cluster struct {
	Name    string
	Labels  map[string]string
	Ready   bool
	Address string // Of its gateway. Empty while it has none.
	Taints  []Taint
	Pools   []Pool // Those of the cluster's spec.
}

// A Pool is a number of like nodes.
type Pool struct {
	Name       string
	Known      bool // Its nodes and devices are published. If not, nothing is placed and nothing dropped.
	Nodes      int
	WholeNodes bool             // Whoever is placed is charged for all of its nodes.
	Devices    []devices.Device // Of each node.
	Charges    []Charge         // All replicas' that are on the pool, the deployment's own too.
}

// A Charge is what one replica takes of a pool.
type Charge struct {
	Namespace, Deployment string
	Index                 int // Among the deployment's replicas on the cluster.
	Priority              int
	Groups                []Group
	Yield                 bool // The cluster's verdict: this replica must go.
}

// A Group is the pods of an engine that claim devices. Those of one copy take a
// node each.
type Group struct {
	Copies int // At least one.
	Pods   []Pod
}

// A Pod is a number of like pods in each copy of a group.
type Pod struct {
	Count   int            // At least one.
	Devices map[string]int // What each takes of its node, by name. Nil for all of it.
}

// A Replica is an existing replica of the deployment.
type Replica struct {
	Name    string
	Cluster string
	Index   int
	Ready   bool

	// Failing says why the replica may be replaced elsewhere. Empty if it may not.
	Failing string

	// Update says the replica takes the deployment's engines now. A replica
	// that does not is kept exactly as it is.
	Update bool

	// Outdated replicas are the first of their kind to go when scaling down.
	Outdated bool

	Engines []PlacedEngine
}

// A PlacedEngine is an engine of an existing replica.
type PlacedEngine struct {
	Name  string
	Pool  string
	Group Group // What it is charged for.
}

// A Result is a decision and the reasons for it.
type Result struct {
	Placements []Placement     // Sorted by cluster, then index.
	Drops      []Drop          // Existing replicas that go, sorted likewise.
	Unplaced   int             // Replicas wanted but not placed.
	Rejections []Rejection     // Why each cluster cannot host another, sorted by cluster. Empty unless Unplaced.
	Drifts     []Drift         // Why a kept replica would not be placed where it is today, sorted.
	Invalid    []SelectorError // Selectors that do not compile. If any, everything is kept and nothing placed.
	Held       bool            // Nothing was placed because the snapshot says to hold.
}

// A Placement is a replica's place: a cluster, and for every engine a pool.
type Placement struct {
	Cluster string
	Index   int

	// Replica is the existing replica that is kept. Empty for a new one.
	Replica string

	// Leaving says that the replica is kept until another serves instead.
	Leaving bool

	// Engines in the deployment's order. Nil for a kept replica that stays
	// exactly as it is.
	Engines []EnginePlacement

	// Evicts the replicas of lower priority for which there is no room beside
	// a new one, sorted. It is for their cluster to tell them.
	Evicts []Evicted
}

// An EnginePlacement is an engine's pool and what its pods claim there.
type EnginePlacement struct {
	Engine  string
	Pool    string
	Members []MemberPlacement // In the engine's order.
}

// A MemberPlacement is what each pod of a member claims.
type MemberPlacement struct {
	Claims     []devices.Claim // None for a member that claims nothing.
	Devices    map[string]int  // What each pod is charged for, by name. Nil for all of its node, or if it claims nothing.
	SharesNode bool            // Each pod leaves devices on its node that others may claim.
}

// An Evicted replica is another deployment's, on the cluster of the placement.
type Evicted struct {
	Namespace, Deployment string
	Index                 int
	Priority              int
}

// A Drop is an existing replica that goes, and why.
type Drop struct {
	Replica string
	Cluster string
	Index   int
	Reason  DropReason
	Detail  string
}

// A DropReason is why a replica goes.
type DropReason string

// Why a replica may go.
const (
	DropClusterGone DropReason = "ClusterGone"
	DropTainted     DropReason = "Tainted"
	DropPoolRemoved DropReason = "PoolRemoved"
	DropFailing     DropReason = "Failing"
	DropNoLongerFit DropReason = "NoLongerFits"
	DropYielded     DropReason = "Yielded"
	DropScaledDown  DropReason = "ScaledDown"
	DropDuplicate   DropReason = "Duplicate"
)

// A Drift is a way in which a kept replica's place has changed under it.
type Drift struct {
	Replica, Cluster string
	Reason           Reason
	Detail           string
}

// A Rejection is the first check a cluster failed, and its numbers.
type Rejection struct {
	Cluster string
	Reason  Reason
	Engine  string // Which engine found no pool, for the reasons about pools. Empty if each would, and only together they do not.
	Why     string // For people, equal for clusters that failed alike.
	Detail  string // Why, and the numbers of this cluster. Bounded, without the cluster's name.
	Pools   []PoolRejection
}

// A PoolRejection is the first check one pool of a cluster failed for the
// engine that found none.
type PoolRejection struct {
	Pool   string
	Reason Reason
	Detail string

	Miss  *devices.Miss // For the reasons about devices: what is lacking.
	Need  int           // For NotEnoughRoom: the pods the engine has that claim devices,
	Free  int           // those that find room,
	Short int           // and the nodes that would have to be added for all of them.
}

// A Reason is why a cluster or pool cannot host a replica.
type Reason string

// Why a cluster or pool may be refused, in the order they are checked.
const (
	NotSelected      Reason = "NotSelected"
	NotReady         Reason = "NotReady"
	NoGatewayAddress Reason = "NoGatewayAddress"
	Tainted          Reason = "Tainted"
	Failing          Reason = "Failing"
	SpreadViolated   Reason = "SpreadViolated"
	PoolUnknown      Reason = "PoolUnknown"
	NoMatchingDevice Reason = "NoMatchingDevice"
	NotEnoughDevices Reason = "NotEnoughDevices"
	NothingToClaim   Reason = "NothingToClaim"
	NotEnoughRoom    Reason = "NotEnoughRoom"

	// PoolRemoved is why a replica has to leave, and never why one is refused.
	PoolRemoved Reason = "PoolRemoved"
)

// A SelectorError is a device selector that does not compile.
type SelectorError struct {
	Engine, Member, Request string
	Selector                int // Index among the request's selectors.
	Message                 string
}

// String names the selector as the deployment's spec does.
func (e SelectorError) String() string {
	return fmt.Sprintf("engine %s, member %s, request %s, selectors[%d].cel: %s", e.Engine, e.Member, e.Request, e.Selector, e.Message)
}
