package packages

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// recipe is how packages are made. It is to change with what this package makes
// of the same inputs.
const recipe = 1

// key names everything a package is built from: the files of its folder, what
// builds it, what it runs if anything, and for which version and architecture.
func key(root, cli, binary, arch string, p Package) (string, error) {
	h := sha256.New()
	_, _ = fmt.Fprintln(h, recipe, filepath.Base(cli), p.Repository, p.Version, arch)
	if binary != "" {
		if err := hash(h, "/function", binary); err != nil {
			return "", err
		}
	}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		return hash(h, rel, path)
	})
	if err != nil {
		return "", fmt.Errorf("cannot tell what %s is built from: %w", p.Name(), err)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// hash a file as one of a name.
func hash(w io.Writer, name, path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	fi, err := f.Stat()
	if err != nil {
		return err
	}
	_, _ = fmt.Fprintln(w, name, fi.Size())
	_, err = io.Copy(w, f)
	return err
}

// keyPath returns where the key of a package's file is kept.
func keyPath(path string) string {
	return filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+".key")
}

// fresh reports whether a package's file was built from what a key names.
func fresh(path, key string) bool {
	if _, err := os.Stat(path); err != nil {
		return false
	}
	b, err := os.ReadFile(keyPath(path))
	return err == nil && bytes.Equal(b, []byte(key))
}
