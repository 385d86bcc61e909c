package config

import (
	"fmt"
	"slices"
	"strings"
)

// Problem is one thing wrong with the file.
type Problem struct {
	// Path is the key, as in "argocd[1].token"; empty for the file as a whole.
	Path string
	// Line is the line in the file, counted from 1; 0 if there is none to name.
	Line int
	// Text says what is wrong and what to write, in one line.
	Text string
}

// String is the problem without the name of its file: "12: argocd[1].token: missing: …".
func (p Problem) String() string {
	var b strings.Builder
	if p.Line > 0 {
		fmt.Fprintf(&b, "%d: ", p.Line)
	}
	if p.Path != "" {
		b.WriteString(p.Path + ": ")
	}
	return b.String() + p.Text
}

// Error is a file that cannot be used, with everything that is wrong with it, in the order of its lines.
type Error struct {
	// File is its name; empty if it was not read from one.
	File     string
	Problems []Problem
}

// Error is one line for each problem.
func (e *Error) Error() string {
	lines := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		lines[i] = p.String()
		switch {
		case e.File != "" && p.Line > 0:
			lines[i] = e.File + ":" + lines[i] // clickable in a terminal
		case e.File != "":
			lines[i] = e.File + ": " + lines[i]
		}
	}
	return strings.Join(lines, "\n")
}

// findings collects problems and knows the line of each key in the file.
type findings struct {
	lines    map[string]int
	problems []Problem
	// misspelt are the keys that a wrong one was probably meant to be: they are not reported as missing as well.
	misspelt map[string]bool
}

// add notes a problem. A key that is already known to be wrong is not reported twice: what follows from the first
// problem helps nobody.
func (f *findings) add(path, format string, args ...any) {
	if f.full() || f.misspelt[path] || slices.ContainsFunc(f.problems, func(p Problem) bool { return within(path, p.Path) || within(p.Path, path) }) {
		return
	}
	f.note(path, f.line(path), format, args...)
}

// maxProblems is more than anybody reads. Looking for what was meant takes time for each.
const maxProblems = 100

func (f *findings) full() bool { return len(f.problems) >= maxProblems }

// note adds a problem in any case.
func (f *findings) note(path string, line int, format string, args ...any) {
	if f.full() {
		return
	}
	f.problems = append(f.problems, Problem{Path: path, Line: line, Text: fmt.Sprintf(format, args...)})
}

// line is that of the key, or of the nearest key around it.
func (f *findings) line(path string) int {
	for path != "" {
		if line, ok := f.lines[path]; ok {
			return line
		}
		path = path[:max(strings.LastIndexAny(path, ".["), 0)]
	}
	return 0
}

// within reports whether a path is the other or is inside it. Everything is inside the file.
func within(path, other string) bool {
	if other == "" {
		return true
	}
	rest, ok := strings.CutPrefix(path, other)
	return ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
}

// err is everything found, or nil.
func (f *findings) err() error {
	if len(f.problems) == 0 {
		return nil
	}
	slices.SortStableFunc(f.problems, func(a, b Problem) int { return a.Line - b.Line })
	return &Error{Problems: f.problems}
}
