// Package scheduling decides where the replicas of a model run.
//
// Schedule is a function of a Snapshot and of nothing else: no clock, no client,
// no randomness. Equal snapshots give equal results in whatever order their
// contents arrive. The result carries the reasons for it, and Message says them
// in the kube-scheduler's words.
//
// A replica is a set of engines co-scheduled onto one cluster, and every engine
// onto one node pool of it. An engine is never split over pools, because the
// members of a gang talk over their pool's fabric: a gang cut in two does not
// run slower, it hangs. A replica never moves. Moving is a new replica elsewhere
// and then the old one's deletion, so what exists is input, not a decision.
//
// # Order of work
//
//  1. Retain. A replica stays unless its cluster is gone, its deployment changed
//     so that its pool no longer satisfies it, or its cluster's ledger says it
//     must yield. It leaves if the cluster carries a NoExecute taint it does not
//     tolerate, if its pool was removed from the cluster's spec, or if it fails
//     there and the deployment asked for failover: see Leave below. Whatever
//     else is wrong with its place is a Drift: reported, not acted on.
//  2. Scale down. What goes first is not Ready, then outdated, then on the
//     cluster that hosts most, then on the later cluster, then of higher index.
//  3. Update. Replicas that take the deployment's engines now are resolved anew
//     on the pools they have. One that would need more than is free goes, and is
//     placed anew.
//  4. Fill. What is missing is placed one by one. Among the clusters that can
//     host a replica: spread constraints first, then the fewest replicas of the
//     deployment, then the tightest fit, then the name. The tightest fit leaves
//     the fewest devices unclaimed on the nodes it takes, and then the fewest
//     nodes free in its pools. Where there is room nowhere, a replica takes that
//     of others of strictly lower priority: of the lowest, then the fewest.
//  5. Leave. A replica that leaves is replaced like one that is missing, and is
//     kept until another serves instead. One that is drained goes too if it does
//     not serve anyway, or where nothing can replace it, unless a cluster that
//     could is away or not known. One that fails stays then, and goes on if it
//     recovers before its replacement serves: that one is not wanted any longer.
//     Only as many that fail as the deployment says are replaced at a time, and
//     not on a cluster on which one fails.
//
// # Capacity
//
// A pool is like nodes with numbers of devices. A pod takes its devices from one
// node, and leaves the rest to others. The pods of one copy of a gang take a node
// each. What a replica's pods take is decided when it is placed and written on
// it, so that a class that changes later does not change what is charged.
//
// Pods are put onto nodes the largest first, each where the least is left. If
// that does not find room for all, bounds and a search that gives up after a
// while say whether there is any: yes, no or unsure. Something new is placed on a
// yes only, and somebody has to yield on a no only, so that what is hard to tell
// disturbs nobody.
//
// # Invariants
//
//   - What is retained keeps its cluster, index and pools.
//   - No decision charges a pool beyond its nodes, but for those it evicts. A
//     pool may be charged beyond them by several deployments at once: its
//     cluster's ledger then says who must yield, by the rule of Yields, which
//     preemption asks too before it counts on it.
//   - Every engine placed has a pool all of whose members' requests are met, and
//     claims at least one device.
//   - A replica that could be placed is not refused: requests are assigned to
//     devices, engines to pools and pods to nodes by exact search, within bounds
//     that fleets do not reach. When several are to be placed, pools are chosen
//     so that the next few still fit.
//   - A replica is dropped on positive evidence only. What is not known (a pool
//     without published devices, a Hold, a selector that does not compile) keeps
//     it.
//   - The index of a replica dropped in a decision is not given out in it: a new
//     placement is a new replica.
//
// # Whose charges count
//
// Others' charges count as the ledger has them, those that are to yield too
// until they are gone. The deployment's own are taken from its replicas as
// observed, so a ledger that lags behind neither hides nor doubles them. A pool
// that tells a replica of the deployment to yield takes no new one of it until
// the ledger says otherwise.
//
// # Left out on purpose
//
// Which node a pod really runs on is its cluster's scheduler's decision. The
// ledger takes it that pods share nodes as tightly as they could, and package
// workload asks for that; a pool in which pods came and went may be more
// scattered than the ledger says. Which device of several equal ones a pod gets
// is DRA's decision: a request that several kinds of one DeviceClass meet is
// charged for the kind chosen here. Synthetic devices are counted here and
// nowhere else. When a replica fails is for the caller to say: there is no clock
// here.
package scheduling
