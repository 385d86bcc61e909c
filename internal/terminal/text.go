package terminal

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/reporttext"
	"github.com/argo-why/argo-why/internal/sanitize"
	"github.com/argo-why/argo-why/internal/text"
)

// Options say how a report is laid out.
type Options struct {
	// Width in columns; 0 is 80.
	Width int
	Color bool
	// Took is how long the diagnosis took. 0 is not printed: reading a file says nothing about Argo CD.
	Took time.Duration
}

// How much of a text is shown before it is cut. The decisive line of a quote is at its start or the quote is that line.
const (
	headlineLines = 4
	whyLines      = 15
	quoteLines    = 6
	rawLines      = 20
	maxQuotes     = 6
	maxListed     = 10
)

// Text writes the report for a person: the headline first, then why, what it did, what helps, whether to sync, and the
// evidence last.
func Text(w io.Writer, r *diagnose.Report, opt Options) error {
	p := newPage(opt)
	r = sanitize.Report(r)
	p.headline(r)
	if line := contextLine(r); line != "" {
		p.hang(at(3), line, dim, 0)
	}
	if r.Verdict != diagnose.VerdictHealthy {
		p.gap()
		p.answer(r)
		p.gap()
	}
	p.rest(r, opt)
	return write(w, []byte(p.b.String()))
}

func (p *page) headline(r *diagnose.Report) {
	icon, color := face(r.Verdict)
	p.clipped(lead{bullet: icon + " "}, text.OneLine(r.Headline), bold.and(color), headlineLines)
}

func face(v diagnose.Verdict) (icon string, s style) {
	icon = reporttext.Icon(v)
	switch v {
	case diagnose.VerdictFailing:
		return icon, red
	case diagnose.VerdictDegraded, diagnose.VerdictDrifted, diagnose.VerdictBlocked:
		return icon, yellow
	case diagnose.VerdictProgressing:
		return icon, blue
	case diagnose.VerdictHealthy:
		return icon, green
	case diagnose.VerdictUnknown:
	}
	return icon, plain
}

// answer is what somebody needs to act: what is under way, cause, effect, fix, sync.
func (p *page) answer(r *diagnose.Report) {
	if r.Progress != "" {
		p.hang(labelled("Now"), r.Progress, plain, 0)
	}
	if f := reporttext.Subject(r); f != nil {
		p.why(f)
	}
	p.texts("Effect", r.Effects)
	if f := reporttext.Subject(r); f != nil {
		p.fixes(f.Fix)
	}
	p.syncNow(r.Sync)
	p.texts("Would change", text.First(r.Sync.Affects, maxListed))
}

func (p *page) why(f *diagnose.Finding) {
	p.clipped(labelled("Why"), f.Why, plain, whyLines)
	if f.Rule == reporttext.NoRule {
		// Nobody has read this text for the person, so it stands where they look.
		for _, q := range f.Evidence {
			p.hang(labelled("Says"), q.From+":", plain, 0)
			p.clipped(at(column), q.Text, bold, rawLines)
		}
	}
	var same []string
	for _, o := range f.Others {
		same = append(same, o.String())
	}
	if len(same) > 0 {
		p.hang(labelled("Same"), "on "+strings.Join(text.First(same, maxListed), ", "), plain, 0)
	}
}

func (p *page) fixes(fixes []diagnose.Fix) {
	l := labelled("Fix")
	for i, f := range fixes {
		if len(fixes) > 1 {
			l.bullet = fmt.Sprintf("%d. ", i+1)
		}
		p.hang(l, f.Text, plain, 0)
		l.label = ""
		for _, s := range []string{f.Command, f.Patch} {
			if s != "" {
				p.block(l.column+len(l.bullet)+2, s)
			}
		}
	}
}

func (p *page) syncNow(s diagnose.Sync) {
	if s.Verdict == "" {
		return
	}
	color := yellow
	switch s.Verdict {
	case diagnose.SyncSafe:
		color = green
	case diagnose.SyncOverwritesLive, diagnose.SyncDestructive:
		color = red
	case diagnose.SyncPointless, diagnose.SyncBlocked, diagnose.SyncUnknown:
	}
	lead, reason := reporttext.Sync(s)
	lines, _ := wrap(lead+reason, p.width-column, 0)
	for i, line := range lines {
		if i > 0 {
			p.raw(strings.Repeat(" ", column) + line)
			continue
		}
		after, whole := strings.CutPrefix(line, lead)
		if !whole { // the lead itself was wrapped
			lead, after = line, ""
		}
		p.raw(p.paint(dim, "Sync") + strings.Repeat(" ", column-len("Sync")) + p.paint(bold.and(color), lead) + after)
	}
}
