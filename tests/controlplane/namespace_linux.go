package controlplane

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"unsafe"
)

// Networks on the loopback interface of a fleet's own network. Every address in
// them is local, and can be listened at. EndpointSlices refuse loopback
// addresses, so pods and gateways have others.
//
//nolint:gochecknoglobals // A constant in all but Go's type system.
var loopback = []struct {
	label    string
	ip, mask [4]byte
}{
	{"lo", [4]byte{127, 0, 0, 1}, [4]byte{255, 0, 0, 0}},
	{"lo:1", [4]byte{10, 244, 0, 0}, [4]byte{255, 254, 0, 0}},
}

// namespaced returns a command that runs this program again, in namespaces of its
// own. As the first process of its PID namespace it takes all others with it
// when it ends, and it ends with its parent.
func namespaced(args ...string) *exec.Cmd {
	cmd := exec.Command("/proc/self/exe", args...) //nolint:noctx,gosec // It ends with its parent, and is told what its parent was told.
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags: syscall.CLONE_NEWNET | syscall.CLONE_NEWPID | syscall.CLONE_NEWNS,
		Pdeathsig:  syscall.SIGKILL,
		Setpgid:    true,
	}
	if os.Getuid() != 0 {
		cmd.SysProcAttr.Cloneflags |= syscall.CLONE_NEWUSER
		cmd.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}}
		cmd.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}}
	}
	return cmd
}

// furnish the namespaces this program runs in: addresses on the loopback
// interface, an empty /run, which is where a pod finds its identity, and no
// charts and no names but its own.
func furnish() error {
	for _, l := range loopback {
		if err := addAddress(l.label, l.ip, l.mask); err != nil {
			return fmt.Errorf("cannot add an address to %s: %w", l.label, err)
		}
	}
	if err := syscall.Mount("", "/", "", syscall.MS_REC|syscall.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("cannot keep mounts to itself: %w", err)
	}
	if err := syscall.Mount("tmpfs", "/run", "tmpfs", syscall.MS_NOSUID|syscall.MS_NODEV, "size=16m"); err != nil {
		return fmt.Errorf("cannot mount /run: %w", err)
	}
	if err := forgetCharts(); err != nil {
		return err
	}
	return forgetNames()
}

// forgetCharts has provider-helm find no chart that another fleet's has fetched:
// it tells charts apart by name and version only, and keeps them in one place.
func forgetCharts() error {
	const kept = "/tmp/charts"
	if err := os.MkdirAll(kept, 0o750); err != nil {
		return fmt.Errorf("cannot make %s: %w", kept, err)
	}
	if err := syscall.Mount("tmpfs", kept, "tmpfs", syscall.MS_NOSUID|syscall.MS_NODEV, "size=16m"); err != nil {
		return fmt.Errorf("cannot mount %s: %w", kept, err)
	}
	return nil
}

// forgetNames has names looked up in a file that knows this machine, and nowhere
// else: whom others ask cannot be reached from here. A file that is not there is
// not looked at by anybody.
func forgetNames() error {
	for path, content := range map[string]string{
		hosts:                "127.0.0.1 localhost\n",
		"/etc/nsswitch.conf": "hosts: files\n",
		"/etc/resolv.conf":   "# Nobody is asked.\n",
	} {
		own := "/run/" + filepath.Base(path)
		if err := os.WriteFile(own, []byte(content), 0o644); err != nil {
			return fmt.Errorf("cannot write %s: %w", own, err)
		}
		err := syscall.Mount(own, path, "", syscall.MS_BIND, "")
		if err != nil && !errors.Is(err, syscall.ENOENT) {
			return fmt.Errorf("cannot mount %s: %w", path, err)
		}
	}
	return nil
}

// child is what a process of a fleet is started with: it ends with us, and a
// terminal's Ctrl-C does not reach it before it reaches us.
func child() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// These have the layout of the kernel's struct ifreq.
type (
	ifreqAddr struct {
		name [16]byte
		addr syscall.RawSockaddrInet4
		_    [8]byte
	}
	ifreqFlags struct {
		name  [16]byte
		flags uint16
		_     [22]byte
	}
)

// addAddress to an interface, and bring it up.
func addAddress(label string, ip, mask [4]byte) error {
	fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_DGRAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer func() { _ = syscall.Close(fd) }()

	for _, a := range []struct {
		request uintptr
		address [4]byte
	}{{syscall.SIOCSIFADDR, ip}, {syscall.SIOCSIFNETMASK, mask}} {
		r := ifreqAddr{addr: syscall.RawSockaddrInet4{Family: syscall.AF_INET, Addr: a.address}}
		copy(r.name[:15], label)
		if err := ioctl(fd, a.request, unsafe.Pointer(&r)); err != nil { //nolint:gosec // How the kernel is told.
			return err
		}
	}
	up := ifreqFlags{flags: syscall.IFF_UP | syscall.IFF_RUNNING}
	copy(up.name[:15], label)
	return ioctl(fd, syscall.SIOCSIFFLAGS, unsafe.Pointer(&up)) //nolint:gosec // How the kernel is told.
}

func ioctl(fd int, request uintptr, argument unsafe.Pointer) error {
	if _, _, errno := syscall.Syscall(syscall.SYS_IOCTL, uintptr(fd), request, uintptr(argument)); errno != 0 {
		return errno
	}
	return nil
}
