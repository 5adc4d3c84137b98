// Package packages builds the packages Crossplane installs, without a container
// runtime, and pushes them to a registry.
//
// Build makes Modelplane's own: a Function for each folder of functions/ that has
// a main.go, and the Configuration that depends on them. A Function's package
// holds its runtime image, which holds one static binary and nothing else. The
// Configuration is package/crossplane.yaml as it is, package/activation.yaml, and
// the XRD and Composition of each folder of apis/. Packages are written to
// _output/, by version. Equal inputs give equal files, bit by bit.
//
// Providers makes those of the providers Modelplane depends on, from the files
// they are released with. They hold no image: they are for control planes whose
// provider runs as a process, such as the fleet of tests/controlplane.
//
// Serve is a registry in this process, and Push pushes packages to any. An
// ImageConfig that rewrites xpkg.crossplane.io to a registry's address has
// Crossplane find them there.
package packages
