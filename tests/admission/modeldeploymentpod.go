package admission

// pod is the example with all of a pod that is the user's to write.
var pod = with(example, "spec.engines.0.members.0.template", `
metadata:
  labels: {team: blue}
  annotations: {example.com/Note: "anything, at any length"}
spec:
  containers:
  - name: engine
    image: vllm/vllm-openai:v0.11.0
    command: [vllm, serve]
    args: [--model=/models/qwen]
    env:
    - {name: HF_TOKEN, valueFrom: {secretKeyRef: {name: hugging-face, key: token}}}
    - {name: LOG_LEVEL, value: debug}
    envFrom: [{configMapRef: {name: settings}}]
    ports: [{name: http, containerPort: 8000}, {name: gossip, containerPort: 8000, protocol: UDP}]
    resources: {requests: {cpu: 8, memory: 64Gi}, limits: {memory: 64Gi}}
    volumeMounts: [{name: shm, mountPath: /dev/shm}]
    startupProbe: {httpGet: {path: /health, port: http}, failureThreshold: 60}
    readinessProbe: {httpGet: {path: /health, port: 8000}}
    livenessProbe: {tcpSocket: {port: 8000}}
    lifecycle: {preStop: {exec: {command: [sleep, "15"]}}}
    securityContext: {capabilities: {add: [IPC_LOCK]}}
    workingDir: /srv
    imagePullPolicy: IfNotPresent
  - {name: metrics, image: example.com/metrics:v1}
  initContainers:
  - {name: proxy, image: example.com/proxy:v1, restartPolicy: Always}
  volumes: [{name: shm, emptyDir: {medium: Memory, sizeLimit: 16Gi}}]
  imagePullSecrets: [{name: registry}]
  serviceAccountName: models
  securityContext: {fsGroup: 1000}
  terminationGracePeriodSeconds: 600
  runtimeClassName: nvidia
  priorityClassName: inference
  schedulerName: default-scheduler
  hostNetwork: true
  shareProcessNamespace: true
`)

func modelDeploymentPods() map[string]Case {
	const (
		template  = "spec.engines.0.members.0.template"
		container = template + ".spec.containers.0"
		in        = "spec.engines[0].members[0].template"
	)
	unknown := func(field string) string { return `unknown field "` + in + field + `"` }
	return map[string]Case{
		"Pod": {
			Reason: "All of a pod that is the user's to write should be accepted.",
			Object: pod,
		},
		"NoEngineContainer": {
			Reason: "One container runs the model.",
			Object: with(example, container+".name", "vllm"),
			Field:  in + ".spec.containers",
			Want:   "exactly one of containers must be named engine",
		},
		"TwoEngineContainers": {
			Reason: "One container runs the model.",
			Object: with(pod, template+".spec.containers.1.name", "engine"),
			Field:  in + ".spec.containers[1]",
			Want:   `Duplicate value: {"name":"engine"}`,
		},
		"EngineAsInitContainer": {
			Reason: "A pod's containers are told apart by name, whichever list they are in.",
			Object: with(pod, template+".spec.initContainers.0.name", "engine"),
			Field:  in + ".spec.initContainers",
			Want:   "initContainers may not have the name of one of containers",
		},
		"ContainerWithRestartPolicy": {
			Reason: "Only an init container may become a sidecar.",
			Object: with(pod, template+".spec.containers.1.restartPolicy", "Always"),
			Field:  in + ".spec.containers",
			Want:   "restartPolicy may only be set on initContainers",
		},
		"NoImage": {
			Reason: "A container runs an image.",
			Object: with(example, container+".image", "null"),
			Field:  in + ".spec.containers[0].image",
			Want:   "Required value",
		},
		"ContainerNameIsNoLabel": {
			Reason: "The name of a container is a DNS label.",
			Object: with(pod, template+".spec.containers.1.name", "Metrics"),
			Field:  in + ".spec.containers[1].name",
			Want:   "Invalid value",
		},
		"ReservedPodLabel": {
			Reason: "Modelplane's labels are Modelplane's to set.",
			Object: with(pod, template+".metadata.labels", "{modelplane.ai/pool: a}"),
			Field:  in + ".metadata.labels",
			Want:   "labels may not begin with modelplane.ai/",
		},
		"ReservedPodAnnotation": {
			Reason: "Modelplane's annotations are Modelplane's to set.",
			Object: with(pod, template+".metadata.annotations", "{modelplane.ai/revision: a}"),
			Field:  in + ".metadata.annotations",
			Want:   "annotations may not begin with modelplane.ai/",
		},
		"LeaderWorkerSetPodLabel": {
			Reason: "LeaderWorkerSet tells the pods of a gang apart by its labels.",
			Object: with(pod, template+".metadata.labels", `{leaderworkerset.sigs.k8s.io/worker-index: "0"}`),
			Field:  in + ".metadata.labels",
			Want:   "labels may not begin with leaderworkerset.sigs.k8s.io/: LeaderWorkerSet sets them on the pods of a gang; remove them",
		},
		"LeaderWorkerSetPodAnnotation": {
			Reason: "LeaderWorkerSet reads of a pod's annotations how large its group is.",
			Object: with(pod, template+".metadata.annotations", `{leaderworkerset.sigs.k8s.io/size: "9"}`),
			Field:  in + ".metadata.annotations",
			Want:   "annotations may not begin with leaderworkerset.sigs.k8s.io/: LeaderWorkerSet sets them on the pods of a gang; remove them",
		},
		"PodLabelIsNoLabelKey": {
			Reason: "A pod could not be made with such a label.",
			Object: with(pod, template+".metadata.labels", "{-team: blue}"),
			Field:  in + ".metadata.labels",
			Want:   "keys of labels must be label keys",
		},
		"PodLabelIsNoLabelValue": {
			Reason: "A pod could not be made with such a label.",
			Object: with(pod, template+".metadata.labels", "{team: blue-}"),
			Field:  in + ".metadata.labels.team",
			Want:   "Invalid value",
		},
		"PodAnnotationIsNoAnnotationKey": {
			Reason: "A pod could not be made with such an annotation.",
			Object: with(pod, template+".metadata.annotations", "{a/b/c: d}"),
			Field:  in + ".metadata.annotations",
			Want:   "keys of annotations must be annotation keys",
		},
		"PodNodeSelector": {
			Reason: "Where a pod runs is Modelplane's to say.",
			Object: with(example, template+".spec.nodeSelector", "{disk: ssd}"),
			Want:   unknown(".spec.nodeSelector"),
		},
		"PodAffinity": {
			Reason: "Where a pod runs is Modelplane's to say.",
			Object: with(example, template+".spec.affinity", "{nodeAffinity: {}}"),
			Want:   unknown(".spec.affinity"),
		},
		"PodTolerations": {
			Reason: "Where a pod runs is Modelplane's to say.",
			Object: with(example, template+".spec.tolerations", "[{operator: Exists}]"),
			Want:   unknown(".spec.tolerations"),
		},
		"PodResourceClaims": {
			Reason: "What a pod claims is Modelplane's to say.",
			Object: with(example, template+".spec.resourceClaims", "[{name: gpu}]"),
			Want:   unknown(".spec.resourceClaims"),
		},
		"ContainerClaims": {
			Reason: "What a container claims is Modelplane's to say.",
			Object: with(example, container+".resources", "{claims: [{name: gpu}]}"),
			Want:   unknown(".spec.containers[0].resources.claims"),
		},
		"PodName": {
			Reason: "A pod's name is Modelplane's to say.",
			Object: with(example, template+".metadata", "{name: engine}"),
			Want:   unknown(".metadata.name"),
		},
	}
}
