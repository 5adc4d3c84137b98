package tools

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/mod/modfile"
)

// version returns the version a module folder's go.mod requires of a module.
func version(dir, module string) (string, error) {
	path := filepath.Join(dir, "go.mod")
	b, err := os.ReadFile(path)
	if err != nil {
		return "", fmt.Errorf("cannot read versions: %w", err)
	}
	f, err := modfile.ParseLax(path, b, nil)
	if err != nil {
		return "", fmt.Errorf("cannot parse versions: %w", err)
	}
	for _, r := range f.Require {
		if r.Mod.Path == module {
			return r.Mod.Version, nil
		}
	}
	return "", fmt.Errorf("%s does not require %s", path, module)
}

// key names everything a binary depends on: each file of its module folder, the
// arguments it is built with, and the Go release it is built by.
func key(dir string, args []string) (string, error) {
	h := sha256.New()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		_, _ = fmt.Fprintf(h, "%s %d\n%s\n", filepath.ToSlash(rel), len(b), b)
		return nil
	})
	if err != nil {
		return "", fmt.Errorf("cannot read module: %w", err)
	}
	_, _ = fmt.Fprintln(h, strings.Join(args, "\x00"))
	return hex.EncodeToString(h.Sum(nil))[:12], nil
}
