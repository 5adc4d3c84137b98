// Package controlplane starts and stops a real fleet on one machine: a control
// plane and any number of clusters with accelerators, without containers, a cloud
// or an accelerator.
//
// What Kubernetes, Crossplane and the schedulers decide is decided by them. Each
// cluster has an API server, a controller manager, and, but for the control
// plane, a scheduler that allocates devices, LeaderWorkerSet and the CRDs of the
// Gateway API. The control plane has Crossplane, our packages installed as a user
// installs them, with the dependencies Crossplane finds for them, and its
// providers. All of it is processes of the upstream programs, on loopback.
//
// What is not real, and stands in for what it is not:
//
//   - There is no kubelet. kwok says that nodes are there and pods run; no
//     container ever starts, so that every pod is ready at once.
//   - There is no accelerator. The devices of an InferenceClass are published in
//     ResourceSlices as a driver would, and nobody prepares what is allocated.
//   - There is no gateway. A stand-in accepts Gateways and the routes that attach
//     to them, and no request goes anywhere. The Helm chart of the control plane's
//     gateway is a stand-in of the same name, which holds one Service.
//   - There is no package manager's runtime. Crossplane expects one from outside,
//     and this package plays it: it runs functions and providers as processes.
//   - Everybody is an administrator. Roles are applied, and bind nobody.
//
// A fleet lives in a network and PID namespace of its own where that is allowed:
// Enter starts the calling program again, there. Whatever happens to it, nothing
// of the fleet outlives it. Elsewhere it runs beside everything else, on ports
// that are free, and provider-helm, which has no identity there, installs nothing:
// it has a stand-in too.
//
// The package deliberately asserts nothing. Tests do, with what a Fleet offers:
// clients, kubectl, and the means to break things.
package controlplane
