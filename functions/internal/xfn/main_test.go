package xfn

import (
	"testing"

	"github.com/alecthomas/kong"
	"github.com/google/go-cmp/cmp"
)

// other is a command beside the function.
type other struct {
	Address string `help:"Where to listen."`
}

// Run does nothing.
func (*other) Run() error { return nil }

// TestArguments: a function is started with the same flags whether its binary can
// do something else or not.
func TestArguments(t *testing.T) {
	usual := flags{Network: "tcp", Address: ":9443", MaxRecvMessageSize: 64, MetricsAddress: ":8080"}
	insecure := usual
	insecure.Insecure, insecure.Debug, insecure.Address = true, true, ":1234"

	cases := map[string]struct {
		reason  string
		args    []string
		command string
		flags   flags
		other   other
	}{
		"None":     {reason: "Without arguments the function is served.", command: "serve", flags: usual},
		"Flags":    {reason: "The function's flags need no command.", args: []string{"--insecure", "-d", "--address=:1234"}, command: "serve", flags: insecure},
		"Command":  {reason: "A command is told by its name.", args: []string{"other"}, command: "other", flags: usual},
		"OwnFlags": {reason: "A command's flags are its own.", args: []string{"other", "--address=127.0.0.1:1"}, command: "other", flags: usual, other: other{Address: "127.0.0.1:1"}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			p, o := &program{}, &other{}
			parser, err := kong.New(p, options("function", []Command{{Name: "other", Help: "Something else.", Run: o}})...)
			if err != nil {
				t.Fatal(err)
			}
			ctx, err := parser.Parse(tc.args)
			if err != nil {
				t.Fatalf("\n%s\ncannot parse %q: %v", tc.reason, tc.args, err)
			}
			if diff := cmp.Diff(tc.command, ctx.Command()); diff != "" {
				t.Errorf("\n%s\ncommand: -want, +got:\n%s", tc.reason, diff)
			}
			if diff := cmp.Diff(tc.flags, p.Serve.flags); diff != "" {
				t.Errorf("\n%s\nflags: -want, +got:\n%s", tc.reason, diff)
			}
			if diff := cmp.Diff(tc.other, *o); diff != "" {
				t.Errorf("\n%s\nflags of the command: -want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}
