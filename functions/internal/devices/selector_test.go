package devices

import (
	"strings"
	"testing"
)

func TestCompile(t *testing.T) {
	cases := map[string]struct {
		reason     string
		expression string
		want       string // Part of the error. Empty for none.
	}{
		"Capacity":       {reason: "The selector everyone writes.", expression: big},
		"Attribute":      {reason: "An attribute compared with a string.", expression: hopper},
		"BoolAttribute":  {reason: "An attribute of unknown type may be the result.", expression: `device.attributes["gpu.example.com"].nvlink`},
		"Bind":           {reason: "DRA has cel.bind.", expression: `cel.bind(dra, device.attributes["gpu.example.com"], dra.a && dra.b)`},
		"KubernetesLibs": {reason: "Kubernetes' CEL libraries are there: regex, sets, lists.", expression: `device.driver.find("[a-z]+") == "gpu" && sets.contains([1, 2], [1]) && [1, 2].isSorted()`},
		"Semver":         {reason: "Versions compare as versions.", expression: `device.attributes["gpu.example.com"].cuda.isGreaterThan(semver("12.4.0"))`},
		"UndefinedField": {reason: "device has three fields.", expression: invalid, want: "undefined field 'nope'"},
		"Syntax":         {reason: "Not CEL at all.", expression: `memory >> 80`, want: "Syntax error"},
		"NotBool":        {reason: "A selector is true or not.", expression: `1`, want: "must evaluate to bool"},
		"Empty":          {reason: "Nothing is not an expression.", expression: ``, want: "Syntax error"},
		"TooLong":        {reason: "As the API server limits it.", expression: strings.Repeat(" ", 10*1024) + "true", want: "too long"},
		"TooComplex": {
			reason:     "The API server refuses what may cost too much, and so do we, before it gets there.",
			expression: `device.attributes.all(a, device.attributes.all(b, device.attributes.all(c, device.attributes.all(d, device.attributes.all(e, a+b+c+d+e != "")))))`,
			want:       "too complex",
		},
		"NewerFeature": {reason: "List attributes are not everywhere yet.", expression: `device.attributes["gpu.example.com"].a.includes("x")`, want: "undeclared reference"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			for range 2 { // The second time from the cache.
				_, err := Compile(tc.expression)
				if tc.want == "" && err != nil {
					t.Errorf("\n%s\nCompile(...): unexpected error: %v", tc.reason, err)
				}
				if tc.want != "" && (err == nil || !strings.Contains(err.Error(), tc.want)) {
					t.Errorf("\n%s\nCompile(...): got error %v, want one with %q", tc.reason, err, tc.want)
				}
			}
		})
	}
}

func TestCompileCacheIsBounded(t *testing.T) {
	c := &cache{entries: map[string]*Program{}}
	for i := range 3 * maxPrograms {
		c.add(strings.Repeat("x", i%5000), nil)
	}
	if len(c.entries) > maxPrograms {
		t.Errorf("%d entries, at most %d", len(c.entries), maxPrograms)
	}
}

