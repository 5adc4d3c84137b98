package xfnbench

import (
	"context"
	"errors"
	"os"
	"syscall"
	"testing"

	"github.com/crossplane/function-sdk-go/logging"
	fnv1 "github.com/crossplane/function-sdk-go/proto/v1"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/modelplane-go/modelplane/functions/internal/xfn"
)

// peakFrom is how many bytes a request has that peakLive can measure.
const peakFrom = 1 << 19

// A Request is a file that holds one, marshalled. Of what a benchmark measures,
// only what is measured now is in memory: a heap that is large already is
// collected less often, which makes everything else look cheap.
type Request string

// Save a request.
func Save(b *testing.B, req *fnv1.RunFunctionRequest) Request {
	b.Helper()
	f, err := os.CreateTemp(b.TempDir(), "request")
	if err != nil {
		b.Fatal(err)
	}
	_, err = f.Write(marshal(b, req))
	if err := errors.Join(err, f.Close()); err != nil {
		b.Fatal(err)
	}
	return Request(f.Name())
}

// RunFunction measures calls with a request.
func RunFunction(b *testing.B, compose xfn.Composer, r Request) {
	b.Helper()
	measure(b, r, func(request []byte) []byte {
		req := &fnv1.RunFunctionRequest{}
		if err := xfn.UnmarshalRequest(request, req); err != nil {
			b.Fatal(err)
		}
		return marshal(b, call(b, compose, req))
	})
}

// Unmarshal measures the yardstick: a request is unmarshalled by proto.Unmarshal,
// and no more.
func Unmarshal(b *testing.B, r Request) {
	b.Helper()
	measure(b, r, func(request []byte) []byte {
		if err := proto.Unmarshal(request, &fnv1.RunFunctionRequest{}); err != nil {
			b.Fatal(err)
		}
		return nil
	})
}

func measure(b *testing.B, r Request, run func(request []byte) []byte) {
	b.Helper()
	request, err := os.ReadFile(string(r))
	if err != nil {
		b.Fatal(err)
	}
	response := run(request)
	if len(request) >= peakFrom {
		peak := peakLive(func() { run(request) })
		defer func() { b.ReportMetric(float64(peak)/float64(len(request)), "peak/req") }()
	}

	b.ReportAllocs()
	start := cpu()
	for b.Loop() {
		run(request)
	}
	used := cpu() - start

	b.ReportMetric(float64(used)/float64(b.N), "cpu-ns/op")
	b.ReportMetric(float64(len(request)), "req-bytes")
	b.ReportMetric(float64(len(response)), "rsp-bytes")
}

// cpu is the time, in nanoseconds, that this process has used of all processors.
func cpu() int64 {
	u := syscall.Rusage{}
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err) // It takes no argument that could be wrong.
	}
	return u.Utime.Nano() + u.Stime.Nano()
}

// Reconcile calls a function as Crossplane does: again, until it requires what it
// was sent. It returns the last request, and what it was answered.
func Reconcile(t testing.TB, compose xfn.Composer, observed *fnv1.State, find func(required *fnv1.ResourceSelector) []*structpb.Struct) (*fnv1.RunFunctionRequest, *fnv1.RunFunctionResponse) {
	t.Helper()
	req := &fnv1.RunFunctionRequest{Observed: observed}
	var last *fnv1.Requirements
	for {
		rsp := call(t, compose, req)
		if proto.Equal(last, rsp.GetRequirements()) {
			return req, rsp
		}
		last = rsp.GetRequirements()
		req.RequiredResources = map[string]*fnv1.Resources{}
		for key, selector := range last.GetResources() {
			found := &fnv1.Resources{}
			for _, s := range find(selector) {
				found.Items = append(found.Items, &fnv1.Resource{Resource: s})
			}
			req.RequiredResources[key] = found
		}
	}
}

func marshal(t testing.TB, m proto.Message) []byte {
	t.Helper()
	out, err := proto.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func call(t testing.TB, compose xfn.Composer, req *fnv1.RunFunctionRequest) *fnv1.RunFunctionResponse {
	t.Helper()
	rsp, err := xfn.NewServer(logging.NewNopLogger(), compose).RunFunction(context.Background(), req)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rsp.GetResults() {
		if r.GetSeverity() == fnv1.Severity_SEVERITY_FATAL {
			t.Fatal(r.GetMessage())
		}
	}
	return rsp
}
