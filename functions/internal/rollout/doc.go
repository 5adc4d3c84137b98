// Package rollout decides which replicas of a deployment take a new revision
// now.
//
// Plan is a function of what is observed. It remembers nothing: a rollout is
// wherever its replicas are. Each pass lets as many replicas go on as the
// strategy allows, so a rollout whose updated replicas do not become Ready stops
// by itself, and one that is reverted rolls back by the same rule.
//
// # Rules
//
// Recreate updates every replica at once.
//
// RollingUpdate keeps the number of Ready replicas at MaxUnavailable below those
// wanted or more. A replica that has the revision keeps it. One that has not and
// is not Ready takes it: nobody is served by it. Of those that are Ready, as many
// take it as there are Ready replicas to spare, in the order of their names. Up
// to MaxSurge extra replicas are asked for while any replica is outdated; they
// are placed with the new revision and make Ready replicas to spare.
//
// # Invariants
//
//   - A plan takes no more Ready replicas down than leaves wanted less
//     MaxUnavailable, counting those a scheduler drops in the same pass because
//     there are more than are wanted.
//   - A plan never takes the new revision away from a replica.
//   - A rollout whose replicas become Ready ends: where both bounds are zero,
//     one replica may be unavailable.
//
// # What the caller owes
//
// Ready means Ready at the revision the replica has. A status that is still the
// last revision's must be reported as not Ready, or the next replica goes too
// early.
//
// # Left out on purpose
//
// What a revision is, deadlines, pauses and partitions. Whether an extra replica
// finds a place is the scheduler's; without one, and with no replica allowed to
// be unavailable, a rollout waits.
package rollout
