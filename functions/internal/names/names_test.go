package names

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/validation"
)

// TestNames pins names and keys: to change how one is made deletes and recreates
// whatever has it, in every control plane.
func TestNames(t *testing.T) {
	r := Replica{Namespace: "ml-team", Deployment: "qwen3-8b", Cluster: "prod-eu", Index: 2}

	cases := map[string]struct {
		reason string
		got    string
		want   string
	}{
		"Replica": {
			reason: "A replica's name shows its deployment and hashes its whole identity.",
			got:    r.Name(),
			want:   "qwen3-8b-04210f6d",
		},
		"ReplicaKey": {
			reason: "A replica's key is its place.",
			got:    r.Key(),
			want:   "replica-prod-eu-2",
		},
		"EndpointKey": {
			reason: "An endpoint's key is its replica's place.",
			got:    r.EndpointKey(),
			want:   "endpoint-prod-eu-2",
		},
		"Workload": {
			reason: "A workload's name shows its replica and engine.",
			got:    Workload("qwen3-8b-a95a9ec2", "decode"),
			want:   "qwen3-8b-a95a9ec2-decode-ce69d23d",
		},
		"Serving": {
			reason: "The label of serving pods shows their replica, and hashes which workloads serve.",
			got:    Serving("qwen3-8b-a95a9ec2", []string{KeyDeployment("main")}),
			want:   "qwen3-8b-a95a9ec2-b3544ffe",
		},
		"ServingGang": {
			reason: "Another workload is another label.",
			got:    Serving("qwen3-8b-a95a9ec2", []string{KeyLeaderWorkerSet("main")}),
			want:   "qwen3-8b-a95a9ec2-39e46404",
		},
		"ClaimTemplate": {
			reason: "A claim template's name hashes its content.",
			got:    ClaimTemplate("qwen3-8b-a95a9ec2", "decode", "Leader", "content"),
			want:   "qwen3-8b-a95a9ec2-decode-leader-f5e7a1d4",
		},
		"DeploymentKey": {
			reason: "A workload's key carries its kind, so that a change of shape is a new key.",
			got:    KeyDeployment("decode"),
			want:   "deployment-decode",
		},
		"LeaderWorkerSetKey": {
			reason: "A workload's key carries its kind, so that a change of shape is a new key.",
			got:    KeyLeaderWorkerSet("decode"),
			want:   "leaderworkerset-decode",
		},
		"ClaimTemplateKey": {
			reason: "A claim template's key hashes its content, as its name does.",
			got:    KeyClaimTemplate("decode", "Leader", "content"),
			want:   "resourceclaimtemplate-decode-leader-ed7002b4",
		},
		"Secret": {
			reason: "A copy's name shows its replica and the Secret it is of.",
			got:    Secret("qwen3-8b-a95a9ec2", "hugging-face"),
			want:   "qwen3-8b-a95a9ec2-hugging-face-f654b29d",
		},
		"SecretKey": {
			reason: "A copy's key says which Secret it is of.",
			got:    KeySecret("hugging-face"),
			want:   "secret-hugging-face",
		},
		"Object": {
			reason: "An Object's name shows its owner and key.",
			got:    Object("qwen3-8b-a95a9ec2", KeyService),
			want:   "qwen3-8b-a95a9ec2-service-0c142aab",
		},
		"ProviderConfig": {
			reason: "A ClusterProviderConfig's name shows its cluster.",
			got:    ProviderConfig("prod-eu"),
			want:   "prod-eu-043c3c3f",
		},
		"ReplicasUsage": {
			reason: "A usage's name shows its cluster and what it is for.",
			got:    Usage("prod-eu", KeyReplicasUsage),
			want:   "prod-eu-clusterusage-replicas-98eff787",
		},
		"ClassUsage": {
			reason: "The name of a usage of a class shows both.",
			got:    Usage("prod-eu", KeyClassUsage("h100-8x")),
			want:   "prod-eu-clusterusage-inferenceclass-h100-8x-86122b30",
		},
		"SecretUsage": {
			reason: "The name of a usage of a Secret shows both.",
			got:    Usage("prod-eu", KeySecretUsage("prod-eu-kubeconfig")),
			want:   "prod-eu-usage-secret-prod-eu-kubeconfig-2beb4a40",
		},
		"ClassUsageKey": {
			reason: "A usage's key carries what it is of, so that that of another class is another.",
			got:    KeyClassUsage("h100-8x"),
			want:   "clusterusage-inferenceclass-h100-8x",
		},
		"SecretUsageKey": {
			reason: "A usage's key carries what it is of, so that that of another Secret is another.",
			got:    KeySecretUsage("prod-eu-kubeconfig"),
			want:   "usage-secret-prod-eu-kubeconfig",
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, tc.got); diff != "" {
				t.Errorf("\n%s\n-want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}

// TestIdentity shows that everything that identifies a replica tells it from
// others, its namespace first.
func TestIdentity(t *testing.T) {
	a := Replica{Namespace: "a", Deployment: "m", Cluster: "c", Index: 0}
	others := map[string]Replica{
		"Namespace":  {Namespace: "b", Deployment: "m", Cluster: "c", Index: 0},
		"Deployment": {Namespace: "a", Deployment: "n", Cluster: "c", Index: 0},
		"Cluster":    {Namespace: "a", Deployment: "m", Cluster: "d", Index: 0},
		"Index":      {Namespace: "a", Deployment: "m", Cluster: "c", Index: 1},
	}
	for name, b := range others {
		t.Run(name, func(t *testing.T) {
			if a.Name() == b.Name() {
				t.Errorf("%+v and %+v are both named %q", a, b, a.Name())
			}
		})
	}
}

// TestBounds shows that the longest names that admission lets in make names that
// Kubernetes accepts.
func TestBounds(t *testing.T) {
	long := strings.Repeat("x", MaxLabel)
	engine := strings.Repeat("e", 40)
	r := Replica{Namespace: long, Deployment: long, Cluster: long, Index: 999}

	for _, n := range []string{
		r.Name(),
		Workload(r.Name(), engine),
		ClaimTemplate(r.Name(), engine, "Standalone", "content"),
		Serving(r.Name(), []string{KeyDeployment(engine)}),
		Object(r.Name(), KeyClaimTemplate(engine, "Standalone", "content")),
		ProviderConfig(long),
		Usage(long, KeyReplicasUsage),
		Usage(long, KeyClassUsage(long)),
		Usage(long, KeySecretUsage(long)),
		Secret(r.Name(), strings.Repeat("s", 253)),
		Object(r.Name(), KeySecret(strings.Repeat("s", 253))),
		// What LeaderWorkerSet makes of its name: worker StatefulSets, their
		// pods, and the label controller-revision-hash of those.
		fmt.Sprintf("%s-%d-%d", Workload(r.Name(), engine), 63, 63),
		fmt.Sprintf("%s-%d-%s", Workload(r.Name(), engine), 63, "0123456789"),
	} {
		if errs := validation.IsDNS1035Label(n); len(errs) > 0 {
			t.Errorf("%q: %s", n, strings.Join(errs, "; "))
		}
	}
}

// TestManyReplicas shows that the replicas of the largest deployment have names
// of their own.
func TestManyReplicas(t *testing.T) {
	seen := map[string]bool{}
	for c := range 10 {
		for i := range 100 {
			seen[Replica{Namespace: "n", Deployment: "d", Cluster: fmt.Sprintf("c%d", c), Index: i}.Name()] = true
		}
	}
	if len(seen) != 1000 {
		t.Errorf("1000 replicas have %d names", len(seen))
	}
}

func TestReservedNamespace(t *testing.T) {
	cases := map[string]struct {
		reason    string
		namespace string
		want      bool
	}{
		"Kubernetes": {reason: "Kubernetes' own namespaces are reserved.", namespace: "kube-system", want: true},
		"Modelplane": {reason: "Modelplane's own namespace is reserved.", namespace: SystemNamespace, want: true},
		"Team":       {reason: "A team's namespace is its own.", namespace: "ml-team", want: false},
		"Default":    {reason: "The default namespace is anyone's.", namespace: "default", want: false},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if got := ReservedNamespace(tc.namespace); got != tc.want {
				t.Errorf("\n%s\nReservedNamespace(%q): want %t, got %t", tc.reason, tc.namespace, tc.want, got)
			}
		})
	}
}
