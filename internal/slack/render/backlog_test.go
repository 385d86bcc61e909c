package render_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/audience"
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/incident/posted"
	"github.com/argo-why/argo-why/internal/slack/blocks"
	"github.com/argo-why/argo-why/internal/slack/button"
	"github.com/argo-why/argo-why/internal/slack/render"
	"github.com/argo-why/argo-why/internal/text"
)

// backlog is a list of applications whose causes are as many; each of the first causes is shared.
func backlog(applications, causes int, name string) *incident.Incident {
	i := &incident.Incident{
		ID: "already-failing-k3v9q2mz", Phase: incident.Open, Channel: "deployments", Since: start, Seen: start, OpenedAt: start.Add(5 * time.Second),
		Cause: incident.Cause{Rule: incident.AlreadyFailing, Key: incident.AlreadyFailing},
	}
	for n := range applications {
		cause := n % causes
		app := incident.App{Instance: "eu", Namespace: "argocd", Name: fmt.Sprintf("%s-%04d", name, n)}
		m := incident.Member{
			App: app, Since: start.Add(-time.Duration(n) * time.Hour), Cause: incident.Cause{Rule: fmt.Sprintf("health/%s-%02d", name, cause)},
			Headline: fmt.Sprintf("eu/%s: Deployment/%s has no ready replica, reason %d", app.Name, name, cause),
		}
		if cause < 3 {
			m.Cause.Group, m.Cause.Subject = fmt.Sprintf("eu %s: quota %d", m.Cause.Rule, cause), fmt.Sprintf("quota %d", cause)
		}
		i.Members = append(i.Members, m)
	}
	return i
}

func backlogs() map[string]*incident.Incident {
	partly := backlog(12, 5, "garage")
	for n, note := range []string{incident.NoteRecovered, incident.NoteThread, incident.NoteOtherCause, incident.NoteDeleted, incident.NoteRecovered} {
		partly.Members[n].Well, partly.Members[n].Note = start.Add(time.Hour), note
	}
	over := backlog(3, 3, "garage")
	over.Phase, over.RecoveredAt = incident.Recovered, start.Add(time.Hour)
	for n := range over.Members {
		over.Members[n].Well, over.Members[n].Note = start.Add(time.Hour), incident.NoteRecovered
	}
	return map[string]*incident.Incident{
		"backlog": backlog(8, 5, "garage"), "backlog-partly": partly, "backlog-over": over, "backlog-of-500": backlog(500, 80, "garage-api"),
	}
}

func TestAListOfManyFitsAndCountsTheRest(t *testing.T) {
	for _, name := range []string{"api", strings.Repeat("long-name-", 20), strings.Repeat("größer & 中文 <!channel> ", 10)} {
		i := backlog(500, 80, name)
		for n := range i.Members[:200] {
			i.Members[n].Well, i.Members[n].Note = start, incident.NoteRecovered
		}
		m := render.Root(posted.To(audience.All(), i), links, render.Controls{Key: button.NewKey("secret")})
		if err := blocks.Check(m.Blocks); err != nil {
			t.Error(err)
		}
		raw, err := json.Marshal(m.Blocks)
		if err != nil {
			t.Fatal(err)
		}
		shown := string(raw)
		buttons, lines := strings.Count(shown, render.OpenID), i.Lines()
		left := 0
		for _, line := range lines[buttons:] {
			left += len(line.Members)
		}
		if want := fmt.Sprintf("And %d more causes with %d applications: ", len(lines)-buttons, left); buttons < 2 || !strings.Contains(shown, want) {
			t.Errorf("%s: %d buttons, and no %q in %s", text.Clip(name, 20), buttons, want, shown)
		}
	}
}
