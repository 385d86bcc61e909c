package render

import (
	"fmt"
	"slices"
	"time"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/incident/posted"
	"github.com/argo-why/argo-why/internal/reporttext"
	"github.com/argo-why/argo-why/internal/sanitize"
	"github.com/argo-why/argo-why/internal/slack/blocks"
	"github.com/argo-why/argo-why/internal/text"
)

// never is no moment.
var never time.Time

// Root renders the root message of an incident: the present truth.
func Root(p posted.Incident, l Links, c Controls) Message {
	i := p.View()
	if i.Backlog() {
		return backlogRoot(i, l, c)
	}
	if i.Digest != nil {
		return digestRoot(i, l)
	}
	if i.Expiry != nil {
		return expiryRoot(i)
	}
	if i.Remainder() {
		return remainderRoot(i, l)
	}
	r := l.asked(report(i))
	switch i.Phase {
	case incident.Recovered:
		return recoveredRoot(i, r, l, c)
	case incident.Joined:
		return joinedRoot(i, r, l)
	case incident.Pending, incident.Open, incident.Watching, incident.HandedOver: // the next lines
	}
	title, r, page := failingRoot(i, r, l, c)
	return page.root(title, r)
}

// Details renders the first reply: the evidence, and of the fix what the root message has no room for. It stays as it is when the
// incident is over: whoever reads it then asks what it was, and not what to do.
func Details(p posted.Incident, l Links, c Controls) Message {
	i := p.View()
	r := l.asked(report(i))
	_, shows, page := failingRoot(i, r, l, c)
	_, has := page.layout(shows)
	if f, other := reporttext.Subject(r), reporttext.Subject(shows); f != nil && other != nil && f.Why != other.Why { // an outage shows less of it
		has.why = false
	}
	return evidenceOf(r, has)
}

// failingRoot is the root message of what fails, before the report is put into it as the root shows that.
func failingRoot(i *incident.Incident, r *diagnose.Report, l Links, c Controls) (title string, shows *diagnose.Report, page screen) {
	if i.Outage() {
		return outageRoot(i, r, l, c)
	}
	return openRoot(i, r, l, c)
}

// report is the incident's, clean. An incident without one is described with what it knows itself.
func report(i *incident.Incident) *diagnose.Report {
	if i.Report != nil {
		return sanitize.Report(i.Report)
	}
	r := &diagnose.Report{
		Verdict: diagnose.VerdictUnknown, Headline: i.Cause.Rule,
		Findings: []diagnose.Finding{{Rule: i.Cause.Rule, Resource: i.Cause.Resource}},
	}
	if len(i.Members) > 0 {
		r.App = i.Members[0].App
		r.Headline = i.Members[0].App.Label() + ": " + i.Cause.Rule
	}
	return sanitize.Report(r)
}

// openRoot is the root message of one application that fails.
func openRoot(i *incident.Incident, r *diagnose.Report, l Links, c Controls) (string, *diagnose.Report, screen) {
	var app diagnose.AppName
	if i.Report != nil { // what a button carries is compared, and must be as it was read
		app = i.Report.App
	}
	title := reporttext.Icon(r.Verdict) + " " + r.Headline
	advice := r.Sync
	if i.Interim != nil { // the advice is about what it was announced for
		r.Sync = diagnose.Sync{}
	}
	return title, r, screen{
		head:     slices.Concat([]blocks.Block{blocks.Header(title), contextLine(r, i.Begun())}, reopenedMark(i), parentsMark(i), muteMark(i), actionLines(i), interimMark(i)),
		controls: c.row(app, l.App(r.App), advice, i), foot: []blocks.Block{footer(r)}, limit: maxFailure,
	}
}

// reopenedMark says that it had recovered before.
func reopenedMark(i *incident.Incident) []blocks.Block {
	if !i.ReopenedAt.After(i.OpenedAt) {
		return nil
	}
	return []blocks.Block{blocks.Text(blocks.Bold("↩️ Failed again "), blocks.Ago(i.ReopenedAt), blocks.Plain(" after a recovery"))}
}

// parentsMark names the applications that fail only because this one does.
func parentsMark(i *incident.Incident) []blocks.Block {
	if len(i.Parents) == 0 {
		return nil
	}
	var names []string
	for _, p := range i.Parents {
		names = append(names, sanitize.App(p, maxTarget))
	}
	return []blocks.Block{labelLine("Also failing because of it", text.List(names, maxParents))}
}

