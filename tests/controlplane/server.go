package controlplane

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	apiextv1alpha1 "github.com/crossplane/crossplane/apis/v2/apiextensions/v1alpha1"
	apiextv2 "github.com/crossplane/crossplane/apis/v2/apiextensions/v2"
	pkgv1 "github.com/crossplane/crossplane/apis/v2/pkg/v1"
	pkgv1beta1 "github.com/crossplane/crossplane/apis/v2/pkg/v1beta1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
	"sigs.k8s.io/controller-runtime/pkg/client"
	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"

	"github.com/modelplane-go/modelplane/schemas/modelplane/v1alpha1"
	"github.com/modelplane-go/modelplane/tests/tools"
)

// A Server is the API server of a cluster, and how to reach it.
type Server struct {
	// Name of the cluster.
	Name string

	// Kubeconfig is the path of an administrator's. Outside is that of one which
	// works in another terminal, out of the fleet's own network.
	Kubeconfig, Outside string

	// Config and Client are an administrator's.
	Config *rest.Config
	Client client.WithWatch

	dir       string // Of what only this cluster's programs read.
	port      int
	authority *authority
}

// newServer makes what an API server is started with. It does not start it.
func (f *Fleet) newServer(name string) (*Server, error) {
	port, err := f.ports.take()
	if err != nil {
		return nil, err
	}
	a, err := newAuthority(name)
	if err != nil {
		return nil, err
	}
	s := &Server{
		Name:       name,
		Kubeconfig: filepath.Join(f.dir, name+".kubeconfig"),
		dir:        filepath.Join(f.dir, name),
		port:       port,
		authority:  a,
	}
	if err := s.writeKeys(); err != nil {
		return nil, err
	}
	return s, s.writeKubeconfig()
}

// writeKeys writes the certificates and keys of the API server.
func (s *Server) writeKeys() error {
	serving, err := s.authority.server("kube-apiserver", s.Name, "kubernetes.default.svc")
	if err != nil {
		return err
	}
	accounts, err := newKey()
	if err != nil {
		return err
	}
	public, err := accounts.public()
	if err != nil {
		return err
	}
	return writeFiles(s.dir, map[string][]byte{
		"ca.crt":  s.authority.pem,
		"tls.crt": serving.cert, "tls.key": serving.key,
		"sa.pub": public, "sa.key": accounts.pem,
	})
}

func (s *Server) writeKubeconfig() error {
	admin, err := s.authority.client("admin", administrators)
	if err != nil {
		return err
	}
	if err := clientcmd.WriteToFile(*s.kubeconfig(admin), s.Kubeconfig); err != nil {
		return fmt.Errorf("cannot write the kubeconfig of %s: %w", s.Name, err)
	}

	s.Config, err = clientcmd.BuildConfigFromFlags("", s.Kubeconfig)
	if err != nil {
		return fmt.Errorf("cannot read the kubeconfig of %s: %w", s.Name, err)
	}
	s.Config.QPS, s.Config.Burst = -1, -1
	return nil
}

// administrators is the group that may do everything.
const administrators = "system:masters"

// NewKubeconfig is that of another administrator, known to the cluster that
// vouches for him.
func (s *Server) NewKubeconfig(name string, vouches *Server) ([]byte, error) {
	who, err := vouches.authority.client(name, administrators)
	if err != nil {
		return nil, err
	}
	return clientcmd.Write(*s.kubeconfig(who))
}

// kubeconfig of somebody.
func (s *Server) kubeconfig(who keyPair) *clientcmdapi.Config {
	c := clientcmdapi.NewConfig()
	c.Clusters[s.Name] = &clientcmdapi.Cluster{Server: s.url(), CertificateAuthorityData: s.authority.pem}
	c.AuthInfos["admin"] = &clientcmdapi.AuthInfo{ClientCertificateData: who.cert, ClientKeyData: who.key}
	c.Contexts[s.Name] = &clientcmdapi.Context{Cluster: s.Name, AuthInfo: "admin"}
	c.CurrentContext = s.Name
	return c
}

