package controlplane

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// processes of a fleet, by name.
type processes struct {
	logs string // The folder of what they print.
	say  func(format string, args ...any)

	mu      sync.Mutex
	byName  map[string]*process
	stopped bool
}

func newProcesses(logs string, say func(format string, args ...any)) *processes {
	return &processes{logs: logs, say: say, byName: map[string]*process{}}
}

// run a command and wait until it is ready. One that has the name of another
// takes its place, and the other ends once this one is ready.
func (ps *processes) run(ctx context.Context, c command) error {
	before, p, err := ps.begin(c)
	if err != nil {
		return err
	}
	if err := p.wait(ctx); err != nil {
		return err
	}
	if before != nil {
		before.stop()
	}
	return nil
}

// begin a command, and return the process whose place it takes.
func (ps *processes) begin(c command) (before, p *process, err error) {
	ps.mu.Lock()
	defer ps.mu.Unlock()
	if ps.stopped {
		return nil, nil, errors.New("cannot start " + c.name + ": the fleet has stopped")
	}
	p = &process{command: c, log: filepath.Join(ps.logs, c.name+".log"), say: ps.say}
	if err := p.begin(); err != nil {
		return nil, nil, err
	}
	before = ps.byName[c.name]
	ps.byName[c.name] = p
	return before, p, nil
}

// get a process by name.
func (ps *processes) get(name string) (*process, error) {
	ps.mu.Lock()
	defer ps.mu.Unlock()
	if p, ok := ps.byName[name]; ok {
		return p, nil
	}
	return nil, fmt.Errorf("there is no %s: there are %s", name, strings.Join(slices.Sorted(maps.Keys(ps.byName)), ", "))
}

// all processes, by name.
func (ps *processes) all() []*process {
	ps.mu.Lock()
	defer ps.mu.Unlock()
	out := make([]*process, 0, len(ps.byName))
	for _, name := range slices.Sorted(maps.Keys(ps.byName)) {
		out = append(out, ps.byName[name])
	}
	return out
}

// stop every process, those last which others write to, and start no more.
func (ps *processes) stop(last ...string) {
	ps.mu.Lock()
	ps.stopped = true
	ps.mu.Unlock()

	var wg sync.WaitGroup
	all := ps.all()
	for _, p := range all {
		if !slices.Contains(last, p.name) {
			wg.Go(p.stop)
		}
	}
	wg.Wait()
	for _, p := range all {
		p.stop()
	}
}
