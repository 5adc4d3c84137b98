package controlplane

import (
	"bufio"
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// A Usage is what a component takes.
type Usage struct {
	Component string
	Memory    int64 // Resident, in bytes.
}

// Memory that each component takes, the largest first. It is empty where the
// operating system does not tell.
func (f *Fleet) Memory() []Usage {
	resident := residents()
	var out []Usage
	for _, p := range f.processes.all() {
		if m, ok := resident[p.pid()]; ok {
			out = append(out, Usage{Component: p.name, Memory: m})
		}
	}
	out = append(out, Usage{Component: "(this program)", Memory: resident[os.Getpid()]})
	slices.SortStableFunc(out, func(a, b Usage) int { return cmp.Compare(b.Memory, a.Memory) })
	return out
}

// residents is the memory of every process of our PID namespace, by its PID in
// it. /proc may be that of another namespace, in which they have others.
func residents() map[int]int64 {
	out := map[int]int64{}
	own, err := os.Readlink("/proc/self/ns/pid")
	if err != nil {
		return out
	}
	all, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		return out
	}
	for _, dir := range all {
		if ns, err := os.Readlink(filepath.Join(dir, "ns", "pid")); err != nil || ns != own {
			continue
		}
		if pid, memory, ok := status(filepath.Join(dir, "status")); ok {
			out[pid] = memory
		}
	}
	return out
}

// status reads a process's PID in its own namespace, and its memory.
func status(path string) (pid int, memory int64, ok bool) {
	f, err := os.Open(path)
	if err != nil {
		return 0, 0, false
	}
	defer func() { _ = f.Close() }()

	s := bufio.NewScanner(f)
	for s.Scan() {
		key, value, _ := strings.Cut(s.Text(), ":")
		fields := strings.Fields(value)
		if len(fields) == 0 {
			continue
		}
		switch key {
		case "NSpid":
			pid, err = strconv.Atoi(fields[len(fields)-1])
		case "VmRSS":
			memory, err = strconv.ParseInt(fields[0], 10, 64)
			memory *= 1024
		}
		if err != nil {
			return 0, 0, false
		}
	}
	return pid, memory, pid > 0 && memory > 0
}
