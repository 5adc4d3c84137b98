package main

import (
	"github.com/modelplane-go/modelplane/functions/internal/devices"
	"github.com/modelplane-go/modelplane/schemas/modelplane/v1alpha1"
)

func toDevices(in []v1alpha1.Device) []devices.Device {
	out := make([]devices.Device, 0, len(in))
	for _, d := range in {
		out = append(out, toDevice(d))
	}
	return out
}

func toDevice(d v1alpha1.Device) devices.Device {
	out := devices.Device{
		Name:            d.Name,
		Driver:          d.Driver,
		DeviceClassName: d.DeviceClassName,
		Synthetic:       d.Claim == v1alpha1.ClaimSynthetic,
		Count:           int(max(1, d.Count)),
		Attributes:      make(map[string]devices.Attribute, len(d.Attributes)),
		Capacity:        make(map[string]string, len(d.Capacity)),
	}
	for name, a := range d.Attributes {
		out.Attributes[name] = devices.Attribute(a)
	}
	for name, v := range d.Capacity {
		out.Capacity[name] = v.Value.String()
	}
	return out
}
