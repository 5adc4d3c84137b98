package main

import (
	"fmt"
	"strings"
)

// class of nodes with two GPUs.
const class = `
apiVersion: modelplane.ai/v1alpha1
kind: InferenceClass
metadata: {name: gpu-2x}
spec:
  devices:
  - {name: gpu, driver: gpu.example.com, deviceClassName: gpu.example.com, count: 2, capacity: {memory: {value: 80Gi}}}
`

// cluster with one pool of such nodes.
func cluster(name string, nodes int) string {
	return fmt.Sprintf(`
apiVersion: modelplane.ai/v1alpha1
kind: InferenceCluster
metadata: {name: %[1]s, labels: {name: %[1]s}}
spec:
  cluster: {source: Existing, existing: {secretRef: {name: %[1]s}, gateway: {address: 192.0.2.1}}}
  nodePools: [{name: p, className: gpu-2x, nodeCount: %[2]d}]
`, name, nodes)
}

// replica of a deployment, as a control plane holds it: one pod with one GPU.
func replica(name, deployment, cluster string, index, priority int) string {
	return fmt.Sprintf(`
- apiVersion: modelplane.ai/v1alpha1
  kind: ModelReplica
  metadata:
    name: %s
    namespace: team
    labels: {modelplane.ai/deployment: %s, modelplane.ai/cluster: %s, modelplane.ai/replica-index: "%d"}
  spec:
    crossplane: {compositionRef: {name: modelreplica}}
    clusterName: %[3]s
    priority: %[5]d
    providerConfigRef: {name: x}
    gateway: {}
    engines:
    - name: e
      members:
      - nodePoolName: p
        deviceRequests: [{name: gpu, deviceClassName: gpu.example.com, count: 1, selectors: [{cel: "true"}]}]
        devices: {gpu: 1}
        template: {spec: {containers: [{name: engine, image: x}]}}
`, name, deployment, cluster, index, priority)
}

// replicas as kubectl lists them.
func replicas(all ...string) string {
	if len(all) == 0 {
		return "{apiVersion: v1, kind: List, items: []}"
	}
	return "apiVersion: v1\nkind: List\nitems:" + strings.Join(all, "")
}

// model with a spec, in which ENGINES stands for its engines.
func model(name, spec string, engines ...string) string {
	spec = strings.Replace(spec, "ENGINES", "engines: ["+strings.Join(engines, ", ")+"]", 1)
	return fmt.Sprintf("{apiVersion: modelplane.ai/v1alpha1, kind: ModelDeployment, metadata: {name: %s, namespace: team}, spec: %s}\n", name, spec)
}

// engine of one pod with so many GPUs.
func engine(name string, gpus int) string {
	return fmt.Sprintf(`{name: %s, members: [{nodeSelector: {devices: [{name: gpu, count: %d, selectors: [{cel: 'device.driver == "gpu.example.com"'}]}]}, template: {spec: {containers: [{name: engine, image: x}]}}}]}`, name, gpus)
}

// fleet of objects in one file.
func fleet(objects ...string) string { return strings.Join(objects, "\n---\n") }
