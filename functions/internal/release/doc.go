// Package release builds the Helm releases of what Modelplane installs, and is
// the one table of the charts they are made of: name, repository and version.
//
// Values are typed, and hold what differs from the chart's defaults.
//
// Deliberately left out: rendering charts. provider-helm does.
package release
