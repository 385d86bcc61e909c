package render

import (
	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/incident/posted"
	"github.com/argo-why/argo-why/internal/sanitize"
	"github.com/argo-why/argo-why/internal/slack/blocks"
	"github.com/argo-why/argo-why/internal/text"
)

// maxConnections are named one by one: a Git host can have hundreds of repositories.
const maxConnections = 3

// warns reports whether an incident is about a connection of Argo CD that no application has failed of, as far as its channel is told.
func warns(i *incident.Incident) bool { return len(i.Connections) > 0 && len(i.Members) == 0 }

// WarningHeadline is what is wrong with a connection that fails, with its Argo CD in front.
func WarningHeadline(p posted.Incident) string {
	i := p.View()
	r := sanitize.Report(i.Report)
	if r == nil {
		return i.Cause.Subject
	}
	return warningHeadline(i, r)
}

func warningHeadline(i *incident.Incident, r *diagnose.Report) string {
	return ofArgoCD(i, r.Title())
}

// warningName is what a warning is about, with its Argo CD in front: "prod: Git host git.example.com".
func warningName(i *incident.Incident) string {
	return ofArgoCD(i, text.UpperFirst(i.Cause.Subject))
}

// ofArgoCD is what is said of a connection, with its Argo CD in front.
func ofArgoCD(i *incident.Incident, what string) string {
	if instance := i.Connections[0].Instance; instance != "" {
		return instance + ": " + what
	}
	return what
}

// warningOver is the headline of a warning that is over, and what happened at the moment behind it. It is green only where the connection works.
func warningOver(i *incident.Incident) (head, since string) {
	how := "no longer failing for this cause"
	switch i.Ended() {
	case incident.RecoveredNow:
		return connectedAgain(i)
	case incident.Unwatched:
		how = "no longer watched"
	case incident.Removed:
		how = "removed from Argo CD"
	case incident.Unneeded:
		how = "no application depends on it now"
	default:
	}
	return "⚪ " + warningName(i) + ": " + how, "since "
}

func connectedAgain(i *incident.Incident) (head, since string) {
	head, since = "🟢 "+warningName(i)+" connected again", "connected "
	if i.Connections[0].OfController() {
		head, since = "🟢 "+warningName(i)+" reporting again", "reporting since "
	}
	if d := downtime(i); d > 0 {
		head += " after " + text.Duration(d)
	}
	return head, since
}

// connections lists those that fail, with the age of what Argo CD says.
func connections(i *incident.Incident) []blocks.Block {
	var items [][]blocks.Span
	down := i.Disconnected()
	for n, c := range down {
		if n == maxConnections {
			items = append(items, []blocks.Span{blocks.Plain("and " + text.More(len(down)-n))})
			break
		}
		items = append(items, connection(c))
	}
	if len(items) == 0 {
		return nil
	}
	heading := "Argo CD cannot connect to"
	if down[0].OfController() {
		heading = "Not reported on"
	}
	return []blocks.Block{blocks.Text(blocks.Bold(heading)), blocks.Bullets(items...)}
}

func connection(c incident.Connection) []blocks.Span {
	spans := []blocks.Span{blocks.Mono(c.Address)}
	if c.Project != "" {
		spans = append(spans, blocks.Plain(" (project "+c.Project+")"))
	}
	when, at := " · tested ", c.Tested
	switch {
	case c.OfController():
		when = " · last report "
	case c.ToCluster(): // Argo CD tests it every few seconds
		when, at = " · failing since ", c.Since
	}
	if !at.IsZero() {
		spans = append(spans, blocks.Plain(when), blocks.Ago(at))
	}
	return spans
}

// warningMark names the applications that depend on the connections that fail.
func warningMark(i *incident.Incident, l Links) []blocks.Block {
	if !warns(i) {
		return nil
	}
	lead := text.Count(i.Dependents, "application depends", "applications depend") + " on it"
	if len(i.Examples) == 0 {
		return []blocks.Block{blocks.Text(blocks.Bold(lead), blocks.Plain(", and not everyone in this channel may see them"))}
	}
	spans := []blocks.Span{blocks.Bold(lead + ": ")}
	for n, app := range i.Examples {
		if n == maxMembers {
			break
		}
		if n > 0 {
			spans = append(spans, blocks.Plain(", "))
		}
		spans = append(spans, blocks.Link(l.App(app), sanitize.App(app, maxTarget)))
	}
	if more := i.Dependents - min(len(i.Examples), maxMembers); more > 0 {
		spans = append(spans, blocks.Plain(" and "+text.More(more)))
	}
	return []blocks.Block{blocks.Text(spans...)}
}

// connectionsNow says of connections that no longer fail what became of them.
func connectionsNow(i *incident.Incident) []blocks.Block {
	var out []blocks.Block
	for _, now := range []struct{ note, label string }{
		{"", "Connected again"}, {incident.NoteOtherCause, "Failing for another cause"}, {incident.NoteRemoved, "Removed from Argo CD"},
		{incident.NoteUnneeded, "No application depends on"}, {incident.NoteUnwatched, "No longer watched"},
	} {
		var addresses []string
		for _, c := range i.Connections {
			if c.Note == now.note {
				addresses = append(addresses, c.Address)
			}
		}
		if len(addresses) > 0 && now.note == "" && i.Connections[0].OfController() {
			now.label = "Reported on again"
		}
		if len(addresses) > 0 {
			out = append(out, labelLine(now.label, text.List(addresses, maxConnections)))
		}
	}
	return out
}
