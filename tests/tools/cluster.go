package tools

// The programs of a cluster are pinned together: etcd at the version Kubernetes
// is tested with, and what runs on Kubernetes is built with its libraries.
const clusterModule = "kubernetes"

// Etcd is where API servers keep their objects.
func Etcd() Tool {
	return Tool{
		Name:     "etcd",
		Title:    "etcd",
		Module:   clusterModule,
		Requires: "go.etcd.io/etcd/server/v3",
		Package:  "go.etcd.io/etcd/server/v3",
		Env:      "ETCD_BINARY",
		Takes:    "1 min",
	}
}

// KubeAPIServer is the API server.
func KubeAPIServer() Tool {
	return kubernetes("kube-apiserver", "KUBE_APISERVER_BINARY", "5 min")
}

// KubeControllerManager runs Kubernetes' own controllers.
func KubeControllerManager() Tool {
	return kubernetes("kube-controller-manager", "KUBE_CONTROLLER_MANAGER_BINARY", "2 min")
}

// KubeScheduler places pods on nodes, and allocates their devices.
func KubeScheduler() Tool {
	return kubernetes("kube-scheduler", "KUBE_SCHEDULER_BINARY", "20 s")
}

// Kubectl is Kubernetes' command line.
func Kubectl() Tool {
	return kubernetes("kubectl", "KUBECTL_BINARY", "30 s")
}

// kubernetes returns a program of Kubernetes.
func kubernetes(name, env, takes string) Tool {
	return Tool{
		Name:     name,
		Title:    name,
		Module:   clusterModule,
		Requires: "k8s.io/kubernetes",
		Package:  "k8s.io/kubernetes/cmd/" + name,
		// Programs that find a server of no version take it to be too old.
		Stamps: []string{
			"k8s.io/component-base/version.gitVersion={version}",
			"k8s.io/component-base/version.gitMajor={major}",
			"k8s.io/component-base/version.gitMinor={minor}",
			"k8s.io/component-base/version.gitTreeState=clean",
		},
		Env:   env,
		Takes: takes,
	}
}

// Kwok says that nodes are there and that pods run.
func Kwok() Tool {
	return Tool{
		Name:     "kwok",
		Title:    "kwok",
		Module:   clusterModule,
		Requires: "sigs.k8s.io/kwok",
		Package:  "sigs.k8s.io/kwok/cmd/kwok",
		Env:      "KWOK_BINARY",
		Takes:    "30 s",
	}
}

// LWS is LeaderWorkerSet, which runs groups of pods as one.
func LWS() Tool {
	return Tool{
		Name:     "lws",
		Title:    "LeaderWorkerSet",
		Module:   clusterModule,
		Requires: "sigs.k8s.io/lws",
		Package:  "sigs.k8s.io/lws/cmd",
		Stamps:   []string{"sigs.k8s.io/lws/pkg/version.GitVersion={version}"},
		Env:      "LWS_BINARY",
		Takes:    "30 s",
	}
}
