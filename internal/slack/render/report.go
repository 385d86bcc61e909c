package render

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/incident/posted"
	"github.com/argo-why/argo-why/internal/reporttext"
	"github.com/argo-why/argo-why/internal/sanitize"
	"github.com/argo-why/argo-why/internal/slack/blocks"
	"github.com/argo-why/argo-why/internal/text"
)

// Report renders the answer to a question about an application that no incident is open for: root message and details. The
// details have no blocks where the root says all there is.
func Report(p posted.Report, l Links, c Controls) (root, details Message) {
	r := p.View()
	controls := c.row(r.App, l.App(r.App), r.Sync, nil) // what a button carries is compared, and must be as it was read
	r = l.asked(sanitize.Report(r))
	f := reporttext.Subject(r)
	title := reporttext.Icon(r.Verdict) + " " + r.Headline
	page := screen{
		head:     slices.Concat([]blocks.Block{blocks.Header(title), contextLine(r, never)}, progress(r.Progress)),
		controls: controls, foot: []blocks.Block{footer(r)}, limit: maxFailure,
	}
	alone := f == nil && !r.Verdict.Bad()
	if alone {
		page.tail = unread(r)
	}
	root = page.root(title, r)
	if alone {
		return root, Message{}
	}
	_, has := page.layout(r)
	return root, evidenceOf(r, has)
}

// inThread says where the rest of a root message is.
const inThread = "more is in the thread"

// contextLine says where, which revision, who, which attempt, and since when it fails. That of an incident is known, and stays while
// the reports of it are dated by the newest attempt; else begun is zero, and the report says it. What is unknown is left out, and what matters least where two lines of a phone have no room for it.
func contextLine(r *diagnose.Report, begun time.Time) blocks.Block {
	c := r.Context
	project := c.OfProject()
	var by, attempt, dry, state string
	if c.InitiatedBy != "" {
		by = "started by " + c.InitiatedBy
	}
	if c.Attempt > 0 && c.Attempts > 0 {
		attempt = fmt.Sprintf("attempt %d of %d", c.Attempt, c.Attempts)
	}
	if c.DryRun {
		dry = dryRun(c)
	}
	if c.Phase == "" && r.Verdict != diagnose.VerdictHealthy {
		state = joinDots(c.SyncStatus, c.Health)
	}
	line := func() string {
		return joinDots(place(r), project, text.Revision(c.Revision), dry, by, state, attempt)
	}
	for _, optional := range []*string{&project, &by} {
		if utf8.RuneCountInString(line()) <= maxContext {
			break
		}
		*optional = ""
	}
	what, since := dated(c, begun)
	return blocks.Context(line(), what+" ", since)
}

// place is the Argo CD instance, the cluster and the namespace, as far as the headline does not have them. Argo CD's own
// cluster goes without saying.
func place(r *diagnose.Report) string {
	instance, to := r.App.Instance, strings.TrimPrefix(reporttext.Place(r.Context.Destination), "in-cluster / ")
	subject, cluster := subjectOf(r), r.Context.Destination.Cluster()
	if strings.HasPrefix(subject, instance+"/") {
		instance = ""
	}
	if strings.HasSuffix(subject, "@"+cluster) || subject == cluster {
		to = strings.TrimPrefix(to, cluster+" / ")
	}
	return joinDots(instance, to)
}

// subjectOf is what a headline is about: the application with its environment.
func subjectOf(r *diagnose.Report) string {
	subject, _, _ := strings.Cut(r.Headline, ": ")
	return subject
}

// maxContext is what one line of a phone has room for; the moment takes the second.
const maxContext = 44

// dryRun says that the last operation is no sync, or was none.
func dryRun(c diagnose.Context) string {
	if c.Phase == "" {
		return "the last operation was a dry run"
	}
	return "dry run"
}

// joinDots joins what is there with dots, as on the context line.
func joinDots(parts ...string) string {
	var out []string
	for _, p := range parts {
		if p != "" {
			out = append(out, p)
		}
	}
	return strings.Join(out, " · ")
}

// dated is the moment that the context line shows, and what happened at it: of our own words, since markup follows.
func dated(c diagnose.Context, begun time.Time) (what string, at time.Time) {
	switch c.Phase {
	case "Running":
		return "started", c.Since
	case "Terminating":
		return "terminating, started", c.Since
	case "Failed", "Error":
		if begun.IsZero() || begun.Equal(c.Since) {
			return "failed", c.Since
		}
		return "first failed", begun
	}
	for _, at = range []time.Time{begun, c.Since, c.CauseSince} {
		if !at.IsZero() {
			break
		}
	}
	return "since", at
}

// labelLine is a text behind its label in bold.
func labelLine(label, content string) blocks.Block {
	return blocks.Text(blocks.Bold(label+" "), blocks.Plain(content))
}

// syncNow is the answer to the question that everybody asks first.
func syncNow(s diagnose.Sync) blocks.Block {
	if s.Verdict == "" {
		return blocks.Text()
	}
	icon := map[diagnose.SyncVerdict]string{
		diagnose.SyncSafe: "✅", diagnose.SyncPointless: "🚫", diagnose.SyncBlocked: "⛔", diagnose.SyncUnknown: "❔",
		diagnose.SyncOverwritesLive: "⚠️", diagnose.SyncDestructive: "⚠️",
	}[s.Verdict]
	if s.Newer != "" { // it is up to what that commit contains
		icon = "⚠️"
	}
	lead, reason := reporttext.Sync(s)
	return blocks.Text(blocks.Plain(icon+" "), blocks.Bold(lead), blocks.Plain(reason))
}

// footer says which rule it rests on, and how sure it is.
func footer(r *diagnose.Report) blocks.Block {
	f := reporttext.Subject(r)
	if f == nil && !r.Verdict.Bad() { // that no rule matched is no news then
		return blocks.Context("", "", never)
	}
	return blocks.Context(reporttext.Basis(f), "", never)
}
