package workload

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/modelplane-go/modelplane/schemas/modelplane/v1alpha1"
)

func TestEngine(t *testing.T) {
	cases := map[string]struct {
		reason string
		engine string
		want   map[string]string // Manifests by key, as YAML.
	}{
		"Standalone": {
			reason: "A Standalone engine is a claim template and a Deployment that never surges. A pod that says nothing of ports, readiness or shared memory gets the conventional ones.",
			engine: `
name: main
copies: 2
members:
- role: Standalone
  nodePoolName: h100
  deviceRequests:
  - {name: gpu, deviceClassName: gpu.nvidia.com, count: 1, selectors: [{cel: 'device.driver == "gpu.nvidia.com"'}]}
  template:
    spec:
      containers:
      - {name: engine, image: "vllm/vllm-openai:v0.11.0", args: [--model=Qwen/Qwen3-8B]}
`,
			want: map[string]string{
				"resourceclaimtemplate-main-standalone-c3462307": `
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {name: r-main-standalone-30dc35b8, namespace: ml-team}
spec:
  spec:
    devices:
      requests:
      - name: gpu
        exactly:
          deviceClassName: gpu.nvidia.com
          count: 1
          selectors: [{cel: {expression: 'device.driver == "gpu.nvidia.com"'}}]
`,
				"deployment-main": `
apiVersion: apps/v1
kind: Deployment
metadata: {name: r-main-3a57c4cc, namespace: ml-team}
spec:
  replicas: 2
  selector: {matchLabels: {modelplane.ai/workload: r-main-3a57c4cc}}
  strategy: {type: RollingUpdate, rollingUpdate: {maxSurge: 0, maxUnavailable: 1}}
  template:
    metadata: {labels: {modelplane.ai/serving: r, modelplane.ai/workload: r-main-3a57c4cc}}
    spec:
      nodeSelector: {modelplane.ai/pool: h100}
      tolerations: [{key: nvidia.com/gpu, operator: Exists, effect: NoSchedule}]
      resourceClaims: [{name: devices, resourceClaimTemplateName: r-main-standalone-30dc35b8}]
      volumes: [{name: dshm, emptyDir: {medium: Memory}}]
      containers:
      - name: engine
        image: vllm/vllm-openai:v0.11.0
        args: [--model=Qwen/Qwen3-8B]
        ports: [{name: http, containerPort: 8000}]
        readinessProbe:
          httpGet: {path: /health, port: 8000}
          initialDelaySeconds: 30
          periodSeconds: 10
          timeoutSeconds: 5
        resources: {claims: [{name: devices}]}
        volumeMounts: [{name: dshm, mountPath: /dev/shm}]
`,
			},
		},
		"StandaloneVerbatim": {
			reason: "What a template says stays as it says: a port, a probe, shared memory, resources, sidecars, metadata. A member that claims nothing has no claim.",
			engine: `
name: main
members:
- role: Standalone
  nodePoolName: h100
  template:
    metadata:
      labels: {team: a}
      annotations: {note: hello}
    spec:
      serviceAccountName: runner
      terminationGracePeriodSeconds: 120
      volumes: [{name: memory, emptyDir: {medium: Memory, sizeLimit: 8Gi}}]
      imagePullSecrets: [{name: registry}]
      containers:
      - name: proxy
        image: proxy:v1
        ports: [{containerPort: 15000}]
      - name: engine
        image: engine:v1
        command: [serve]
        env: [{name: TOKEN, valueFrom: {secretKeyRef: {name: hf, key: token}}}]
        ports: [{name: api, containerPort: 9000}]
        resources: {requests: {cpu: 8, memory: 64Gi}, limits: {memory: 64Gi}}
        readinessProbe: {tcpSocket: {port: api}}
        volumeMounts: [{name: memory, mountPath: /dev/shm}]
`,
			want: map[string]string{
				"deployment-main": `
apiVersion: apps/v1
kind: Deployment
metadata: {name: r-main-3a57c4cc, namespace: ml-team}
spec:
  replicas: 1
  selector: {matchLabels: {modelplane.ai/workload: r-main-3a57c4cc}}
  strategy: {type: RollingUpdate, rollingUpdate: {maxSurge: 0, maxUnavailable: 1}}
  template:
    metadata:
      labels: {team: a, modelplane.ai/serving: r, modelplane.ai/workload: r-main-3a57c4cc}
      annotations: {note: hello}
    spec:
      serviceAccountName: runner
      terminationGracePeriodSeconds: 120
      nodeSelector: {modelplane.ai/pool: h100}
      tolerations: [{key: nvidia.com/gpu, operator: Exists, effect: NoSchedule}]
      volumes: [{name: memory, emptyDir: {medium: Memory, sizeLimit: 8Gi}}]
      imagePullSecrets: [{name: registry}]
      containers:
      - name: proxy
        image: proxy:v1
        ports: [{containerPort: 15000}]
      - name: engine
        image: engine:v1
        command: [serve]
        env: [{name: TOKEN, valueFrom: {secretKeyRef: {name: hf, key: token}}}]
        ports: [{name: api, containerPort: 9000}]
        resources: {requests: {cpu: "8", memory: 64Gi}, limits: {memory: 64Gi}}
        readinessProbe: {tcpSocket: {port: api}}
        volumeMounts: [{name: memory, mountPath: /dev/shm}]
`,
			},
		},
		"Gang": {
			reason: "A gang is a LeaderWorkerSet. The leader alone serves; both find each other by env that stands ahead of the user's. A leader that claims nothing rides on its gang's pool, on any node. Workers that claim are on distinct nodes.",
			engine: `
name: main
copies: 2
members:
- role: Leader
  nodePoolName: h100
  template: {spec: {containers: [{name: engine, image: "engine:v1", args: [--api-server]}]}}
- role: Worker
  nodePoolName: h100
  worker: {nodes: 2}
  deviceRequests: [{name: gpu, deviceClassName: gpu.nvidia.com, count: 8}]
  template:
    spec:
      containers:
      - name: engine
        image: engine:v1
        env: [{name: MASTER, value: $(MODELPLANE_LEADER_ADDRESS)}]
`,
			want: map[string]string{
				"resourceclaimtemplate-main-worker-fbca9386": `
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {name: r-main-worker-f80543c8, namespace: ml-team}
spec:
  spec:
    devices:
      requests: [{name: gpu, exactly: {deviceClassName: gpu.nvidia.com, count: 8}}]
`,
				"leaderworkerset-main": `
apiVersion: leaderworkerset.x-k8s.io/v1
kind: LeaderWorkerSet
metadata: {name: r-main-3a57c4cc, namespace: ml-team}
spec:
  replicas: 2
  leaderWorkerTemplate:
    size: 3
    leaderTemplate:
      metadata: {labels: {modelplane.ai/serving: r}}
      spec:
        nodeSelector: {modelplane.ai/pool: h100}
        tolerations: [{key: nvidia.com/gpu, operator: Exists, effect: NoSchedule}]
        volumes: [{name: dshm, emptyDir: {medium: Memory}}]
        containers:
        - name: engine
          image: engine:v1
          args: [--api-server]
          env:
          - {name: MODELPLANE_LEADER_ADDRESS, value: $(LWS_LEADER_ADDRESS)}
          - {name: MODELPLANE_RANK, value: $(LWS_WORKER_INDEX)}
          ports: [{name: http, containerPort: 8000}]
          readinessProbe:
            httpGet: {path: /health, port: 8000}
            initialDelaySeconds: 30
            periodSeconds: 10
            timeoutSeconds: 5
          volumeMounts: [{name: dshm, mountPath: /dev/shm}]
    workerTemplate:
      metadata: {labels: {modelplane.ai/gang: r-main-3a57c4cc}}
      spec:
        nodeSelector: {modelplane.ai/pool: h100}
        tolerations: [{key: nvidia.com/gpu, operator: Exists, effect: NoSchedule}]
        affinity:
          podAntiAffinity:
            requiredDuringSchedulingIgnoredDuringExecution:
            - labelSelector: {matchLabels: {modelplane.ai/gang: r-main-3a57c4cc}}
              matchLabelKeys: [leaderworkerset.sigs.k8s.io/group-key]
              topologyKey: kubernetes.io/hostname
        resourceClaims: [{name: devices, resourceClaimTemplateName: r-main-worker-f80543c8}]
        volumes: [{name: dshm, emptyDir: {medium: Memory}}]
        containers:
        - name: engine
          image: engine:v1
          env:
          - {name: MODELPLANE_LEADER_ADDRESS, value: $(LWS_LEADER_ADDRESS)}
          - {name: MODELPLANE_RANK, value: $(LWS_WORKER_INDEX)}
          - {name: MASTER, value: $(MODELPLANE_LEADER_ADDRESS)}
          resources: {claims: [{name: devices}]}
          volumeMounts: [{name: dshm, mountPath: /dev/shm}]
`,
			},
		},
	}

	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := diffEngine(t, tc.want, tc.engine); diff != "" {
				t.Errorf("\n%s\nEngine(...): -want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}

// TestPacking shows which nodes pods prefer, and whose they avoid. TestEngine has
// the gang with a leader that claims nothing and two workers that do.
func TestPacking(t *testing.T) {
	cases := map[string]struct {
		reason string
		engine string
		want   map[string]string // Manifests by key, as YAML.
	}{
		"Sharing": {
			reason: "A pod that leaves devices on its node prefers the nodes of its pool that are shared already, by pods of any namespace.",
			engine: `
name: main
members:
- role: Standalone
  nodePoolName: h100
  deviceRequests: [{name: gpu, deviceClassName: gpu.nvidia.com, count: 1}]
  devices: {gpu: 1}
  sharesNode: true
  template: {spec: {containers: [{name: engine, image: "engine:v1"}]}}
`,
			want: map[string]string{
				"resourceclaimtemplate-main-standalone-c2edac14": `
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {name: r-main-standalone-184d60a1, namespace: ml-team}
spec: {spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu.nvidia.com, count: 1}}]}}}
`,
				"deployment-main": `
apiVersion: apps/v1
kind: Deployment
metadata: {name: r-main-3a57c4cc, namespace: ml-team}
spec:
  replicas: 1
  selector: {matchLabels: {modelplane.ai/workload: r-main-3a57c4cc}}
  strategy: {type: RollingUpdate, rollingUpdate: {maxSurge: 0, maxUnavailable: 1}}
  template:
    metadata: {labels: {modelplane.ai/serving: r, modelplane.ai/shares-pool: h100, modelplane.ai/workload: r-main-3a57c4cc}}
    spec:
      nodeSelector: {modelplane.ai/pool: h100}
      tolerations: [{key: nvidia.com/gpu, operator: Exists, effect: NoSchedule}]
      affinity:
        podAffinity:
          preferredDuringSchedulingIgnoredDuringExecution:
          - weight: 100
            podAffinityTerm:
              labelSelector: {matchLabels: {modelplane.ai/shares-pool: h100}}
              namespaceSelector: {}
              topologyKey: kubernetes.io/hostname
      resourceClaims: [{name: devices, resourceClaimTemplateName: r-main-standalone-184d60a1}]
      volumes: [{name: dshm, emptyDir: {medium: Memory}}]
      containers:
      - name: engine
        image: engine:v1
        ports: [{name: http, containerPort: 8000}]
        readinessProbe: {httpGet: {path: /health, port: 8000}, initialDelaySeconds: 30, periodSeconds: 10, timeoutSeconds: 5}
        resources: {claims: [{name: devices}]}
        volumeMounts: [{name: dshm, mountPath: /dev/shm}]
`,
			},
		},
		"WholeNode": {
			reason: "A pod that takes its whole node may take any of its pool.",
			engine: `
name: main
members:
- role: Standalone
  nodePoolName: h100
  deviceRequests: [{name: gpu, deviceClassName: gpu.nvidia.com, count: 8}]
  devices: {gpu: 8}
  template: {spec: {containers: [{name: engine, image: "engine:v1"}]}}
`,
			want: map[string]string{
				"resourceclaimtemplate-main-standalone-fbca9386": `
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {name: r-main-standalone-8d5febc5, namespace: ml-team}
spec: {spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu.nvidia.com, count: 8}}]}}}
`,
				"deployment-main": `
apiVersion: apps/v1
kind: Deployment
metadata: {name: r-main-3a57c4cc, namespace: ml-team}
spec:
  replicas: 1
  selector: {matchLabels: {modelplane.ai/workload: r-main-3a57c4cc}}
  strategy: {type: RollingUpdate, rollingUpdate: {maxSurge: 0, maxUnavailable: 1}}
  template:
    metadata: {labels: {modelplane.ai/serving: r, modelplane.ai/workload: r-main-3a57c4cc}}
    spec:
      nodeSelector: {modelplane.ai/pool: h100}
      tolerations: [{key: nvidia.com/gpu, operator: Exists, effect: NoSchedule}]
      resourceClaims: [{name: devices, resourceClaimTemplateName: r-main-standalone-8d5febc5}]
      volumes: [{name: dshm, emptyDir: {medium: Memory}}]
      containers:
      - name: engine
        image: engine:v1
        ports: [{name: http, containerPort: 8000}]
        readinessProbe: {httpGet: {path: /health, port: 8000}, initialDelaySeconds: 30, periodSeconds: 10, timeoutSeconds: 5}
        resources: {claims: [{name: devices}]}
        volumeMounts: [{name: dshm, mountPath: /dev/shm}]
`,
			},
		},
		"GangLeaderClaims": {
			reason: "A leader that claims is kept apart from its workers, even from one.",
			engine: `
name: main
copies: 2
members:
- role: Leader
  nodePoolName: h100
  deviceRequests: [{name: gpu, deviceClassName: gpu.nvidia.com, count: 8}]
  devices: {gpu: 8}
  template: {spec: {containers: [{name: engine, image: "engine:v1"}]}}
- role: Worker
  nodePoolName: h100
  worker: {nodes: 1}
  deviceRequests: [{name: gpu, deviceClassName: gpu.nvidia.com, count: 8}]
  devices: {gpu: 8}
  template: {spec: {containers: [{name: engine, image: "engine:v1"}]}}
`,
			want: map[string]string{
				"resourceclaimtemplate-main-leader-fbca9386": `
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {name: r-main-leader-6121d14c, namespace: ml-team}
spec: {spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu.nvidia.com, count: 8}}]}}}
`,
				"resourceclaimtemplate-main-worker-fbca9386": `
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {name: r-main-worker-f80543c8, namespace: ml-team}
spec: {spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu.nvidia.com, count: 8}}]}}}
`,
				"leaderworkerset-main": `
apiVersion: leaderworkerset.x-k8s.io/v1
kind: LeaderWorkerSet
metadata: {name: r-main-3a57c4cc, namespace: ml-team}
spec:
  replicas: 2
  leaderWorkerTemplate:
    size: 2
    leaderTemplate:
      metadata: {labels: {modelplane.ai/gang: r-main-3a57c4cc, modelplane.ai/serving: r}}
      spec:
        nodeSelector: {modelplane.ai/pool: h100}
        tolerations: [{key: nvidia.com/gpu, operator: Exists, effect: NoSchedule}]
        affinity:
          podAntiAffinity:
            requiredDuringSchedulingIgnoredDuringExecution:
            - labelSelector: {matchLabels: {modelplane.ai/gang: r-main-3a57c4cc}}
              matchLabelKeys: [leaderworkerset.sigs.k8s.io/group-key]
              topologyKey: kubernetes.io/hostname
        resourceClaims: [{name: devices, resourceClaimTemplateName: r-main-leader-6121d14c}]
        volumes: [{name: dshm, emptyDir: {medium: Memory}}]
        containers:
        - name: engine
          image: engine:v1
          env: [{name: MODELPLANE_LEADER_ADDRESS, value: $(LWS_LEADER_ADDRESS)}, {name: MODELPLANE_RANK, value: $(LWS_WORKER_INDEX)}]
          ports: [{name: http, containerPort: 8000}]
          readinessProbe: {httpGet: {path: /health, port: 8000}, initialDelaySeconds: 30, periodSeconds: 10, timeoutSeconds: 5}
          resources: {claims: [{name: devices}]}
          volumeMounts: [{name: dshm, mountPath: /dev/shm}]
    workerTemplate:
      metadata: {labels: {modelplane.ai/gang: r-main-3a57c4cc}}
      spec:
        nodeSelector: {modelplane.ai/pool: h100}
        tolerations: [{key: nvidia.com/gpu, operator: Exists, effect: NoSchedule}]
        affinity:
          podAntiAffinity:
            requiredDuringSchedulingIgnoredDuringExecution:
            - labelSelector: {matchLabels: {modelplane.ai/gang: r-main-3a57c4cc}}
              matchLabelKeys: [leaderworkerset.sigs.k8s.io/group-key]
              topologyKey: kubernetes.io/hostname
        resourceClaims: [{name: devices, resourceClaimTemplateName: r-main-worker-f80543c8}]
        volumes: [{name: dshm, emptyDir: {medium: Memory}}]
        containers:
        - name: engine
          image: engine:v1
          env: [{name: MODELPLANE_LEADER_ADDRESS, value: $(LWS_LEADER_ADDRESS)}, {name: MODELPLANE_RANK, value: $(LWS_WORKER_INDEX)}]
          resources: {claims: [{name: devices}]}
          volumeMounts: [{name: dshm, mountPath: /dev/shm}]
`,
			},
		},
		"GangOneClaims": {
			reason: "A gang of which only one pod claims has no pods to keep apart.",
			engine: `
name: main
members:
- role: Leader
  nodePoolName: h100
  template: {spec: {containers: [{name: engine, image: "engine:v1"}]}}
- role: Worker
  nodePoolName: h100
  worker: {nodes: 1}
  deviceRequests: [{name: gpu, deviceClassName: gpu.nvidia.com, count: 8}]
  devices: {gpu: 8}
  template: {spec: {containers: [{name: engine, image: "engine:v1"}]}}
`,
			want: map[string]string{
				"resourceclaimtemplate-main-worker-fbca9386": `
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {name: r-main-worker-f80543c8, namespace: ml-team}
spec: {spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu.nvidia.com, count: 8}}]}}}
`,
				"leaderworkerset-main": `
apiVersion: leaderworkerset.x-k8s.io/v1
kind: LeaderWorkerSet
metadata: {name: r-main-3a57c4cc, namespace: ml-team}
spec:
  replicas: 1
  leaderWorkerTemplate:
    size: 2
    leaderTemplate:
      metadata: {labels: {modelplane.ai/serving: r}}
      spec:
        nodeSelector: {modelplane.ai/pool: h100}
        tolerations: [{key: nvidia.com/gpu, operator: Exists, effect: NoSchedule}]
        volumes: [{name: dshm, emptyDir: {medium: Memory}}]
        containers:
        - name: engine
          image: engine:v1
          env: [{name: MODELPLANE_LEADER_ADDRESS, value: $(LWS_LEADER_ADDRESS)}, {name: MODELPLANE_RANK, value: $(LWS_WORKER_INDEX)}]
          ports: [{name: http, containerPort: 8000}]
          readinessProbe: {httpGet: {path: /health, port: 8000}, initialDelaySeconds: 30, periodSeconds: 10, timeoutSeconds: 5}
          volumeMounts: [{name: dshm, mountPath: /dev/shm}]
    workerTemplate:
      spec:
        nodeSelector: {modelplane.ai/pool: h100}
        tolerations: [{key: nvidia.com/gpu, operator: Exists, effect: NoSchedule}]
        resourceClaims: [{name: devices, resourceClaimTemplateName: r-main-worker-f80543c8}]
        volumes: [{name: dshm, emptyDir: {medium: Memory}}]
        containers:
        - name: engine
          image: engine:v1
          env: [{name: MODELPLANE_LEADER_ADDRESS, value: $(LWS_LEADER_ADDRESS)}, {name: MODELPLANE_RANK, value: $(LWS_WORKER_INDEX)}]
          resources: {claims: [{name: devices}]}
          volumeMounts: [{name: dshm, mountPath: /dev/shm}]
`,
			},
		},
		"GangSharing": {
			reason: "Pods of a gang that leave devices on their nodes go to shared nodes, each of a group to another. A leader that claims nothing shares nothing.",
			engine: `
name: main
members:
- role: Leader
  nodePoolName: h100
  sharesNode: true
  template: {spec: {containers: [{name: engine, image: "engine:v1"}]}}
- role: Worker
  nodePoolName: h100
  worker: {nodes: 2}
  deviceRequests: [{name: gpu, deviceClassName: gpu.nvidia.com, count: 4}]
  devices: {gpu: 4}
  sharesNode: true
  template: {spec: {containers: [{name: engine, image: "engine:v1"}]}}
`,
			want: map[string]string{
				"resourceclaimtemplate-main-worker-df27bc83": `
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {name: r-main-worker-818a1b05, namespace: ml-team}
spec: {spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu.nvidia.com, count: 4}}]}}}
`,
				"leaderworkerset-main": `
apiVersion: leaderworkerset.x-k8s.io/v1
kind: LeaderWorkerSet
metadata: {name: r-main-3a57c4cc, namespace: ml-team}
spec:
  replicas: 1
  leaderWorkerTemplate:
    size: 3
    leaderTemplate:
      metadata: {labels: {modelplane.ai/serving: r}}
      spec:
        nodeSelector: {modelplane.ai/pool: h100}
        tolerations: [{key: nvidia.com/gpu, operator: Exists, effect: NoSchedule}]
        volumes: [{name: dshm, emptyDir: {medium: Memory}}]
        containers:
        - name: engine
          image: engine:v1
          env: [{name: MODELPLANE_LEADER_ADDRESS, value: $(LWS_LEADER_ADDRESS)}, {name: MODELPLANE_RANK, value: $(LWS_WORKER_INDEX)}]
          ports: [{name: http, containerPort: 8000}]
          readinessProbe: {httpGet: {path: /health, port: 8000}, initialDelaySeconds: 30, periodSeconds: 10, timeoutSeconds: 5}
          volumeMounts: [{name: dshm, mountPath: /dev/shm}]
    workerTemplate:
      metadata: {labels: {modelplane.ai/gang: r-main-3a57c4cc, modelplane.ai/shares-pool: h100}}
      spec:
        nodeSelector: {modelplane.ai/pool: h100}
        tolerations: [{key: nvidia.com/gpu, operator: Exists, effect: NoSchedule}]
        affinity:
          podAffinity:
            preferredDuringSchedulingIgnoredDuringExecution:
            - weight: 100
              podAffinityTerm:
                labelSelector: {matchLabels: {modelplane.ai/shares-pool: h100}}
                namespaceSelector: {}
                topologyKey: kubernetes.io/hostname
          podAntiAffinity:
            requiredDuringSchedulingIgnoredDuringExecution:
            - labelSelector: {matchLabels: {modelplane.ai/gang: r-main-3a57c4cc}}
              matchLabelKeys: [leaderworkerset.sigs.k8s.io/group-key]
              topologyKey: kubernetes.io/hostname
        resourceClaims: [{name: devices, resourceClaimTemplateName: r-main-worker-818a1b05}]
        volumes: [{name: dshm, emptyDir: {medium: Memory}}]
        containers:
        - name: engine
          image: engine:v1
          env: [{name: MODELPLANE_LEADER_ADDRESS, value: $(LWS_LEADER_ADDRESS)}, {name: MODELPLANE_RANK, value: $(LWS_WORKER_INDEX)}]
          resources: {claims: [{name: devices}]}
          volumeMounts: [{name: dshm, mountPath: /dev/shm}]
`,
			},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := diffEngine(t, tc.want, tc.engine); diff != "" {
				t.Errorf("\n%s\nEngine(...): -want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}

// TestClaimTemplateContent shows that a changed claim is a new template, and an
// unchanged one is not.
func TestClaimTemplateContent(t *testing.T) {
	member := func(count int32) v1alpha1.ReplicaMember {
		return v1alpha1.ReplicaMember{DeviceRequests: []v1alpha1.ResolvedDeviceRequest{{Name: "gpu", DeviceClassName: "c", Count: count}}}
	}
	r := Replica{Name: "r", Namespace: "n", Serving: "r"}
	keys := map[string]string{}
	for name, m := range map[string]v1alpha1.ReplicaMember{"One": member(1), "OneAgain": member(1), "Two": member(2)} {
		ct, err := claimTemplate(r, "main", m)
		if err != nil {
			t.Fatal(err)
		}
		keys[name] = ct.key + " " + *ct.object.GetName()
	}
	if keys["One"] != keys["OneAgain"] {
		t.Errorf("equal claims have two templates: %q and %q", keys["One"], keys["OneAgain"])
	}
	if keys["One"] == keys["Two"] {
		t.Errorf("different claims share the template %q", keys["One"])
	}
}

func TestSharePort(t *testing.T) {
	on := func(name string, port int32) v1alpha1.ReplicaEngine {
		e := engine(t, `{name: x, members: [{role: Standalone, nodePoolName: p, template: {spec: {containers: [{name: engine, image: i, ports: [{containerPort: 1}]}]}}}]}`)
		e.Name = name
		e.Members[0].Template.Spec.Containers[0].Ports[0].ContainerPort = port
		return e
	}
	silent := v1alpha1.ReplicaEngine{Name: "silent"}

	cases := map[string]struct {
		reason  string
		engines []v1alpha1.ReplicaEngine
		want    string
	}{
		"None":       {reason: "No engines disagree about nothing."},
		"Same":       {reason: "Engines may declare the same port.", engines: []v1alpha1.ReplicaEngine{on("a", 9000), on("b", 9000)}},
		"Convention": {reason: "An engine that declares no port is on the conventional one.", engines: []v1alpha1.ReplicaEngine{silent, on("b", DefaultPort)}},
		"Different": {
			reason:  "Engines on different ports are refused by name.",
			engines: []v1alpha1.ReplicaEngine{on("a", 9000), on("b", 9001)},
			want:    `engine "a" serves on port 9000 and engine "b" on 9001; give their engine containers the same first port`,
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got := ""
			if err := SharePort(tc.engines); err != nil {
				got = err.Error()
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("\n%s\nSharePort(...): -want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}

// diffEngine compares the manifests that are wanted of an engine, by key, with
// those that are built.
func diffEngine(t *testing.T, manifests map[string]string, y string) string {
	t.Helper()
	built, err := Engine(Replica{Name: "r", Namespace: "ml-team", Serving: "r"}, engine(t, y))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]any{}
	for key, y := range manifests {
		want[key] = decode(t, []byte(y))
	}
	got := map[string]any{}
	for _, m := range built {
		y, err := yaml.Marshal(m.Object)
		if err != nil {
			t.Fatal(err)
		}
		got[m.Key] = decode(t, y)
	}
	return cmp.Diff(want, got)
}

func engine(t *testing.T, y string) v1alpha1.ReplicaEngine {
	t.Helper()
	e := v1alpha1.ReplicaEngine{}
	if err := yaml.UnmarshalStrict([]byte(y), &e); err != nil {
		t.Fatal(err)
	}
	return e
}

func decode(t *testing.T, y []byte) any {
	t.Helper()
	var out any
	if err := yaml.Unmarshal(y, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// TestRollsOver says which changes a replica serves through.
func TestRollsOver(t *testing.T) {
	alone := func(name string, copies int32) v1alpha1.ReplicaEngine {
		return v1alpha1.ReplicaEngine{Name: name, Copies: copies, Members: []v1alpha1.ReplicaMember{{}}}
	}
	gang := alone("a", 2)
	gang.Members = append(gang.Members, v1alpha1.ReplicaMember{})
	engines := func(es ...v1alpha1.ReplicaEngine) []v1alpha1.ReplicaEngine { return es }

	cases := map[string]struct {
		reason        string
		before, after []v1alpha1.ReplicaEngine
		want          bool
	}{
		"Copies":     {reason: "One copy serves while the other is replaced.", before: engines(alone("a", 2)), after: engines(alone("a", 2)), want: true},
		"OneCopy":    {reason: "The only copy is replaced.", before: engines(alone("a", 1)), after: engines(alone("a", 1))},
		"Default":    {reason: "An engine has one copy unless it says otherwise.", before: engines(alone("a", 0)), after: engines(alone("a", 0))},
		"ScaledDown": {reason: "The only copy left may be the one that is replaced.", before: engines(alone("a", 2)), after: engines(alone("a", 1))},
		"ScaledUp":   {reason: "The only copy may be replaced before there are more.", before: engines(alone("a", 1)), after: engines(alone("a", 2))},
		"Shape":      {reason: "Another workload takes its place.", before: engines(alone("a", 2)), after: engines(gang)},
		"Renamed":    {reason: "An engine of another name is another.", before: engines(alone("a", 2)), after: engines(alone("b", 2))},
		"Added":      {reason: "A replica serves when all its engines do.", before: engines(alone("a", 2)), after: engines(alone("a", 2), alone("b", 2))},
		"Removed":    {reason: "What routed to it may not yet know.", before: engines(alone("a", 2), alone("b", 2)), after: engines(alone("a", 2))},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if got := RollsOver(tc.before, tc.after); got != tc.want {
				t.Errorf("\n%s\nRollsOver(...): got %t, want %t", tc.reason, got, tc.want)
			}
		})
	}
}
