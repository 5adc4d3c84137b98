package xfntest

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/types/known/structpb"
)

// What Crossplane and an API server put into an object, whatever it is.
const (
	anyTime    = "2026-01-02T03:04:05Z"
	generation = 3
	finalizer  = "composite.apiextensions.crossplane.io"

	labelComposite = "crossplane.io/composite"
	annotationKey  = "crossplane.io/composition-resource-name"

	managerPerson    = "kubectl"
	managerComposite = "apiextensions.crossplane.io/composite"
	managerComposed  = "apiextensions.crossplane.io/composed/"
	managerCore      = "crossplane"

	update = "Update"
	apply  = "Apply"
)

// A Stored object is a composite resource as Crossplane has it from its API
// server, and sends it to functions: with what both keep in its metadata and
// spec, and with managedFields, which say of every field who set it last. They
// are more than half of most objects.
type Stored struct {
	// Object as its author means it, with its status. Its conditions have
	// observedGeneration where Crossplane set them.
	Object any

	// Owner names the composite resource that composed the object, under the
	// key. Without one, a person applied it.
	Owner string
	Key   string

	// Composes is how many resources the object composes.
	Composes int
}

// Struct of the object.
func (s Stored) Struct(t testing.TB) *structpb.Struct {
	t.Helper()

	j, err := encode(s.Object)
	if err != nil {
		t.Fatalf("cannot encode %T: %v", s.Object, err)
	}
	o := tree{}
	if err := json.Unmarshal(j, &o); err != nil {
		t.Fatalf("cannot decode %T: %v", s.Object, err)
	}
	meta := at(o, "metadata")
	name, _ := meta["name"].(string)
	kind, _ := o["kind"].(string)

	// Crossplane leaves out messages that say nothing, and Go's conditions do not.
	conditions, _ := at(o, "status")["conditions"].([]any)
	for _, c := range conditions {
		if m, ok := c.(tree); ok && m["message"] == "" {
			delete(m, "message")
		}
	}

	if s.Owner != "" {
		meta["ownerReferences"] = []any{tree{
			"apiVersion": o["apiVersion"], "kind": "Owner", "name": s.Owner, "uid": uid(s.Owner), "controller": true, "blockOwnerDeletion": true,
		}}
		at(meta, "annotations")[annotationKey] = s.Key
		at(meta, "labels")[labelComposite] = s.Owner
	}
	managed := []any{s.author(o)}
	if s.Owner == "" {
		at(meta, "labels")[labelComposite] = name
	}
	meta["uid"], meta["resourceVersion"], meta["generation"] = uid(kind+name), "1082", generation
	meta["creationTimestamp"], meta["finalizers"] = anyTime, []any{finalizer}
	at(o, "spec")["crossplane"] = crossplane(strings.ToLower(kind)+"s.modelplane.ai", name, s.Composes)

	meta["managedFields"] = append(managed, s.crossplane(o)...)
	out, err := structpb.NewStruct(o)
	if err != nil {
		t.Fatalf("cannot encode %T: %v", s.Object, err)
	}
	return out
}

// author of an object: who set its labels, annotations and spec.
func (s Stored) author(o tree) tree {
	meta := tree{}
	for _, k := range []string{"labels", "annotations"} {
		if m, ok := at(o, "metadata")[k]; ok {
			meta["f:"+k] = owned(m)
		}
	}
	manager := managerPerson
	if s.Owner != "" {
		manager = managerComposed + fmt.Sprintf("%x", sha256.Sum256([]byte(s.Owner)))
		meta["f:ownerReferences"] = tree{fmt.Sprintf("k:{\"uid\":%q}", uid(s.Owner)): tree{}}
	}
	fields := tree{"f:spec": owned(o["spec"])}
	if len(meta) > 0 {
		fields["f:metadata"] = meta
	}
	return entry(manager, apply, fields)
}

