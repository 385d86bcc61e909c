package posted

import (
	"cmp"
	"slices"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/audience"
	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/incident"
)

// Incident is an incident for an audience. Only [To] makes one.
type Incident struct{ seen *incident.Incident }

// View is what the audience sees of it. It must not be changed.
func (p Incident) View() *incident.Incident { return p.seen }

// Private reports whether a name stands for one that the audience may not see: it leads nowhere, and no command can use it.
func Private(name string) bool { return evidence.HasPrivate(name) }

// Reply is a line of history for an audience. Only [Line] makes one.
type Reply struct{ seen incident.Reply }

// View is what the audience sees of it.
func (p Reply) View() incident.Reply { return p.seen }

// Line is a line of history for an audience: without the headline of another thread, where that is about an application that the audience
// may not see.
func Line(who audience.Audience, r incident.Reply) Reply {
	if !who.SeesAll(r.Others) {
		r.Headline = ""
	}
	if r.Action != nil && r.Note != nil {
		n := NoteTo(who, r.Action, *r.Note)
		line := n.Line()
		r.Action, r.Note = n.View(), &line
	}
	return Reply{r}
}

// To is an incident for an audience. The application of its own thread is never left out: it was posted because its readers may see it.
func To(who audience.Audience, i *incident.Incident) Incident {
	c := i.Clone()
	if i.Outage() || i.Backlog() {
		for n := range c.Members {
			c.Members[n] = member(who, c.Members[n])
		}
	}
	for n, p := range c.Parents {
		c.Parents[n] = named(who, p)
	}
	c.Examples, _ = who.Show(c.Examples)
	if !who.SeesAll(given(c.Cause.Child)) {
		c.Cause.Child = incident.App{}
	}
	hidden := connections(who, c)
	if r := i.Report; r != nil && (hidden || !who.SeesAll(r.Mentions) || i.Outage() && !who.SeesAll(given(r.App))) {
		c.Report = withoutDetails(who, i)
	}
	c.Actions = make([]*action.Record, len(i.Actions))
	for n, r := range i.Actions {
		c.Actions[n] = RecordTo(who, r).View()
	}
	c.Digest = digest(who, i.Digest)
	c.Expiry = expiry(who, i.Expiry)
	return Incident{c}
}

// Connection notes which of the applications that depend on a connection its channel may see, and one of them as the example.
func Connection(who audience.Audience, c incident.SeenConnection) incident.SeenConnection {
	seen, hidden := who.Show(c.Dependents)
	if seen == nil && hidden > 0 {
		seen = []incident.App{}
	}
	c.Seen = seen
	if of := slices.Concat(seen, c.Dependents); len(of) > 0 {
		c.For = of[0]
	}
	return c
}

// given is an application in a list, none where there is none.
func given(app incident.App) []incident.App {
	if app.Name == "" {
		return nil
	}
	return []incident.App{app}
}

// named is an application, or what stands for one that may not be named.
func named(who audience.Audience, app incident.App) incident.App {
	if who.SeesApp(app) {
		return app
	}
	return incident.App{Instance: app.Instance, Name: evidence.Private}
}

func member(who audience.Audience, m incident.Member) incident.Member {
	if !who.SeesApp(m.App) {
		m.App, m.Headline = named(who, m.App), ""
	}
	if !who.SeesAll(m.Mentions) {
		m.Headline, m.Mentions = "", nil
	}
	return m
}

// connections takes the address out of connections that only applications depend on which the audience may not see. It reports whether
// that is all that the incident is about.
func connections(who audience.Audience, i *incident.Incident) (hidden bool) {
	if len(i.Connections) == 0 {
		return false
	}
	seen := 0
	for n := range i.Connections {
		c := &i.Connections[n]
		if who.SeesApp(c.For) {
			seen++
			continue
		}
		c.Address, c.Name, c.Project, c.For = "a private "+kindOf(c), "", "", incident.App{}
	}
	down := i.Disconnected()
	if len(down) == 0 {
		down = i.Connections
	}
	if len(i.Members) > 0 {
		return false // it is described in the words of a member
	}
	if seen == 0 {
		i.Cause.Subject = down[0].Address
	}
	return down[0].Address == "a private "+kindOf(&down[0])
}

func kindOf(c *incident.Connection) string {
	if c.ToCluster() || c.OfController() {
		return "cluster"
	}
	return "repository"
}

