package bench

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/modelplane-go/modelplane/tests/tools"
)

const printed = `goos: linux
goarch: amd64
pkg: example.org/functions/internal/scheduling
cpu: Some CPU
BenchmarkSchedule/10x100-2         	     100	   1500 ns/op	  2000 B/op	   30 allocs/op
PASS
pkg: example.org/functions/compose-model-deployment
BenchmarkRunFunction/100x1000/Place-2         	       7	 90000000 ns/op	  60000000 cpu-ns/op	  3.30 peak/req	  1451104 req-bytes	  9795 rsp-bytes	 17000000 B/op	  276677 allocs/op
BenchmarkRunFunction/100x1000/Unmarshal-2     	       7	 90000000 ns/op	  80000000 cpu-ns/op	  17000000 B/op	  478563 allocs/op
PASS
pkg: example.org/functions/compose-model-deployment
BenchmarkRunFunction/100x1000/Place-2         	       7	 90000000 ns/op	  62000000 cpu-ns/op	  3.50 peak/req	  1451104 req-bytes	  9795 rsp-bytes	 17000000 B/op	  276677 allocs/op
`

func TestParse(t *testing.T) {
	got, err := parse([]byte(printed))
	if err != nil {
		t.Fatal(err)
	}
	want := []result{
		{pkg: "scheduling", name: "Schedule/10x100", values: map[string][]float64{unitTime: {1500}, unitBytes: {2000}, unitAllocs: {30}}},
		{pkg: "compose-model-deployment", name: ratioOf, values: map[string][]float64{
			unitTime: {9e7, 9e7}, unitCPU: {6e7, 6.2e7}, unitPeak: {3.3, 3.5}, unitRequest: {1451104, 1451104},
			unitResponse: {9795, 9795}, unitBytes: {17e6, 17e6}, unitAllocs: {276677, 276677},
		}},
		{pkg: "compose-model-deployment", name: ratioTo, values: map[string][]float64{unitTime: {9e7}, unitCPU: {8e7}, unitBytes: {17e6}, unitAllocs: {478563}}},
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(result{})); diff != "" {
		t.Errorf("parse(...): -want, +got:\n%s", diff)
	}
	if r, ok := ratio(got); !ok || r != 6.1e7/8e7 {
		t.Errorf("ratio(...): want %f, got %f, %t", 6.1e7/8e7, r, ok)
	}
	if got := machine([]byte(printed)); got != "Some CPU" {
		t.Errorf("machine(...): got %s", got)
	}
	for _, text := range []string{"", "FAIL", "BenchmarkX 1 2", "BenchmarkX 1 two ns/op"} {
		if _, err := parse([]byte(text)); err == nil {
			t.Errorf("parse(%q): want an error", text)
		}
	}
}

func TestWriteTable(t *testing.T) {
	results, err := parse([]byte(printed))
	if err != nil {
		t.Fatal(err)
	}
	var got bytes.Buffer
	if err := writeTable(&got, results); err != nil {
		t.Fatal(err)
	}
	want := `scheduling                                     time    allocated  allocations      request     response peak/request
  Schedule/10x100                           1.50 us      2.00 kB           30            -            -            -
compose-model-deployment                       time    allocated  allocations      request     response peak/request
  RunFunction/100x1000/Place                61.0 ms      17.0 MB        277 k      1.45 MB      9.79 kB          3.4
  RunFunction/100x1000/Unmarshal            80.0 ms      17.0 MB        479 k            -            -            -
`
	if diff := cmp.Diff(want, got.String()); diff != "" {
		t.Errorf("writeTable(...): -want, +got:\n%s", diff)
	}
}

// TestBaseline checks that the baseline has what the ratio is made of.
func TestBaseline(t *testing.T) {
	root, err := tools.Root()
	if err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(baselineFile)))
	if err != nil {
		t.Fatal(err)
	}
	results, err := parse(b)
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := ratio(results); !ok {
		t.Errorf("%s lacks %s or %s: write it anew with `make bench UPDATE=1`", baselineFile, ratioOf, ratioTo)
	}
}