// crossplane is what Crossplane's reconcilers set of an object.
func (s Stored) crossplane(o tree) []any {
	refs := entry(managerComposite, apply, tree{"f:spec": tree{"f:crossplane": tree{"f:resourceRefs": tree{}}}})

	status := entry(managerComposite, apply, tree{"f:status": owned(o["status"])})
	status["subresource"] = "status"

	meta := tree{"f:finalizers": tree{".": tree{}, fmt.Sprintf("v:%q", finalizer): tree{}}}
	if s.Owner == "" {
		meta["f:labels"] = tree{"f:" + labelComposite: tree{}}
	}
	core := entry(managerCore, update, tree{"f:metadata": meta, "f:spec": tree{"f:crossplane": tree{
		".":                         tree{},
		"f:compositionRef":          tree{".": tree{}, "f:name": tree{}},
		"f:compositionRevisionRef":  tree{".": tree{}, "f:name": tree{}},
		"f:compositionUpdatePolicy": tree{},
	}}})

	conditions := owned(at(o, "status")["conditions"])
	delete(conditions, `k:{"type":"Responsive"}`) // Applied once all is done.
	conditions["."] = tree{}
	coreStatus := entry(managerCore, update, tree{"f:status": tree{"f:conditions": conditions}})
	coreStatus["subresource"] = "status"

	return []any{refs, status, core, coreStatus}
}

// crossplane is what Crossplane keeps in the spec of a composite resource.
func crossplane(composition, name string, composes int) tree {
	refs := make([]any, composes)
	for i := range refs {
		refs[i] = tree{"apiVersion": "kubernetes.m.crossplane.io/v1alpha1", "kind": "Object", "name": fmt.Sprintf("%s-composed-%d", name, i)}
	}
	return tree{
		"compositionRef":          tree{"name": composition},
		"compositionRevisionRef":  tree{"name": composition + "-66847d1"},
		"compositionUpdatePolicy": "Automatic",
		"resourceRefs":            refs,
	}
}

func entry(manager, operation string, fields tree) tree {
	return tree{
		"apiVersion": "modelplane.ai/v1alpha1", "fieldsType": "FieldsV1", "fieldsV1": fields,
		"manager": manager, "operation": operation, "time": anyTime,
	}
}

// Which field tells the items of a list apart, in the order to try. Lists of
// other items are set as a whole.
var itemKeys = []string{"name", "type", "replica", "engine"} //nolint:gochecknoglobals // A constant.

// owned is what the API server notes for who sets a value with server-side apply.
func owned(v any) tree {
	out := tree{}
	switch v := v.(type) {
	case tree:
		for k, f := range v {
			out["f:"+k] = owned(f)
			if k == "attributes" || k == "capacity" { // Maps, whose entries are items.
				out["f:"+k] = items(f)
			}
		}
	case []any:
		for _, e := range v {
			m, _ := e.(tree)
			i := slices.IndexFunc(itemKeys, func(k string) bool { _, ok := m[k]; return ok })
			if i < 0 {
				return tree{}
			}
			out[fmt.Sprintf("k:{%q:%q}", itemKeys[i], m[itemKeys[i]])] = item(m)
		}
	}
	return out
}

// items of a map.
func items(v any) tree {
	out := tree{}
	m, _ := v.(tree)
	for k, f := range m {
		out["f:"+k] = item(f)
	}
	return out
}

// item of a list or a map.
func item(v any) tree {
	out := owned(v)
	out["."] = tree{}
	return out
}

func uid(of string) string {
	h := fmt.Sprintf("%x", sha256.Sum256([]byte(of)))
	return strings.Join([]string{h[:8], h[8:12], h[12:16], h[16:20], h[20:32]}, "-")
}

// A tree is a JSON object.
type tree = map[string]any

// at returns the object at a key, and makes it if it is not there.
func at(t tree, key string) tree {
	o, ok := t[key].(tree)
	if !ok {
		o = tree{}
		t[key] = o
	}
	return o
}
