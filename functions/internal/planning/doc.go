// Package planning says what the control plane would do with a ModelDeployment:
// where its replicas would go, for whom others would make way, and, where they
// would not go, what would have to change for that.
//
// A plan is made of the decisions of package scheduling on the objects as
// package fleet reads them, so that it cannot differ from what the functions
// would do. The decision as wanted says what would happen. A second one, that
// asks for as many replicas as a deployment may have, says how many each cluster
// has room for. What would have to change is found by changing it, and deciding
// again: a taint that is tolerated may be the last thing in the way, or the
// first of several.
//
// A deployment is planned on the fleet as it is. Its own replicas stay as they
// are, whatever changed in its engines.
//
// Deliberately left out: rollouts, which are package rollout's; how objects are
// read; and how a plan is written down.
package planning
