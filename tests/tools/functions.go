package tools

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime"
)

// Functions builds every function of the work tree for this machine, and returns
// the path of each binary by the function's name.
func Functions(ctx context.Context, p *Progress) (map[string]string, error) {
	return FunctionsFor(ctx, p, runtime.GOOS, runtime.GOARCH)
}

// FunctionsFor builds every function of the work tree for a platform, and returns
// the path of each binary by the function's name. They are built every time, and
// stay in their work tree: the Go build cache makes it quick when nothing changed.
//
// A binary is what a function's package holds: static, stripped, and the same for
// the same source, whichever folder that is in.
func FunctionsFor(ctx context.Context, p *Progress, goos, goarch string) (map[string]string, error) {
	root, err := Root()
	if err != nil {
		return nil, err
	}
	dir := filepath.Join(root, "functions")
	mains, err := filepath.Glob(filepath.Join(dir, "*", "main.go"))
	if err != nil {
		return nil, fmt.Errorf("cannot look for functions: %w", err)
	}
	if len(mains) == 0 {
		return nil, fmt.Errorf("cannot find a function in %s", dir)
	}
	bin, err := makeDir(root, "_bin", "functions", goos+"-"+goarch)
	if err != nil {
		return nil, err
	}
	unlock, err := lock(ctx, filepath.Join(bin, ".lock"), func() {
		p.Sayf("waiting for another build of the functions ...")
	})
	if err != nil {
		return nil, err
	}
	defer unlock()

	args := []string{"build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-o", bin + string(filepath.Separator)}
	paths := make(map[string]string, len(mains))
	for _, m := range mains {
		name := filepath.Base(filepath.Dir(m))
		paths[name] = filepath.Join(bin, name)
		args = append(args, "./"+name)
	}

	finished := p.During(fmt.Sprintf("%d functions for %s/%s", len(mains), goos, goarch), "2 min")
	// Outside the workspace: what others in it require is no part of a function.
	out, err := run(ctx, dir, []string{"GOWORK=off", "GOOS=" + goos, "GOARCH=" + goarch}, args...)
	finished(err)
	if err != nil {
		return nil, fmt.Errorf("cannot build the functions: %w\n%s", err, out)
	}
	return paths, nil
}
