package controlplane

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/modelplane-go/modelplane/schemas/modelplane/v1alpha1"
)

const (
	labelPool = "modelplane.ai/pool"

	// gpuTaint is what clouds taint nodes with GPUs with.
	gpuTaint = "nvidia.com/gpu"

	// kwokNode is an annotation of the nodes that kwok says are there.
	kwokNode = "kwok.x-k8s.io/node"

	// maxSliceDevices is how many devices fit into a ResourceSlice.
	maxSliceDevices = 128
)

// furnish a cluster with the nodes of its pools, and publish their devices as
// drivers would.
func (r *Remote) furnish(ctx context.Context) error {
	objects := deviceClasses(r.Cluster)
	for _, p := range r.Cluster.Pools {
		for i := range p.Nodes {
			n := node(p, int(i))
			objects = append(objects, n)
			objects = append(objects, resourceSlices(p.Class, n.GetName())...)
		}
	}
	for _, o := range objects {
		err := eventually(ctx, applyTimeout, func(ctx context.Context) error {
			err := r.Client.Create(ctx, o)
			if apierrors.IsAlreadyExists(err) {
				return nil
			}
			return err
		})
		if err != nil {
			return fmt.Errorf("cannot furnish cluster %s: %w", r.Name, err)
		}
	}
	return nil
}

// node of a pool, of a size that never is what a pod waits for.
func node(p Pool, i int) *corev1.Node {
	name := fmt.Sprintf("%s-%d", p.Name, i)
	room := corev1.ResourceList{
		corev1.ResourceCPU:              resource.MustParse("256"),
		corev1.ResourceMemory:           resource.MustParse("4Ti"),
		corev1.ResourceEphemeralStorage: resource.MustParse("16Ti"),
		corev1.ResourcePods:             resource.MustParse("110"),
	}
	return &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{
			Name:        name,
			Annotations: map[string]string{kwokNode: "fake"},
			Labels: map[string]string{
				labelPool:                 p.Name,
				corev1.LabelHostname:      name,
				corev1.LabelOSStable:      "linux",
				corev1.LabelArchStable:    "amd64",
				corev1.LabelTopologyZone:  "zone-a",
				"node.kubernetes.io/kwok": "true",
			},
		},
		Spec:   corev1.NodeSpec{Taints: []corev1.Taint{{Key: gpuTaint, Value: "present", Effect: corev1.TaintEffectNoSchedule}}},
		Status: corev1.NodeStatus{Capacity: room, Allocatable: room},
	}
}

// deviceClasses of a cluster. Each selects the devices of a driver and, where the
// devices say of what type they are, as those of NVIDIA's driver do, of a type.
func deviceClasses(c Cluster) []object {
	var out []object
	seen := map[string]bool{}
	for _, class := range c.InferenceClasses() {
		for _, d := range claimed(class) {
			if seen[d.DeviceClassName] {
				continue
			}
			seen[d.DeviceClassName] = true
			expression := fmt.Sprintf("device.driver == %q", d.Driver)
			if t, ok := d.Attributes["type"]; ok && t.String != nil {
				expression += fmt.Sprintf(" && device.attributes[%q].type == %q", d.Driver, *t.String)
			}
			out = append(out, &resourcev1.DeviceClass{
				ObjectMeta: metav1.ObjectMeta{Name: d.DeviceClassName},
				Spec: resourcev1.DeviceClassSpec{
					Selectors: []resourcev1.DeviceSelector{{CEL: &resourcev1.CELDeviceSelector{Expression: expression}}},
				},
			})
		}
	}
	return out
}

// claimed devices of a class: those a driver publishes.
func claimed(c *v1alpha1.InferenceClass) []v1alpha1.Device {
	var out []v1alpha1.Device
	for _, d := range c.Spec.Devices {
		if d.Claim != v1alpha1.ClaimSynthetic {
			out = append(out, d)
		}
	}
	return out
}

// resourceSlices in which the drivers of a node would publish its devices.
func resourceSlices(c *v1alpha1.InferenceClass, node string) []object {
	var drivers []string
	devices := map[string][]resourcev1.Device{}
	for _, d := range claimed(c) {
		if _, ok := devices[d.Driver]; !ok {
			drivers = append(drivers, d.Driver)
		}
		for i := range max(1, d.Count) {
			devices[d.Driver] = append(devices[d.Driver], device(d, int(i)))
		}
	}

	var out []object
	for _, driver := range drivers {
		out = append(out, driverSlices(driver, node, devices[driver])...)
	}
	return out
}

// driverSlices are what one driver publishes of a node: its pool of devices, in
// as many slices as it needs.
func driverSlices(driver, node string, devices []resourcev1.Device) []object {
	var out []object
	slices := (len(devices) + maxSliceDevices - 1) / maxSliceDevices
	for i := range slices {
		out = append(out, &resourcev1.ResourceSlice{
			ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("%s-%s-%d", node, driver, i)},
			Spec: resourcev1.ResourceSliceSpec{
				Driver:   driver,
				NodeName: &node,
				Pool:     resourcev1.ResourcePool{Name: node, Generation: 1, ResourceSliceCount: int64(slices)},
				Devices:  devices[i*maxSliceDevices : min(len(devices), (i+1)*maxSliceDevices)],
			},
		})
	}
	return out
}

// device as its driver publishes it.
func device(d v1alpha1.Device, i int) resourcev1.Device {
	out := resourcev1.Device{
		Name:       fmt.Sprintf("%s-%d", d.Name, i),
		Attributes: map[resourcev1.QualifiedName]resourcev1.DeviceAttribute{},
		Capacity:   map[resourcev1.QualifiedName]resourcev1.DeviceCapacity{},
	}
	for name, a := range d.Attributes {
		out.Attributes[resourcev1.QualifiedName(name)] = resourcev1.DeviceAttribute{
			StringValue:  a.String,
			VersionValue: a.Version,
			BoolValue:    a.Bool,
			IntValue:     a.Int,
		}
	}
	for name, c := range d.Capacity {
		out.Capacity[resourcev1.QualifiedName(name)] = resourcev1.DeviceCapacity{Value: c.Value}
	}
	return out
}
