// Package preview shows what would run where, and why, without a cluster.
//
// It is a control plane in miniature. The composite resources of an example are
// admitted as the API server admits them: defaulted, checked against the schema
// and the CEL rules of the CRD that Crossplane makes of each XRD. Each is then
// composed by the real thing: `crossplane composition render`, which runs the
// reconciler of Crossplane core, which calls our functions, each served by a process of its own.
// What a layer composes is admitted likewise and composed in turn, so that a
// ModelDeployment becomes ModelReplicas, and those become workloads.
//
// The world obeys. What a provider or a gateway would make of a composed resource
// is said by obey.go: a Deployment gets its pods, a Gateway its address. Whether
// a remote object is ready is not said but found, by the readiness query of its
// Object, in the CEL dialect of provider-kubernetes. A layer is rendered again,
// with what it composed as observed resources, until nothing changes; one that
// never settles is an error.
//
// Deployments are placed one by one, in the order they are written, and the
// clusters' ledgers charged in between. At the end everything is rendered once
// more together, and nothing may move.
//
// Deliberately left out: time, failure, and anything that takes a cluster to know.
// Those are for the tests that run a real control plane.
package preview
