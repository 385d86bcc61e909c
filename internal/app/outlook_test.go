package app

import (
	"fmt"
	"testing"
	"time"

	"github.com/argo-why/argo-why/config"
	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/gateway"
	"github.com/argo-why/argo-why/internal/incident"
)

// TestAnOutlookIsAboutTheApplicationsOfItsChannel: sync windows of their projects, and their hooks that lack something.
func TestAnOutlookIsAboutTheApplicationsOfItsChannel(t *testing.T) {
	c := config.Default()
	c.Slack.Channel, c.Routes = "alerts", []config.Route{{Match: config.Match{Project: "payments"}, Channel: "payments-alerts"}}
	named := func(name string) diagnose.AppName {
		return diagnose.AppName{Instance: "prod", Namespace: "argocd", Name: name}
	}
	apps := map[diagnose.AppName]gateway.Entry{named("shop"): {Project: "shop"}, named("pay"): {Project: "payments"}}
	deny := func(project string) evidence.ProjectWindow {
		return evidence.ProjectWindow{Project: project, SyncWindow: evidence.SyncWindow{Kind: "deny", Schedule: "0 18 * * *", Duration: "1h"}}
	}
	hook := func(app string, lacks bool) evidence.Hook {
		return evidence.Hook{AppNamespace: "argocd", App: app, Ref: evidence.Ref{Kind: "Job", Name: "migrate"}, NoDeadline: lacks}
	}
	s := settings{
		in: &instance{Instance: &gateway.Instance{Name: "prod"}}, windows: []evidence.ProjectWindow{deny("empty"), deny("payments"), deny("shop")},
		hooks: []evidence.Hook{hook("deleted", true), hook("pay", true), hook("shop", false)}, left: 2, unread: []string{"hooks of prod"},
	}
	for channel, want := range map[string]string{"alerts": "[shop] [] 2 [hooks of prod]", "payments-alerts": "[payments] [pay] 2 [hooks of prod]"} {
		o := &incident.Outlook{At: time.Date(2026, 11, 24, 8, 0, 0, 0, time.UTC)}
		s.tell(o, apps, func(app diagnose.AppName, e gateway.Entry) bool { return c.Channel(app, e.Project) == channel })
		windows, hooks := []string{}, []string{}
		for _, w := range o.Windows {
			windows = append(windows, w.Project)
		}
		for _, h := range o.Hooks {
			hooks = append(hooks, h.App.Name)
		}
		if got := fmt.Sprint(windows, hooks, o.HooksLeft, o.Unread); got != want {
			t.Errorf("%s: got %s, want %s", channel, got, want)
		}
	}
}
