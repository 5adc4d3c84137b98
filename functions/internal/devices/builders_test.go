package devices

import "maps"

// A builder makes devices for tests.
type builder struct{ d Device }

// dev is a device that can be claimed.
func dev(name string, count int) builder {
	return builder{Device{
		Name:            name,
		Driver:          "gpu.example.com",
		DeviceClassName: "gpu.example.com",
		Count:           count,
		Attributes:      map[string]Attribute{},
		Capacity:        map[string]string{},
	}}
}

// synthetic is a device that is never claimed.
func synthetic(name string, count int) builder {
	b := dev(name, count).class("")
	b.d.Synthetic = true
	return b
}

func (b builder) driver(s string) builder { b.d.Driver = s; return b }
func (b builder) class(s string) builder  { b.d.DeviceClassName = s; return b }

func (b builder) attr(name string, a Attribute) builder {
	b.d.Attributes = maps.Clone(b.d.Attributes)
	b.d.Attributes[name] = a
	return b
}

func (b builder) str(name, v string) builder           { return b.attr(name, Attribute{String: &v}) }
func (b builder) version(name, v string) builder       { return b.attr(name, Attribute{Version: &v}) }
func (b builder) boolean(name string, v bool) builder  { return b.attr(name, Attribute{Bool: &v}) }
func (b builder) integer(name string, v int64) builder { return b.attr(name, Attribute{Int: &v}) }

func (b builder) capacity(name, v string) builder {
	b.d.Capacity = maps.Clone(b.d.Capacity)
	b.d.Capacity[name] = v
	return b
}

func node(bs ...builder) []Device {
	out := make([]Device, 0, len(bs))
	for _, b := range bs {
		out = append(out, b.d)
	}
	return out
}

func req(name string, count int, selectors ...string) Request {
	return Request{Name: name, Count: count, Selectors: selectors}
}

func claim(name, class string, count int, selectors ...string) Claim {
	return Claim{Name: name, DeviceClassName: class, Count: count, Selectors: selectors}
}

// Selectors the tests use.
const (
	anyGPU  = `device.driver == "gpu.example.com"`
	big     = `device.capacity["gpu.example.com"].memory.compareTo(quantity("80Gi")) >= 0`
	huge    = `device.capacity["gpu.example.com"].memory.compareTo(quantity("141Gi")) >= 0`
	anyNIC  = `device.driver == "nic.example.com"`
	hopper  = `device.attributes["gpu.example.com"].architecture == "Hopper"`
	noSuch  = `device.driver == "no.example.com"`
	invalid = `device.nope`
)

// assign requests to a node on its own.
func assign(requests []Request, n []Device) Assignment {
	m := NewMatcher()
	return m.Assign(requests, m.Node(n))
}
