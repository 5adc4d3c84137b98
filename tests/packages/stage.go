package packages

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// stage lays out the Configuration of a work tree in a folder that holds nothing
// else: a package is every YAML file below its root. What it needs around it
// (package/prerequisites.yaml) is not part of it, and cannot be.
func stage(root, dir string) error {
	files := []string{
		filepath.Join(root, "package", "crossplane.yaml"),
		filepath.Join(root, "package", "activation.yaml"),
	}
	for _, name := range []string{"definition.yaml", "composition.yaml"} {
		found, err := filepath.Glob(filepath.Join(root, "apis", "*", name))
		if err != nil {
			return fmt.Errorf("cannot look for APIs: %w", err)
		}
		if len(found) == 0 {
			return fmt.Errorf("cannot find apis/*/%s in %s", name, root)
		}
		files = append(files, found...)
	}
	slices.Sort(files)

	for _, path := range files {
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return fmt.Errorf("cannot stage the configuration: %w", err)
		}
		if filepath.Dir(rel) == "package" {
			rel = filepath.Base(rel)
		}
		if err := copyFile(path, filepath.Join(dir, rel)); err != nil {
			return fmt.Errorf("cannot stage the configuration: %w", err)
		}
	}
	return nil
}

func copyFile(from, to string) error {
	b, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	return os.WriteFile(to, b, 0o644)
}
