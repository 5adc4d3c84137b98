package tools

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// BinEnv names the environment variable that says where upstream binaries are
// kept.
const BinEnv = "MODELPLANE_BIN"

// Root returns the root of the work tree the working directory is in.
func Root() (string, error) {
	wd, err := os.Getwd()
	if err != nil {
		return "", fmt.Errorf("cannot get working directory: %w", err)
	}
	for dir := wd; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "tests", "tools", "upstream")); err == nil {
			return dir, nil
		}
		if dir == filepath.Dir(dir) {
			return "", fmt.Errorf("cannot find the Modelplane repository: %s is not inside it", wd)
		}
	}
}

// upstreamDir returns the folder upstream binaries are kept in, and makes it.
func upstreamDir(root string) (string, error) {
	if dir := os.Getenv(BinEnv); dir != "" {
		return makeDir(dir, "upstream")
	}
	return makeDir(root, "_bin", "upstream")
}

func makeDir(elem ...string) (string, error) {
	dir, err := filepath.Abs(filepath.Join(elem...))
	if err != nil {
		return "", fmt.Errorf("cannot make folder of binaries: %w", err)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", fmt.Errorf("cannot make folder of binaries: %w", err)
	}
	return dir, nil
}

// exists reports whether a regular file is there.
func exists(path string) (bool, error) {
	fi, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("cannot look at %s: %w", path, err)
	}
	return fi.Mode().IsRegular(), nil
}
