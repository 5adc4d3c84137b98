package bench

import (
	"bufio"
	"bytes"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Units of what benchmarks measure.
const (
	unitTime     = "ns/op"
	unitCPU      = "cpu-ns/op"
	unitBytes    = "B/op"
	unitAllocs   = "allocs/op"
	unitRequest  = "req-bytes"
	unitResponse = "rsp-bytes"
	unitPeak     = "peak/req"
)

// The benchmarks whose ratio is printed, and of which fleet.
const (
	ratioSize    = "100x1000"
	ratioOf      = "RunFunction/" + ratioSize + "/Place"
	ratioTo      = "RunFunction/" + ratioSize + "/Unmarshal"
	ratioPackage = "compose-model-deployment"
)

// A result is what was measured of a benchmark.
type result struct {
	pkg    string // The last element of the package's path.
	name   string
	values map[string][]float64 // By unit, one of each round.
}

// median of what was measured in a unit, and false if nothing was.
func (r result) median(unit string) (float64, bool) {
	vs := slices.Sorted(slices.Values(r.values[unit]))
	if len(vs) == 0 {
		return 0, false
	}
	return (vs[(len(vs)-1)/2] + vs[len(vs)/2]) / 2, true
}

// time a call takes of all processors, or if the benchmark does not say, by the
// clock.
func (r result) time() (float64, bool) {
	if t, ok := r.median(unitCPU); ok {
		return t, true
	}
	return r.median(unitTime)
}

// A line of a benchmark: its name, without the number of processors it had, the
// number of calls, and values.
var benchmarkLine = regexp.MustCompile(`^Benchmark(\S+?)(?:-\d+)?\s+\d+\s+(.+)$`)

// parse what benchmarks print, in the order they are in first.
func parse(text []byte) ([]result, error) {
	var out []result
	pkg := ""
	lines := bufio.NewScanner(bytes.NewReader(text))
	for lines.Scan() {
		if p, ok := strings.CutPrefix(lines.Text(), "pkg: "); ok {
			pkg = path.Base(p)
		}
		m := benchmarkLine.FindStringSubmatch(lines.Text())
		if m == nil {
			continue
		}
		i := slices.IndexFunc(out, func(r result) bool { return r.pkg == pkg && r.name == m[1] })
		if i < 0 {
			i = len(out)
			out = append(out, result{pkg: pkg, name: m[1], values: map[string][]float64{}})
		}
		for pair := range slices.Chunk(strings.Fields(m[2]), 2) {
			v, err := strconv.ParseFloat(pair[0], 64)
			if err != nil || len(pair) != 2 {
				return nil, fmt.Errorf("cannot read what benchmark %s printed: %q", m[1], lines.Text())
			}
			out[i].values[pair[1]] = append(out[i].values[pair[1]], v)
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("cannot find a benchmark in %q", text)
	}
	return out, lines.Err()
}

// ratio of the time of a call that places a replica to that of unmarshalling its
// request, and false if they were not measured.
func ratio(results []result) (float64, bool) {
	times := map[string]float64{}
	for _, r := range results {
		if r.pkg == ratioPackage {
			times[r.name], _ = r.time()
		}
	}
	return times[ratioOf] / times[ratioTo], times[ratioOf] > 0 && times[ratioTo] > 0
}

// machine that benchmarks ran on, as far as they say.
func machine(text []byte) string {
	for line := range strings.Lines(string(text)) {
		if cpu, ok := strings.CutPrefix(line, "cpu: "); ok {
			return strings.TrimSpace(cpu)
		}
	}
	return "unknown"
}
