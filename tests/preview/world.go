package preview

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/modelplane-go/modelplane/schemas/modelplane/v1alpha1"
)

// maxRounds bounds how often a layer is rendered until it settles. Composing,
// becoming healthy and saying so takes three.
const maxRounds = 12

// A key identifies an object.
type key struct {
	apiVersion, kind, namespace, name string
}

func keyOf(o *unstructured.Unstructured) key {
	return key{o.GetAPIVersion(), o.GetKind(), o.GetNamespace(), o.GetName()}
}

func (k key) compare(o key) int {
	return cmp.Or(cmp.Compare(k.apiVersion, o.apiVersion), cmp.Compare(k.kind, o.kind), cmp.Compare(k.namespace, o.namespace), cmp.Compare(k.name, o.name))
}

// A world is every object there is, and who composed it.
type world struct {
	renderer *Renderer
	objects  map[key]*unstructured.Unstructured
	emitted  map[key]*unstructured.Unstructured // As composed, before the world obeyed.
	children map[key][]key
	owner    map[key]key
	warnings map[key][]string
	seen     map[key]string // The digest of what each was last rendered from.
	thorough bool           // Render again whatever may have changed.
	renders  int
}

func newWorld(r *Renderer) *world {
	return &world{
		renderer: r,
		objects:  map[key]*unstructured.Unstructured{},
		emitted:  map[key]*unstructured.Unstructured{},
		children: map[key][]key{},
		owner:    map[key]key{},
		warnings: map[key][]string{},
		seen:     map[key]string{},
	}
}

// isXR says whether an object is a composite resource of ours.
func (w *world) isXR(o *unstructured.Unstructured) bool {
	_, ok := w.renderer.apis[o.GetKind()]
	return ok && o.GroupVersionKind().Group == group
}

// add an object of an example.
func (w *world) add(ctx context.Context, d document) error {
	o := d.object
	if o.GetKind() == "" || o.GetAPIVersion() == "" || o.GetName() == "" {
		return fmt.Errorf("cannot use an object of %s: it lacks an apiVersion, kind or metadata.name", d.where)
	}
	if o.GroupVersionKind().Group == group && !w.isXR(o) {
		return fmt.Errorf("cannot use %s of %s: there is no such kind; there are %v", title(o), d.where, slices.Sorted(maps.Keys(w.renderer.apis)))
	}
	if _, ok := w.objects[keyOf(o)]; ok {
		return fmt.Errorf("cannot use %s of %s: it is there twice", title(o), d.where)
	}
	if w.isXR(o) {
		admitted, err := w.renderer.apis[o.GetKind()].server.Create(ctx, o)
		if err != nil {
			return fmt.Errorf("%s of %s is refused:\n%w", title(o), d.where, err)
		}
		o = admitted
	}
	w.objects[keyOf(o)] = o
	return nil
}

// settle composes composite resources, and those they compose, until nothing
// changes.
func (w *world) settle(ctx context.Context, xrs ...key) error {
	var restless []string
	for range maxRounds {
		restless = nil
		for _, k := range xrs {
			changed, err := w.composeTree(ctx, k)
			if err != nil {
				return err
			}
			restless = append(restless, changed...)
		}
		if len(restless) == 0 {
			return nil
		}
	}
	return fmt.Errorf("cannot settle: after %d rounds these still change: %s", maxRounds, strings.Join(restless, ", "))
}

// composeTree composes a composite resource and those it composes, once, and
// returns the titles of those around which anything changed.
func (w *world) composeTree(ctx context.Context, k key) ([]string, error) {
	var changed []string
	c, err := w.compose(ctx, k)
	if err != nil {
		return nil, err
	}
	if c {
		changed = append(changed, title(w.objects[k]))
	}
	for _, child := range slices.Clone(w.children[k]) {
		o, ok := w.objects[child]
		if !ok || !w.isXR(o) {
			continue
		}
		c, err := w.composeTree(ctx, child)
		if err != nil {
			return nil, err
		}
		changed = append(changed, c...)
	}
	return changed, nil
}

// compose a composite resource once, unless nothing has changed for it, and say
// whether anything changed around it.
func (w *world) compose(ctx context.Context, k key) (bool, error) {
	observed, others := w.split(k)
	cause, err := w.cause(k, observed, others)
	if err != nil || w.seen[k] == cause {
		return false, err
	}
	w.seen[k] = cause

	before, err := digest(append(observed, w.objects[k])...)
	if err != nil {
		return false, err
	}
	w.renders++
	rd, err := w.renderer.render(ctx, w.objects[k], observed, others)
	if err != nil {
		return false, err
	}
	w.warnings[k] = rd.warnings
	if err := w.apply(ctx, k, rd); err != nil {
		return false, err
	}
	observed, _ = w.split(k)
	after, err := digest(append(observed, w.objects[k])...)
	return before != after, err
}

