package terminal

import (
	"io"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/preflight"
	"github.com/argo-why/argo-why/internal/program"
	"github.com/argo-why/argo-why/internal/sanitize"
	"github.com/argo-why/argo-why/internal/text"
)

// Checks writes what a check of the installation found, and how many of it are problems. Without a width each finding is one line, for grep.
func Checks(w io.Writer, findings []preflight.Finding, opt Options) error {
	p := newPage(opt)
	var ok, warnings, problems int
	for _, f := range findings {
		color := red
		switch {
		case f.OK():
			color, ok = green, ok+1
		case f.Optional:
			color, warnings = yellow, warnings+1
		default:
			problems++
		}
		p.finding(text.OneLine(strings.TrimSpace(sanitize.Text(f.String()))), color, opt.Width > 0) // it quotes Slack, Argo CD and the cluster
	}
	p.gap()
	var total []string
	for _, part := range []struct {
		n          int
		one, other string
		style      style
	}{{ok, "ok", "ok", green}, {warnings, "warning", "warnings", yellow}, {problems, "problem", "problems", red}} {
		if part.n > 0 {
			total = append(total, p.paint(part.style, text.Count(part.n, part.one, part.other)))
		}
	}
	p.raw(strings.Join(total, ", "))
	return write(w, []byte(p.b.String()))
}

// finding writes a line behind its mark.
func (p *page) finding(line string, s style, wrapped bool) {
	const indent = "  "
	mark, rest, _ := strings.Cut(line, " ")
	lines := []string{rest}
	if wrapped {
		lines = wrap(keepCommands(rest), p.width-len(indent))
	}
	for i, line := range lines {
		left := indent
		if i == 0 {
			left = p.paint(s, mark) + " "
		}
		p.raw(left + strings.ReplaceAll(line, fixedSpace, " "))
	}
}

// fixedSpace is a space at which no line is broken.
const fixedSpace = "\u00a0"

// keepCommands keeps on one line what people copy: commands, and lines of Argo CD's policy. Where a command ends is guessed: too late
// costs a short line.
func keepCommands(line string) string {
	programs := []string{program.Word(), "kubectl", "argocd", "helm"}
	words := strings.Split(line, " ")
	command, policy := false, false
	for i, word := range words[:len(words)-1] {
		command = command || slices.Contains(programs, strings.TrimLeft(word, "'\"`("))
		policy = policy || word == "p,"
		if strings.ContainsAny(word[max(0, len(word)-1):], ",;:.)'\"`") || slices.Contains([]string{"and", "or", "to"}, words[i+1]) {
			command = false
		}
		words[i] += " "
		if command || policy {
			words[i] = word + fixedSpace
		}
	}
	return strings.Join(words, "")
}
