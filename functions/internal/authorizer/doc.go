// Package authorizer decides for the control plane's gateway who may call a model,
// and what to call an endpoint with.
//
// The gateway may read every Secret, and whoever may write a ModelService or a
// ModelEndpoint has it use one. So only those Secrets count that say by a label
// what for, and each for its own namespace. A caller's key is good for the
// services of its Secret's namespace, and for all if that is modelplane-system.
//
// Of callers' keys a Keyring holds digests, and compares a key with each of them
// in the same time, whichever it is like. What a Secret holds is in no error.
//
// The package is pure: package server, below it, reads the Secrets and answers
// the gateway.
package authorizer
