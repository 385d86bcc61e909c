package terminal

import (
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/program"
	"github.com/argo-why/argo-why/internal/reporttext"
	"github.com/argo-why/argo-why/internal/text"
)

// rest is what follows the answer: other findings, the quotes, what could not be read, and which rule matched.
func (p *page) rest(r *diagnose.Report) {
	p.also(r)
	p.gap()
	f := reporttext.Subject(r)
	if f != nil && f.Rule != reporttext.NoRule {
		p.quotes(reporttext.Unquoted(r, f))
	}
	p.unread(r)
	if r.Verdict == diagnose.VerdictHealthy && f == nil {
		return
	}
	p.hang(at(0), reporttext.Basis(f), dim)
}

// also lists the findings that the report is not about. Another cause has a fix of its own, unless it is fixed like the first.
func (p *page) also(r *diagnose.Report) {
	subject := reporttext.Subject(r)
	l := labelled("Also found")
	for i := range r.Findings {
		f := &r.Findings[i]
		if f == subject {
			continue
		}
		p.hang(p.heading(l), otherTitle(f)+" ("+role(f)+f.Rule+")", plain)
		l.label = ""
		if f.Role == diagnose.RoleCause {
			p.hang(at(column+2), text.OneLine(f.Why), plain)
		}
		if f.Role == diagnose.RoleCause && !slices.Equal(f.Fix, subject.Fix) {
			p.fixes(lead{column: column + 2, bullet: "Fix: "}, f.Fix)
		}
	}
}

// otherTitle is the title of another finding, with its resource.
func otherTitle(f *diagnose.Finding) string {
	title := text.OneLine(f.Title)
	if f.Resource.Name == "" || strings.Contains(title, f.Resource.Name) {
		return title
	}
	return f.Resource.String() + ": " + strings.TrimPrefix(title, f.Resource.Kind+": ")
}

// role is what another finding is to the report.
func role(f *diagnose.Finding) string {
	switch f.Role {
	case diagnose.RoleCause:
		return "another cause, "
	case diagnose.RoleEffect:
		return "effect, "
	case diagnose.RoleNote:
	}
	return ""
}

func (p *page) quotes(quotes []diagnose.Quote) {
	l := labelled("Evidence")
	shortened := false
	for i, q := range quotes {
		if i == maxQuotes {
			p.hang(p.heading(l), "and "+text.Count(len(quotes)-i, "more quote", "more quotes"), dim)
			shortened = true
			break
		}
		content := strings.TrimSpace(q.Text)
		if strings.Contains(content, "\n") {
			content = strings.Trim(q.Text, "\n")
		}
		short := shortenLines(content, quoteHead, quoteTail, longQuote)
		shortened = shortened || short != content
		separator := " "
		if strings.Contains(short, "\n") {
			separator = "\n"
		}
		p.hang(p.heading(l), q.From+":"+separator+short, plain)
		l.label = ""
	}
	if shortened {
		p.hang(at(column), inFull, dim)
	}
}

// inFull is where everything is that was left out.
const inFull = "(shortened: -o json shows everything)"

// unread says what could not be read, because absence of evidence is no health: plainly if no cause was found, else beside the
// footer.
func (p *page) unread(r *diagnose.Report) {
	s := plain
	if r.Root() != nil {
		s = dim
	}
	l := labelled("Not read")
	for _, line := range reporttext.Unread(r.Examined) {
		p.hang(p.heading(l), shorten(line, longQuote), s)
		l.label = ""
	}
	if said := reporttext.Unchecked(r); said != "" {
		p.hang(p.heading(labelled("Not checked")), said+whereToAsk(r), plain)
	}
	if len(r.Unread) > 0 && r.Root() == nil {
		p.hang(p.heading(labelled("Not checked")), reporttext.Untold(r.Unread)+whereToAsk(r), plain)
	}
}

// whereToAsk is how to get what a file does not contain: the Application alone says little about what differs or crashes.
func whereToAsk(r *diagnose.Report) string {
	absent := slices.ContainsFunc(r.Examined, func(e diagnose.Examined) bool {
		return (e.Fact == evidence.KindManaged || e.Fact == evidence.KindTree) && strings.HasSuffix(e.Error, evidence.ErrAbsent.Error())
	})
	if !absent {
		return ""
	}
	return message.After("; to read it from Argo CD: ", diagnose.Printed(diagnose.Shell(program.Name()+" why %s", r.App.Label())))
}
