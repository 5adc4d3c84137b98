// Package e2e tests Modelplane as a whole, on a fleet of real API servers,
// schedulers and Crossplane: see package controlplane for what of it is not real.
//
// One fleet serves all tests, and each has namespaces of its own. Its clusters
// have the hardware of all the examples, so that each example's model runs as it
// is written. A test that breaks something mends it.
//
// What a test waits for is said by a check, which returns what is still missing:
// a test that fails says that, and what the control plane says of it.
package e2e
