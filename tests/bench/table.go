package bench

import (
	"fmt"
	"io"
	"strings"
)

// columns of the table, after the names.
func columns() []column {
	return []column{
		{title: "time", of: func(r result) (float64, bool) { return r.time() }, format: duration},
		{title: "allocated", of: in(unitBytes), format: bytes10},
		{title: "allocations", of: in(unitAllocs), format: count},
		{title: "request", of: in(unitRequest), format: bytes10},
		{title: "response", of: in(unitResponse), format: bytes10},
		{title: "peak/request", of: in(unitPeak), format: func(v float64) string { return fmt.Sprintf("%.1f", v) }},
	}
}

// A column of the table.
type column struct {
	title  string
	of     func(r result) (float64, bool)
	format func(v float64) string
}

func in(unit string) func(r result) (float64, bool) {
	return func(r result) (float64, bool) { return r.median(unit) }
}

// writeTable of what was measured, a block for each package.
func writeTable(out io.Writer, results []result) error {
	pkg := ""
	for _, r := range results {
		if r.pkg != pkg {
			pkg = r.pkg
			titles := []string{}
			for _, c := range columns() {
				titles = append(titles, c.title)
			}
			if err := writeRow(out, pkg, titles); err != nil {
				return err
			}
		}
		cells := []string{}
		for _, c := range columns() {
			cell := "-"
			if v, ok := c.of(r); ok {
				cell = c.format(v)
			}
			cells = append(cells, cell)
		}
		if err := writeRow(out, "  "+r.name, cells); err != nil {
			return err
		}
	}
	return nil
}

func writeRow(out io.Writer, name string, cells []string) error {
	for i, c := range cells {
		cells[i] = fmt.Sprintf("%13s", c)
	}
	_, err := fmt.Fprintf(out, "%-38s%s\n", name, strings.Join(cells, ""))
	return err
}

func duration(ns float64) string {
	return scaled(ns, 1000, []string{"ns", "us", "ms", "s"})
}

func bytes10(n float64) string {
	return scaled(n, 1000, []string{"B", "kB", "MB", "GB"})
}

func count(n float64) string {
	return strings.TrimSpace(scaled(n, 1000, []string{"", "k", "M", "G"}))
}

// scaled to the largest unit of which there is one, with three digits.
func scaled(v, step float64, units []string) string {
	i := 0
	for v >= step && i < len(units)-1 {
		v /= step
		i++
	}
	digits := 2
	switch {
	case i == 0 || v >= 100:
		digits = 0
	case v >= 10:
		digits = 1
	}
	return fmt.Sprintf("%.*f %s", digits, v, units[i])
}