// maxParents is how many of them are named: an app of apps has a parent or two.
const maxParents = 3

// interimMark says what else it is seen to fail of while the incident keeps its cause.
func interimMark(i *incident.Incident) []blocks.Block {
	if i.Interim == nil {
		return nil
	}
	return []blocks.Block{blocks.Text(blocks.Bold("👀 Seen now "), blocks.Plain(ShortLine(i.Interim.Title, maxWhy)))}
}

// recoveredRoot is the root message when it is over: green where applications are healthy, how long it took, what changed, and the cause
// crossed out.
func recoveredRoot(i *incident.Incident, r *diagnose.Report, l Links, c Controls) Message {
	head, since := overHead(i, r)
	where := place(r)
	if i.Outage() {
		where = outagePlace(i)
	}
	body := []blocks.Block{
		blocks.Header(head),
		blocks.Context(where, since, i.RecoveredAt),
		blocks.Text(blocks.Bold("Was "), blocks.Struck(text.OneLine(r.Title()))),
	}
	if what := sentences(i.Resolution); what != "" {
		body = append(body, labelLine("What changed", what))
	}
	body = append(body, muteMark(i)...)
	var controls []blocks.Control
	row := ""
	if i.Silenced() != nil && !c.Key.IsZero() {
		controls = append(controls, blocks.Menu{ID: MuteID, Text: "Muted", Options: []blocks.Option{unmute}})
		row = rowName(i)
	}
	switch {
	case i.Outage():
		body = append(body, slices.Concat(membersNow(i, l), connectionsNow(i))...)
	case !i.Deleted():
		controls = append(controls, blocks.Button{ID: openInArgoCD, Text: "Open in Argo CD", URL: l.App(r.App)})
	}
	foot := []blocks.Block{blocks.Controls(row, controls...), blocks.Context(i.Cause.Rule, "", never)}
	return message(body, foot, inThread, head, sentences(i.Resolution))
}

// overHead is the headline of what is over, and what happened at the moment behind it.
func overHead(i *incident.Incident, r *diagnose.Report) (head, since string) {
	well := len(i.Well())
	switch {
	case warns(i):
		return warningOver(i)
	case i.Deleted():
		return "⚪ " + name(i, r) + ": deleted while failing", "deleted "
	case i.Unwatched():
		return "⚪ " + name(i, r) + ": no longer watched", "since "
	case i.ConnectedLast():
		return connectedAgain(i)
	case i.Outage() && well == 0:
		return "⚪ " + name(i, r) + ": no longer failing for this cause", "since "
	}
	head = "🟢 " + name(i, r) + ": recovered"
	if all := len(i.Members); i.Outage() && well < all {
		head = fmt.Sprintf("🟢 %s of %s applications: recovered", text.Number(well), text.Number(all))
	}
	if d := downtime(i); d > 0 {
		head += " after " + text.Duration(d)
	}
	return head, "recovered "
}

// joinedRoot is the root message of an incident that turned out to be a part of a larger one.
func joinedRoot(i *incident.Incident, r *diagnose.Report, l Links) Message {
	subject := i.Cause.Subject
	head := "↪️ " + name(i, r) + ": part of a larger failure"
	what := "Other applications fail for the same reason. Continued in the shared thread, linked below."
	if child := sanitize.App(i.Cause.Child, maxTarget); child != "" {
		head = "↪️ " + name(i, r) + ": failing because of " + child
		what = "Its child application " + child + " fails. Continued in the thread of that application, linked below."
	} else if subject != "" {
		what = "Other applications fail because of " + subject + ". Continued in the shared thread, linked below."
	}
	body := []blocks.Block{
		blocks.Header(head),
		blocks.Text(blocks.Plain(what)),
		blocks.Text(blocks.Bold("Why "), blocks.Plain(text.OneLine(r.Title()))),
	}
	return message(body, []blocks.Block{l.open(r.App), blocks.Context(i.Cause.Rule, "", never)}, inThread, head, what)
}

// downtime is how long the last failure took.
func downtime(i *incident.Incident) time.Duration {
	if i.Begun().IsZero() {
		return 0
	}
	return i.Lasted(i.RecoveredAt)
}

// sentences makes one text of clauses, each of them a sentence.
func sentences(list []string) string {
	content := ""
	for _, s := range list {
		if s = cleanLine(s); s == "" {
			continue
		}
		if content != "" {
			content += " "
		}
		content += text.Sentence(s)
	}
	return content
}
