package render_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/argo-why/argo-why/internal/slack/render"
)

func TestThoseWhoMayAreShownByName(t *testing.T) {
	raw, err := json.Marshal(render.Refusal("No. Those who may: <!subteam^S1>, <@U1>, whoever asks in <#C1>. <!channel>").Blocks)
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
