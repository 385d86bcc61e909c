package posted_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/audience"
	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/incident/posted"
)

var (
	shop  = incident.App{Instance: "prod", Namespace: "argocd", Name: "shop"}
	vault = incident.App{Instance: "prod", Namespace: "argocd", Name: "vault-core"}
	began = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)
)

func project(app incident.App) string {
	return map[incident.App]string{shop: "shop", vault: "vault"}[app]
}

// outsider sees the project shop, insider all.
var (
	outsider = audience.New(func(_ incident.App, project string) bool { return project == "shop" }, project)
	insider  = audience.New(func(incident.App, string) bool { return true }, project)
)

const errorText = "vault-repo: authentication required"

func report(app incident.App, mentions ...incident.App) *diagnose.Report {
	return &diagnose.Report{
		App: app, Headline: app.Name + ": " + errorText, Mentions: mentions,
		Findings: []diagnose.Finding{{Rule: "health/child-app", Role: diagnose.RoleCause, Title: errorText, Fix: []diagnose.Fix{{Command: "argo-why why vault-core"}}}},
	}
}

// Each has the name of vault-core, or of what only it has, in every place where an incident can have it.
var incidents = map[string]*incident.Incident{
	"a parent that was read for others": {Report: report(shop, vault), Members: []incident.Member{{App: shop}}, Cause: incident.Cause{Child: vault}},
	"an outage": {
		Cause: incident.Cause{Key: "g", Group: "g"}, Report: report(vault),
		Members: []incident.Member{{App: shop}, {App: vault, Headline: "vault-core: " + errorText}},
	},
	"a list": {
		Cause:   incident.Cause{Rule: incident.AlreadyFailing},
		Members: []incident.Member{{App: shop, Headline: "shop: Child app vault-core: " + errorText, Mentions: []incident.App{vault}}, {App: vault, Headline: "vault-core: x"}},
	},
	"parents": {Report: &diagnose.Report{App: shop, Headline: "shop: crash"}, Members: []incident.Member{{App: shop}}, Parents: []incident.App{vault}},
	"a warning": {
		Cause: incident.Cause{Key: "g", Group: "g", Subject: "vault-repo"}, Report: report(incident.App{Instance: "prod"}),
		Connections: []incident.Connection{{Instance: "prod", Kind: string(evidence.ConnectionToRepository), Address: "https://git.example.com/vault-repo", Project: "vault", For: vault}},
		Examples:    []incident.App{vault}, Dependents: 1,
	},
	"a digest": {Digest: &incident.Digest{
		Failures:  []incident.DigestLine{{App: shop, Title: "crash"}, {App: vault, Title: errorText}, {App: incident.App{Instance: "prod"}, Subject: "vault-repo", For: vault}},
		OutOfSync: []incident.DigestLine{{App: vault}}, Recovered: []incident.DigestLine{{App: vault}}, Often: []incident.DigestApp{{App: vault}},
		Outlook: &incident.Outlook{
			Hooks:   []incident.DigestHook{{App: vault, Name: "vault-hook", NoDeadline: true, NoDeletePolicy: true}, {App: shop, Name: "migrate", NoDeadline: true}},
			Windows: []incident.DigestWindow{{Instance: "prod", Project: "vault", Kind: "deny", Of: "applications vault-*"}, {Instance: "prod", Project: "shop", Kind: "deny"}},
		},
	}},
	"tokens": {Expiry: &incident.Expiry{Instance: "prod", Tokens: []incident.ExpiringToken{
		{Token: evidence.Token{Account: "ci", ID: "1"}}, {Token: evidence.Token{Project: "vault", Role: "vault-deployer", ID: "vault-token"}},
	}}},
}

func shown(t *testing.T, i any) string {
	t.Helper()
	raw, err := json.Marshal(i)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

func TestAnIncidentNamesNothingThatItsReadersMayNotSee(t *testing.T) {
	for name, i := range incidents {
		t.Run(name, func(t *testing.T) {
			i.OpenedAt, i.Phase = began, incident.Open
			before := shown(t, i)
			if got := shown(t, posted.To(outsider, i).View()); strings.Contains(got, "vault") || strings.Contains(got, "authentication") {
				t.Errorf("an outsider reads %s", got)
			}
			if got := shown(t, posted.To(insider, i).View()); !strings.Contains(got, "vault") {
				t.Errorf("an insider reads %s", got)
			}
			if after := shown(t, i); after != before {
				t.Error("the incident was changed")
			}
		})
	}
}

func TestWhatIsLeftOutOfADigestIsCounted(t *testing.T) {
	d := posted.To(outsider, incidents["a digest"]).View().Digest
	want := incident.DigestLeft{Failures: 1, Warnings: 1, OutOfSync: 1, Recovered: 1, Often: 1}
	if d.Left != want || len(d.Failures) != 1 {
		t.Errorf("%+v, %d failures", d.Left, len(d.Failures))
	}
	if o, left := d.Outlook, (incident.OutlookLeft{Windows: 1, NoDeadline: 1, NoDeletePolicy: 1}); o.Left != left || len(o.Windows) != 1 || len(o.Hooks) != 1 {
		t.Errorf("the outlook is %+v", o)
	}
}

func TestALinkFromAnotherChannelSaysOnlyWhatItsReadersMaySee(t *testing.T) {
	line := incident.Reply{Reason: incident.Elsewhere, Headline: "vault-core: " + errorText, Others: []incident.App{vault}, Link: "https://slack.example.com/x"}
	if got := posted.Line(outsider, line).View(); got.Headline != "" || got.Link == "" {
		t.Errorf("%+v", got)
	}
	if got := posted.Line(insider, line).View(); got.Headline != line.Headline {
		t.Errorf("%+v", got)
	}
	own := incident.Reply{Reason: incident.Reminder, Headline: "vault-core: " + errorText} // of its own thread
	if got := posted.Line(outsider, own).View(); got.Headline != own.Headline {
		t.Errorf("%+v", got)
	}
}

func TestAnIncidentOfAnOutageIsStillThatOfAll(t *testing.T) {
	i := posted.To(outsider, incidents["an outage"]).View()
	if len(i.Members) != 2 || !slices.ContainsFunc(i.Members, func(m incident.Member) bool { return posted.Private(m.App.Name) }) {
		t.Errorf("%+v", i.Members)
	}
}
