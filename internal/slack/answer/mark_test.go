package answer

import (
	"strings"
	"testing"

	"github.com/slack-go/slack"

	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/slack/render"
)

func TestAMarkIsReadAsItWasMade(t *testing.T) {
	k := mark{app: incident.App{Instance: "", Namespace: "argocd", Name: "web"}, asked: "1.2"}
	m := render.Text("hello")
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
