package render_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/audience"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/incident/posted"
	"github.com/argo-why/argo-why/internal/slack/render"
)

func expiry(tokens ...incident.ExpiringToken) *incident.Incident {
	return &incident.Incident{
		ID: "token-expires-1", Phase: incident.Recovered, Channel: "argo-alerts", Cause: incident.Cause{Rule: incident.TokenExpires, Key: incident.TokenExpires}, OpenedAt: start,
		Expiry: &incident.Expiry{Instance: "prod", Tokens: tokens},
	}
}

// expiries are announcements of tokens.
func expiries() map[string]*incident.Incident {
	const day = 24 * time.Hour
	token := func(account, project, role string, left, life time.Duration) incident.ExpiringToken {
		return incident.ExpiringToken{Token: evidence.Token{
			Account: account, Project: project, Role: role, ID: "1f0c66aa-9d1e-4c46-8f5b-6c8f3f6f3d0e", Issued: start.Add(left - life), Expires: start.Add(left),
		}}
	}
	own := token("argo-why", "", "", 3*day, 90*day)
	own.Own = true
	replaced := token("ci", "", "", 14*day, 36*time.Hour+90*day)
	replaced.Replaced = true
	role := token("", "shop", "deploy", 20*time.Hour, 30*day)
	var many []incident.ExpiringToken
	for n := range 40 {
		many = append(many, token("", strings.Repeat("a-very-long-project-", 3), fmt.Sprint(strings.Repeat("role-", 12), n), 14*day, 90*day))
	}
	many[7] = own
	return map[string]*incident.Incident{
		"expiry": expiry(replaced), "expiry-role": expiry(role), "expiry-own": expiry(own), "expiry-several": expiry(replaced, role), "expiry-many": expiry(many...), "expiry-long": expiry(many[0]),
	}
}

// TestAnAnnouncementIsOneScreenOfAPhone, however many tokens expire.
func TestAnAnnouncementIsOneScreenOfAPhone(t *testing.T) {
	onOneScreen(t, expiries(), 560)
}

// TestTheBotsOwnTokenComesFirst: who loses it loses everything else.
func TestTheBotsOwnTokenComesFirst(t *testing.T) {
	m := render.Root(posted.To(audience.All(), expiries()["expiry-many"]), links, render.Controls{})
	if !strings.HasPrefix(m.Text, "⏳ prod: the bot's own token expires in 3 days, on 23 Nov, and 39 others by 4 Dec\n") {
		t.Errorf("the notification says\n%s", m.Text)
	}
	if text := seen(m); !strings.Contains(text, "argocd account generate-token --account argo-why --expires-in 90d") {
		t.Errorf("how to replace it is not in\n%s", text)
	}
}
