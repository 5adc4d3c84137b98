// Package tools builds the binaries that tests and previews run: the upstream
// programs Modelplane stands on, and our own functions.
//
// Upstream programs are built from their Go modules, at the versions pinned
// under upstream/, so nothing but the Go module proxy is needed: no container
// runtime, no download of a binary. Each folder of upstream/ is a module of its
// own, outside go.work: a program keeps the dependencies and replacements it was
// released with, and none of them reaches our own modules. The programs of a
// cluster share one, in which all of them have Kubernetes' dependencies. A program
// is a row of the tables in upstream.go and cluster.go.
//
// Upstream binaries are kept under _bin, or the folder MODELPLANE_BIN names, in
// a file whose name says what it was built from. One that is there is used as it
// is, by any number of work trees at once. ModuleDir has the files that come with
// a program, such as its CRDs.
//
// An environment variable per program uses a binary that is already at hand
// instead, whatever its version:
//
//	CROSSPLANE_CLI                   crossplane, the command line
//	CROSSPLANE_CORE                  crossplane, of Crossplane's image
//	PROVIDER_KUBERNETES_BINARY       provider, of provider-kubernetes' image
//	PROVIDER_HELM_BINARY             provider, of provider-helm's image
//	ETCD_BINARY                      etcd
//	KUBE_APISERVER_BINARY            kube-apiserver
//	KUBE_CONTROLLER_MANAGER_BINARY   kube-controller-manager
//	KUBE_SCHEDULER_BINARY            kube-scheduler
//	KUBECTL_BINARY                   kubectl
//	KWOK_BINARY                      kwok, not kwokctl
//	LWS_BINARY                       manager, of LeaderWorkerSet's image
//	TRAEFIK                          traefik
//	GOLANGCI_LINT                    golangci-lint
//	BENCHSTAT                        benchstat
//
// The package deliberately runs nothing it builds.
package tools