func (s *Server) url() string { return "https://" + local(s.port) }

// file of the server's folder.
func (s *Server) file(name string) string { return filepath.Join(s.dir, name) }

// startServer starts an API server, and waits until it serves.
func (f *Fleet) startServer(ctx context.Context, s *Server, flags ...string) error {
	err := f.processes.run(ctx, command{
		name:  "kube-apiserver-" + s.Name,
		path:  f.programs.upstream(tools.KubeAPIServer()),
		ready: s.ready,
		args: append([]string{
			"--etcd-servers=" + f.etcdURL,
			"--etcd-prefix=/" + s.Name,
			"--bind-address=127.0.0.1",
			"--advertise-address=127.0.0.1",
			"--secure-port=" + portText(s.port),
			"--endpoint-reconciler-type=none",
			"--tls-cert-file=" + s.file("tls.crt"),
			"--tls-private-key-file=" + s.file("tls.key"),
			"--client-ca-file=" + s.file("ca.crt"),
			"--authorization-mode=RBAC",
			"--allow-privileged",
			"--enable-priority-and-fairness=false",
			"--service-cluster-ip-range=10.0.0.0/16",
			"--service-account-issuer=https://kubernetes.default.svc",
			"--service-account-key-file=" + s.file("sa.pub"),
			"--service-account-signing-key-file=" + s.file("sa.key"),
			"--profiling=false",
			// The cache of a kind that is new turns the first to watch it away,
			// for a second.
			"--watch-cache=false",
		}, flags...),
	})
	if err != nil {
		return err
	}
	s.Client, err = client.NewWithWatch(s.Config, client.Options{Scheme: scheme()})
	if err != nil {
		return fmt.Errorf("cannot make a client of %s: %w", s.Name, err)
	}
	return nil
}

// ready asks the API server whether it serves.
func (s *Server) ready(ctx context.Context) error {
	c, err := rest.UnversionedRESTClientFor(s.unversioned())
	if err != nil {
		return fmt.Errorf("cannot make a client: %w", err)
	}
	b, err := c.Get().AbsPath("/readyz").DoRaw(ctx)
	if err != nil {
		return errors.Join(err, errors.New(string(b)))
	}
	return nil
}

func (s *Server) unversioned() *rest.Config {
	c := rest.CopyConfig(s.Config)
	c.NegotiatedSerializer = clientgoscheme.Codecs.WithoutConversion()
	return c
}

// startControllers starts the controller manager of a cluster. Nobody waits for
// it: what it does takes effect when it does.
func (f *Fleet) startControllers(s *Server, flags ...string) error {
	_, _, err := f.processes.begin(command{
		name: "kube-controller-manager-" + s.Name,
		path: f.programs.upstream(tools.KubeControllerManager()),
		args: append([]string{
			"--kubeconfig=" + s.Kubeconfig,
			"--leader-elect=false",
			"--secure-port=0",
			"--service-account-private-key-file=" + s.file("sa.key"),
			"--root-ca-file=" + s.file("ca.crt"),
			"--profiling=false",
		}, flags...),
	})
	return err
}

// scheme of what clients know by type. Anything else is read and written
// unstructured.
func scheme() *runtime.Scheme {
	s := runtime.NewScheme()
	_ = clientgoscheme.AddToScheme(s)
	_ = gatewayv1.Install(s)
	_ = apiextv1alpha1.AddToScheme(s)
	_ = apiextv2.AddToScheme(s)
	_ = pkgv1.AddToScheme(s)
	_ = pkgv1beta1.AddToScheme(s)
	s.AddKnownTypes(v1alpha1.GroupVersion,
		&v1alpha1.InferenceClass{}, &v1alpha1.InferenceCluster{}, &v1alpha1.InferenceGateway{},
		&v1alpha1.ModelDeployment{}, &v1alpha1.ModelReplica{}, &v1alpha1.ModelEndpoint{}, &v1alpha1.ModelService{})
	metav1.AddToGroupVersion(s, v1alpha1.GroupVersion)
	return s
}
