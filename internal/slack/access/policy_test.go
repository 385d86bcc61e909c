package access_test

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/slack"
	"github.com/argo-why/argo-why/internal/slack/access"
	"github.com/argo-why/argo-why/internal/slack/apps"
	"github.com/argo-why/argo-why/internal/workspace"
	"github.com/argo-why/argo-why/internal/workspace/workspacetest"
)

var app = incident.App{Instance: "prod", Namespace: "argocd", Name: "ledger"}

// guests are some people. A nil value is of one whom Slack says nothing about.
type guests map[string]error

func (g guests) Guest(_ context.Context, id string) (bool, error) {
	err, ok := g[id]
	return ok && err == nil, err
}

func TestWhoMayLook(t *testing.T) {
	payments := access.Rule{Projects: []string{"pay*"}, Users: []string{"U1"}, Channels: []string{"C1"}}
	staging := access.Rule{Instances: []string{"staging"}}
	aloud := access.Rule{Users: []string{"U1"}, Publish: true}
	inStaging := incident.App{Instance: "staging", Name: "x"}
	published := access.Rule{Projects: []string{"pay*"}, Channels: []string{"C1"}, Publish: true}
	all, alone, everybody := apps.Sight{May: true}, apps.Sight{May: true, Personal: true}, apps.Sight{May: true, Published: true}
	for _, s := range []struct {
		name          string
		rules         []access.Rule
		user, channel string
		app           incident.App
		project       string
		want          apps.Sight
	}{
		{"no policy: everybody", nil, "U9", "C9", app, "payments", all},
		{"named in a rule", []access.Rule{payments}, "U1", "C9", app, "payments", alone},
		{"named, where everyone may", []access.Rule{payments}, "U1", "C1", app, "payments", all},
		{"named, and answered aloud", []access.Rule{payments, aloud}, "U1", "C9", app, "payments", all},
		{"published to a channel", []access.Rule{payments, published}, "U9", "C1", app, "payments", everybody},
		{"published to it after a rule for everybody", []access.Rule{{}, published}, "U9", "C1", app, "payments", everybody},
		{"published to another channel", []access.Rule{published}, "U9", "C9", app, "payments", apps.Sight{}},
		{"another project than the published one", []access.Rule{{}, published}, "U9", "C1", app, "ledger", all},
		{"asks where the answer may stand", []access.Rule{payments}, "U9", "C1", app, "payments", all},
		{"neither", []access.Rule{payments}, "U9", "C9", app, "payments", apps.Sight{}},
		{"another project", []access.Rule{payments}, "U1", "C1", app, "ledger", apps.Sight{}},
		{"another instance", []access.Rule{staging}, "U1", "C1", app, "payments", apps.Sight{}},
		{"a rule for everybody", []access.Rule{payments, staging}, "U9", "C9", inStaging, "x", all},
		{"a project that is not known", []access.Rule{payments}, "U1", "C1", app, "", apps.Sight{}},
		{"a guest, without a policy", nil, "U0GUEST", "C9", app, "payments", apps.Sight{}},
		{"a guest, where everybody may", []access.Rule{staging}, "U0GUEST", "C9", inStaging, "x", apps.Sight{}},
		{"a guest who is named", []access.Rule{{Users: []string{"U0GUEST"}}}, "U0GUEST", "C9", app, "payments", alone},
		{"a guest in a channel that is named", []access.Rule{payments}, "U0GUEST", "C1", app, "payments", all},
		{"somebody whom Slack does not know", nil, "U0WHO", "C9", app, "payments", apps.Sight{}},
	} {
		t.Run(s.name, func(t *testing.T) {
			p := access.New(s.rules, nil, guests{"U0GUEST": nil, "U0WHO": errors.New("Slack does not answer")})
			if got := p.May(t.Context(), s.user, s.channel, s.app, s.project); got != s.want {
				t.Errorf("%+v, want %+v", got, s.want)
			}
		})
	}
	if got := access.New(nil, nil, nil).May(t.Context(), "U0GUEST", "C1", app, "payments"); got != all {
		t.Errorf("a guest who is like a member: %+v", got)
	}
}

func TestWhatIsHiddenIsSaidOfNoApplication(t *testing.T) {
	payments := access.Rule{Projects: []string{"pay*"}, Users: []string{"U1"}, Channels: []string{"C1"}}
	for _, s := range []struct {
		name  string
		rules []access.Rule
		user  string
		want  string
	}{
		{"everybody sees all", nil, "U9", ""},
		{"somebody sees all", []access.Rule{payments, {Users: []string{"U9"}}}, "U9", ""},
		{"somebody sees a part", []access.Rule{payments}, "U1", "Access to applications is given to <@U1>, anyone who asks in <#C1>."},
		{"somebody sees nothing", []access.Rule{payments}, "U9", "Access to applications is given to <@U1>, anyone who asks in <#C1>."},
		{"a rule for nobody in particular", []access.Rule{{Projects: []string{"x"}}}, "U9", "Ask the people who run the bot for access."},
		{"a guest", nil, "U0GUEST", "As a guest of this workspace you see only the applications that an entry under access in the bot's configuration gives to you by name or to this channel. Ask the people who run the bot for access."},
	} {
		t.Run(s.name, func(t *testing.T) {
			if got := access.New(s.rules, nil, guests{"U0GUEST": nil}).Hidden(t.Context(), s.user, "C9"); got != s.want {
				t.Errorf("%q, want %q", got, s.want)
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
		p := access.New([]access.Rule{{Groups: []string{oncall.ID}}}, groups, nil)
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
