package controlplane

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"strings"
	"syscall"

	"github.com/modelplane-go/modelplane/tests/tools"
)

// Environment variables by which this program tells itself where it runs.
const (
	envPrograms = "MODELPLANE_FLEET_PROGRAMS" // In namespaces of its own, with these programs.
	envProbe    = "MODELPLANE_FLEET_PROBE"    // In namespaces of its own, to see whether it may.
)

// EnvShared names the environment variable that has a fleet run beside
// everything else on the machine, as if namespaces were not allowed.
const EnvShared = "MODELPLANE_FLEET_SHARED"

// Enter builds the programs a fleet is made of, and returns in a network of its
// own: it starts this program again there, with the same arguments, and the call
// of Enter in there is the one that returns. Out here it never does. So it is
// to be called first thing, before anything is started or written.
//
// Where that is not allowed it returns at once, and says so.
//
// A test calls it with its flags parsed. Its results are never cached: go test
// does not know what they rest on.
func Enter(ctx context.Context, p *tools.Progress) (*Programs, error) {
	if os.Getenv(envProbe) != "" {
		probed()
	}
	if err := uncached(); err != nil {
		return nil, err
	}
	if j := os.Getenv(envPrograms); j != "" {
		return entered(j)
	}

	programs, err := Build(ctx, p)
	if err != nil {
		return nil, err
	}
	if why := refused(); why != "" {
		p.Sayf("WARNING: the fleet shares this machine's network, because %s", why)
		return programs, nil
	}
	file, port, err := makeDoor()
	if err != nil {
		return nil, err
	}
	web, webPort, err := makeDoor()
	if err != nil {
		return nil, err
	}
	programs.Isolated, programs.Door, programs.WebDoor = true, port, webPort
	j, err := json.Marshal(programs)
	if err != nil {
		return nil, fmt.Errorf("cannot pass programs on: %w", err)
	}
	os.Exit(again(envPrograms+"="+string(j), file, web))
	return nil, errors.New("unreachable")
}

// uncached keeps go test from caching results, by not telling it what was read.
func uncached() error {
	f := flag.Lookup("test.testlogfile")
	if f == nil {
		return nil
	}
	if err := f.Value.Set(""); err != nil {
		return fmt.Errorf("cannot keep results from being cached: %w", err)
	}
	return nil
}

// entered is Enter, in namespaces of its own.
func entered(programs string) (*Programs, error) {
	if err := os.Unsetenv(envPrograms); err != nil {
		return nil, fmt.Errorf("cannot forget where programs are: %w", err)
	}
	if err := furnish(); err != nil {
		return nil, err
	}
	// They are ours, and not for those we start.
	syscall.CloseOnExec(doorFile)
	syscall.CloseOnExec(webDoorFile)
	out := &Programs{}
	if err := json.Unmarshal([]byte(programs), out); err != nil {
		return nil, fmt.Errorf("cannot read where programs are: %w", err)
	}
	return out, nil
}

// refused says why this program may not have namespaces of its own, if so.
func refused() string {
	if os.Getenv(EnvShared) != "" {
		return EnvShared + " is set"
	}
	cmd := namespaced()
	out := &bytes.Buffer{}
	cmd.Env = append(os.Environ(), envProbe+"=1")
	cmd.Stdout, cmd.Stderr = out, out
	if err := cmd.Run(); err != nil {
		return fmt.Sprintf("a network of its own is not allowed: %s", errors.Join(err, errors.New(strings.TrimSpace(out.String()))))
	}
	return ""
}

// probed ends a program that was started to see whether it may be.
func probed() {
	if err := furnish(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// again runs this program in namespaces of its own, passes signals on to it, and
// returns its exit code.
func again(env string, doors ...*os.File) int {
	// The kernel ends the child when the thread ends that started it.
	runtime.LockOSThread()

	cmd := namespaced(os.Args[1:]...)
	cmd.Env = append(os.Environ(), env)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.ExtraFiles = doors

	signals := make(chan os.Signal, 4)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGQUIT, syscall.SIGHUP)
	if err := cmd.Start(); err != nil {
		fmt.Fprintf(os.Stderr, "cannot start again: %v\n", err)
		return 1
	}
	go func() {
		for s := range signals {
			_ = cmd.Process.Signal(s)
		}
	}()

	err := cmd.Wait()
	if exit := (&exec.ExitError{}); errors.As(err, &exit) && exit.ExitCode() >= 0 {
		return exit.ExitCode()
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "the fleet has ended: %v\n", err)
		return 1
	}
	return 0
}
