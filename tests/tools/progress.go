package tools

import (
	"fmt"
	"io"
	"sync"
	"time"
)

// Progress tells a person what is being built.
type Progress struct {
	mu sync.Mutex
	w  io.Writer
}

// NewProgress returns a Progress that writes to w.
func NewProgress(w io.Writer) *Progress {
	return &Progress{w: w}
}

// Sayf prints a line.
func (p *Progress) Sayf(format string, args ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	_, _ = fmt.Fprintf(p.w, format+"\n", args...)
}

// During says that something has begun, that it still goes on every so often,
// and, when the returned function is called, how long it took.
func (p *Progress) During(what, takes string) (finished func(err error)) {
	start := time.Now()
	if takes != "" {
		takes = " (about " + takes + " the first time)"
	}
	p.Sayf("building %s%s ...", what, takes)

	done := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		tick := time.NewTicker(15 * time.Second)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case <-tick.C:
				p.Sayf("building %s ... %s", what, since(start))
			}
		}
	})

	return func(err error) {
		close(done)
		wg.Wait()
		if err == nil {
			p.Sayf("built %s in %s", what, since(start))
		}
	}
}

func since(t time.Time) time.Duration {
	return time.Since(t).Round(100 * time.Millisecond)
}
