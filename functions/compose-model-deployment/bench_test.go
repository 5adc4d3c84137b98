package main

import (
	"maps"
	"slices"
	"strings"
	"testing"

	fnv1 "github.com/crossplane/function-sdk-go/proto/v1"
	"google.golang.org/protobuf/types/known/structpb"
	"sigs.k8s.io/yaml"

	"github.com/modelplane-go/modelplane/functions/internal/names"
	"github.com/modelplane-go/modelplane/functions/internal/xfnbench"
	"github.com/modelplane-go/modelplane/functions/internal/xfntest"
)

// benchDeployment is what is measured: three replicas of a model on four H100
// each, over the fleet's regions.
const benchDeployment = `
apiVersion: modelplane.ai/v1alpha1
kind: ModelDeployment
metadata: {name: llama-70b, namespace: ml-team, labels: {team: search}}
spec:
  replicas: 3
  clusterSelector: {matchLabels: {modelplane.ai/tier: production}}
  spread: [{topologyKey: region, maxSkew: 1, whenUnsatisfiable: DoNotSchedule}]
  replicaMetadata: {labels: {team: search}}
  engines:
  - name: vllm
    copies: 1
    members:
    - role: Standalone
      nodeSelector:
        devices:
        - name: gpu
          count: 4
          selectors:
          - cel: device.attributes["gpu.nvidia.com"].cudaComputeCapability.isGreaterThan(semver("8.9.0"))
          - cel: device.capacity["gpu.nvidia.com"].memory.compareTo(quantity("79Gi")) >= 0
      template:
        spec:
          containers:
          - name: engine
            image: vllm/vllm-openai:v0.11.0
            args: [--model=meta-llama/Llama-3.3-70B-Instruct, --tensor-parallel-size=4, --max-model-len=32768, --gpu-memory-utilization=0.92]
            env:
            - {name: HF_TOKEN, valueFrom: {secretKeyRef: {name: huggingface, key: token}}}
            - {name: VLLM_LOGGING_LEVEL, value: INFO}
            startupProbe: {httpGet: {path: /health, port: 8000}, periodSeconds: 10, failureThreshold: 360}
            volumeMounts: [{name: shm, mountPath: /dev/shm}]
          volumes: [{name: shm, emptyDir: {medium: Memory, sizeLimit: 16Gi}}]
`

// BenchmarkRunFunction measures whole calls: see xfnbench.
//
//   - Place: one more replica is to be placed, so all clusters are in the request.
//   - Refused: none has a place, as no device of the fleet is large enough.
//   - Settled: nothing is to be placed. The clusters of the replicas are in the
//     request, however many there are beside them.
//   - Unmarshal: the request of Place is unmarshalled, and no more.
func BenchmarkRunFunction(b *testing.B) {
	for _, size := range xfntest.Fleets() {
		b.Run(size.String(), func(b *testing.B) {
			requests := requestsOf(b, size)
			for _, name := range []string{"Place", "Refused", "Settled"} {
				b.Run(name, func(b *testing.B) { xfnbench.RunFunction(b, compose, requests[name]) })
			}
			b.Run("Unmarshal", func(b *testing.B) { xfnbench.Unmarshal(b, requests["Place"]) })
		})
	}
}

// requestsOf a fleet of a size, by the name of what they measure.
func requestsOf(b *testing.B, size xfntest.Fleet) map[string]xfnbench.Request {
	b.Helper()
	w := benchWorld{fleet: map[string]*structpb.Struct{}}
	for i := range size.Clusters {
		w.fleet[xfntest.ClusterName(i)] = size.Cluster(b, i)
	}
	out := map[string]xfnbench.Request{}
	out["Refused"] = w.request(b, strings.ReplaceAll(benchDeployment, "79Gi", "200Gi"), 0)

	// It has replicas once they are composed, and endpoints once those are Ready.
	for range 2 {
		_, rsp := w.reconcile(b, benchDeployment)
		w.take(b, rsp)
	}
	out["Settled"] = w.request(b, benchDeployment, 3)
	out["Place"] = w.request(b, strings.ReplaceAll(benchDeployment, "replicas: 3", "replicas: 4"), 4)
	return out
}

// A benchWorld is a fleet and what a deployment composed.
type benchWorld struct {
	fleet    map[string]*structpb.Struct
	observed map[string]*fnv1.Resource
	status   map[string]any // Of the deployment.
}

// request a function is sent last when a deployment is reconciled, after which it
// has so many replicas.
func (w *benchWorld) request(b *testing.B, deployment string, replicas int) xfnbench.Request {
	b.Helper()
	req, rsp := w.reconcile(b, deployment)
	got := 0
	for key := range rsp.GetDesired().GetResources() {
		if strings.HasPrefix(key, names.PrefixReplica) {
			got++
		}
	}
	if got != replicas {
		b.Fatalf("want %d replicas, got %d: %v", replicas, got, rsp.GetConditions())
	}
	return xfnbench.Save(b, req)
}

func (w *benchWorld) reconcile(b *testing.B, deployment string) (*fnv1.RunFunctionRequest, *fnv1.RunFunctionResponse) {
	b.Helper()
	object := map[string]any{}
	if err := yaml.Unmarshal([]byte(deployment), &object); err != nil {
		b.Fatal(err)
	}
	if w.status != nil {
		object["status"] = w.status
	}
	return xfnbench.Reconcile(b, compose, &fnv1.State{
		Composite: &fnv1.Resource{Resource: xfntest.Stored{Object: object, Composes: len(w.observed)}.Struct(b)},
		Resources: w.observed,
	}, w.find)
}

// find one cluster, or all of them.
func (w *benchWorld) find(required *fnv1.ResourceSelector) []*structpb.Struct {
	if name := required.GetMatchName(); name != "" {
		return []*structpb.Struct{w.fleet[name]}
	}
	var out []*structpb.Struct
	for _, name := range slices.Sorted(maps.Keys(w.fleet)) {
		out = append(out, w.fleet[name])
	}
	return out
}

// take what is desired: it exists now, and is Ready.
func (w *benchWorld) take(b *testing.B, rsp *fnv1.RunFunctionResponse) {
	b.Helper()
	w.status, _ = rsp.GetDesired().GetComposite().GetResource().AsMap()["status"].(map[string]any)
	w.status["conditions"] = xfntest.Conditions("ReplicasScheduled", "ReplicasReady", "Progressing", "PlacementsCurrent")
	w.observed = map[string]*fnv1.Resource{}
	for key, r := range rsp.GetDesired().GetResources() {
		object := r.GetResource().AsMap()
		object["status"] = map[string]any{"conditions": xfntest.Conditions("ModelAccepted", "ModelReady")}
		w.observed[key] = &fnv1.Resource{Resource: xfntest.Stored{Object: object, Owner: "llama-70b", Key: key, Composes: 5}.Struct(b)}
	}
}