// TestMatch has the cases of Kubernetes' own compile_test.go that apply, and
// those upstream pins.
func TestMatch(t *testing.T) {
	gpu := dev("gpu", 1).
		str("architecture", "Hopper").version("cuda", "12.4.0").boolean("nvlink", true).integer("lanes", 16).
		str("other.example.com/model", "X1").capacity("memory", "80Gi").capacity("other.example.com/bandwidth", "400G")

	cases := map[string]struct {
		reason   string
		device   builder
		selector string
		want     bool
	}{
		"Driver":                   {reason: "The driver is a string.", device: gpu, selector: anyGPU, want: true},
		"UnqualifiedName":          {reason: "A name without a domain is in the driver's.", device: gpu, selector: hopper, want: true},
		"UnqualifiedNameByIndex":   {reason: "A name may be an index.", device: gpu, selector: `device.attributes["gpu.example.com"]["architecture"] == "Hopper"`, want: true},
		"QualifiedName":            {reason: "A name with a domain is in that.", device: gpu, selector: `device.attributes["other.example.com"].model == "X1"`, want: true},
		"QualifiedNotInDriver":     {reason: "And not in the driver's.", device: gpu, selector: `device.attributes["gpu.example.com"].model == "X1"`},
		"QualifiedCapacity":        {reason: "Capacities have domains too.", device: gpu, selector: `device.capacity["other.example.com"].bandwidth.compareTo(quantity("400G")) == 0`, want: true},
		"Bool":                     {reason: "A bool is a bool.", device: gpu, selector: `device.attributes["gpu.example.com"].nvlink`, want: true},
		"Int":                      {reason: "An int is a number.", device: gpu, selector: `device.attributes["gpu.example.com"].lanes > 8`, want: true},
		"NotBoolAtRunTime":         {reason: "There is no truthiness.", device: gpu, selector: `device.attributes["gpu.example.com"].lanes`},
		"UnknownDomain":            {reason: "An unknown domain is an empty map.", device: gpu, selector: `!has(device.attributes["no.example.com"].x)`, want: true},
		"UnknownID":                {reason: "An unknown name is an error, and no match.", device: gpu, selector: `device.attributes["gpu.example.com"].x == "y"`},
		"UnknownIDNegated":         {reason: "An error negated is an error.", device: gpu, selector: `!(device.attributes["gpu.example.com"].x == "y")`},
		"DomainIn":                 {reason: "Whether a domain is there can be asked.", device: gpu, selector: `"other.example.com" in device.attributes`, want: true},
		"Version":                  {reason: "12.10 is newer than 12.9.", device: dev("g", 1).version("cuda", "12.10.0"), selector: `device.attributes["gpu.example.com"].cuda.isGreaterThan(semver("12.9.0"))`, want: true},
		"VersionEquals":            {reason: "Versions can be equal.", device: gpu, selector: `device.attributes["gpu.example.com"].cuda == semver("12.4.0")`, want: true},
		"VersionOfTwoParts":        {reason: "12.4 is not a version. The device matches nothing.", device: dev("g", 1).version("cuda", "12.4"), selector: anyGPU},
		"Prerelease":               {reason: "A prerelease is before its release.", device: dev("g", 1).version("cuda", "12.4.0-rc.1"), selector: `device.attributes["gpu.example.com"].cuda.isLessThan(semver("12.4.0"))`, want: true},
		"QuantityUnits":            {reason: "80Gi is more than 80G.", device: gpu, selector: `device.capacity["gpu.example.com"].memory.isGreaterThan(quantity("80G"))`, want: true},
		"QuantityEqualAcrossUnits": {reason: "80Gi is 81920Mi.", device: gpu, selector: `device.capacity["gpu.example.com"].memory == quantity("81920Mi")`, want: true},
		"QuantityMalformed":        {reason: "A malformed capacity hides the device from every selector, as in DRA.", device: dev("g", 1).capacity("memory", "80 Gi"), selector: anyGPU},
		"QuantityConstant":         {reason: "A malformed constant compiles and fails: no match.", device: gpu, selector: `device.capacity["gpu.example.com"].memory.compareTo(quantity("80Mo")) >= 0`},
		"TypeMismatch":             {reason: "A string is not a quantity.", device: gpu, selector: `device.attributes["gpu.example.com"].architecture.compareTo(quantity("1")) > 0`},
		"CapacityIsNoAttribute":    {reason: "Memory is a capacity.", device: gpu, selector: `device.attributes["gpu.example.com"].memory == "80Gi"`},
		"EmptyDriver":              {reason: "A driver may be empty.", device: dev("g", 1).driver(""), selector: `device.driver == ""`, want: true},
		"DoesNotCompile":           {reason: "What does not compile matches nothing here. Compile says why.", device: gpu, selector: invalid},
		"NoValue":                  {reason: "An attribute without a value is malformed.", device: dev("g", 1).attr("x", Attribute{}), selector: anyGPU},
		"Bind":                     {reason: "A domain can be named once.", device: gpu, selector: `cel.bind(dra, device.attributes["gpu.example.com"], dra.nvlink && dra.lanes > 8)`, want: true},
		"ShortCircuit":             {reason: "What is not needed is not evaluated.", device: gpu, selector: anyGPU + ` || device.attributes["gpu.example.com"].x`, want: true},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got := assign([]Request{req("r", 1, tc.selector)}, node(tc.device)).OK
			if got != tc.want {
				t.Errorf("\n%s\nAssign(%s): got %v, want %v", tc.reason, tc.selector, got, tc.want)
			}
		})
	}
}

// TestMatchMalformed: a device that is malformed is not taken for one that looks
// like it, whichever was seen first.
func TestMatchMalformed(t *testing.T) {
	text, number := "a", int64(5)
	good := node(dev("d", 1).attr("x", Attribute{String: &text}))
	bad := node(dev("d", 1).attr("x", Attribute{String: &text, Int: &number}))
	requests := []Request{req("r", 1, `device.attributes["gpu.example.com"].x == "a"`)}
	for _, first := range [][]Device{good, bad} {
		m := NewMatcher()
		m.Assign(requests, m.Node(first))
		if got := m.Assign(requests, m.Node(good)).OK; !got {
			t.Error("the one that is well-formed does not match")
		}
		if got := m.Assign(requests, m.Node(bad)).OK; got != assign(requests, bad).OK {
			t.Errorf("the one that is malformed matches: %v, and on its own it does not", got)
		}
	}
}
