package preview

import (
	"bytes"
	"strings"
	"text/tabwriter"
)

// width of the comments a person reads, in characters.
const width = 100

// A report is text for a person, each line of which is a YAML comment.
type report struct {
	b bytes.Buffer
}

// line adds a line at a depth of indentation.
func (r *report) line(depth int, text string) {
	r.b.WriteString(strings.TrimRight("# "+strings.Repeat("  ", depth)+text, " ") + "\n")
}

// blank adds an empty line.
func (r *report) blank() { r.line(0, "") }

// paragraph adds text, wrapped. Every line but the first is indented further.
func (r *report) paragraph(depth int, text string) {
	for i, l := range wrap(text, width-2*depth-4) {
		r.line(depth+min(i, 1), l)
	}
}

// table adds rows in columns. The first row is the heading.
func (r *report) table(depth int, rows [][]string) {
	var b bytes.Buffer
	tw := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		_, _ = tw.Write([]byte(strings.Join(row, "\t") + "\n"))
	}
	_ = tw.Flush()
	for l := range strings.Lines(b.String()) {
		r.line(depth, strings.TrimRight(l, " \n"))
	}
}

// wrap text at spaces.
func wrap(text string, width int) []string {
	var lines []string
	line := ""
	for word := range strings.FieldsSeq(text) {
		if line != "" && len(line)+1+len(word) > width {
			lines = append(lines, line)
			line = ""
		}
		line = strings.TrimPrefix(line+" "+word, " ")
	}
	return append(lines, line)
}
