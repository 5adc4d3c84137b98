package xfnbench

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
)

// gcPercent is how much the heap grows between two looks at it, and so how exact
// peakLive is.
const gcPercent = 10

// looks are how often peakLive looks at least.
const looks = 30

// peakLive returns the most memory, in bytes, that is in use at any time while f
// runs, beyond what was in use before.
//
// Neither the size of the heap nor what is allocated says that: both are mostly
// garbage. So the garbage collector is made to run each time the heap has grown by
// a tenth, and what it found in use is read while f runs, and runs again: the
// collector may be done before it is read. That slows f down many times over: it is
// no time to measure anything else.
//
// It errs upwards: what is allocated while the collector looks counts as in use. Of
// less than a few megabytes, that is all.
func peakLive(f func()) uint64 {
	defer debug.SetGCPercent(debug.SetGCPercent(gcPercent))
	runtime.GC()
	runtime.GC() // What pools kept goes with the second.
	before := read(live)
	peak := before

	done := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			select {
			case <-done:
				return
			default:
				peak = max(peak, read(live))
				runtime.Gosched()
			}
		}
	})
	for start := read(collections); read(collections)-start < looks; {
		f()
	}
	close(done)
	wg.Wait()
	return peak - before
}

// Metrics of the runtime: the bytes of the heap that the last garbage collection
// found in use, and how many collections there were.
const (
	live        = "/gc/heap/live:bytes"
	collections = "/gc/cycles/total:gc-cycles"
)

func read(metric string) uint64 {
	s := []metrics.Sample{{Name: metric}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}
