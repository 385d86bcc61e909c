package render

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/reporttext"
	"github.com/argo-why/argo-why/internal/slack/blocks"
	"github.com/argo-why/argo-why/internal/text"
)

// How much of the evidence is shown. The decisive line of a quote is at its start or end.
const (
	maxQuotes     = 5
	quoteLines    = 12
	maxQuote      = 1600
	maxFindings   = 5
	maxListed     = 10
	maxReferences = 3
)

// evidenceOf is the first reply: everything that the root message has no room for.
func evidenceOf(r *diagnose.Report, root shown) Message {
	f := reporttext.Subject(r)
	var body []blocks.Block
	if f != nil {
		if !root.why {
			body = append(body, fullWhy(f)...)
		}
		body = append(body, evidence(reporttext.Unquoted(r, f))...)
		body = append(body, alsoOn(f)...)
		body = append(body, restOfFix(f.Fix, root.steps)...)
	}
	rest := r.Effects
	if root.effect && len(rest) > 0 {
		rest = rest[1:]
	}
	body = append(body, effects(rest)...)
	body = append(body, syncTouches(r.Sync)...)
	body = append(body, otherFindings(r, f)...)
	body = append(body, unread(r)...)
	body = append(body, references(f)...)
	return message(body, []blocks.Block{blocks.Context(factsRead(r), "", never)}, "", "Evidence for "+r.Headline)
}

// fullWhy is what the root message may have cut.
func fullWhy(f *diagnose.Finding) []blocks.Block {
	content := text.OneLine(f.Why)
	if utf8.RuneCountInString(content) <= minWhy {
		return nil
	}
	return []blocks.Block{labelLine("Why", content)}
}

// alsoOn are the other resources that fail in the same way.
func alsoOn(f *diagnose.Finding) []blocks.Block {
	if len(f.Others) == 0 {
		return nil
	}
	return []blocks.Block{labelLine("Also on", strings.Join(text.First(reporttext.Others(f), maxListed), ", "))}
}

func evidence(quotes []diagnose.Quote) []blocks.Block {
	if len(quotes) == 0 {
		return nil
	}
	out := []blocks.Block{blocks.Text(blocks.Bold("Evidence"))}
	for i, q := range quotes {
		if i == maxQuotes {
			return append(out, blocks.Text(blocks.Plain(fmt.Sprintf("… and %s", text.Count(len(quotes)-i, "more quote", "more quotes")))))
		}
		out = append(out, blocks.Text(blocks.Plain(q.From)))
		out = append(out, blocks.Code(withoutMiddle(q.Text))...)
	}
	return out
}

// withoutMiddle leaves out the middle of a long text and says so: an error has its wrapping in front and its cause
// at the end, and so do logs.
func withoutMiddle(content string) string {
	lines := strings.Split(strings.Trim(content, "\n"), "\n")
	if len(lines) > quoteLines+1 {
		left := fmt.Sprintf("(… %d lines left out …)", len(lines)-quoteLines)
		lines = slices.Concat(lines[:3], []string{left}, lines[len(lines)-quoteLines+3:])
	}
	content = strings.Join(lines, "\n")
	letters := []rune(content)
	if len(letters) <= maxQuote {
		return content
	}
	head, tail := maxQuote/3, maxQuote*2/3
	left := fmt.Sprintf(" (… %d characters left out …) ", len(letters)-head-tail)
	return string(letters[:head]) + left + string(letters[len(letters)-tail:])
}

// restOfFix is of the steps what the root message does not show: steps, commands and YAML, to be copied. What it does show stays there,
// so that nobody compares the two.
func restOfFix(list []diagnose.Fix, shown []step) (out []blocks.Block) {
	for i, f := range list {
		content, command := f.Text, f.Command
		if i < len(shown) {
			if shown[i].command() {
				command = ""
			}
			if shown[i].whole() {
				content = ""
			}
		}
		if content == "" && command == "" && f.Patch == "" {
			continue
		}
		out = append(out, stepWhole(list, i, content, command)...)
	}
	if len(out) == 0 {
		return nil
	}
	label := "Fix"
	if len(shown) > 0 {
		label = "Fix, continued"
	}
	return append([]blocks.Block{blocks.Text(blocks.Bold(label))}, out...)
}

