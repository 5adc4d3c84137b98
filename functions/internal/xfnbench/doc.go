// Package xfnbench measures whole calls of functions, from the bytes of a request
// to those of its response.
//
// Beside what Go measures of each call, it reports
//
//	cpu-ns/op   time of all processors, the garbage collector's too: what a call
//	            costs, also where others use the machine
//	req-bytes   bytes of the request
//	rsp-bytes   bytes of the response
//	peak/req    the most memory in use at any time, in multiples of req-bytes, of
//	            requests of half a mebibyte and more
//
// Requests are made as Crossplane makes them: Reconcile calls a function until it
// requires what it was sent, with objects as xfntest.Stored has them.
package xfnbench
