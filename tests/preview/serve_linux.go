package preview

import "syscall"

// processGroup keeps a terminal's Ctrl-C from reaching a function before it
// reaches us, and ends a function whose parent has died.
func processGroup() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
