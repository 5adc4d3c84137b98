package preview

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/yaml"
)

// A document is a YAML document of an example, and where it stands.
type document struct {
	where  string
	object *unstructured.Unstructured
}

// Examples returns the names of the examples in a folder, sorted.
func Examples(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("cannot look for examples: %w", err)
	}
	var names []string
	for _, e := range entries {
		if e.IsDir() {
			names = append(names, e.Name())
		}
	}
	return names, nil
}

// readExample reads every YAML file of a folder, in the order of their names.
func readExample(dir string) ([]document, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.yaml"))
	if err != nil {
		return nil, fmt.Errorf("cannot look for YAML: %w", err)
	}
	if len(files) == 0 {
		return nil, unknownExample(dir)
	}
	slices.Sort(files)

	var docs []document
	for _, f := range files {
		d, err := readFile(f)
		if err != nil {
			return nil, err
		}
		docs = append(docs, d...)
	}
	return docs, nil
}

// unknownExample says why a folder has no example in it.
func unknownExample(dir string) error {
	if _, err := os.Stat(dir); err == nil {
		return fmt.Errorf("cannot find an example: %s has no YAML file", dir)
	}
	names, err := Examples(filepath.Dir(dir))
	if err != nil || len(names) == 0 {
		return fmt.Errorf("cannot find an example: there is no %s", dir)
	}
	return fmt.Errorf("cannot find example %q; there are %s", filepath.Base(dir), strings.Join(names, ", "))
}

func readFile(path string) ([]document, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("cannot read example: %w", err)
	}
	objects, err := decode(b)
	if err != nil {
		return nil, fmt.Errorf("cannot read %s: %w", path, err)
	}
	docs := make([]document, 0, len(objects))
	for _, o := range objects {
		docs = append(docs, document{where: filepath.Base(path), object: o})
	}
	return docs, nil
}

// decode the documents of a YAML stream, without those that are empty.
func decode(b []byte) ([]*unstructured.Unstructured, error) {
	var out []*unstructured.Unstructured
	r := utilyaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(b)))
	for {
		doc, err := r.Read()
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return nil, err
		}
		o := &unstructured.Unstructured{}
		j, err := yaml.YAMLToJSONStrict(doc)
		if err != nil {
			return nil, err
		}
		if bytes.Equal(j, []byte("null")) {
			continue
		}
		if err := o.UnmarshalJSON(j); err != nil {
			return nil, err
		}
		out = append(out, o)
	}
}
