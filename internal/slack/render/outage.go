package render

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/reporttext"
	"github.com/argo-why/argo-why/internal/sanitize"
	"github.com/argo-why/argo-why/internal/slack/blocks"
	"github.com/argo-why/argo-why/internal/text"
)

// maxMembers are listed by name; the number of all of them is in the headline.
const maxMembers = 5

// outageRoot is the root message of many applications that fail for one reason: the cause once, and who is affected.
func outageRoot(i *incident.Incident, r *diagnose.Report, l Links, c Controls) (string, *diagnose.Report, screen) {
	head := outageHeadline(i, r)
	icon := reporttext.Icon(r.Verdict)
	if warns(i) || i.OnlyDisconnected() { // nothing that people run fails of it
		icon = "🟠"
	}
	title, r := icon+" "+head, ofOutage(r, head)
	where := blocks.Context(outagePlace(i), "since ", i.Begun())
	seen := ""
	if r.App.Name != "" {
		seen = "as seen on " + sanitize.App(r.App, maxTarget)
	}
	return title, r, screen{
		head:     slices.Concat([]blocks.Block{blocks.Header(title), where}, reopenedMark(i), warningMark(i, l), muteMark(i), actionLines(i)),
		controls: Controls{Key: c.Key}.row(diagnose.AppName{}, "", diagnose.Sync{}, i),
		tail:     slices.Concat(members(i, l), connections(i)),
		foot:     []blocks.Block{blocks.Context(joinDots(reporttext.Basis(reporttext.Subject(r)), seen), "", never)},
		limit:    maxOutage,
	}
}

// outagePlace is which Argo CDs an outage is about, and what is down; "" where the headline says both.
func outagePlace(i *incident.Incident) string {
	if warns(i) || i.OnlyDisconnected() || i.ConnectedLast() {
		return ""
	}
	return joinDots(instances(i), text.UpperFirst(i.Cause.Subject))
}

// maxOutageHeadline is how long the headline of an outage may be, in characters: two lines of a phone.
const maxOutageHeadline = 72

// outageHeadline is the number of applications and what is wrong with them, without the last clause where that is too long. The report of an
// outage has a title for that: see [diagnose.Report.OfMany].
func outageHeadline(i *incident.Incident, r *diagnose.Report) string {
	if warns(i) || i.OnlyDisconnected() {
		return warningHeadline(i, r)
	}
	head := failingCount(i) + ": " + r.Title()
	if at := strings.LastIndex(head, ": "); utf8.RuneCountInString(head) > maxOutageHeadline && at > len(failingCount(i)) {
		return head[:at]
	}
	return head
}

// ofOutage is the report as an outage shows it: why in the words of whoever refused, without what the headline has of them. What
// the rule adds is about one application.
func ofOutage(r *diagnose.Report, head string) *diagnose.Report {
	f := reporttext.Subject(r)
	if f == nil || f.Says.Text == "" {
		return r
	}
	said := strings.TrimRight(text.OneLine(f.Says.Text), ".;, ")
	_, clause, _ := strings.Cut(head, ": ")
	if at := strings.LastIndex(clause, ": "); at >= 0 {
		said = strings.TrimRight(strings.TrimSuffix(said, clause[at+2:]), ": ")
	}
	out := *r
	out.Findings = slices.Clone(r.Findings)
	out.Findings[0].Why = ""
	if said != "" { // else the headline says it all
		out.Findings[0].Why = text.Sentence(f.Says.Who + ": " + said)
	}
	return &out
}

// failingCount says how many fail, and of how many where some are healthy again.
func failingCount(i *incident.Incident) string {
	all, failing := len(i.Members), len(i.Failing())
	if failing == all {
		return text.Count(all, "application", "applications")
	}
	return fmt.Sprintf("%s of %s applications", text.Number(failing), text.Number(all))
}

// name is that of the application with its environment, as its headline has it, or the number of applications.
func name(i *incident.Incident, r *diagnose.Report) string {
	switch {
	case warns(i):
		return warningName(i)
	case i.Outage():
		return text.Count(len(i.Members), "application", "applications")
	case r.App.Name == "":
		return "application"
	}
	return subjectOf(r)
}

