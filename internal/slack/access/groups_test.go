package access_test

import (
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/argo-why/argo-why/internal/audience"
	"github.com/argo-why/argo-why/internal/slack"
	"github.com/argo-why/argo-why/internal/slack/access"
	"github.com/argo-why/argo-why/internal/workspace"
	"github.com/argo-why/argo-why/internal/workspace/workspacetest"
)

var app = audience.App{Instance: "prod", Namespace: "argocd", Name: "ledger"}

func TestAUserGroupIsAskedOfSlackAndRememberedForAMinute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := workspacetest.New(t)
		bot := w.AddApp(workspace.App{})
		dana, erin := w.AddUser(workspace.User{Name: "dana"}), w.AddUser(workspace.User{Name: "erin"})
		oncall := w.AddGroup(workspace.Group{Handle: "oncall", UserIDs: []string{dana.ID}})
		groups := access.NewGroups(slack.NewClient(bot.BotToken, "", "http://slack.test/api", &http.Client{Transport: w.Transport()}), slog.New(slog.DiscardHandler))
		p := audience.NewPolicy([]audience.Rule{{Groups: []string{oncall.ID}}}, groups, nil)
		may := func(u workspace.User) (bool, string) {
			return p.May(t.Context(), u.ID, "C1", app, "payments").May, p.Hidden(t.Context(), u.ID, "C1")
		}

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
