package audience_test

import (
	"context"
	"errors"
	"testing"

	"github.com/argo-why/argo-why/internal/audience"
)

var app = audience.App{Instance: "prod", Namespace: "argocd", Name: "ledger"}

// guests are some people. A nil value is of one whom Slack says nothing about.
type guests map[string]error

func (g guests) Guest(_ context.Context, id string) (bool, error) {
	err, ok := g[id]
	return ok && err == nil, err
}

func TestWhoMayLook(t *testing.T) {
	payments := audience.Rule{Projects: []string{"pay*"}, Users: []string{"U1"}, Channels: []string{"C1"}}
	staging := audience.Rule{Instances: []string{"staging"}}
	aloud := audience.Rule{Users: []string{"U1"}, Publish: true}
	inStaging := audience.App{Instance: "staging", Name: "x"}
	published := audience.Rule{Projects: []string{"pay*"}, Channels: []string{"C1"}, Publish: true}
	all, alone, everybody := audience.Sight{May: true}, audience.Sight{May: true, Personal: true}, audience.Sight{May: true, Published: true}
	for _, s := range []struct {
		name          string
		rules         []audience.Rule
		user, channel string
		app           audience.App
		project       string
		want          audience.Sight
	}{
		{"no policy: everybody", nil, "U9", "C9", app, "payments", all},
		{"named in a rule", []audience.Rule{payments}, "U1", "C9", app, "payments", alone},
		{"named, where everyone may", []audience.Rule{payments}, "U1", "C1", app, "payments", all},
		{"named, and answered aloud", []audience.Rule{payments, aloud}, "U1", "C9", app, "payments", all},
		{"published to a channel", []audience.Rule{payments, published}, "U9", "C1", app, "payments", everybody},
		{"published to it after a rule for everybody", []audience.Rule{{}, published}, "U9", "C1", app, "payments", everybody},
		{"published to another channel", []audience.Rule{published}, "U9", "C9", app, "payments", audience.Sight{}},
		{"another project than the published one", []audience.Rule{{}, published}, "U9", "C1", app, "ledger", all},
		{"asks where the answer may stand", []audience.Rule{payments}, "U9", "C1", app, "payments", all},
		{"neither", []audience.Rule{payments}, "U9", "C9", app, "payments", audience.Sight{}},
		{"another project", []audience.Rule{payments}, "U1", "C1", app, "ledger", audience.Sight{}},
		{"another instance", []audience.Rule{staging}, "U1", "C1", app, "payments", audience.Sight{}},
		{"a rule for everybody", []audience.Rule{payments, staging}, "U9", "C9", inStaging, "x", all},
		{"a project that is not known", []audience.Rule{payments}, "U1", "C1", app, "", audience.Sight{}},
		{"a guest, without a policy", nil, "U0GUEST", "C9", app, "payments", audience.Sight{}},
		{"a guest, where everybody may", []audience.Rule{staging}, "U0GUEST", "C9", inStaging, "x", audience.Sight{}},
		{"a guest who is named", []audience.Rule{{Users: []string{"U0GUEST"}}}, "U0GUEST", "C9", app, "payments", alone},
		{"a guest in a channel that is named", []audience.Rule{payments}, "U0GUEST", "C1", app, "payments", all},
		{"somebody whom Slack does not know", nil, "U0WHO", "C9", app, "payments", audience.Sight{}},
	} {
		t.Run(s.name, func(t *testing.T) {
			p := audience.NewPolicy(s.rules, nil, guests{"U0GUEST": nil, "U0WHO": errors.New("Slack does not answer")})
			if got := p.May(t.Context(), s.user, s.channel, s.app, s.project); got != s.want {
				t.Errorf("%+v, want %+v", got, s.want)
			}
		})
	}
	if got := audience.NewPolicy(nil, nil, nil).May(t.Context(), "U0GUEST", "C1", app, "payments"); got != all {
		t.Errorf("a guest who is like a member: %+v", got)
	}
}

func TestWhatIsHiddenIsSaidOfNoApplication(t *testing.T) {
	payments := audience.Rule{Projects: []string{"pay*"}, Users: []string{"U1"}, Channels: []string{"C1"}}
	for _, s := range []struct {
		name  string
		rules []audience.Rule
		user  string
		want  string
	}{
		{"everybody sees all", nil, "U9", ""},
		{"somebody sees all", []audience.Rule{payments, {Users: []string{"U9"}}}, "U9", ""},
		{"somebody sees a part", []audience.Rule{payments}, "U1", "Access to applications is given to <@U1>, anyone who asks in <#C1>."},
		{"somebody sees nothing", []audience.Rule{payments}, "U9", "Access to applications is given to <@U1>, anyone who asks in <#C1>."},
		{"a rule for nobody in particular", []audience.Rule{{Projects: []string{"x"}}}, "U9", "Ask the people who run the bot for access."},
		{"a guest", nil, "U0GUEST", "As a guest of this workspace you see only the applications that an entry under access in the bot's configuration gives to you by name or to this channel. Ask the people who run the bot for access."},
	} {
		t.Run(s.name, func(t *testing.T) {
			if got := audience.NewPolicy(s.rules, nil, guests{"U0GUEST": nil}).Hidden(t.Context(), s.user, "C9"); got != s.want {
				t.Errorf("%q, want %q", got, s.want)
			}
		})
	}
}
