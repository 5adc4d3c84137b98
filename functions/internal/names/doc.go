// Package names is the one place of every name Modelplane derives: of objects,
// of desired resources (keys), of labels and annotations.
//
// Names are deterministic, bounded and opaque: a visible part for people, then a
// hash over everything that identifies the thing, the namespace included. Nothing
// ever parses a name; identity is in labels.
//
// A key carries a thing's kind and identity, so that a change of shape is a new
// key and Crossplane deletes what it replaces. Changing how a key is made deletes
// and recreates everything that has one: a test pins them.
//
// Names of immutable objects carry a hash of their content, so that a change is
// a new object beside the old one.
package names
