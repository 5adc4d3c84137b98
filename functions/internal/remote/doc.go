// Package remote wraps objects that belong on another cluster in
// provider-kubernetes Objects, and says how one tells that they are ready.
//
// provider-kubernetes can derive readiness from a Ready condition, which neither
// a Deployment nor a LeaderWorkerSet has, so the queries here look at what their
// controllers publish. A workload is ready while it serves: its controller has
// seen the spec we want, and at least one copy answers. It stays ready while some
// of its copies do not, because taking all of them out of service would turn a
// blip into an outage.
//
// Deliberately left out: what the objects are. See package workload and routing.
package remote
