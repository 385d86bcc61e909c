package access_test

import (
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/slack"
	"github.com/argo-why/argo-why/internal/slack/access"
	"github.com/argo-why/argo-why/internal/workspace"
	"github.com/argo-why/argo-why/internal/workspace/workspacetest"
)

var app = incident.App{Instance: "prod", Namespace: "argocd", Name: "ledger"}

func TestWhoMayLook(t *testing.T) {
	payments := access.Rule{Projects: []string{"pay*"}, Users: []string{"U1"}, Channels: []string{"C1"}}
	staging := access.Rule{Instances: []string{"staging"}}
	for _, s := range []struct {
		name          string
		rules         []access.Rule
		user, channel string
		app           incident.App
		project       string
		may           bool
		why           string
	}{
		{"no policy: everybody", nil, "U9", "C9", app, "payments", true, ""},
		{"named in a rule", []access.Rule{payments}, "U1", "C9", app, "payments", true, ""},
		{"asks where the answer may stand", []access.Rule{payments}, "U9", "C1", app, "payments", true, ""},
		{"neither", []access.Rule{payments}, "U9", "C9", app, "payments", false, "project payments in prod. People with access: <@U1>, anyone who asks in <#C1>."},
		{"another project", []access.Rule{payments}, "U1", "C1", app, "ledger", false, "no rule under access in the bot's configuration covers them."},
		{"another instance", []access.Rule{staging}, "U1", "C1", app, "payments", false, "no rule under access"},
		{"a rule for everybody", []access.Rule{payments, staging}, "U9", "C9", incident.App{Instance: "staging", Name: "x"}, "x", true, ""},
		{"a project that is not known", []access.Rule{payments}, "U1", "C1", app, "", false, "project unknown"},
	} {
		t.Run(s.name, func(t *testing.T) {
			may, why := access.New(s.rules, nil).May(t.Context(), s.user, s.channel, s.app, s.project)
			if may != s.may || !strings.Contains(why, s.why) || (why == "") != may {
				t.Errorf("may %v, %q", may, why)
			}
		})
	}
}

func TestAUserGroupIsAskedOfSlackAndRememberedForAMinute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := workspacetest.New(t)
		bot := w.AddApp(workspace.App{})
		dana, erin := w.AddUser(workspace.User{Name: "dana"}), w.AddUser(workspace.User{Name: "erin"})
		oncall := w.AddGroup(workspace.Group{Handle: "oncall", UserIDs: []string{dana.ID}})
		groups := access.NewGroups(slack.NewClient(bot.BotToken, "", "http://slack.test/api", &http.Client{Transport: w.Transport()}), slog.New(slog.DiscardHandler))
		p := access.New([]access.Rule{{Groups: []string{oncall.ID}}}, groups)
		may := func(u workspace.User) (bool, string) { return p.May(t.Context(), u.ID, "C1", app, "payments") }

		for range 3 {
			if ok, why := may(dana); !ok {
				t.Fatal(why)
			}
		}
		ok, why := may(erin)
		if ok || !strings.Contains(why, "<!subteam^"+oncall.ID+">") {
			t.Errorf("erin: %v %q", ok, why)
		}
		if n := w.Calls("usergroups.users.list"); n != 1 {
			t.Errorf("%d calls", n)
		}

		members := func() ([]string, error) { return groups.Fresh().Members(t.Context(), oncall.ID) }
		if list, err := members(); err != nil || len(list) != 1 || w.Calls("usergroups.users.list") != 1 {
			t.Errorf("of a moment ago: %v %v", list, err)
		}

		// Slack is down for a while: what it said last still counts for looking, and not for acting; and then nobody may.
		w.Fault(workspace.Fault{Method: "usergroups.users.list", Status: 500, Times: -1})
		time.Sleep(5 * time.Minute)
		if ok, why := may(dana); !ok {
			t.Error(why)
		}
		if list, err := members(); err == nil {
			t.Errorf("who may act five minutes later: %v", list)
		}
		time.Sleep(15 * time.Minute)
		if ok, why := may(dana); ok || !strings.Contains(why, "Slack did not return the members of the user groups just now.") {
			t.Errorf("%v %q", ok, why)
		}
		w.ClearFaults()
		if ok, why := may(dana); !ok {
			t.Error(why)
		}
		if list, err := members(); err != nil || len(list) != 1 {
			t.Errorf("Slack is back: %v %v", list, err)
		}
	})
}
