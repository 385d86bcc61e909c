package main

import (
	"fmt"
	"io"
	"os"
	"strconv"

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

	// colorUsage explains --color.
	colorUsage = "use color `WHEN`: auto (on a terminal, unless NO_COLOR or FORCE_COLOR say otherwise), always or never"

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

// layout fits the text to where it goes. A width in COLUMNS is meant, so it is taken as it is; a terminal may be wider than what
// is easy to read.
func layout(out io.Writer, color string) terminal.Options {
	o := terminal.Options{Color: hasColor(out, color), Now: now()}
	if width, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && width > 0 {
		o.Width = width
		return o
	}
	if f, ok := out.(*os.File); ok && isTerminal(out) {
		if width, _, err := term.GetSize(int(f.Fd())); err == nil {
			o.Width = min(width, maxWidth)
		}
	}
	return o
}

// hasColor decides about colors. What is said by a flag goes before the environment; in it, NO_COLOR (https://no-color.org) goes
// before FORCE_COLOR and CLICOLOR_FORCE (https://bixense.com/clicolors, https://force-color.org), which go before what the output
// is.
func hasColor(out io.Writer, color string) bool {
	switch {
	case color != colorAuto:
		return color == colorAlways
	case os.Getenv("NO_COLOR") != "":
		return false
	case isOn("FORCE_COLOR"), isOn("CLICOLOR_FORCE"):
		return true
	}
	return isTerminal(out) && os.Getenv("CLICOLOR") != "0"
}

// isOn reports whether a variable is set to anything that does not mean no.
func isOn(variable string) bool {
	value := os.Getenv(variable)
	return value != "" && value != "0" && value != "false"
}

// isTerminal reports whether the output is a terminal that can do more than print.
func isTerminal(w io.Writer) bool { return isWatched(w) && os.Getenv("TERM") != "dumb" }

// isWatched reports whether the output is a terminal, of whatever kind.
func isWatched(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

func (p *printer) print(r *diagnose.Report) error {
	p.printed++
	switch p.format {
	case formatJSON:
		return terminal.JSON(p.out, r)
	case formatYAML:
		p.separate("---")
		return terminal.YAML(p.out, r)
	}
	p.separate("")
	return terminal.Text(p.out, r, p.text)
}

func (p *printer) separate(line string) {
	if p.printed > 1 {
		fmt.Fprintln(p.out, line)
	}
}
