package devices

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestVocabulary(t *testing.T) {
	h100 := dev("h100", 8).
		str("architecture", "Hopper").version("cuda", "12.4.0").boolean("nvlink", false).integer("lanes", -16).
		str("other.example.com/model", `X"1\`).capacity("memory", "80Gi").capacity("odd.example.com/a-b", "1")

	cases := map[string]struct {
		reason  string
		devices []Device
		want    []string
	}{
		"None": {reason: "No devices, nothing to say."},
		"Everything": {
			reason:  "Each kind of value, sorted.",
			devices: node(h100),
			want: []string{
				`device.attributes["gpu.example.com"].architecture == "Hopper"`,
				`device.attributes["gpu.example.com"].cuda.compareTo(semver("12.4.0")) >= 0`,
				`device.attributes["gpu.example.com"].lanes == -16`,
				`device.attributes["gpu.example.com"].nvlink == false`,
				`device.attributes["other.example.com"].model == "X\"1\\"`,
				`device.capacity["gpu.example.com"].memory.compareTo(quantity("80Gi")) >= 0`,
				`device.capacity["odd.example.com"]["a-b"].compareTo(quantity("1")) >= 0`,
				`device.driver == "gpu.example.com"`,
			},
		},
		"Shared": {
			reason:  "What two devices share is said once.",
			devices: node(dev("a", 1), dev("b", 1)),
			want:    []string{`device.driver == "gpu.example.com"`},
		},
		"Malformed": {
			reason:  "No selector could be true of what is malformed.",
			devices: node(dev("a", 1).capacity("memory", "80 Gi").version("cuda", "12.4").attr("x", Attribute{})),
			want:    []string{`device.driver == "gpu.example.com"`},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, Vocabulary(tc.devices)); diff != "" {
				t.Errorf("\n%s\nVocabulary(...): -want, +got:\n%s", tc.reason, diff)
			}
		})
	}

	for _, s := range Vocabulary(node(h100)) {
		if !assign([]Request{req("r", 1, s)}, node(h100)).OK {
			t.Errorf("not true of the device: %s", s)
		}
	}
}

func TestValidate(t *testing.T) {
	x, n := "x", int64(1)
	cases := map[string]struct {
		reason  string
		devices []Device
		want    []string
	}{
		"Valid": {
			reason: "Nothing is wrong.",
			devices: node(
				dev("h100", 8).str("architecture", "Hopper").version("cuda", "12.4.0-rc.1+b").capacity("memory", "80Gi").capacity("other.example.com/x", "1.5"),
				synthetic("nic", 1),
			),
		},
		"Version": {
			reason:  "A version has three parts.",
			devices: node(dev("a", 1).version("cuda", "12.4")),
			want:    []string{`device "a": attribute "cuda": version "12.4": No Major.Minor.Patch elements found (write 9.0.0, not 9.0)`},
		},
		"Quantity": {
			reason:  "A capacity is a quantity.",
			devices: node(dev("a", 1).capacity("memory", "80GB")),
			want:    []string{`device "a": capacity "memory": "80GB" is not a quantity: write 80Gi or 80e9`},
		},
		"Values": {
			reason:  "An attribute has one value.",
			devices: node(dev("a", 1).attr("two", Attribute{String: &x, Int: &n}).attr("none", Attribute{})),
			want: []string{
				`device "a": attribute "none": 0 values, exactly one of string, version, bool and int is wanted`,
				`device "a": attribute "two": 2 values, exactly one of string, version, bool and int is wanted`,
			},
		},
		"LongString": {
			reason:  "DRA bounds strings at 64 characters.",
			devices: node(dev("a", 1).str("s", strings.Repeat("x", 65))),
			want:    []string{`device "a": attribute "s": 65 characters, at most 64`},
		},
		"Names": {
			reason:  "Names are identifiers, domains are DNS subdomains.",
			devices: node(dev("a", 1).str("a-b", "x").capacity("Domain/x", "1")),
			want: []string{
				`device "a": attribute "a-b": name: "a-b" is not a C identifier`,
				`device "a": capacity "Domain/x": domain: a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
			},
		},
		"Class": {
			reason:  "A device that is claimed needs a class.",
			devices: node(dev("a", 1).class("")),
			want:    []string{`device "a": deviceClassName: needed to claim the device by DRA`},
		},
		"Twice": {
			reason:  "Names are unique, of devices and of what they publish.",
			devices: node(dev("a", 1).capacity("memory", "1").capacity("gpu.example.com/memory", "2"), dev("a", -1)),
			want: []string{
				`device "a": capacity "memory": the same as "gpu.example.com/memory"`,
				`device "a": count: -1 is negative`,
				`device "a": listed more than once`,
			},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, Validate(tc.devices)); diff != "" {
				t.Errorf("\n%s\nValidate(...): -want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}
