package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/testing/protocmp"

	"github.com/modelplane-go/modelplane/functions/internal/xfn"
	"github.com/modelplane-go/modelplane/functions/internal/xfntest"
	"github.com/modelplane-go/modelplane/schemas/modelplane/v1alpha1"
)

const h200 = `
apiVersion: modelplane.ai/v1alpha1
kind: InferenceClass
metadata: {name: h200x8}
spec:
  description: Eight H200 and a fabric.
  provisioning: {provider: SomethingOfALaterVersion}
  devices:
  - name: gpu
    claim: DRA
    driver: gpu.nvidia.com
    deviceClassName: gpu.nvidia.com
    count: 8
    attributes: {architecture: {string: Hopper}}
    capacity: {memory: {value: 140Gi}}
  - name: nic
    claim: DRA
    driver: dra.net
    deviceClassName: efa.networking.k8s.aws
    count: 4
  - name: rack
    claim: Synthetic
    driver: fabric.modelplane.ai
`

const typo = `
apiVersion: modelplane.ai/v1alpha1
kind: InferenceClass
metadata: {name: h200x8}
spec:
  devices:
  - name: gpu
    driver: gpu.nvidia.com
    count: 8
    attributes: {cudaComputeCapability: {version: "9.0"}}
`

func TestCompose(t *testing.T) {
	cases := map[string]struct {
		reason string
		world  xfntest.World
		want   xfntest.Answer
	}{
		"Valid": {
			reason: "A valid class should say what may be selected by.",
			world:  xfntest.World{Composite: h200},
			want: xfntest.Answer{
				Ready: true,
				Status: `
summary: {devices: "8 gpu, 4 nic, 1 rack"}
vocabulary:
- device.attributes["gpu.nvidia.com"].architecture == "Hopper"
- device.capacity["gpu.nvidia.com"].memory.compareTo(quantity("140Gi")) >= 0
- device.driver == "dra.net"
- device.driver == "fabric.modelplane.ai"
- device.driver == "gpu.nvidia.com"
`,
				Conditions: []v1alpha1.Condition{v1alpha1.ClassAvailable(valid)},
				Events:     []xfntest.Event{{Reason: "Available", Message: "Accepted: " + valid}},
			},
		},
		"Invalid": {
			reason: "A class no driver could publish should say each thing that is wrong with it, and not be ready.",
			world:  xfntest.World{Composite: typo},
			want: xfntest.Answer{
				Status: `
summary: {devices: 8 gpu}
vocabulary:
- device.driver == "gpu.nvidia.com"
`,
				Conditions: []v1alpha1.Condition{v1alpha1.ClassInvalid(invalid)},
				Events:     []xfntest.Event{{Warning: true, Reason: "InvalidDevices", Message: "Accepted: " + invalid}},
			},
		},
		"Quiet": {
			reason: "What was said before should not be said again.",
			world:  xfntest.World{Composite: typo + "status: {conditions: [{type: Accepted, status: \"False\", reason: InvalidDevices}]}"},
			want: xfntest.Answer{
				Status: `
summary: {devices: 8 gpu}
vocabulary:
- device.driver == "gpu.nvidia.com"
`,
				Conditions: []v1alpha1.Condition{v1alpha1.ClassInvalid(invalid)},
			},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got := xfn.Run(compose, tc.world.Request(t))
			if diff := cmp.Diff(tc.want.Response(t), got, protocmp.Transform()); diff != "" {
				t.Errorf("\n%s\n-want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}

const (
	valid   = "device selectors may use the drivers' domains dra.net, fabric.modelplane.ai, gpu.nvidia.com: see status.vocabulary"
	invalid = `spec.devices: device "gpu": deviceClassName: needed to claim the device by DRA; ` +
		`device "gpu": attribute "cudaComputeCapability": version "9.0": No Major.Minor.Patch elements found (write 9.0.0, not 9.0)`
)
