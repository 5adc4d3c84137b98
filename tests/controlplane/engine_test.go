package controlplane

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
)

func TestEngineOfPod(t *testing.T) {
	type engine struct {
		Ports   []int32
		Model   string
		PreStop time.Duration
	}
	cases := map[string]struct {
		reason string
		pod    []corev1.Container
		want   engine
	}{
		"Nothing": {
			reason: "An engine that says nothing should listen where engines do.",
			pod:    []corev1.Container{{Name: "engine"}},
			want:   engine{Ports: []int32{8000}, Model: "mock"},
		},
		"Ports": {
			reason: "Every TCP port of every container should be listened at, once.",
			pod: []corev1.Container{
				{Ports: []corev1.ContainerPort{{ContainerPort: 9000}, {ContainerPort: 8000, Protocol: corev1.ProtocolTCP}}},
				{Ports: []corev1.ContainerPort{{ContainerPort: 9000}, {ContainerPort: 53, Protocol: corev1.ProtocolUDP}}},
			},
			want: engine{Ports: []int32{8000, 9000}, Model: "mock"},
		},
		"Model": {
			reason: "The name a model is served by should win over what it is.",
			pod:    []corev1.Container{{Command: []string{"serve", "--served-model-name=qwen"}, Args: []string{"--model=Qwen/Qwen3-8B"}}},
			want:   engine{Ports: []int32{8000}, Model: "qwen"},
		},
		"PreStop": {
			reason: "The longest sleep should be waited for.",
			pod: []corev1.Container{
				{Lifecycle: &corev1.Lifecycle{PreStop: &corev1.LifecycleHandler{Sleep: &corev1.SleepAction{Seconds: 5}}}},
				{Lifecycle: &corev1.Lifecycle{PreStop: &corev1.LifecycleHandler{Sleep: &corev1.SleepAction{Seconds: 15}}}},
			},
			want: engine{Ports: []int32{8000}, Model: "mock", PreStop: 15 * time.Second},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			pod := &corev1.Pod{Spec: corev1.PodSpec{Containers: tc.pod}}
			got := engine{Ports: portsOf(pod), Model: modelOf(pod), PreStop: preStop(pod)}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%s\n-want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}

// TestAt moves the entry points of a pod to its address, and nothing else.
func TestAt(t *testing.T) {
	got := at("10.0.0.1", []string{"--entryPoints.web.address=:8000/tcp", "--ping=true", "--ping", "--providers.x.forward.address=http://127.0.0.1:9099"})
	want := []string{"--entryPoints.web.address=10.0.0.1:8000/tcp", "--ping=true", "--ping", "--providers.x.forward.address=http://127.0.0.1:9099"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want, +got:\n%s", diff)
	}
}
