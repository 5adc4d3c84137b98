// Package xfn is the edge every function shares: the one place where Crossplane's
// protocol ends and Modelplane's types begin. Nothing else under internal/
// imports function-sdk-go.
//
// A function is a Composer: it reads what it needs from a Call, decides with the
// pure packages, and writes what it wants to the Call. Run turns that into an
// answer, and holds five promises so that no function has to:
//
//   - It answers, and never errors. What cannot be decoded, and a panic, is a
//     Fatal result, upon which Crossplane changes nothing.
//   - It never desires less than is observed, unless the function said so. What
//     was composed before and is not desired now is desired again as it is,
//     until Prune says that the function has seen all its inputs and means what
//     it leaves out.
//   - It is not ready until the function says so: Crossplane calls a composite
//     without children Ready when nobody says anything.
//   - It is quiet. An event accompanies a condition that changed, never one that
//     stays. The response's time to live is short only while not ready.
//   - It knows no secret. What an observed Secret holds is left out before a
//     function sees it.
//
// A required resource that was not fetched yet, one that does not exist and one
// that does are three answers, and Answer makes a function choose.
//
// What is required may be the whole fleet, so it is read one object at a time, and
// only what the function's types ask for: see UnmarshalRequest and structjson.
//
// Deliberately left out: any opinion on what is composed, and any cache.
package xfn
