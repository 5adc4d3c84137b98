package controlplane

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"
)

const (
	// How long a process may take to stop before it is killed.
	stopTimeout = 3 * time.Second

	// How long a process may take to be ready. The longest takes 10 s on two busy
	// cores.
	readyTimeout = 90 * time.Second

	// How many lines of a log an error shows.
	tailLines = 15
)

// A command is a program and how it is run.
type command struct {
	name string
	path string
	args []string
	env  []string // Beside what we have.

	// ready returns nil once the process is of use. It is nil itself for one
	// that nobody waits for.
	ready func(ctx context.Context) error

	// grace is how long it may take to stop before it is killed. stopTimeout if
	// it is nothing.
	grace time.Duration
}

// A process is a run of a command, and those after it.
type process struct {
	command

	log string // The path of what it prints.
	say func(format string, args ...any)

	mu     sync.Mutex
	cmd    *exec.Cmd
	exited chan struct{}
	meant  bool // It was told to end.
}

// begin the process. It must not run.
func (p *process) begin() error {
	p.mu.Lock()
	defer p.mu.Unlock()

	f, err := os.OpenFile(p.log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return fmt.Errorf("cannot keep the log of %s: %w", p.name, err)
	}
	defer func() { _ = f.Close() }()

	cmd := exec.Command(p.path, p.args...) //nolint:noctx // It is stopped in order, and not with a context.
	cmd.Dir = filepath.Dir(p.log)
	cmd.Env = append(os.Environ(), p.env...)
	cmd.Stdout, cmd.Stderr = f, f
	cmd.SysProcAttr = child()
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("cannot start %s: %w", p.name, err)
	}
	exited := make(chan struct{})
	p.cmd, p.exited, p.meant = cmd, exited, false
	go p.mourn(cmd, exited)
	return nil
}

// mourn a process, aloud if nobody meant it to end.
func (p *process) mourn(cmd *exec.Cmd, exited chan struct{}) {
	err := cmd.Wait()
	close(exited)

	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.meant {
		p.say("%s ended by itself: %v\n%s", p.name, err, p.tail())
	}
}

// wait until the process is ready.
func (p *process) wait(ctx context.Context) error {
	if p.ready == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, readyTimeout)
	defer cancel()
	p.mu.Lock()
	exited := p.exited
	p.mu.Unlock()

	for {
		err := p.ready(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-exited:
			return fmt.Errorf("cannot run %s: it ended\n%s", p.name, p.tail())
		case <-ctx.Done():
			return fmt.Errorf("cannot run %s: it is not ready: %w\n%s", p.name, errors.Join(ctx.Err(), err), p.tail())
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// stop the process and wait until it has ended. One that does not run is left
// alone.
func (p *process) stop() { p.end(syscall.SIGTERM) }

// kill the process and wait until it has ended.
func (p *process) kill() { p.end(syscall.SIGKILL) }

func (p *process) end(s syscall.Signal) {
	p.mu.Lock()
	p.meant = true
	cmd, exited := p.cmd, p.exited
	p.mu.Unlock()
	if cmd == nil {
		return
	}

	_ = cmd.Process.Signal(s)
	select {
	case <-exited:
	case <-time.After(max(p.grace, stopTimeout)):
		_ = cmd.Process.Kill()
		<-exited
	}
}

// pid of the process, or 0 if it does not run.
func (p *process) pid() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.cmd == nil {
		return 0
	}
	select {
	case <-p.exited:
		return 0
	default:
		return p.cmd.Process.Pid
	}
}

// tail returns the last lines the process has printed.
func (p *process) tail() string {
	b, err := os.ReadFile(p.log)
	if err != nil {
		return err.Error()
	}
	lines := strings.Split(strings.TrimSpace(string(b)), "\n")
	lines = lines[max(0, len(lines)-tailLines):]
	return "  " + strings.Join(lines, "\n  ") + "\n  (" + p.log + ")"
}
