package preview

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/modelplane-go/modelplane/schemas/modelplane/v1alpha1"
)

// A Preview is what an example would become.
type Preview struct {
	name        string
	world       *world
	deployments []key // In the order they were placed.
	services    []key
}

// Preview an example, a folder of YAML files. Say hears what is being done.
func (r *Renderer) Preview(ctx context.Context, dir string, say func(format string, args ...any)) (*Preview, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("cannot find example: %w", err)
	}
	docs, err := readExample(abs)
	if err != nil {
		return nil, err
	}
	w := newWorld(r)
	kinds, err := addAll(ctx, w, docs)
	if err != nil {
		return nil, err
	}

	p := &Preview{name: filepath.Base(abs), world: w, deployments: kinds[v1alpha1.KindModelDeployment], services: kinds[v1alpha1.KindModelService]}
	for _, l := range p.layers(kinds) {
		if err := p.settle(ctx, say, l); err != nil {
			return nil, err
		}
	}
	if err := p.settleAll(ctx, say, kinds); err != nil {
		return nil, err
	}
	return p, nil
}

// addAll documents to a world, and return the keys of composite resources by
// kind. Every mistake in them is reported, not only the first.
func addAll(ctx context.Context, w *world, docs []document) (map[string][]key, error) {
	kinds := map[string][]key{}
	var errs []error
	for _, d := range docs {
		if err := w.add(ctx, d); err != nil {
			errs = append(errs, err)
			continue
		}
		if w.isXR(d.object) {
			kinds[d.object.GetKind()] = append(kinds[d.object.GetKind()], keyOf(d.object))
		}
	}
	return kinds, errors.Join(errs...)
}

// A layer is what is settled together.
type layer struct {
	name string
	xrs  []key
}

// layers of an example: what the platform team writes, then each deployment
// with the clusters whose ledger it is charged to, then what is routed.
func (p *Preview) layers(kinds map[string][]key) []layer {
	clusters := kinds[v1alpha1.KindInferenceCluster]
	out := []layer{{name: "the fleet", xrs: slices.Concat(kinds[v1alpha1.KindInferenceClass], clusters, kinds[v1alpha1.KindInferenceGateway])}}
	for _, d := range p.deployments {
		out = append(out, layer{name: "ModelDeployment " + d.namespace + "/" + d.name, xrs: append(slices.Clone(clusters), d)})
	}
	routed := slices.Concat(kinds[v1alpha1.KindModelReplica], kinds[v1alpha1.KindModelEndpoint], p.services)
	if len(routed) > 0 {
		out = append(out, layer{name: "the routes", xrs: routed})
	}
	return out
}

// settle a layer, and say so.
func (p *Preview) settle(ctx context.Context, say func(string, ...any), l layer) error {
	start, renders := time.Now(), p.world.renders
	if err := p.world.settle(ctx, l.xrs...); err != nil {
		return err
	}
	say("rendered %s: %d renders in %s", l.name, p.world.renders-renders, time.Since(start).Round(10*time.Millisecond))
	return nil
}

// settleAll renders everything together, and checks that no replica moves.
func (p *Preview) settleAll(ctx context.Context, say func(string, ...any), kinds map[string][]key) error {
	before, err := p.placements()
	if err != nil {
		return err
	}
	all := layer{name: "everything together, to see that nothing moves"}
	for _, l := range p.layers(kinds) {
		all.xrs = append(all.xrs, l.xrs...)
	}
	p.world.thorough = true
	if err := p.settle(ctx, say, all); err != nil {
		return err
	}
	after, err := p.placements()
	if err != nil {
		return err
	}
	for i, d := range p.deployments {
		if !slices.Equal(before[i], after[i]) {
			return fmt.Errorf("ModelDeployment %s/%s moves: its replicas were on %v, and are on %v once everything is placed", d.namespace, d.name, before[i], after[i])
		}
	}
	return nil
}

// placements of each deployment's replicas.
func (p *Preview) placements() ([][]string, error) {
	out := make([][]string, len(p.deployments))
	for i, k := range p.deployments {
		md, err := as[v1alpha1.ModelDeployment](p.world.objects[k])
		if err != nil {
			return nil, err
		}
		for _, pl := range md.Status.Placements {
			out[i] = append(out[i], pl.Cluster+"/"+pl.Replica)
		}
	}
	return out, nil
}

// Emitted returns every object that a function composed, exactly as Crossplane
// would apply it.
func (p *Preview) Emitted() []*unstructured.Unstructured {
	out := make([]*unstructured.Unstructured, 0, len(p.world.emitted))
	for _, k := range sortedKeys(p.world.emitted) {
		out = append(out, p.world.emitted[k])
	}
	return out
}

// as decodes an object into its type.
func as[T any](o *unstructured.Unstructured) (*T, error) {
	b, err := json.Marshal(o.Object)
	if err != nil {
		return nil, fmt.Errorf("cannot encode %s: %w", title(o), err)
	}
	t := new(T)
	if err := json.Unmarshal(b, t); err != nil {
		return nil, fmt.Errorf("cannot decode %s: %w", title(o), err)
	}
	return t, nil
}

// allAs decodes every object of a kind of ours.
func allAs[T any](w *world, kind string) ([]*T, error) {
	var out []*T
	for _, o := range w.of(kind) {
		t, err := as[T](o)
		if err != nil {
			return nil, err
		}
		out = append(out, t)
	}
	return out, nil
}
