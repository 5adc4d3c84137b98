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
// Requests are answered: each cluster and the control plane have a real gateway,
// Traefik, and what pods answer comes through both.
//
// What is not real, and stands in for what it is not:
//
//   - There is no kubelet. kwok says that nodes are there and pods run; no
//     container ever starts. This package listens at the address of every pod in
//     its place, answers as a model server would (see package openai), and says
//     that the pod is ready once it does. A pod that is deleted finishes what it
//     has begun.
//   - There is no accelerator. The devices of an InferenceClass are published in
//     ResourceSlices as a driver would, and nobody prepares what is allocated.
//   - The Helm chart of the control plane's gateway is a stand-in of the same
//     name. It makes a Deployment and a Service, and this package plays the
//     kubelet of the one and the load balancer of the other: one pod runs,
//     whatever the number of replicas, and its containers are processes.
//   - There is no package manager's runtime. Crossplane expects one from outside,
//     and this package plays it: it runs functions and providers as processes.
//   - Everybody is an administrator. Roles are applied, and bind nobody.
//
// A fleet lives in a network and PID namespace of its own where that is allowed:
// Enter starts the calling program again, there. Whatever happens to it, nothing
// of the fleet outlives it. Elsewhere it runs beside everything else, on ports
// that are free. Pods and gateways have no addresses there: kwok says that pods are
// ready, stand-ins accept Gateways and the routes that attach to them, and no
// request goes anywhere. provider-helm, which has no identity there, installs
// nothing: it has a stand-in too.
//
// The package deliberately asserts nothing. Tests do, with what a Fleet offers:
// clients, kubectl, and the means to break things.
package controlplane
