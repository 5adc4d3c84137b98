package devices

// A Device is a kind of device a node has, and how many of it.
type Device struct {
	Name            string
	Driver          string
	DeviceClassName string // Empty for a Synthetic device.
	Synthetic       bool   // Constrains placement and is counted, but never claimed.
	Count           int    // On each node.
	Attributes      map[string]Attribute
	Capacity        map[string]string // Kubernetes quantities.
}

// An Attribute is the value of a device attribute. Exactly one field is set.
type Attribute struct {
	String  *string
	Version *string
	Bool    *bool
	Int     *int64
}

// A Request asks for devices for one pod.
type Request struct {
	Name      string
	Count     int
	Selectors []string // CEL, all of which must be true of every device.
}

// A Claim is a request as a ResourceClaim states it: so many devices of one
// DeviceClass.
type Claim struct {
	Name            string
	DeviceClassName string
	Count           int
	Selectors       []string
}
