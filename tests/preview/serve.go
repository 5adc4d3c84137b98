package preview

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"
)

const (
	// How long a function may take to serve. It takes 0.1 s on an idle machine.
	startTimeout = 30 * time.Second
	stopTimeout  = 3 * time.Second
)

// A server is a function served by a process of its own, at a socket that is a
// file: a port that is free now may be another's a moment later.
type server struct {
	name   string
	socket string
	log    string // The path of what it prints.
	cmd    *exec.Cmd
	exited chan struct{}
}

// serve every binary, until stop is called. Their logs are in dir.
func serve(ctx context.Context, binaries map[string]string, dir string) (servers map[string]*server, stop func(), err error) {
	servers = make(map[string]*server, len(binaries))
	stop = func() { stopAll(servers) }
	for name, path := range binaries {
		s, err := start(ctx, name, path, dir)
		if err != nil {
			stop()
			return nil, nil, err
		}
		servers[name] = s
	}
	for _, s := range servers {
		if err := s.wait(ctx); err != nil {
			stop()
			return nil, nil, err
		}
	}
	return servers, stop, nil
}

func start(ctx context.Context, name, path, dir string) (*server, error) {
	s := &server{
		name:   name,
		socket: filepath.Join(dir, name+".sock"),
		log:    filepath.Join(dir, name+".log"),
		exited: make(chan struct{}),
	}
	f, err := os.Create(s.log)
	if err != nil {
		return nil, fmt.Errorf("cannot keep the log of %s: %w", name, err)
	}
	defer func() { _ = f.Close() }()

	// Stopped by stop, and not before: a render may still wait for an answer.
	s.cmd = exec.CommandContext(context.WithoutCancel(ctx), path, "--insecure", "--network=unix", "--address="+s.socket, "--metrics-address=")
	s.cmd.Stdout, s.cmd.Stderr = f, f
	s.cmd.SysProcAttr = processGroup()
	if err := s.cmd.Start(); err != nil {
		return nil, fmt.Errorf("cannot start %s: %w", name, err)
	}
	go func() {
		_ = s.cmd.Wait()
		close(s.exited)
	}()
	return s, nil
}

// wait until a function takes connections.
func (s *server) wait(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	for {
		d := net.Dialer{Timeout: time.Second}
		c, err := d.DialContext(ctx, "unix", s.socket)
		if err == nil {
			return c.Close()
		}
		select {
		case <-s.exited:
			return fmt.Errorf("cannot serve %s: it ended at once\n%s", s.name, s.tail())
		case <-ctx.Done():
			return fmt.Errorf("cannot serve %s: %w\n%s", s.name, errors.Join(err, ctx.Err()), s.tail())
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// tail returns the last lines a function has printed.
func (s *server) tail() string {
	b, err := os.ReadFile(s.log)
	if err != nil {
		return err.Error()
	}
	lines := strings.Split(strings.TrimSpace(string(b)), "\n")
	return strings.Join(lines[max(0, len(lines)-20):], "\n")
}

func stopAll(servers map[string]*server) {
	var wg sync.WaitGroup
	for _, s := range servers {
		wg.Go(s.stop)
	}
	wg.Wait()
}

func (s *server) stop() {
	_ = s.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-s.exited:
	case <-time.After(stopTimeout):
		_ = s.cmd.Process.Kill()
		<-s.exited
	}
}

// target is where a gRPC client finds the server.
func (s *server) target() string { return "unix:" + s.socket }
