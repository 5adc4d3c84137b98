//go:build !linux

package controlplane

import (
	"errors"
	"os/exec"
	"syscall"
)

// namespaced returns a command that fails: namespaces are Linux's.
func namespaced(args ...string) *exec.Cmd {
	return exec.Command("false", args...)
}

func furnish() error {
	return errors.New("namespaces are Linux's")
}

func child() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true}
}
