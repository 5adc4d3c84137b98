// Package bench runs the benchmarks of the functions, prints what they measure as
// a table, and compares it with the baseline: docs/benchmarks.txt.
//
// A benchmark is run in several rounds, each of all benchmarks, so that what
// happens on the machine meanwhile happens to all of them. Of the rounds the
// median counts. Where a benchmark says how much time of all processors it took,
// that counts, and not what a clock says: a machine has other work to do.
//
// The package deliberately fails on no number: machines differ. People read it.
package bench
