// Package structjson decodes protobuf Structs, which is how Crossplane sends
// objects, into Go types, and gives what encoding/json would give of their JSON.
//
// A fleet is mostly what nobody here reads: managedFields, other people's
// annotations, what a newer schema added. So the Go type is walked, not the
// Struct: every field looks its value up by its JSON name, and what no field asks
// for costs nothing. What is known of a type is worked out once and kept.
//
// What it does not do itself it hands to encoding/json, one value at a time: types
// with an UnmarshalJSON or UnmarshalText of their own (times, quantities), bytes,
// arrays, maps whose keys are no strings, structs with embedded pointers or the
// option string. So no type is out of its reach, and no rule is written twice.
//
// # Where it differs from encoding/json
//
//   - Names match in their case, as they do in a Kubernetes API server.
//   - Whole numbers beyond 2^53 are what the Struct's float64 is exactly, where its
//     JSON would be rounded to the fewest digits.
//   - The first error ends it, and says where: spec.nodePools[2].nodeCount.
//   - A Value that says nothing, which JSON cannot, is null.
//
// # Why not a library
//
// Of 100 InferenceClusters with 1,000 replicas charged, BenchmarkDecode says:
//
//	a Decoder that skips managedFields                       8 ms   1.7 MB   24,000 allocations
//	to JSON, and encoding/json from it                     178 ms    26 MB  577,000
//	AsMap, and apimachinery's FromUnstructured from it,
//	the managedFields deleted before                        32 ms   7.5 MB  127,000
//
// Unmarshalling them from the wire takes some 80 ms and 17 MB, so that the library
// would make reading a fleet dearer by a third, and its peak of memory twice as
// high.
//
// Deliberately left out: encoding. Responses are small.
package structjson
