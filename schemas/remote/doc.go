// Package remote holds small types for resources of others that have no light
// Go module: provider-kubernetes and provider-helm. Every field is optional, and
// only those that Modelplane writes or reads are here, so that what is encoded
// is exactly what was meant.
package remote

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// API versions of the providers' namespaced APIs.
const (
	KubernetesAPIVersion = "kubernetes.m.crossplane.io/v1alpha1"
	HelmAPIVersion       = "helm.m.crossplane.io/v1beta1"
)

// Kinds of the providers.
const (
	KindObject                = "Object"
	KindRelease               = "Release"
	KindProviderConfig        = "ProviderConfig"
	KindClusterProviderConfig = "ClusterProviderConfig"
)

// A ManagementPolicy is one thing a provider may do to an external resource.
type ManagementPolicy string

// What a provider may do.
const (
	PolicyObserve ManagementPolicy = "Observe"
	PolicyCreate  ManagementPolicy = "Create"
	PolicyUpdate  ManagementPolicy = "Update"
	PolicyDelete  ManagementPolicy = "Delete"
)

// A Metadata is the metadata a composed resource is given.
type Metadata struct {
	Name        string            `json:"name,omitempty"`
	Namespace   string            `json:"namespace,omitempty"`
	Labels      map[string]string `json:"labels,omitempty"`
	Annotations map[string]string `json:"annotations,omitempty"`
}

// A Reference refers to a resource by kind and name.
type Reference struct {
	Kind string `json:"kind,omitempty"`
	Name string `json:"name,omitempty"`
}

// A SecretKeyReference refers to a key of a Secret.
type SecretKeyReference struct {
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name,omitempty"`
	Key       string `json:"key,omitempty"`
}

// ResourceStatus is the status every managed resource has.
type ResourceStatus struct {
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}
