package slack

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/slack-go/slack"

	"github.com/argo-why/argo-why/internal/incident"
)

func TestWhyTheBotCannotPostIsSaidInWords(t *testing.T) {
	for _, s := range []struct{ code, channel, want string }{
		{"not_in_channel", "C1", "`/invite @argo` lets me answer here"},
		{"channel_not_found", "G1", "`/invite @argo`"},
		{"channel_not_found", "D1", "I am not part of this conversation"},
		{"is_archived", "C1", "the channel is archived"},
		{"restricted_action_read_only_channel", "C1", "Its owner can allow it"},
	} {
		if got := shutOut(s.code, s.channel, "@argo"); !strings.Contains(got, s.want) {
			t.Errorf("%s in %s: %s", s.code, s.channel, got)
		}
	}
	if got := shutOut("invalid_auth", "C1", "@argo"); got != "" {
		t.Errorf("a bad token is not the channel's fault: %s", got)
	}
}

func TestLasted(t *testing.T) {
	for d, want := range map[time.Duration]string{
		40 * time.Second: "40 s", 14*time.Minute + 20*time.Second: "14 min", 3*time.Hour + 5*time.Minute: "3 h 5 min", 50 * time.Hour: "2 d 2 h",
	} {
		if got := lasted(d); got != want {
			t.Errorf("%s: %s, want %s", d, got, want)
		}
	}
}

func TestThoseWhoMayAreShownByName(t *testing.T) {
	raw, err := json.Marshal(refusal("No. Those who may: <!subteam^S1>, <@U1>, whoever asks in <#C1>. <!channel>").Blocks)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"usergroup_id":"S1"`, `"user_id":"U1"`, `"channel_id":"C1"`} {
		if !strings.Contains(string(raw), want) {
			t.Errorf("no %s in %s", want, raw)
		}
	}
	if strings.Contains(string(raw), "broadcast") {
		t.Errorf("it calls everybody: %s", raw)
	}
}

func TestAMarkIsReadAsItWasMade(t *testing.T) {
	k := mark{app: incident.App{Instance: "", Namespace: "argocd", Name: "web"}, question: "1.2"}
	m := said("hello")
	before := m.Blocks[0]
	marked := k.on(*m)
	if got, ok := markOf(slack.Message{Msg: slack.Msg{Blocks: slack.Blocks{BlockSet: marked.Blocks}}}); !ok || got != k {
		t.Errorf("%v %v", got, ok)
	}
	if m.Blocks[0] != before || before.ID() != "" {
		t.Error("the message of the caller was changed")
	}
	k.app.Name = strings.Repeat("x", 250)
	if got := k.on(*m).Blocks[0].ID(); got != "" {
		t.Errorf("Slack refuses a block_id of %d characters", len(got))
	}
}