// instances names the Argo CD instances of the members.
func instances(i *incident.Incident) string {
	var out []string
	for _, c := range i.Connections {
		if c.Instance != "" && !slices.Contains(out, c.Instance) {
			out = append(out, c.Instance)
		}
	}
	for _, m := range i.Members {
		if m.App.Instance != "" && !slices.Contains(out, m.App.Instance) {
			out = append(out, m.App.Instance)
		}
	}
	return strings.Join(text.First(out, 3), ", ")
}

// members lists the applications, those that fail first, then those that are healthy again.
func members(i *incident.Incident, l Links) []blocks.Block {
	if len(i.Members) == 0 {
		return nil
	}
	failing := i.Failing()
	well := slices.DeleteFunc(slices.Clone(i.Members), func(m incident.Member) bool { return m.Well.IsZero() })
	label := fmt.Sprintf("%s of %s still failing", text.Number(len(failing)), text.Number(len(i.Members)))
	if len(well) == 0 {
		label = text.Count(len(i.Members), "is failing", "are failing")
		if len(i.Members) > 1 {
			label = "All " + label
		}
	}
	several := severalInstances(i)
	var items [][]blocks.Span
	for _, m := range slices.Concat(failing, well) {
		if len(items) == maxMembers {
			rest := "and " + text.More(len(i.Members)-maxMembers) + ": "
			items = append(items, []blocks.Span{blocks.Plain(rest), blocks.Mono(l.command() + " list")})
			break
		}
		items = append(items, member(m, l, several))
	}
	return []blocks.Block{blocks.Text(blocks.Bold(label)), blocks.Bullets(items...)}
}

// severalInstances reports whether the name of an application alone does not say where it is.
func severalInstances(i *incident.Incident) bool {
	return slices.ContainsFunc(i.Members, func(m incident.Member) bool { return m.App.Instance != i.Members[0].App.Instance })
}

func member(m incident.Member, l Links, several bool) []blocks.Span {
	icon, at, before := "🔴 ", m.Since, " · "
	if !m.Well.IsZero() {
		icon, at, before = "🟢 ", m.Well, " · healthy "
		if m.Note != "" { // it left, and may well fail
			icon, before = "⚪ ", " · "+m.Note+" "
		}
	}
	spans := []blocks.Span{blocks.Plain(icon), app(m, l, several)}
	if !at.IsZero() {
		spans = append(spans, blocks.Plain(before), blocks.Ago(at))
	}
	return spans
}

// app is the name of an application that opens it.
func app(m incident.Member, l Links, several bool) blocks.Span {
	content := sanitize.App(m.App, maxTarget)
	if several && m.App.Instance != "" {
		content += " (" + m.App.Instance + ")"
	}
	return blocks.Link(l.App(m.App), content)
}

// membersNow names the applications of an outage that is over by what became of them: nobody has to go through them now.
func membersNow(i *incident.Incident, l Links) []blocks.Block {
	if len(i.Members) == 0 {
		return nil
	}
	several := severalInstances(i)
	if well := i.Well(); len(well) == len(i.Members) {
		label := "Healthy "
		if len(well) > 1 {
			label = fmt.Sprintf("All %s are healthy ", text.Number(len(well)))
		}
		return []blocks.Block{inRow(label, well, l, several)}
	}
	var out []blocks.Block
	for _, now := range []struct{ note, label string }{
		{"", "Healthy "}, {incident.NoteOtherCause, "Failing for another cause "}, {incident.NoteDeleted, "Deleted "},
		{incident.NoteUnwatched, "No longer watched "},
	} {
		those := slices.DeleteFunc(slices.Clone(i.Members), func(m incident.Member) bool { return m.Note != now.note })
		if len(those) > 0 {
			out = append(out, inRow(now.label, those, l, several))
		}
	}
	return out
}

// inRow names applications behind a label.
func inRow(label string, members []incident.Member, l Links, several bool) blocks.Block {
	spans := []blocks.Span{blocks.Bold(label)}
	for n, m := range members {
		if n == maxMembers {
			spans = append(spans, blocks.Plain(" and "+text.More(len(members)-n)))
			break
		}
		if n > 0 {
			spans = append(spans, blocks.Plain(", "))
		}
		spans = append(spans, app(m, l, several))
	}
	return blocks.Text(spans...)
}
