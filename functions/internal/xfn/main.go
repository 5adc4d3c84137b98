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

// A program is what a function's binary can do. It serves the function unless it
// is told to do something else.
type program struct {
	Serve server `cmd:"" default:"withargs" help:"Serve the composition function."`
}

// A server serves a function.
type server struct {
	flags
}

// Run until serving fails.
func (s *server) Run(compose Composer) error { return serve(&s.flags, compose) }

// A Command is something else that a function's binary can do.
type Command struct {
	Name string
	Help string

	// Run does it. It is a pointer to a struct of flags, for kong, with a method
	// Run() error.
	Run any
}

// Main serves a function until it fails, or does what the first argument says. It
// is the whole of a function's main.
func Main(name string, compose Composer, commands ...Command) {
	ctx := kong.Parse(&program{}, options(name, commands)...)
	ctx.FatalIfErrorf(ctx.Run(compose))
}

func options(name string, commands []Command) []kong.Option {
	out := []kong.Option{kong.Name(name), kong.Description("A Crossplane composition function of Modelplane.")}
	for _, c := range commands {
		out = append(out, kong.DynamicCommand(c.Name, c.Help, "", c.Run))
	}
	return out
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
