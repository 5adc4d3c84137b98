package devices

import (
	"fmt"

	resourcev1 "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/dynamic-resource-allocation/cel"
)

// toCEL is the device as a selector sees it. One malformed capacity fails the
// whole device, as one malformed attribute does in DRA: a driver could not have
// published it.
func toCEL(d Device) (cel.Device, error) {
	out := cel.Device{
		Driver:     d.Driver,
		Attributes: make(map[resourcev1.QualifiedName]resourcev1.DeviceAttribute, len(d.Attributes)),
		Capacity:   make(map[resourcev1.QualifiedName]resourcev1.DeviceCapacity, len(d.Capacity)),
	}
	for _, name := range sortedKeys(d.Attributes) {
		a := d.Attributes[name]
		out.Attributes[resourcev1.QualifiedName(name)] = resourcev1.DeviceAttribute{
			StringValue:  a.String,
			VersionValue: a.Version,
			BoolValue:    a.Bool,
			IntValue:     a.Int,
		}
	}
	for _, name := range sortedKeys(d.Capacity) {
		q, err := resource.ParseQuantity(d.Capacity[name])
		if err != nil {
			return cel.Device{}, fmt.Errorf("capacity %s: %q is not a quantity", name, d.Capacity[name])
		}
		out.Capacity[resourcev1.QualifiedName(name)] = resourcev1.DeviceCapacity{Value: q}
	}
	return out, nil
}