// Report is a report for an audience. Only [ReportTo] makes one.
type Report struct{ seen *diagnose.Report }

// View is what the audience sees of it. It must not be changed.
func (p Report) View() *diagnose.Report { return p.seen }

// ReportTo is a report for an audience: of one that was made for others and names what this one may not see, the state is left.
func ReportTo(who audience.Audience, r *diagnose.Report) Report {
	if !who.SeesAll(r.Mentions) {
		i := incident.Incident{Report: r}
		if root := r.Root(); root != nil {
			i.Cause.Rule = root.Rule
		}
		r = withoutDetails(who, &i)
	}
	return Report{r}
}

// withoutDetails is a report of which only the state and the rule are left.
func withoutDetails(who audience.Audience, i *incident.Incident) *diagnose.Report {
	r := i.Report
	title := "Failing because of an application that is private"
	if len(i.Connections) > 0 && len(i.Members) == 0 {
		title = "Argo CD cannot connect to something that only private applications depend on"
	}
	out := &diagnose.Report{
		App: r.App, Verdict: r.Verdict, Context: diagnose.Context{Since: r.Context.Since},
		Findings: []diagnose.Finding{{
			Rule: i.Cause.Rule, Role: diagnose.RoleCause, Confidence: diagnose.Certain, Title: title,
			Why: "What it is about is not shown here: not everyone who reads this has access to it.",
		}},
	}
	subject := cmp.Or(r.App.Label(), r.App.Instance)
	if i.Outage() && r.App.Name != "" {
		out.App = named(who, r.App)
		subject = out.App.Label()
	}
	out.Headline = title
	if subject != "" {
		out.Headline = subject + ": " + title
	}
	return out
}

// digest leaves out the lines of applications that the audience may not see, and counts them.
func digest(who audience.Audience, d *incident.Digest) *incident.Digest {
	if d == nil {
		return nil
	}
	c := *d
	c.Failures = lines(who, d.Failures, &c.Left.Failures, &c.Left.Warnings)
	c.OutOfSync = lines(who, d.OutOfSync, &c.Left.OutOfSync, &c.Left.OutOfSync)
	c.Recovered = lines(who, d.Recovered, &c.Left.Recovered, &c.Left.Recovered)
	c.Often = slices.DeleteFunc(slices.Clone(d.Often), func(a incident.DigestApp) bool {
		if who.SeesApp(a.App) {
			return false
		}
		c.Left.Often++
		return true
	})
	if d.Outlook != nil {
		o := *d.Outlook
		outlook(who, &o)
		c.Outlook = &o
	}
	return &c
}

// outlook leaves out the sync windows of projects and the hooks of applications that the audience may not see, and counts them.
func outlook(who audience.Audience, o *incident.Outlook) {
	o.Windows = slices.DeleteFunc(slices.Clone(o.Windows), func(w incident.DigestWindow) bool {
		if who.Sees(incident.App{Instance: w.Instance}, w.Project) {
			return false
		}
		o.Left.Windows++
		return true
	})
	o.Hooks = slices.DeleteFunc(slices.Clone(o.Hooks), func(h incident.DigestHook) bool {
		if who.SeesApp(h.App) {
			return false
		}
		if h.NoDeadline {
			o.Left.NoDeadline++
		}
		if h.NoDeletePolicy {
			o.Left.NoDeletePolicy++
		}
		return true
	})
}

// lines are those that may be shown; the others are added to what is left out, of applications and of warnings.
func lines(who audience.Audience, all []incident.DigestLine, left, warnings *int) []incident.DigestLine {
	shown := make([]incident.DigestLine, 0, len(all))
	for _, l := range all {
		switch {
		case l.Subject != "" && !who.SeesApp(l.For):
			*warnings++
		case l.Subject == "" && !who.SeesApp(l.App):
			*left++
		default:
			shown = append(shown, l)
		}
	}
	return shown
}

// expiry takes the names out of tokens of projects that the audience may not see.
func expiry(who audience.Audience, e *incident.Expiry) *incident.Expiry {
	if e == nil {
		return nil
	}
	c := *e
	c.Tokens = slices.Clone(e.Tokens)
	for n := range c.Tokens {
		if t := &c.Tokens[n]; t.Account == "" && !who.Sees(incident.App{Instance: e.Instance}, t.Project) {
			t.Project, t.Role, t.ID = evidence.Private, evidence.Private, evidence.Private
		}
	}
	return &c
}
