package controlplane

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"
)

// envOutlive has this program start something that would outlive it.
const envOutlive = "MODELPLANE_FLEET_OUTLIVE"

// outlive starts a process in a session of its own, says so, and waits to be
// killed.
func outlive() {
	cmd := exec.Command("sleep", "3600")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	cmd.Stdout = os.Stdout // Whoever reads it is told when the last writer is gone.
	if err := cmd.Start(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println("started")
	time.Sleep(time.Hour)
}

// TestNothingOutlives shows that what a program starts in namespaces of its own
// ends with it, however it ends and whatever it is.
func TestNothingOutlives(t *testing.T) {
	if why := refused(); why != "" {
		t.Skip(why)
	}
	cmd := namespaced()
	cmd.Env = append(os.Environ(), envOutlive+"=1")
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	s := bufio.NewScanner(out)
	if !s.Scan() || s.Text() != "started" {
		t.Fatalf("want started, got %q: %v", s.Text(), s.Err())
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}

	gone := make(chan struct{})
	go func() {
		for s.Scan() {
			continue // It ends when nobody can write any more.
		}
		close(gone)
	}()
	select {
	case <-gone:
	case <-time.After(10 * time.Second):
		t.Error("a process outlives the program that started it")
	}
	_ = cmd.Wait()
}
