package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	jsonserializer "k8s.io/apimachinery/pkg/runtime/serializer/json"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/yaml"

	"github.com/modelplane-go/modelplane/schemas/modelplane/v1alpha1"
)

// A document is an object of ours in a file.
type document struct {
	where  string // The file, the document in it, and the object.
	kind   string
	name   string
	object map[string]any
}

// readPath reads every YAML file of a folder and below, in the order of their
// paths, or one file.
func readPath(name string) ([]document, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, fmt.Errorf("cannot read %s: %w", name, reason(err))
	}
	if !info.IsDir() {
		return readFile(os.DirFS(filepath.Dir(name)), filepath.Base(name), name)
	}

	var out []document
	root := os.DirFS(name)
	err = fs.WalkDir(root, ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return fmt.Errorf("cannot read %s: %w", filepath.Join(name, p), reason(err))
		}
		hidden := p != "." && strings.HasPrefix(d.Name(), ".")
		if hidden && d.IsDir() {
			return fs.SkipDir
		}
		if d.IsDir() || hidden || !slices.Contains([]string{".yaml", ".yml"}, path.Ext(p)) {
			return nil
		}
		docs, err := readFile(root, p, filepath.Join(name, filepath.FromSlash(p)))
		out = append(out, docs...)
		return err
	})
	return out, err
}

func readFile(root fs.FS, name, shown string) ([]document, error) {
	b, err := fs.ReadFile(root, name)
	if err != nil {
		return nil, fmt.Errorf("cannot read %s: %w", shown, reason(err))
	}
	return readStream(bytes.NewReader(b), shown)
}

// reason is an error without the path that is named already.
func reason(err error) error {
	if e := (*fs.PathError)(nil); errors.As(err, &e) {
		return e.Err
	}
	return err
}

// readStream reads the documents of a YAML stream that are objects of ours.
func readStream(r io.Reader, name string) ([]document, error) {
	var out []document
	documents := utilyaml.NewYAMLReader(bufio.NewReader(r))
	for n := 1; ; n++ {
		doc, err := documents.Read()
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		where := fmt.Sprintf("%s, document %d", name, n)
		if err != nil {
			return nil, fmt.Errorf("cannot read %s: %w", where, err)
		}
		j, err := yaml.YAMLToJSONStrict(doc)
		if err != nil {
			return nil, fmt.Errorf("cannot read %s, as YAML: %s", where, syntax(err))
		}
		object := map[string]any{}
		if err := json.Unmarshal(j, &object); err != nil {
			continue // Not an object of Kubernetes.
		}
		docs, err := documentsOf(object, where)
		if err != nil {
			return nil, err
		}
		out = append(out, docs...)
	}
}

// syntax is what is wrong with YAML, on one line.
func syntax(err error) string {
	s := strings.Join(strings.Fields(err.Error()), " ")
	for _, prefix := range []string{"error converting YAML to JSON: ", "yaml: ", "unmarshal errors: "} {
		s = strings.TrimPrefix(s, prefix)
	}
	return s
}

// documentsOf are an object of ours, those of a list, or none.
func documentsOf(object map[string]any, where string) ([]document, error) {
	u := unstructured.Unstructured{Object: object}
	if items, ok := object["items"].([]any); ok && strings.HasSuffix(u.GetKind(), "List") {
		var out []document
		for i, item := range items {
			object, ok := item.(map[string]any)
			if !ok {
				continue
			}
			docs, err := documentsOf(object, fmt.Sprintf("%s, items[%d]", where, i))
			if err != nil {
				return nil, err
			}
			out = append(out, docs...)
		}
		return out, nil
	}

	group, version, _ := strings.Cut(u.GetAPIVersion(), "/")
	if group != v1alpha1.Group {
		return nil, nil
	}
	if version != v1alpha1.Version {
		return nil, fmt.Errorf("cannot read %s: apiVersion %s is not known; write %s", where, u.GetAPIVersion(), v1alpha1.GroupVersion)
	}
	if !slices.Contains(kinds(), u.GetKind()) {
		return nil, fmt.Errorf("cannot read %s: %s has no kind %q; it has %s", where, u.GetAPIVersion(), u.GetKind(), strings.Join(kinds(), ", "))
	}
	name := u.GetName()
	if name == "" {
		return nil, fmt.Errorf("cannot read %s: the %s has no metadata.name; give it one", where, u.GetKind())
	}
	return []document{{where: where + ", " + u.GetKind() + " " + name, kind: u.GetKind(), name: name, object: object}}, nil
}

