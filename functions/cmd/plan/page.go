package main

import (
	"slices"
	"strings"
	"text/tabwriter"
	"unicode/utf8"
)

// Widths of what people read, in characters.
const (
	width    = 110
	minWidth = 30 // Of the last column of a table.
)

// A page is text for people.
type page struct {
	strings.Builder
}

func (p *page) line(s string) { _, _ = p.WriteString(strings.TrimRight(s, " ") + "\n") }

// title begins a section.
func (p *page) title(s string) {
	p.line("")
	if s != "" {
		p.line(s)
	}
}

// bullets are a section of sentences. There is none without any.
func (p *page) bullets(title string, all []string) {
	if len(all) == 0 {
		return
	}
	p.title(title)
	for _, s := range all {
		for i, l := range wrap(s, width-2) {
			p.line([]string{"- ", "  "}[min(i, 1)] + l)
		}
	}
}

// table is a section of rows in columns, the first of which is their heading.
// There is none without a second. The last column is wrapped.
func (p *page) table(title string, rows [][]string) {
	if len(rows) < 2 {
		return
	}
	p.title(title)
	room := max(minWidth, width-taken(rows))
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		for i, l := range wrap(row[len(row)-1], room) {
			cells := make([]string, len(row))
			if i == 0 {
				copy(cells, row)
			}
			cells[len(row)-1] = l
			_, _ = w.Write([]byte(strings.Join(cells, "\t") + "\n"))
		}
	}
	_ = w.Flush()
	for l := range strings.Lines(b.String()) {
		p.line(strings.TrimRight(l, " \n"))
	}
}

// taken is how wide all columns but the last are.
func taken(rows [][]string) int {
	widths := make([]int, len(rows[0])-1)
	for _, row := range rows {
		for i := range min(len(row), len(widths)) {
			widths[i] = max(widths[i], utf8.RuneCountInString(row[i]))
		}
	}
	sum := 0
	for w := range slices.Values(widths) {
		sum += w + 2
	}
	return sum
}

// wrap text at spaces.
func wrap(s string, width int) []string {
	var out []string
	line := ""
	for word := range strings.FieldsSeq(s) {
		if line != "" && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > width {
			out = append(out, line)
			line = ""
		}
		line = strings.TrimPrefix(line+" "+word, " ")
	}
	return append(out, line)
}
