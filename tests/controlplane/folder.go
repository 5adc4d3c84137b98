package controlplane

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// EnvLogs names the environment variable that holds a folder to keep logs in,
// below the name of the program. Without it they go with the fleet.
const EnvLogs = "MODELPLANE_FLEET_LOGS"

const (
	folderPrefix = "modelplane-fleet-"
	folderLock   = "lock"

	// How long what is left of a fleet that did not start is kept.
	keptFor = 24 * time.Hour
)

// A folder of a fleet, for as long as it lives.
type folder struct {
	path string
	logs string
	lock *os.File // Held as long as this program lives.
}

// newFolder makes one, and deletes those of fleets that were killed.
func newFolder() (*folder, error) {
	sweep()
	dir, err := os.MkdirTemp("", folderPrefix)
	if err != nil {
		return nil, fmt.Errorf("cannot make a folder: %w", err)
	}
	f := &folder{path: dir, logs: filepath.Join(dir, "logs")}
	if f.lock, err = lock(filepath.Join(dir, folderLock)); err != nil {
		return nil, err
	}
	if kept := os.Getenv(EnvLogs); kept != "" {
		f.logs = filepath.Join(kept, filepath.Base(os.Args[0]))
	}
	if err := os.MkdirAll(f.logs, 0o755); err != nil {
		return nil, fmt.Errorf("cannot make a folder: %w", err)
	}
	return f, nil
}

// remove the folder.
func (f *folder) remove() { _ = os.RemoveAll(f.path) }

// leave nothing of the folder but logs.
func (f *folder) leaveLogs() {
	entries, err := os.ReadDir(f.path)
	if err != nil {
		return
	}
	for _, e := range entries {
		if p := filepath.Join(f.path, e.Name()); p != f.logs {
			_ = os.RemoveAll(p)
		}
	}
}

// sweep away the folders nobody holds any more.
func sweep() {
	dirs, err := filepath.Glob(filepath.Join(os.TempDir(), folderPrefix+"*"))
	if err != nil {
		return
	}
	for _, dir := range dirs {
		if abandoned(dir) {
			_ = os.RemoveAll(dir)
		}
	}
}

func abandoned(dir string) bool {
	path := filepath.Join(dir, folderLock)
	if _, err := os.Stat(path); err != nil {
		fi, err := os.Stat(dir)
		return err == nil && time.Since(fi.ModTime()) > keptFor
	}
	l, err := lock(path)
	if err != nil {
		return false
	}
	return l.Close() == nil
}

// lock a file, unless another process holds it. The operating system gives up
// the lock of a process that dies.
func lock(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, fmt.Errorf("cannot open a lock: %w", err)
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		_ = f.Close()
		return nil, fmt.Errorf("cannot lock %s: %w", path, err)
	}
	return f, nil
}

// turn waits until no other fleet on this machine is being started: one keeps
// every core busy. It is held until the returned function is called.
func turn(ctx context.Context, waiting func()) (done func(), err error) {
	path := filepath.Join(os.TempDir(), "modelplane-fleet.lock")
	told := false
	for {
		l, err := lock(path)
		if err == nil {
			return func() { _ = l.Close() }, nil
		}
		if os.IsPermission(err) {
			return func() {}, nil // It is somebody else's.
		}
		if !told {
			waiting()
			told = true
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("cannot start a fleet while another starts: %w", ctx.Err())
		case <-time.After(200 * time.Millisecond):
		}
	}
}
