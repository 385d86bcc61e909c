package posted

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/argo-why/argo-why/internal/audience"
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/text"
)

// PrivateCause is said of an application where its own headline names one that the audience may not see.
const PrivateCause = "failing because of another application, which is private"

// Row is what an audience reads of one application in an incident: a line of a list or of a history. Only [RowOf] makes one.
type Row struct {
	App  incident.App
	Rule string
	// Incident is its ID, and Link leads to its thread; "" while Slack has not told its address.
	Incident, Link string
	// Private: what is wrong is about another application, which the audience may not see. Nothing is said of it then.
	Private bool
	// Headline is that of the application, "" where there is none. Subject is what is wrong for all, and Thread what the thread says.
	Headline, Subject, Thread string
	// Opened is since when the incident is, Since since when the application fails, and Over when it was well again, zero while it is not.
	Opened, Since, Over time.Time
	// Note says why the incident no longer concerns the application. Well: it has recovered.
	Note string
	Well bool
	// Parent: it fails because of the application that the incident is about. Outage: it is one of Failing that do.
	Parent, Outage bool
	Failing        int
}

// RowOf is what an audience reads of an application; ok is false where it is not theirs to see. project is the one that it is in, as far as that is
// known.
func RowOf(who audience.Audience, i *incident.Incident, app incident.App, project string) (row Row, ok bool) {
	if !who.Sees(app, project) && !who.SeesApp(app) {
		return Row{}, false
	}
	row = Row{
		App: app, Rule: i.Cause.Rule, Incident: i.ID, Link: i.Thread.Permalink, Opened: i.Since, Since: i.Since, Parent: slices.Contains(i.Parents, app),
		Well: i.Phase == incident.Recovered, Outage: i.Outage(), Failing: len(i.Failing()), Private: !who.SeesAll(i.Named(app)),
	}
	if row.Well {
		row.Over = i.RecoveredAt
	}
	m := i.Member(app)
	if m != nil {
		row.Since, row.Note = m.Since, m.Note
		if !m.Well.IsZero() {
			row.Well, row.Over = true, m.Well
		}
	}
	if row.Private {
		return row, true
	}
	row.Subject = cmp.Or(i.Cause.Subject, i.Cause.Resource.String())
	if m != nil && m.Headline != "" {
		row.Headline = m.Headline
	} else if i.Report != nil && i.Report.App == app {
		row.Headline = i.Report.Headline
	}
	row.Thread = cmp.Or(row.Headline, i.Cause.Subject)
	if row.Headline == "" && i.Report != nil && len(i.Members) == 1 {
		row.Thread = i.Report.Headline
	}
	return row, true
}

// SharedTitle is what is wrong for all in an outage: as its thread has it, with the name of what they share. That may be in the words of an application
// that the audience does not see; then it is the title of the rule, and what they share.
func SharedTitle(who audience.Audience, i *incident.Incident, rule string) string {
	if i.Report != nil && i.Report.Title() != "" && who.SeesApp(i.Report.App) && who.SeesAll(i.Report.Mentions) {
		return i.Report.Title()
	}
	return strings.TrimPrefix(rule+": "+text.UpperFirst(i.Cause.Subject), ": ")
}
