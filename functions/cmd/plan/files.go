package main

import (
	"cmp"
	"fmt"
	"io"

	"github.com/modelplane-go/modelplane/functions/internal/planning"
	"github.com/modelplane-go/modelplane/schemas/modelplane/v1alpha1"
)

// defaultNamespace of what names none.
const defaultNamespace = "default"

// readFiles reads a fleet from files.
func readFiles(path string) (planning.Fleet, error) {
	docs, err := readPath(path)
	if err != nil {
		return planning.Fleet{}, err
	}
	out := planning.Fleet{Files: true}
	c := &collector{seen: map[string]string{}}
	for _, d := range docs {
		if err := c.take(d, &out); err != nil {
			return planning.Fleet{}, err
		}
	}
	if len(out.Clusters) == 0 {
		return planning.Fleet{}, fmt.Errorf("there is no InferenceCluster in %s: name a folder or a file that has some, such as examples/fits-nowhere/fleet.yaml", path)
	}
	return out, nil
}

// take a document into a fleet, if its kind matters to one.
func (c *collector) take(d document, f *planning.Fleet) error {
	switch d.kind {
	case v1alpha1.KindInferenceClass:
		class := &v1alpha1.InferenceClass{}
		f.Classes = append(f.Classes, class)
		return d.check(c.add(d, class), func() []string { return checkClass(class) })
	case v1alpha1.KindInferenceCluster:
		cluster := &v1alpha1.InferenceCluster{}
		f.Clusters = append(f.Clusters, cluster)
		return d.check(c.add(d, cluster), func() []string { return checkCluster(cluster) })
	case v1alpha1.KindModelReplica:
		replica := &v1alpha1.ModelReplica{}
		f.Replicas = append(f.Replicas, replica)
		err := c.add(d, replica)
		replica.Namespace = cmp.Or(replica.Namespace, defaultNamespace)
		return err
	}
	return nil
}

// readDeployments reads the ModelDeployments of a file, a folder or standard
// input, in order.
func readDeployments(path string, stdin io.Reader) ([]*v1alpha1.ModelDeployment, error) {
	docs, err := readPathOr(stdin, path)
	if err != nil {
		return nil, err
	}
	var out []*v1alpha1.ModelDeployment
	c := &collector{seen: map[string]string{}}
	for _, d := range docs {
		if d.kind != v1alpha1.KindModelDeployment {
			continue
		}
		md := &v1alpha1.ModelDeployment{}
		if err := d.check(c.add(d, md), func() []string { return checkDeployment(md) }); err != nil {
			return nil, err
		}
		applyDefaults(md)
		out = append(out, md)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("there is no ModelDeployment in %s: name a file that has one, such as examples/fits-nowhere/model.yaml", path)
	}
	return out, nil
}

func readPathOr(stdin io.Reader, path string) ([]document, error) {
	if path == "-" {
		return readStream(stdin, "standard input")
	}
	return readPath(path)
}

// applyDefaults of the schema, as far as they are read.
func applyDefaults(md *v1alpha1.ModelDeployment) {
	md.Namespace = cmp.Or(md.Namespace, defaultNamespace)
	for _, e := range md.Spec.Engines {
		for i := range e.Members {
			if e.Members[i].Role == "" {
				e.Members[i].Role = v1alpha1.RoleStandalone
			}
		}
	}
}
