//go:build !linux

package preview

import "syscall"

// processGroup keeps a terminal's Ctrl-C from reaching a function before it
// reaches us.
func processGroup() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true}
}
