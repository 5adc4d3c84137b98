package tools

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"golang.org/x/mod/semver"
)

// Build returns the path of a tool's binary, and builds it if it is not there.
func Build(ctx context.Context, t Tool, p *Progress) (string, error) {
	env, err := goEnv(ctx)
	if err != nil {
		return "", err
	}
	b, err := t.find(env)
	if err != nil || b.there {
		return b.path, err
	}

	unlock, err := lock(ctx, filepath.Join(filepath.Dir(b.path), t.Name+".lock"), func() {
		p.Sayf("waiting for another build of %s ...", t.Title)
	})
	if err != nil {
		return "", err
	}
	defer unlock()
	if there, err := exists(b.path); err != nil || there {
		return b.path, err
	}
	return b.path, t.build(ctx, b, p)
}

// BuildAll returns the paths of tools' binaries by the tools' names, and builds
// those that are not there, one after the other: one build keeps every core busy.
func BuildAll(ctx context.Context, all []Tool, p *Progress) (map[string]string, error) {
	env, err := goEnv(ctx)
	if err != nil {
		return nil, err
	}
	paths := make(map[string]string, len(all))
	var missing []string
	for _, t := range all {
		b, err := t.find(env)
		if err != nil {
			return nil, err
		}
		if !b.there {
			missing = append(missing, t.Name)
		}
		paths[t.Name] = b.path
	}
	if len(missing) > 1 {
		p.Sayf("%d of %d upstream programs are to be built, once: %s", len(missing), len(all), strings.Join(missing, ", "))
	}
	for _, t := range all {
		if !slices.Contains(missing, t.Name) {
			continue
		}
		if _, err := Build(ctx, t, p); err != nil {
			return nil, err
		}
	}
	return paths, nil
}

// Version returns the version of a tool that is built. A binary at hand that is
// used instead may have another.
func Version(t Tool) (string, error) {
	root, err := Root()
	if err != nil {
		return "", err
	}
	v, err := version(t.dir(root), t.Requires)
	if err != nil {
		return "", fmt.Errorf("cannot tell the version of %s: %w", t.Title, err)
	}
	return v, nil
}

// A binary is a tool's, which is there or is to be built.
type binary struct {
	path    string
	there   bool
	dir     string // The module folder it is built in.
	version string
}

// find a tool's binary, as the Go release and platform of env build it.
func (t Tool) find(env string) (binary, error) {
	if path := os.Getenv(t.Env); path != "" {
		if ok, err := exists(path); err != nil || !ok {
			return binary{}, fmt.Errorf("cannot use %s: %s=%s is not a file", t.Title, t.Env, path)
		}
		path, err := filepath.Abs(path)
		return binary{path: path, there: true}, err
	}

	root, err := Root()
	if err != nil {
		return binary{}, err
	}
	v, err := Version(t)
	if err != nil {
		return binary{}, err
	}
	k, err := key(t.dir(root), append(t.args(v), env))
	if err != nil {
		return binary{}, fmt.Errorf("cannot tell what %s is built from: %w", t.Title, err)
	}
	bin, err := upstreamDir(root)
	if err != nil {
		return binary{}, err
	}

	b := binary{path: filepath.Join(bin, fmt.Sprintf("%s-%s-%s", t.Name, v, k)), dir: t.dir(root), version: v}
	b.there, err = exists(b.path)
	return b, err
}

// dir returns the module folder a tool is built in.
func (t Tool) dir(root string) string {
	return filepath.Join(root, "tests", "tools", "upstream", t.Module)
}

// args of go build, but for the output and the package.
func (t Tool) args(version string) []string {
	mm := strings.Split(strings.TrimPrefix(semver.MajorMinor(version), "v"), ".")
	if len(mm) != 2 {
		mm = []string{"", ""} // A version of no release stays as it is.
	}
	fill := strings.NewReplacer("{version}", version, "{major}", mm[0], "{minor}", mm[1])

	ldflags := []string{"-s", "-w"}
	for _, s := range t.Stamps {
		ldflags = append(ldflags, "-X", fill.Replace(s))
	}
	return []string{"-mod=readonly", "-trimpath", "-buildvcs=false", "-ldflags=" + strings.Join(ldflags, " ")}
}

// build a tool in its module folder, and put it in place once it is whole.
func (t Tool) build(ctx context.Context, b binary, p *Progress) error {
	tmp := fmt.Sprintf("%s.%d.tmp", b.path, os.Getpid())
	defer func() { _ = os.Remove(tmp) }()

	args := append([]string{"build"}, t.args(b.version)...)
	args = append(args, "-o", tmp, t.Package)

	finished := p.During(t.Title+" "+b.version, t.Takes)
	out, err := run(ctx, b.dir, []string{"GOWORK=off"}, args...)
	finished(err)
	if err != nil {
		return fmt.Errorf("cannot build %s %s: %w\n%s\n%s", t.Title, b.version, err, out, t.advice(out))
	}
	if err := os.Rename(tmp, b.path); err != nil {
		return fmt.Errorf("cannot put %s in place: %w", t.Title, err)
	}
	return nil
}

// advice says what to do about a failed build.
func (t Tool) advice(out string) string {
	instead := fmt.Sprintf("or download a released binary and set %s to its path.", t.Env)
	if strings.Contains(out, "dial tcp") || strings.Contains(out, "reading http") || strings.Contains(out, "module lookup disabled") {
		return "A Go module could not be had. Check that `go env GOPROXY` names a proxy this machine reaches, " + instead
	}
	if strings.Contains(out, "no space left") {
		return "The disk is full: the Go caches and _bin need about 6 GiB."
	}
	return "Try the build again, " + instead
}

// goEnv returns the Go release and platform binaries are built by and for.
func goEnv(ctx context.Context) (string, error) {
	out, err := run(ctx, ".", nil, "env", "GOVERSION", "GOOS", "GOARCH")
	if err != nil {
		return "", fmt.Errorf("cannot run go: %w\n%s\nInstall Go 1.26 or newer", err, out)
	}
	return strings.Join(strings.Fields(out), " "), nil
}

// run go in a folder and return the tail of what it prints. The whole of its
// process group ends with the context.
func run(ctx context.Context, dir string, env []string, args ...string) (string, error) {
	var out bytes.Buffer
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = dir
	cmd.Env = append(append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS="), env...)
	cmd.Stdout, cmd.Stderr = &out, &out
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	err := cmd.Run()
	return tail(out.String(), 30), err
}

// tail returns the last n lines, without those that only say what is being
// downloaded.
func tail(s string, n int) string {
	var lines []string
	for l := range strings.Lines(s) {
		if !strings.HasPrefix(l, "go: downloading ") {
			lines = append(lines, strings.TrimRight(l, "\n"))
		}
	}
	if len(lines) > n {
		lines = lines[len(lines)-n:]
	}
	return strings.Join(lines, "\n")
}