// fixes are all steps, whole, with what is to be pasted.
func fixes(label string, list []diagnose.Fix) []blocks.Block {
	if len(list) == 0 {
		return nil
	}
	out := []blocks.Block{blocks.Text(blocks.Bold(label))}
	for i, f := range list {
		out = append(out, stepWhole(list, i, f.Text, f.Command)...)
	}
	return out
}

// stepWhole is a step with its number and what is to be pasted. Without its text, which is read elsewhere, the number says which.
func stepWhole(list []diagnose.Fix, i int, content, command string) []blocks.Block {
	switch {
	case len(list) > 1 && content == "":
		content = fmt.Sprintf("For step %d:", i+1)
	case len(list) > 1:
		content = fmt.Sprintf("%d. %s", i+1, content)
	}
	return slices.Concat([]blocks.Block{blocks.Text(blocks.Plain(content))}, blocks.Code(command), blocks.Code(list[i].Patch))
}

func effects(list []string) []blocks.Block {
	if len(list) == 0 {
		return nil
	}
	return []blocks.Block{labelLine("Effect", strings.Join(list, " "))}
}

// syncTouches are what a sync would change.
func syncTouches(s diagnose.Sync) []blocks.Block {
	if len(s.Affects) == 0 {
		return nil
	}
	return []blocks.Block{labelLine("Would change", strings.Join(text.First(s.Affects, maxListed), ", "))}
}

// otherFindings are the findings that the report is not about. One that is a cause of its own has a fix of its own.
func otherFindings(r *diagnose.Report, about *diagnose.Finding) []blocks.Block {
	var out []blocks.Block
	n := 0
	for i := range r.Findings {
		f := &r.Findings[i]
		if f == about {
			continue
		}
		if n++; n > maxFindings {
			continue
		}
		what := f.Rule
		if f.Role != diagnose.RoleNote {
			what = string(f.Role) + ", " + what
		}
		out = append(out, labelLine("Also found", fmt.Sprintf("%s (%s)", text.OneLine(f.Title), what)))
		if f.Role == diagnose.RoleCause {
			out = append(out, fixes("Fix for this", f.Fix)...)
		}
	}
	if n > maxFindings {
		out = append(out, blocks.Text(blocks.Plain(fmt.Sprintf("… and %s", text.Count(n-maxFindings, "more finding", "more findings")))))
	}
	return out
}

// unread says what could not be read, because missing evidence does not mean health.
func unread(r *diagnose.Report) []blocks.Block {
	var out []blocks.Block
	for _, line := range reporttext.Unread(r.Examined) {
		out = append(out, labelLine("Not read", line))
	}
	if said := reporttext.Unchecked(r); said != "" {
		out = append(out, labelLine("Not checked", said))
	}
	if len(r.Unread) > 0 && r.Root() == nil {
		out = append(out, labelLine("Not checked", reporttext.Untold(r.Unread)))
	}
	return out
}

func references(f *diagnose.Finding) []blocks.Block {
	if f == nil || len(f.Links) == 0 {
		return nil
	}
	spans := []blocks.Span{blocks.Bold("Docs ")}
	for i, address := range f.Links[:min(maxReferences, len(f.Links))] {
		if i > 0 {
			spans = append(spans, blocks.Plain(", "))
		}
		spans = append(spans, blocks.Link(address, address))
	}
	return []blocks.Block{blocks.Text(spans...)}
}

// factsRead says what was examined.
func factsRead(r *diagnose.Report) string {
	if len(r.Examined) == 0 {
		return ""
	}
	var facts []string
	for _, e := range r.Examined {
		if e.Error == "" {
			facts = append(facts, strings.ReplaceAll(string(e.Fact), "-", " "))
		}
	}
	return "Examined: " + strings.Join(text.First(facts, maxListed), ", ")
}
