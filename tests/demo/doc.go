// Package demo shows Modelplane at work on a fleet that runs on one machine: what
// the clusters have, where each replica is and how far, and why what is not
// placed is not.
//
// A View is a function of a State, which is what the control plane says and
// nothing else: what a person sees here, kubectl shows too. A Tour is the steps
// that a person is invited to try, taken one by one, each with what it must come
// to; a step that does not come to it is an error.
//
// Deliberately left out: making the fleet. See package controlplane, which also
// says what of it is not real.
package demo
