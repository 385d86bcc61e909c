package world

import (
	"bytes"
	"io"
)

// lastLine passes on what a process writes, and keeps its last line, in which a command that fails says why.
type lastLine struct {
	to   io.Writer // nil for nowhere
	line []byte    // begun or complete
	done bool      // the line is complete: the next byte begins another one
}

// longestLine is enough for an error. A longer one loses its end.
const longestLine = 1000

func (l *lastLine) Write(p []byte) (int, error) {
	for part := range bytes.Lines(p) {
		if len(bytes.TrimSpace(part)) == 0 {
			l.done = true
			continue
		}
		if l.done {
			l.line, l.done = nil, false
		}
		text, complete := bytes.CutSuffix(part, []byte("\n"))
		l.line = append(l.line, text[:min(len(text), longestLine-len(l.line))]...)
		l.done = complete
	}
	if l.to == nil {
		return len(p), nil
	}
	return l.to.Write(p)
}

func (l *lastLine) String() string { return string(bytes.TrimSpace(l.line)) }
