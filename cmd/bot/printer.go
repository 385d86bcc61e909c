package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"golang.org/x/term"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/terminal"
)

const (
	formatText = "text"
	formatJSON = "json"
	formatYAML = "yaml"

	colorAuto   = "auto"
	colorAlways = "always"
	colorNever  = "never"

	// maxWidth is where lines become hard to read.
	maxWidth = 100
)

var (
	formats = []string{formatText, formatJSON, formatYAML}
	colors  = []string{colorAuto, colorAlways, colorNever}
)

// printer writes one report after the other.
type printer struct {
	out     io.Writer
	format  string
	text    terminal.Options
	printed int
}

func newPrinter(out io.Writer, format, color string) *printer {
	return &printer{out: out, format: format, text: layout(out, color)}
}

// layout fits the text to where it goes.
func layout(out io.Writer, color string) terminal.Options {
	o := terminal.Options{Color: color == colorAlways || color == colorAuto && isTerminal(out) && os.Getenv("NO_COLOR") == ""}
	if f, ok := out.(*os.File); ok && isTerminal(out) {
		if width, _, err := term.GetSize(int(f.Fd())); err == nil {
			o.Width = min(width, maxWidth)
		}
	}
	return o
}

// isTerminal reports whether a person with a capable terminal is at the other end.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd())) && os.Getenv("TERM") != "dumb"
}

func (p *printer) print(r *diagnose.Report, took time.Duration) error {
	p.printed++
	switch p.format {
	case formatJSON:
		return terminal.JSON(p.out, r)
	case formatYAML:
		p.separate("---")
		return terminal.YAML(p.out, r)
	}
	p.separate("")
	o := p.text
	o.Took = took
	return terminal.Text(p.out, r, o)
}

func (p *printer) separate(line string) {
	if p.printed > 1 {
		fmt.Fprintln(p.out, line)
	}
}
