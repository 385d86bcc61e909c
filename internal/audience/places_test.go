package audience_test

import (
	"context"
	"errors"
	"testing"

	"github.com/argo-why/argo-why/internal/audience"
)

// channels are those of Slack by what the configuration calls them; one that is not here Slack says nothing about.
type channels map[string]audience.Channel

func (c channels) Channel(_ context.Context, name string) (audience.Channel, error) {
	at, ok := c[name]
	if !ok {
		return audience.Channel{}, errors.New("Slack does not answer")
	}
	return at, nil
}

// members of one user group.
type members map[string][]string

func (m members) Members(_ context.Context, group string) ([]string, error) { return m[group], nil }

func TestWhoSeesWhatWhere(t *testing.T) {
	known := channels{
		"general": {ID: "C0GENERAL", Name: "general"}, "C0GENERAL": {ID: "C0GENERAL", Name: "general"},
		"vault-alerts": {ID: "C0VAULT", Name: "vault-alerts"}, "C0VAULT": {ID: "C0VAULT", Name: "vault-alerts"},
		"partners": {ID: "C0PARTNERS", Name: "partners", Others: true}, "C0PARTNERS": {ID: "C0PARTNERS", Name: "partners", Others: true},
	}
	shop := audience.App{Instance: "prod", Namespace: "argocd", Name: "shop"}
	vault := audience.App{Instance: "prod", Namespace: "argocd", Name: "vault-db"}
	projects := map[audience.App]string{shop: "shop", vault: "vault"}
	route := func(_ audience.App, project string) string {
		if project == "vault" {
			return "vault-alerts"
		}
		return "#general"
	}
	owner := audience.Rule{Projects: []string{"vault"}, Users: []string{"U0OWNER"}}
	everybody := audience.Rule{Projects: []string{"shop"}}
	private := []audience.Rule{owner, everybody}
	places := func(rules ...audience.Rule) *audience.Places {
		return &audience.Places{
			Policy: audience.NewPolicy(rules, members{"S0VAULT": {"U0OWNER"}}, nil), Route: route, Channels: known,
			Project: func(app audience.App) string { return projects[app] },
		}
	}
	ctx := t.Context()
	for _, s := range []struct {
		name        string
		who         audience.Audience
		shop, vault bool
	}{
		{"no rules, a channel", places().InChannel(ctx, "general"), true, true},
		{"no rules, a channel that others read", places().InChannel(ctx, "partners"), false, false},
		{"no rules, a channel that Slack says nothing about", places().InChannel(ctx, "unknown"), false, false},
		{"no rules, where the route leads", places().InChannel(ctx, "vault-alerts"), true, true},
		{"a private project, elsewhere", places(private...).InChannel(ctx, "general"), true, false},
		{"a private project, by the ID of the channel", places(private...).InChannel(ctx, "C0GENERAL"), true, false},
		{"a private project, where its route leads", places(private...).InChannel(ctx, "vault-alerts"), true, true},
		{"a project for everybody where others read", places(private...).InChannel(ctx, "partners"), false, false},
		{"published to a channel", places(audience.Rule{Channels: []string{"C0PARTNERS"}, Publish: true}).InChannel(ctx, "partners"), true, true},
		{"given to a channel that others read, not published", places(audience.Rule{Channels: []string{"C0PARTNERS"}}).InChannel(ctx, "partners"), false, false},
		{"given to a channel", places(owner, audience.Rule{Channels: []string{"C0GENERAL"}}).InChannel(ctx, "general"), true, true},
		{"a rule of people who publish is of no channel", places(audience.Rule{Users: []string{"U0OWNER"}, Publish: true}).InChannel(ctx, "general"), true, false},
		{"its owner alone", places(private...).Person(ctx, "U0OWNER", "C0GENERAL"), true, true},
		{"its owner, read by all in the channel", places(private...).Answer(ctx, "U0OWNER", "C0GENERAL"), true, false},
		{"who publishes, read by all in the channel", places(audience.Rule{Groups: []string{"S0VAULT"}, Publish: true}).Answer(ctx, "U0OWNER", "C0GENERAL"), true, true},
		{"somebody else alone", places(private...).Person(ctx, "U0OTHER", "C0GENERAL"), true, false},
		{"somebody else in the channel of its route", places(private...).Answer(ctx, "U0OTHER", "C0VAULT"), true, true},
		{"a channel by ID that Slack says nothing about", places().Answer(ctx, "U0OTHER", "C0UNKNOWN"), false, false},
		{"nobody", audience.Audience{}, false, false},
		{"who runs the command", audience.All(), true, true},
	} {
		t.Run(s.name, func(t *testing.T) {
			if got := s.who.SeesApp(shop); got != s.shop {
				t.Errorf("shop: %v", got)
			}
			if got := s.who.SeesApp(vault); got != s.vault {
				t.Errorf("vault: %v", got)
			}
			shown, hidden := s.who.Show([]audience.App{vault, shop})
			want := 0
			for _, ok := range []bool{s.vault, s.shop} {
				if !ok {
					want++
				}
			}
			if hidden != want || len(shown) != 2-want {
				t.Errorf("shown %v, %d hidden", shown, hidden)
			}
		})
	}
}

// TestAnAudienceThatNobodyMadeSeesNothing: what is forgotten shows too little, never too much.
func TestAnAudienceThatNobodyMadeSeesNothing(t *testing.T) {
	shop := audience.App{Instance: "prod", Namespace: "argocd", Name: "shop"}
	project := func(audience.App) string { return "shop" }
	all := func(audience.App, string) bool { return true }
	places := audience.Places{Policy: audience.NewPolicy(nil, nil, nil), Channels: channels{"general": {ID: "C0GENERAL"}}, Project: project}
	for name, who := range map[string]audience.Audience{
		"the zero value": {}, "one of names alone": audience.New(all, project), "of places without texts": places.InChannel(t.Context(), "general"),
		"a person, of places without texts": places.Person(t.Context(), "U0OTHER", "general"),
	} {
		if got := who.Text(shop, "application vault-core is broken"); got != "" {
			t.Errorf("%s reads %q", name, got)
		}
	}
	nobody := audience.Audience{}
	if shown, hidden := nobody.Show([]audience.App{shop}); nobody.Sees(shop, "shop") || nobody.SeesApp(shop) || nobody.SeesAll([]audience.App{shop}) || len(shown) > 0 || hidden != 1 {
		t.Error("the zero value sees an application")
	}
	if got := audience.All().Text(shop, "x"); got != "x" {
		t.Errorf("who runs the command reads %q", got)
	}
}
