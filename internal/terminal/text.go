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
	// Now is when the report is read; zero if its age does not matter.
	Now time.Time
}

// How many entries of a list are shown.
const (
	maxQuotes = 6
	maxListed = 10
)

// Text writes the report for a person: the headline, where and when, why, what it did, what helps, whether to sync and what that
// would change, what else is affected, and the evidence last.
func Text(w io.Writer, r *diagnose.Report, opt Options) error {
	p := newPage(opt)
	r = sanitize.Report(r)
	p.headline(r)
	p.parts(at(3), contextParts(r), dim)
	p.age(r, opt.Now)
	if r.Verdict != diagnose.VerdictHealthy {
		p.gap()
		p.answer(r)
		p.gap()
	} else {
		p.gap()
		p.texts("Effect", r.Effects)
		p.gap()
	}
	p.rest(r)
	return write(w, []byte(p.b.String()))
}

// headline is never shortened: it is made to fit.
func (p *page) headline(r *diagnose.Report) {
	icon, color := face(r.Verdict)
	p.hang(lead{bullet: icon + " "}, text.OneLine(r.Headline), bold.and(color))
}

// age says from when a report is that has become old.
func (p *page) age(r *diagnose.Report, now time.Time) {
	const fresh = 10 * time.Minute // Argo CD looks at an application every few minutes, so a file that was saved just now is as old as that
	if old := now.Sub(r.AsOf); !r.AsOf.IsZero() && old > fresh {
		p.hang(at(3), fmt.Sprintf("as of %s (%s ago), the newest date in the file; if it was saved later, Argo CD has not looked at the application since", text.Timestamp(r.AsOf), text.Duration(old)), dim)
	}
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

// answer is what somebody needs to act: what is running, cause, effect, fix, sync.
func (p *page) answer(r *diagnose.Report) {
	if r.Progress != "" {
		p.hang(labelled("Now"), r.Progress, plain)
	}
	f := reporttext.Subject(r)
	if f != nil {
		p.why(f)
	}
	p.texts("Effect", r.Effects)
	if f != nil {
		p.fixes(labelled("Fix"), f.Fix)
	}
	p.syncNow(r.Sync)
	p.texts("Would change", text.First(r.Sync.Affects, maxListed))
}

func (p *page) why(f *diagnose.Finding) {
	p.hang(labelled("Why"), shorten(f.Why, longText), plain)
	if f.Rule == reporttext.NoRule {
		// No rule has read this text for the person, so it is where they look first.
		for _, q := range f.Evidence {
			p.hang(labelled("Says"), q.From+":", plain)
			p.hang(at(column), shortenLines(strings.Trim(q.Text, "\n"), rawHead, rawTail, longText), bold)
		}
	}
	if same := reporttext.Others(f); len(same) > 0 {
		p.hang(labelled("Also on"), strings.Join(text.First(same, maxListed), ", "), plain)
	}
}

// fixes writes the steps, numbered if there are several. What is in front of the first is space in front of the others.
func (p *page) fixes(l lead, fixes []diagnose.Fix) {
	before := l.bullet
	for i, f := range fixes {
		l.bullet = before
		if len(fixes) > 1 {
			l.bullet += fmt.Sprintf("%d. ", i+1)
		}
		p.hang(l, f.Text, plain)
		for _, s := range []string{f.Command, f.Patch} {
			if s != "" {
				p.block(l.column+len(l.bullet)+2, s)
			}
		}
		l.label, before = "", strings.Repeat(" ", len(before))
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
	for i, line := range wrap(lead+reason, p.width-column) {
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