// kinds of our API.
func kinds() []string {
	return []string{
		v1alpha1.KindInferenceClass, v1alpha1.KindInferenceCluster, v1alpha1.KindInferenceGateway, v1alpha1.KindModelDeployment,
		v1alpha1.KindModelEndpoint, v1alpha1.KindModelReplica, v1alpha1.KindModelService,
	}
}

// decode a document into an object. A field that its kind does not have is an
// error.
func (d document) decode(into runtime.Object) error {
	// What Crossplane adds to our kinds says nothing of what is planned.
	for _, part := range []string{"spec", "status"} {
		unstructured.RemoveNestedField(d.object, part, "crossplane")
	}
	if err := d.strictly(into); err != nil {
		return fmt.Errorf("cannot read %s: %s; docs/api.md names the fields", d.where, d.mistake(err, into))
	}
	return nil
}

// strictly decodes as an API server does.
func (d document) strictly(into runtime.Object) error {
	j, err := json.Marshal(d.object)
	if err != nil {
		return err
	}
	s := jsonserializer.NewSerializerWithOptions(jsonserializer.DefaultMetaFactory, nil, runtime.NewScheme(), jsonserializer.SerializerOptions{Strict: true})
	_, _, err = s.Decode(j, nil, into)
	return err
}

// mistake is what is wrong with a document, and at which field.
func (d document) mistake(err error, into runtime.Object) string {
	if e := (*json.UnmarshalTypeError)(nil); errors.As(err, &e) {
		return fmt.Sprintf("%s is %s, and should be %s", e.Field, e.Value, typeName(e.Type.Kind()))
	}
	if runtime.IsStrictDecodingError(err) {
		return strings.TrimPrefix(err.Error(), "strict decoding error: ")
	}
	field := culprit(d.object, "", func() bool { return d.strictly(into) == nil })
	return strings.TrimPrefix(field+": "+err.Error(), ": ")
}

// typeName is what YAML calls a type.
func typeName(k reflect.Kind) string {
	switch k {
	case reflect.Struct, reflect.Map, reflect.Pointer:
		return "object"
	case reflect.Slice:
		return "array"
	case reflect.Int, reflect.Int32, reflect.Int64:
		return "integer"
	default:
		return k.String()
	}
}

// culprit is the innermost field without which all is well. Errors of a type
// that decodes itself do not name one.
func culprit(v any, at string, well func() bool) string {
	switch v := v.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			child, field := v[key], strings.TrimPrefix(at+"."+key, ".")
			if found := culprit(child, field, well); found != "" {
				return found
			}
			delete(v, key)
			found := well()
			v[key] = child
			if found {
				return field
			}
		}
	case []any:
		for i, child := range v {
			if found := culprit(child, fmt.Sprintf("%s[%d]", at, i), well); found != "" {
				return found
			}
		}
	}
	return ""
}

// A collector reads objects, each of which may be there once.
type collector struct {
	seen map[string]string // Where, by kind and name.
}

// add decodes a document into an object.
func (c *collector) add(d document, into interface {
	runtime.Object
	metav1.Object
},
) error {
	if err := d.decode(into); err != nil {
		return err
	}
	key := d.kind + " " + into.GetNamespace() + "/" + into.GetName()
	if first, ok := c.seen[key]; ok {
		return fmt.Errorf("cannot read %s: it is in %s too; remove one", d.where, first)
	}
	c.seen[key] = d.where
	return nil
}
