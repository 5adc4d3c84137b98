// Package devices matches device requests against the devices of a node.
//
// A request is what DRA calls a device request: a count, and CEL selectors that
// must all be true of every device. Selectors compile with the library a
// cluster's own scheduler and API server compile them with, in the environment
// and under the length and cost limits of a new ResourceClaim, so what is
// accepted here is accepted there.
//
// Two failures are different. A selector that does not compile is an error, its
// author's: Compile returns it. A selector that fails on a device, because the
// device has no such attribute or a malformed one, does not match that device;
// why is part of the Miss that explains the refusal.
//
// # Assignment
//
// Matcher.Assign decides whether a pod with the given requests fits an empty
// node, and is exact: if any way of dividing the node's devices among the
// requests satisfies all of them, it finds one. The order in which requests and
// devices are listed never makes a pod infeasible. Among the ways it prefers, in
// the order of the requests: devices that can be claimed over Synthetic ones,
// one DeviceClass over several, and then DeviceClasses by name.
//
// A request may be met by several kinds of device together. Those of one
// DeviceClass join into one claim; those of several make a claim each, named
// <request>-1, <request>-2 and so on. A request is met either by devices that
// can be claimed or by Synthetic ones: half of each would hand a pod half of
// what it asked for.
//
// # Invariants
//
//   - Equal inputs give equal results. Nothing depends on the order of devices
//     or of map iteration.
//   - A Claim's devices all satisfy its selectors, and a node's devices are
//     never given out twice.
//   - A Synthetic device is counted and never claimed.
//
// # Left out on purpose
//
// Which device of several equal ones a pod gets, constraints across requests,
// partitionable devices and consumable capacity are DRA's decisions on the
// cluster. How many pods fit on a node together, and how many nodes are free, is
// the scheduler's.
//
// The package keeps one piece of global state, a bounded cache of compiled
// selectors. It is not visible in any result.
package devices
