package render

import (
	"fmt"
	"strings"
	"time"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/reporttext"
	"github.com/argo-why/argo-why/internal/sanitize"
	"github.com/argo-why/argo-why/internal/slack/blocks"
	"github.com/argo-why/argo-why/internal/text"
)

// How much of a text stands in the root message, in characters; all of it is in the details.
const (
	maxWhy     = 400
	maxFix     = 200
	maxCommand = 160
	maxSteps   = 3
	maxEffects = 2
)

// Report renders the answer to a question about an application that no incident is open for: root message and details. The
// details have no blocks where the root says all there is.
func Report(r *diagnose.Report, l Links, c Controls) (root, details Message) {
	controls := c.row(r.App, l.App(r.App), nil) // what a button carries is compared, and must be as it was read
	r = sanitize.Report(r)
	f := reporttext.Subject(r)
	body := []blocks.Block{
		blocks.Header(reporttext.Icon(r.Verdict) + " " + r.Headline),
		contextLine(r, never),
	}
	body = append(body, progress(r.Progress)...)
	body = append(body, answer(r)...)
	alone := f == nil && !r.Verdict.Bad()
	if alone {
		body = append(body, unread(r)...)
	}
	foot := []blocks.Block{controls, footer(r)}
	root = message(body, foot, inThread, reporttext.Icon(r.Verdict)+" "+r.Headline, cause(f), firstFix(f))
	if alone {
		return root, Message{}
	}
	return root, evidenceOf(r)
}

// inThread says where the rest of a root message is.
const inThread = "more is in the thread"

// contextLine says where, which revision, who, which attempt, and when it failed: since, where the report itself does not
// tell. What is unknown is left out.
func contextLine(r *diagnose.Report, since time.Time) blocks.Block {
	c := r.Context
	parts := []string{r.App.Instance, reporttext.Place(c.Destination)}
	if c.Project != "" && c.Project != "default" {
		parts = append(parts, "project "+c.Project)
	}
	parts = append(parts, text.Revision(c.Revision))
	if c.DryRun {
		parts = append(parts, dryRun(c))
	}
	if c.InitiatedBy != "" {
		parts = append(parts, "started by "+c.InitiatedBy)
	}
	if c.Phase == "" && r.Verdict != diagnose.VerdictHealthy {
		parts = append(parts, c.SyncStatus, c.Health)
	}
	if c.Attempt > 0 && c.Attempts > 0 {
		parts = append(parts, fmt.Sprintf("attempt %d of %d", c.Attempt, c.Attempts))
	}
	if !c.Since.IsZero() {
		since = c.Since
	}
	return blocks.Context(joinDots(parts...), operation(c)+" ", since)
}

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

// operation is what happened at the moment that the context line shows: of our own words, since markup follows.
func operation(c diagnose.Context) string {
	switch c.Phase {
	case "Failed", "Error":
		return "failed"
	case "Running":
		return "running, began"
	case "Terminating":
		return "terminating, began"
	}
	return "since"
}

// answer is what somebody needs to act: cause, effect, fix, sync.
func answer(r *diagnose.Report) []blocks.Block {
	f := reporttext.Subject(r)
	if f == nil && r.Verdict == diagnose.VerdictHealthy {
		return nil
	}
	var out []blocks.Block
	if f != nil {
		out = append(out, why(f)...)
	}
	if effects := firstSentences(r.Effects, maxEffects); effects != "" {
		out = append(out, labelLine("Effect", effects))
	}
	if f != nil {
		out = append(out, firstFixes(f.Fix)...)
	}
	return append(out, syncNow(r.Sync))
}

func why(f *diagnose.Finding) []blocks.Block {
	content, _ := blocks.Shorten(f.Why, maxWhy)
	if content == "" {
		return nil
	}
	if len(f.Others) > 0 {
		content = text.Sentence(content) + fmt.Sprintf(" The same on %s.", text.Count(len(f.Others), "more resource", "more resources"))
	}
	out := []blocks.Block{labelLine("Why", content)}
	if f.Rule != reporttext.NoRule {
		return out
	}
	// Nobody has read this text for the person, so it stands where they look.
	for _, q := range f.Evidence[:min(1, len(f.Evidence))] {
		content, _ := blocks.Shorten(q.Text, maxWhy)
		out = append(out, blocks.Text(blocks.Bold("Says "), blocks.Plain(q.From+":")))
		out = append(out, blocks.Code(content)...)
	}
	return out
}

// labelLine is a text behind its label in bold.
func labelLine(label, content string) blocks.Block {
	return blocks.Text(blocks.Bold(label+" "), blocks.Plain(content))
}

func firstSentences(list []string, n int) string { return strings.Join(list[:min(n, len(list))], " ") }

// firstFixes are the steps that come first, with commands that are short enough for a phone.
func firstFixes(fixes []diagnose.Fix) []blocks.Block {
	if len(fixes) == 0 {
		return nil
	}
	var steps [][]blocks.Span
	first := fixes
	if len(fixes) > maxSteps+1 { // for one step more it is not worth to go elsewhere
		first = fixes[:maxSteps]
	}
	for _, f := range first {
		content, _ := blocks.Shorten(f.Text, maxFix)
		step := []blocks.Span{blocks.Plain(content)}
		switch {
		case f.Patch != "":
			step = append(step, blocks.Plain(" (to paste: in the thread)"))
		case fitsPhone(f.Command):
			step = append(step, blocks.Plain("\n"), blocks.Mono(f.Command))
		case f.Command != "":
			step = append(step, blocks.Plain(" (command: in the thread)"))
		}
		steps = append(steps, step)
	}
	if len(steps) == 1 {
		return []blocks.Block{blocks.Text(append([]blocks.Span{blocks.Bold("Fix ")}, steps[0]...)...)}
	}
	out := []blocks.Block{blocks.Text(blocks.Bold("Fix")), blocks.Steps(steps...)}
	if more := len(fixes) - len(first); more > 0 {
		out = append(out, blocks.Text(blocks.Plain("… and "+text.More(more)+" steps, in the thread")))
	}
	return out
}

// fitsPhone reports whether a command is short enough for a phone.
func fitsPhone(command string) bool {
	return command != "" && len(command) <= maxCommand && !strings.Contains(command, "\n")
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
	lead, reason := reporttext.Sync(s)
	return blocks.Text(blocks.Plain(icon+" "), blocks.Bold(lead), blocks.Plain(reason))
}

// footer says which rule, how sure, how much was read.
func footer(r *diagnose.Report) blocks.Block {
	f := reporttext.Subject(r)
	if f == nil && !r.Verdict.Bad() { // that no rule matched is no news then
		return blocks.Context("", "", never)
	}
	return blocks.Context(reporttext.Basis(f), "", never)
}

// cause and firstFix are the lines of a notification.
func cause(f *diagnose.Finding) string {
	if f == nil {
		return ""
	}
	content, _ := blocks.Shorten(text.OneLine(f.Why), maxWhy/2)
	return content
}

func firstFix(f *diagnose.Finding) string {
	if f == nil || len(f.Fix) == 0 {
		return ""
	}
	first := f.Fix[0]
	content, _ := blocks.Shorten(text.OneLine(first.Text), maxFix/2)
	if fitsPhone(first.Command) { // "See what is there" alone helps nobody
		content += ": " + first.Command
	}
	return "Fix: " + content
}
