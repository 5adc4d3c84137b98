package routing

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	corev1ac "k8s.io/client-go/applyconfigurations/core/v1"
	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"
	gatewayv1ac "sigs.k8s.io/gateway-api/applyconfiguration/apis/v1"

	"github.com/modelplane-go/modelplane/functions/internal/names"
)

// ServicePort is the port of the Service a replica is served by on its cluster,
// whatever port its engine listens on.
const ServicePort = 8000

// A Replica is what is routed to on a cluster.
type Replica struct {
	Namespace  string // The replica's, on the cluster as on the control plane.
	Name       string
	Serving    string // The label of its serving pods.
	TargetPort int32  // Port the engine listens on.
	Gateway    Gateway
}

// A Gateway is what a route attaches to.
type Gateway struct {
	Namespace string
	Name      string
}

// ReplicaService is the Service over a replica's serving pods: its Standalone
// pods, or the leaders of its gangs.
func ReplicaService(r Replica) *corev1ac.ServiceApplyConfiguration {
	return corev1ac.Service(r.Name, r.Namespace).WithSpec(corev1ac.ServiceSpec().
		WithSelector(map[string]string{names.LabelServing: r.Serving}).
		WithPorts(corev1ac.ServicePort().
			WithName("http").
			WithProtocol(corev1.ProtocolTCP).
			WithPort(ServicePort).
			WithTargetPort(intstr.FromInt32(r.TargetPort))))
}

// ReplicaRoute is the HTTPRoute from a cluster's gateway to a replica's Service.
func ReplicaRoute(r Replica) *gatewayv1ac.HTTPRouteApplyConfiguration {
	rule := prefixRule(Path(r.Namespace, r.Name)).
		WithFilters(rewrite("/")).
		WithBackendRefs(gatewayv1ac.HTTPBackendRef().
			WithName(gatewayv1.ObjectName(r.Name)).
			WithPort(ServicePort))
	return route(r.Namespace, r.Name, r.Gateway, rule)
}

// route is an HTTPRoute with one rule, attached to one gateway.
func route(namespace, name string, g Gateway, rule *gatewayv1ac.HTTPRouteRuleApplyConfiguration) *gatewayv1ac.HTTPRouteApplyConfiguration {
	return gatewayv1ac.HTTPRoute(name, namespace).WithSpec(gatewayv1ac.HTTPRouteSpec().
		WithParentRefs(gatewayv1ac.ParentReference().
			WithNamespace(gatewayv1.Namespace(g.Namespace)).
			WithName(gatewayv1.ObjectName(g.Name))).
		WithRules(rule))
}

// prefixRule is a rule for requests below a path, however long they take.
func prefixRule(path string) *gatewayv1ac.HTTPRouteRuleApplyConfiguration {
	return gatewayv1ac.HTTPRouteRule().
		WithMatches(gatewayv1ac.HTTPRouteMatch().
			WithPath(gatewayv1ac.HTTPPathMatch().
				WithType(gatewayv1.PathMatchPathPrefix).
				WithValue(path))).
		WithTimeouts(gatewayv1ac.HTTPRouteTimeouts().WithRequest("0s"))
}

// rewrite puts a path in the place of the prefix that was matched.
func rewrite(path string) *gatewayv1ac.HTTPRouteFilterApplyConfiguration {
	return gatewayv1ac.HTTPRouteFilter().
		WithType(gatewayv1.HTTPRouteFilterURLRewrite).
		WithURLRewrite(gatewayv1ac.HTTPURLRewriteFilter().
			WithPath(gatewayv1ac.HTTPPathModifier().
				WithType(gatewayv1.PrefixMatchHTTPPathModifier).
				WithReplacePrefixMatch(path)))
}
