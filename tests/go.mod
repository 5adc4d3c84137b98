module github.com/modelplane-go/modelplane/tests

go 1.26.0

require (
	github.com/crossplane/crossplane-runtime/v2 v2.4.0
	github.com/google/go-cmp v0.7.0
	github.com/modelplane-go/modelplane/schemas v0.0.0
	k8s.io/api v0.36.4
	k8s.io/apiextensions-apiserver v0.36.4
	k8s.io/apimachinery v0.36.4
	k8s.io/apiserver v0.36.4
	sigs.k8s.io/yaml v1.6.0
)

replace (
	github.com/modelplane-go/modelplane/functions => ../functions
	github.com/modelplane-go/modelplane/schemas => ../schemas
)
