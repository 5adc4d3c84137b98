package demo

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
)

// A Screen shows views to a person: in place on a terminal, and elsewhere one
// after another, whenever something changes.
type Screen struct {
	out      io.Writer
	terminal bool

	mu     sync.Mutex
	footer string
	last   string
}

// NewScreen returns a Screen that writes to a file.
func NewScreen(f *os.File) *Screen {
	fi, err := f.Stat()
	return &Screen{out: f, terminal: err == nil && fi.Mode()&os.ModeCharDevice != 0}
}

// Footer is text below every view from now on.
func (s *Screen) Footer(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.footer = text
	s.last = ""
}

// Show a state, if it looks other than the last one.
func (s *Screen) Show(state State) {
	s.mu.Lock()
	defer s.mu.Unlock()
	view := View(state)
	if view == s.last {
		return
	}
	s.last = view
	if !s.terminal {
		_, _ = fmt.Fprintf(s.out, "\n%s%s", view, s.footerOnce())
		return
	}
	// Home, then each line with what was to its right erased, then the rest of
	// the screen.
	text := strings.ReplaceAll(view+s.footer, "\n", "\x1b[K\n")
	_, _ = fmt.Fprint(s.out, "\x1b[H"+text+"\x1b[J")
}

// footerOnce is the footer, once: a log has no bottom.
func (s *Screen) footerOnce() string {
	text := s.footer
	s.footer = ""
	return text
}

// Speak text as it comes, after what was said last.
func (s *Screen) Speak(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, _ = fmt.Fprint(s.out, text)
}

// Sayf says a line that stays.
func (s *Screen) Sayf(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last = ""
	if s.terminal {
		_, _ = fmt.Fprint(s.out, "\x1b[2J\x1b[H")
	}
	_, _ = fmt.Fprintf(s.out, format+"\n", args...)
}