// cause digests what is a reason to render a composite resource again. Unless
// the world is thorough, its own status is none, and of others only those are
// that it hears.
func (w *world) cause(k key, observed, others []*unstructured.Unstructured) (string, error) {
	xr := w.objects[k]
	heard, limited := hears()[k.kind]
	if w.thorough || !limited {
		return digest(slices.Concat(observed, others, []*unstructured.Unstructured{xr})...)
	}
	others = slices.DeleteFunc(slices.Clone(others), func(o *unstructured.Unstructured) bool {
		return !slices.Contains(heard, o.GetKind())
	})
	spec := xr.DeepCopy()
	unstructured.RemoveNestedField(spec.Object, "status")
	return digest(slices.Concat(observed, others, []*unstructured.Unstructured{spec})...)
}

// hears says of which kinds' objects the function of a kind is told. It saves
// renders, and nothing relies on it: in the end everything is rendered again.
func hears() map[string][]string {
	return map[string][]string{
		v1alpha1.KindInferenceClass:   {},
		v1alpha1.KindInferenceCluster: {v1alpha1.KindInferenceClass, v1alpha1.KindModelReplica},
		v1alpha1.KindInferenceGateway: {v1alpha1.KindModelService},
		v1alpha1.KindModelDeployment:  {v1alpha1.KindInferenceCluster},
		v1alpha1.KindModelReplica:     {},
		v1alpha1.KindModelEndpoint:    {},
		v1alpha1.KindModelService:     {v1alpha1.KindModelEndpoint, v1alpha1.KindInferenceGateway},
	}
}

// split what there is into what a composite resource composed, and the rest
// without itself. Remote objects are nobody else's business.
func (w *world) split(k key) (observed, others []*unstructured.Unstructured) {
	for _, o := range sortedKeys(w.objects) {
		switch {
		case o == k:
		case w.owner[o] == k:
			observed = append(observed, w.objects[o])
		case o.kind != kindObject:
			others = append(others, w.objects[o])
		}
	}
	return observed, others
}

// apply what a composite resource composes, as Crossplane does.
func (w *world) apply(ctx context.Context, k key, rd *rendered) error {
	w.objects[k] = withStatus(w.objects[k], rd.xr)

	before := w.children[k]
	w.children[k] = nil
	for _, o := range rd.composed {
		if err := w.applyOne(ctx, k, o); err != nil {
			return err
		}
	}
	for _, gone := range before {
		if !slices.Contains(w.children[k], gone) {
			w.remove(gone)
		}
	}
	return nil
}

func (w *world) applyOne(ctx context.Context, owner key, o *unstructured.Unstructured) error {
	k := keyOf(o)
	if other, ok := w.owner[k]; ok && other != owner {
		return fmt.Errorf("%s composes %s, which %s has composed", owner.kind, title(o), other.kind)
	}
	w.children[owner] = append(w.children[owner], k)
	w.owner[k] = owner
	w.emitted[k] = o

	now := withStatus(o, w.objects[k])
	if !w.isXR(o) {
		obeyed, err := obey(now)
		if err != nil {
			return fmt.Errorf("cannot tell what would become of %s: %w", title(o), err)
		}
		w.objects[k] = obeyed
		return nil
	}
	admitted, err := w.renderer.apis[o.GetKind()].server.Create(ctx, now)
	if err != nil {
		return fmt.Errorf("%s composes an invalid %s:\n%w", owner.kind, title(o), err)
	}
	w.objects[k] = admitted
	return nil
}

// remove an object and everything it composed.
func (w *world) remove(k key) {
	for _, c := range w.children[k] {
		w.remove(c)
	}
	delete(w.objects, k)
	delete(w.emitted, k)
	delete(w.children, k)
	delete(w.owner, k)
	delete(w.warnings, k)
	delete(w.seen, k)
}

// of returns the objects of a kind of ours, by namespace and name.
func (w *world) of(kind string) []*unstructured.Unstructured {
	var out []*unstructured.Unstructured
	for _, k := range sortedKeys(w.objects) {
		if k.kind == kind && w.isXR(w.objects[k]) {
			out = append(out, w.objects[k])
		}
	}
	return out
}

// withStatus returns a copy of an object with the status of another.
func withStatus(o, from *unstructured.Unstructured) *unstructured.Unstructured {
	o = o.DeepCopy()
	if from == nil {
		return o
	}
	if s, ok := from.Object["status"]; ok {
		set(o, s, "status")
	}
	return o
}

func sortedKeys[V any](m map[key]V) []key {
	return slices.SortedFunc(maps.Keys(m), key.compare)
}
