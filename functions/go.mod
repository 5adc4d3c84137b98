module github.com/modelplane-go/modelplane/functions

go 1.26.0

require (
	github.com/alecthomas/kong v1.15.0
	github.com/crossplane/function-sdk-go v0.7.1
	github.com/google/go-cmp v0.7.0
	github.com/modelplane-go/modelplane/schemas v0.0.0
	google.golang.org/protobuf v1.36.11
	k8s.io/api v0.36.4
	k8s.io/apimachinery v0.36.4
	k8s.io/client-go v0.36.4
	k8s.io/dynamic-resource-allocation v0.36.4
	sigs.k8s.io/gateway-api v1.6.1
	sigs.k8s.io/lws v0.9.0
	sigs.k8s.io/yaml v1.6.0
)

replace github.com/modelplane-go/modelplane/schemas => ../schemas
