package devices

import (
	"github.com/modelplane-go/modelplane/schemas/modelplane/v1alpha1"
)

// From returns an InferenceClass's devices as selectors see them.
func From(in []v1alpha1.Device) []Device {
	out := make([]Device, 0, len(in))
	for _, d := range in {
		out = append(out, from(d))
	}
	return out
}

func from(d v1alpha1.Device) Device {
	out := Device{
		Name:            d.Name,
		Driver:          d.Driver,
		DeviceClassName: d.DeviceClassName,
		Synthetic:       d.Claim == v1alpha1.ClaimSynthetic,
		Count:           int(max(1, d.Count)),
		Attributes:      make(map[string]Attribute, len(d.Attributes)),
		Capacity:        make(map[string]string, len(d.Capacity)),
	}
	for name, a := range d.Attributes {
		out.Attributes[name] = Attribute(a)
	}
	for name, v := range d.Capacity {
		out.Capacity[name] = v.Value.String()
	}
	return out
}
