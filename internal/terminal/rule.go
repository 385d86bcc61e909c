package terminal

import (
	"fmt"
	"io"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/reporttext"
)

// Rules lists rules with their titles, group by group. about describes a group.
func Rules(w io.Writer, rules []*diagnose.Rule, about func(group string) string, opt Options) error {
	p := newPage(opt)
	wide, group := 0, ""
	for _, r := range rules {
		wide = max(wide, len(r.ID))
	}
	for _, r := range rules {
		if r.Group() != group {
			group = r.Group()
			p.gap()
			p.raw(p.paint(bold, group) + ": " + about(group))
		}
		// One line each, however long: people search this list with grep.
		p.raw(fmt.Sprintf("  %-*s  %s", wide, r.ID, r.Doc.Title))
	}
	return write(w, []byte(p.b.String()))
}

// Rule explains a rule.
func Rule(w io.Writer, r *diagnose.Rule, opt Options) error {
	const beside = 11
	p := newPage(opt)
	p.hang(at(0), r.ID+": "+r.Doc.Title, bold)
	p.gap()
	part := func(name, content string) {
		if content != "" {
			p.hang(lead{label: name, column: beside}, content, plain)
		}
	}
	part("What", r.Doc.What)
	part("Decisive", r.Doc.Decisive)
	part("Example", r.Doc.Example)
	part("Fix", r.Doc.Fix)
	lead, reason := reporttext.Sync(diagnose.Sync{Verdict: r.Sync.Verdict, Why: r.Sync.Why})
	part("Sync", lead+reason)
	part("Reads", Reads(r))
	part("Symptom of", strings.Join(r.ExplainedBy, ", "))
	for i, link := range r.Doc.Links {
		label := ""
		if i == 0 {
			label = "Links"
		}
		p.raw(p.paint(dim, label) + strings.Repeat(" ", beside-len(label)) + link)
	}
	return write(w, []byte(p.b.String()))
}

// Reads says what evidence a rule looks at.
func Reads(r *diagnose.Rule) string {
	if len(r.Needs) == 0 {
		return "the application only"
	}
	var kinds []string
	for _, k := range r.Needs {
		kinds = append(kinds, string(k))
	}
	return "the application, and if needed: " + strings.Join(kinds, ", ")
}
