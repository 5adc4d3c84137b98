package preview

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"

	"go.yaml.in/yaml/v3"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/modelplane-go/modelplane/schemas/modelplane/v1alpha1"
)

// Write a preview as YAML: in comments what would run where and why, then what
// each cluster would be given, then what the control plane would hold. Raw
// writes the objects exactly as Crossplane would apply them instead.
func (p *Preview) Write(w io.Writer, raw bool) error {
	r, err := p.report()
	if err != nil {
		return err
	}
	if raw {
		err = writeAll(&r.b, "as Crossplane applies it", p.Emitted())
	} else {
		err = p.writeManifests(&r.b)
	}
	if err != nil {
		return err
	}
	if _, err := w.Write(r.b.Bytes()); err != nil {
		return fmt.Errorf("cannot write preview: %w", err)
	}
	return nil
}

func (p *Preview) writeManifests(b *bytes.Buffer) error {
	clusters, err := p.clusters()
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(clusters)) {
		if err := writeAll(b, "on cluster "+name, clusters[name]); err != nil {
			return err
		}
	}
	return writeAll(b, "on the control plane", p.controlPlane())
}

// clusters returns what each cluster would be given. What several replicas would
// give it alike is there once, and what is only looked at is left out.
func (p *Preview) clusters() (map[string][]*unstructured.Unstructured, error) {
	names, err := p.providerConfigs()
	if err != nil {
		return nil, err
	}
	out := map[string][]*unstructured.Unstructured{}
	for _, k := range sortedKeys(p.world.emitted) {
		o := p.world.emitted[k]
		if k.kind != kindObject || onlyObserved(o) {
			continue
		}
		m, err := manifest(o)
		if err != nil {
			return nil, fmt.Errorf("cannot show %s: %w", title(o), err)
		}
		config, _, err := unstructured.NestedString(o.Object, "spec", "providerConfigRef", "name")
		if err != nil {
			return nil, fmt.Errorf("cannot show %s: %w", title(o), err)
		}
		if name := names[config]; !slices.ContainsFunc(out[name], func(o *unstructured.Unstructured) bool { return equal(o, m) }) {
			out[name] = append(out[name], m)
		}
	}
	for _, ms := range out {
		slices.SortStableFunc(ms, compareForPeople)
	}
	return out, nil
}

// onlyObserved says whether an Object looks at something that is there anyway.
func onlyObserved(o *unstructured.Unstructured) bool {
	policies, _, err := unstructured.NestedStringSlice(o.Object, "spec", "managementPolicies")
	return err == nil && slices.Equal(policies, []string{"Observe"})
}

// providerConfigs returns the names of clusters by their ClusterProviderConfig.
func (p *Preview) providerConfigs() (map[string]string, error) {
	clusters, err := allAs[v1alpha1.InferenceCluster](p.world, v1alpha1.KindInferenceCluster)
	if err != nil {
		return nil, err
	}
	names := map[string]string{}
	for _, c := range clusters {
		if c.Status.ProviderConfigRef != nil {
			names[c.Status.ProviderConfigRef.Name] = c.Name
		}
	}
	return names, nil
}

// controlPlane returns what the control plane would hold besides composite
// resources: without what Crossplane adds to keep track of it.
func (p *Preview) controlPlane() []*unstructured.Unstructured {
	var out []*unstructured.Unstructured
	for _, k := range sortedKeys(p.world.emitted) {
		o := p.world.emitted[k]
		if k.kind == kindObject || k.kind == v1alpha1.KindModelReplica {
			continue
		}
		out = append(out, plain(o))
	}
	slices.SortStableFunc(out, compareForPeople)
	return out
}

// plain returns an object without what Crossplane adds to keep track of it.
func plain(o *unstructured.Unstructured) *unstructured.Unstructured {
	o = o.DeepCopy()
	o.SetOwnerReferences(nil)
	o.SetGenerateName("")
	labels, annotations := o.GetLabels(), o.GetAnnotations()
	delete(labels, "crossplane.io/composite")
	delete(annotations, "crossplane.io/composition-resource-name")
	o.SetLabels(orNil(labels))
	o.SetAnnotations(orNil(annotations))
	return o
}

func orNil(m map[string]string) map[string]string {
	if len(m) == 0 {
		return nil
	}
	return m
}

// compareForPeople orders objects such that what others refer to comes first.
func compareForPeople(a, b *unstructured.Unstructured) int {
	order := []string{
		kindNamespace, kindClusterProvider, kindGatewayClass, kindGateway, kindRelease,
		kindResourceClaimTpl, kindDeployment, kindLeaderWorkerSet, v1alpha1.KindModelEndpoint, kindService,
	}
	rank := func(o *unstructured.Unstructured) int {
		if i := slices.Index(order, o.GetKind()); i >= 0 {
			return i
		}
		return len(order)
	}
	return cmp.Or(cmp.Compare(rank(a), rank(b)), keyOf(a).compare(keyOf(b)))
}

func equal(a, b *unstructured.Unstructured) bool {
	x, errx := digest(a)
	y, erry := digest(b)
	return errx == nil && erry == nil && x == y
}

func writeAll(b *bytes.Buffer, where string, objects []*unstructured.Unstructured) error {
	if len(objects) > 0 {
		fmt.Fprintf(b, "\n# --- %s ---\n", where)
	}
	for _, o := range objects {
		b.WriteString("---\n")
		enc := yaml.NewEncoder(b)
		enc.SetIndent(2)
		enc.CompactSeqIndent()
		if err := enc.Encode(o.Object); err != nil {
			return fmt.Errorf("cannot write %s: %w", title(o), err)
		}
	}
	return nil
}
