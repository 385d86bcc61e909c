package access_test

import (
	"log/slog"
	"testing"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/audience"
	"github.com/argo-why/argo-why/internal/slack"
	"github.com/argo-why/argo-why/internal/slack/access"
	"github.com/argo-why/argo-why/internal/slack/people"
	"github.com/argo-why/argo-why/internal/slack/probe"
	"github.com/argo-why/argo-why/internal/workspace"
	"github.com/argo-why/argo-why/internal/workspace/workspacetest"
)

// TestWhoHasLostTheirSay: a request may wait for its approval for a day, and people leave.
func TestWhoHasLostTheirSay(t *testing.T) {
	w, url := workspacetest.Start(t)
	bot := w.AddApp(workspace.App{Name: "argo", Scopes: probe.Names()})
	oncall := w.AddGroup(workspace.Group{Handle: "oncall", UserIDs: []string{w.AddUser(workspace.User{Name: "olga"}).ID}}).ID
	api := slack.NewClient(bot.BotToken, "", url+"/api/", nil)
	log := slog.New(slog.DiscardHandler)
	who, groups := people.New(api, w.TeamID(), log), access.NewGroups(api, log)
	everybody := access.Standing{People: who, Viewer: audience.NewPolicy(nil, groups.Fresh(), nil)}
	onCallAlone := access.Standing{People: who, Viewer: audience.NewPolicy([]audience.Rule{{Groups: []string{oncall}}, {Channels: []string{"C0SHOP"}}}, groups.Fresh(), nil)}
	nobodyKnows := access.Standing{People: who, Viewer: audience.NewPolicy([]audience.Rule{{Groups: []string{"S0GONE"}}}, groups.Fresh(), nil)}
	shop := action.App{Instance: "prod", Namespace: "argocd", Name: "shop"}
	for name, test := range map[string]struct {
		who     workspace.User
		by      access.Standing
		channel string
		want    string
		unknown bool
	}{
		"a member":                       {by: everybody},
		"a guest, about whom the policy": {who: workspace.User{Guest: true}, by: everybody},
		"deactivated":                    {who: workspace.User{Deleted: true}, by: everybody, want: "no longer has an active account in Slack"},
		"of another workspace":           {who: workspace.User{TeamID: "T0OTHER"}, by: everybody, want: "is no longer a member of this workspace"},
		"not in the group":               {by: onCallAlone, want: "no longer has access to this application"},
		"in a channel that has access":   {by: onCallAlone, channel: "C0SHOP"},
		"a group that cannot be read":    {by: nobodyKnows, unknown: true},
	} {
		t.Run(name, func(t *testing.T) {
			test.who.Name = "frank"
			id := w.AddUser(test.who).ID
			got, err := test.by.Lost(t.Context(), action.Person{ID: id}, test.channel, shop, "default")
			if got != test.want || (err != nil) != test.unknown {
				t.Errorf("%q %v, want %q", got, err, test.want)
			}
		})
	}
	w.Fault(workspace.Fault{Method: "users.info", Status: 503, Times: -1})
	if got, err := everybody.Lost(t.Context(), action.Person{ID: "U0NEW"}, "", shop, ""); err == nil || got != "" {
		t.Errorf("while Slack is silent: %q %v", got, err)
	}
}
