package xfn

import (
	"context"

	"github.com/alecthomas/kong"
	function "github.com/crossplane/function-sdk-go"
	"github.com/crossplane/function-sdk-go/logging"
	fnv1 "github.com/crossplane/function-sdk-go/proto/v1"
)

// mebibyte is 2^20 bytes.
const mebibyte = 1 << 20

// flags every function is served with. They are function-sdk-go's usual ones.
type flags struct {
	Debug              bool   `help:"Emit debug logs in addition to info logs." short:"d"`
	Network            string `default:"tcp" help:"Network on which to listen for gRPC connections."`
	Address            string `default:":9443" help:"Address at which to listen for gRPC connections."`
	TLSCertsDir        string `env:"TLS_SERVER_CERTS_DIR" help:"Directory of the server's certificate (tls.key, tls.crt) and the CA that verifies its clients (ca.crt)."`
	Insecure           bool   `help:"Serve without mTLS. TLS flags are ignored."`
	MaxRecvMessageSize int    `default:"64" help:"Largest request to accept, in MiB. It bounds the size of the fleet."`
	MetricsAddress     string `default:":8080" help:"Address at which to serve Prometheus metrics. Empty serves none."`
}

// Main serves a function until it fails. It is the whole of a function's main.
func Main(name string, compose Composer) {
	f := &flags{}
	ctx := kong.Parse(f, kong.Name(name), kong.Description("A Crossplane composition function of Modelplane."))
	ctx.FatalIfErrorf(serve(f, compose))
}

func serve(f *flags, compose Composer) error {
	useLazyCodec()
	log, err := function.NewLogger(f.Debug)
	if err != nil {
		return err
	}

	return function.Serve(NewServer(log, compose),
		function.Listen(f.Network, f.Address),
		function.MTLSCertificates(f.TLSCertsDir),
		function.Insecure(f.Insecure),
		function.MaxRecvMessageSize(f.MaxRecvMessageSize*mebibyte),
		function.WithMetricsServer(f.MetricsAddress))
}

// A Server serves a Composer over gRPC.
type Server struct {
	fnv1.UnimplementedFunctionRunnerServiceServer

	log     logging.Logger
	compose Composer
}

// NewServer returns a Server of the supplied Composer.
func NewServer(log logging.Logger, compose Composer) *Server {
	return &Server{log: log, compose: compose}
}

// RunFunction runs the Composer. It never returns an error: see Run.
func (s *Server) RunFunction(_ context.Context, req *fnv1.RunFunctionRequest) (*fnv1.RunFunctionResponse, error) {
	rsp := Run(s.compose, req)
	for _, r := range rsp.GetResults() {
		s.log.Debug(r.GetMessage(), "tag", req.GetMeta().GetTag(), "severity", r.GetSeverity().String())
	}
	return rsp, nil
}
