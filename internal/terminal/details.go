package terminal

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/reporttext"
	"github.com/argo-why/argo-why/internal/text"
)

// rest is what stands below the answer: other findings, the quotes, what could not be read, and what it took.
func (p *page) rest(r *diagnose.Report, opt Options) {
	p.also(r)
	f := reporttext.Subject(r)
	if f != nil && f.Rule != reporttext.NoRule {
		p.quotes(reporttext.Unquoted(r, f))
	}
	p.unread(r)
	if r.Verdict == diagnose.VerdictHealthy && f == nil {
		return
	}
	p.hang(at(0), footer(f, opt), dim, 0)
}

// also lists the findings that the report is not about, two lines each at most: enough to know that there is more. What
// is a cause of its own has a fix of its own.
func (p *page) also(r *diagnose.Report) {
	l := labelled("Also affected")
	for i := range r.Findings {
		f := &r.Findings[i]
		if f == reporttext.Subject(r) {
			continue
		}
		what := f.Rule
		if f.Role != diagnose.RoleNote {
			what = string(f.Role) + ", " + what
		}
		what = " (" + what + ")"
		p.hang(l, p.shorten(text.OneLine(f.Title), what), plain, 0)
		l.label = ""
		if f.Role == diagnose.RoleCause {
			p.fixes(f.Fix)
		}
	}
}

// shorten cuts a title so that it takes two lines together with what follows it.
func (p *page) shorten(title, after string) string {
	width := p.width - column
	whole := title + after
	for keep := 2 * width; keep > 0; keep-- {
		if _, rest := wrap(whole, width, 2); rest == "" {
			break
		}
		whole = strings.TrimRight(title[:fit(title, keep)], " ") + "…" + after
	}
	return whole
}

func (p *page) quotes(quotes []diagnose.Quote) {
	if len(quotes) == 0 {
		return
	}
	p.raw(p.paint(dim, "Evidence"))
	for i, q := range quotes {
		if i == maxQuotes {
			p.hang(at(column), fmt.Sprintf("(… %s, all with -o json)", text.Count(len(quotes)-i, "more quote", "more quotes")), dim, 0)
			return
		}
		content := q.Text
		if strings.Contains(strings.TrimSpace(content), "\n") {
			content = "\n" + strings.Trim(content, "\n")
		} else {
			content = " " + strings.TrimSpace(content)
		}
		p.hang(at(column), q.From+":"+shortened(content), plain, 0)
	}
}

// shortened leaves out the middle of a long text: who wraps an error puts the wrapping in front and the cause at the end.
func shortened(content string) string {
	const line = 72
	lines := strings.Split(content, "\n")
	if len(lines) <= quoteLines+2 {
		return withoutMiddle(content, 2*line, (quoteLines-2)*line)
	}
	left := fmt.Sprintf("(… %d lines left out, all with -o json …)", len(lines)-quoteLines)
	kept := slices.Concat(lines[:2], []string{left}, lines[len(lines)-quoteLines+2:])
	for i, l := range kept {
		kept[i] = withoutMiddle(l, line, line)
	}
	return strings.Join(kept, "\n")
}

// withoutMiddle keeps about head bytes in front and tail at the end, cut at spaces, of a text much longer than both.
func withoutMiddle(content string, head, tail int) string {
	if len(content) <= head+tail+100 {
		return content
	}
	from, to := head, len(content)-tail
	if i := strings.LastIndexAny(content[:from], " \n"); i > head/2 {
		from = i
	}
	if i := strings.IndexAny(content[to:], " \n"); i >= 0 && i < tail/2 {
		to += i
	}
	left := utf8.RuneCountInString(content[from:to])
	return fmt.Sprintf("%s (… %s left out, all with -o json …) %s", strings.ToValidUTF8(content[:from], ""), text.Count(left, "character", "characters"), strings.TrimSpace(strings.ToValidUTF8(content[to:], "")))
}

// unread says what could not be read, because absence of evidence is no health: plainly where no cause was found, else
// beside the footer.
func (p *page) unread(r *diagnose.Report) {
	s, l := plain, labelled("Not read")
	if r.Root() != nil {
		s = dim
	}
	for _, line := range reporttext.Unread(r.Examined) {
		p.clipped(l, line, s, 2)
		l.label = ""
	}
	if len(r.Unread) > 0 && r.Root() == nil {
		p.hang(labelled("Not told"), reporttext.Untold(r.Unread)+whereToAsk(r), plain, 0)
	}
}

// whereToAsk is how to come by what a file does not hold: the Application alone says little of what differs or crashes.
func whereToAsk(r *diagnose.Report) string {
	absent := slices.ContainsFunc(r.Examined, func(e diagnose.Examined) bool {
		return (e.Fact == evidence.KindManaged || e.Fact == evidence.KindTree) && strings.HasSuffix(e.Error, evidence.ErrAbsent.Error())
	})
	if !absent {
		return ""
	}
	name := r.App.Name
	if r.App.Namespace != "" && r.App.Namespace != "argocd" {
		name = r.App.Namespace + "/" + name
	}
	return "; Argo CD has it: " + diagnose.Shell("bot why %s", name)
}

// footer says which rule, how sure, and how long it took.
func footer(f *diagnose.Finding, opt Options) string {
	basis := reporttext.Basis(f)
	if opt.Took > 0 {
		basis += ", " + seconds(opt.Took)
	}
	return basis
}
