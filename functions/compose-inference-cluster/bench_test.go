package main

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	fnv1 "github.com/crossplane/function-sdk-go/proto/v1"
	"google.golang.org/protobuf/types/known/structpb"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"

	"github.com/modelplane-go/modelplane/functions/internal/xfnbench"
	"github.com/modelplane-go/modelplane/functions/internal/xfntest"
	"github.com/modelplane-go/modelplane/schemas/modelplane/v1alpha1"
)

// benchEngines are those of every replica: a pod with four GPUs.
const benchEngines = `
- name: vllm
  copies: 1
  members:
  - role: Standalone
    nodePoolName: POOL
    devices: {gpu: 4}
    sharesNode: true
    deviceRequests:
    - name: gpu
      deviceClassName: gpu.nvidia.com
      count: 4
      selectors:
      - cel: device.attributes["gpu.nvidia.com"].cudaComputeCapability.isGreaterThan(semver("8.8.0"))
      - cel: device.capacity["gpu.nvidia.com"].memory.compareTo(quantity("16Gi")) >= 0
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
//   - Charge: so many replicas, whole, are in the request, and charged.
//   - Unmarshal: the same request is unmarshalled, and no more.
func BenchmarkRunFunction(b *testing.B) {
	for _, replicas := range []int{100, 1000} {
		b.Run(strconv.Itoa(replicas), func(b *testing.B) {
			request := requestOf(b, replicas)
			b.Run("Charge", func(b *testing.B) { xfnbench.RunFunction(b, compose, request) })
			b.Run("Unmarshal", func(b *testing.B) { xfnbench.Unmarshal(b, request) })
		})
	}
}

// requestOf a cluster with room for so many replicas, which are on it, and which
// its ledger says already.
func requestOf(b *testing.B, replicas int) xfnbench.Request {
	b.Helper()
	found := map[string][]*structpb.Struct{v1alpha1.KindModelReplica: modelReplicas(b, replicas)}
	for _, p := range xfntest.Pools() {
		found[p.Name+"-8x"] = []*structpb.Struct{inferenceClass(b, p)}
	}
	find := func(required *fnv1.ResourceSelector) []*structpb.Struct {
		if name := required.GetMatchName(); name != "" {
			return found[name]
		}
		return found[required.GetKind()]
	}

	ic := xfntest.Fleet{Clusters: 1}.InferenceCluster(0)
	nodes := int32(replicas)
	for i := range ic.Spec.NodePools {
		ic.Spec.NodePools[i].NodeCount = &nodes
	}
	observed := &fnv1.State{Composite: &fnv1.Resource{Resource: xfntest.Stored{Object: ic, Composes: 2}.Struct(b)}}
	_, rsp := xfnbench.Reconcile(b, compose, observed, find)

	status := rsp.GetDesired().GetComposite().GetResource().GetFields()["status"].GetStructValue()
	if charged := countCharges(status); charged != replicas {
		b.Fatalf("want %d charges, got %d", replicas, charged)
	}
	published := status.AsMap()
	published["conditions"] = ic.Status.Conditions
	object := map[string]any{"apiVersion": ic.APIVersion, "kind": ic.Kind, "metadata": ic.ObjectMeta, "spec": ic.Spec, "status": published}

	observed = &fnv1.State{
		Composite: &fnv1.Resource{Resource: xfntest.Stored{Object: object, Composes: 2}.Struct(b)},
		Resources: map[string]*fnv1.Resource{},
	}
	for key, r := range rsp.GetDesired().GetResources() {
		o := r.GetResource().AsMap()
		o["status"] = map[string]any{"conditions": xfntest.Conditions()}
		observed.Resources[key] = &fnv1.Resource{Resource: xfntest.Stored{Object: o, Owner: ic.GetName(), Key: key}.Struct(b)}
	}
	req, _ := xfnbench.Reconcile(b, compose, observed, find)
	return xfnbench.Save(b, req)
}

func countCharges(status *structpb.Struct) int {
	n := 0
	for _, p := range status.GetFields()["gpuPools"].GetListValue().GetValues() {
		n += len(p.GetStructValue().GetFields()["charges"].GetListValue().GetValues())
	}
	return n
}

// modelReplicas that serve, of several teams, over all pools.
func modelReplicas(b *testing.B, n int) []*structpb.Struct {
	b.Helper()
	out := make([]*structpb.Struct, n)
	for i := range out {
		pool := xfntest.Pools()[i%len(xfntest.Pools())].Name
		var engines any
		if err := yaml.Unmarshal([]byte(strings.ReplaceAll(benchEngines, "POOL", pool)), &engines); err != nil {
			b.Fatal(err)
		}
		deployment, cluster := fmt.Sprintf("model-%d", i), xfntest.ClusterName(0)
		out[i] = xfntest.Stored{Owner: deployment, Key: "replica-" + cluster + "-0", Composes: 5, Object: map[string]any{
			"apiVersion": v1alpha1.GroupVersion.String(),
			"kind":       v1alpha1.KindModelReplica,
			"metadata": map[string]any{
				"name": deployment + "-1c6b388b", "namespace": fmt.Sprintf("team-%d", i%7),
				"labels": map[string]string{
					"modelplane.ai/deployment": deployment, "modelplane.ai/cluster": cluster,
					"modelplane.ai/replica-index": "0", "modelplane.ai/revision": "8887010d",
				},
			},
			"spec": map[string]any{
				"clusterName":       cluster,
				"providerConfigRef": v1alpha1.ProviderConfigReference{Name: cluster + "-043c3c3f"},
				"gateway":           v1alpha1.GatewayReference{Name: "inference-gateway", Namespace: "modelplane-system"},
				"priority":          0,
				"engines":           engines,
			},
			"status": v1alpha1.ModelReplicaStatus{
				Engines:    []v1alpha1.EngineStatus{{Name: "vllm", Copies: 1, ReadyCopies: 1, UpdatedCopies: 1}},
				Conditions: xfntest.Conditions("ModelAccepted", "ModelReady"),
			},
		}}.Struct(b)
	}
	return out
}

func inferenceClass(b *testing.B, p xfntest.Pool) *structpb.Struct {
	b.Helper()
	return xfntest.Stored{Object: v1alpha1.InferenceClass{
		TypeMeta:   metav1.TypeMeta{APIVersion: v1alpha1.GroupVersion.String(), Kind: v1alpha1.KindInferenceClass},
		ObjectMeta: metav1.ObjectMeta{Name: p.Name + "-8x"},
		Spec:       v1alpha1.InferenceClassSpec{Description: "Eight " + p.Product, Devices: p.Devices()},
		Status:     v1alpha1.InferenceClassStatus{Conditions: xfntest.Conditions("Accepted")},
	}}.Struct(b)
}
