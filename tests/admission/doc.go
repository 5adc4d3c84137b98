// Package admission says by example what the API accepts, and what it refuses
// with which words. There is a table for each kind: one good object, and what
// becomes of it when a field is changed.
//
// The package's own tests answer with the API server's library and the CRDs
// that Crossplane makes of the XRDs under apis/. They take a second, and catch
// rules that do not compile, or cost more than the API server allows. The
// tables are exported so that a test with a real API server can send it the
// same objects: with `dryRun=All`, since they share a name, and
// `fieldValidation=Strict`, as kubectl does.
package admission
