package workspace_test

import (
	"strings"
	"testing"

	"github.com/slack-go/slack"
)

func TestWhatWasSentStaysKnown(t *testing.T) {
	s := newScene(t)
	section := slack.NewSectionBlock(slack.NewTextBlockObject("mrkdwn", `the "first" secret`, false, false), nil, nil)
	_, ts, err := s.client.PostMessageContext(t.Context(), s.deploys.ID(), slack.MsgOptionText("hello", false), slack.MsgOptionBlocks(section),
		slack.MsgOptionMetadata(slack.SlackMetadata{EventType: "note", EventPayload: map[string]any{"of": "a value"}}))
	if err != nil {
		t.Fatal(err)
	}
	if _, _, _, err := s.client.UpdateMessageContext(t.Context(), s.deploys.ID(), ts, slack.MsgOptionText("nothing", false)); err != nil {
		t.Fatal(err)
	}
	if _, err := s.client.PostEphemeralContext(t.Context(), s.deploys.ID(), s.alice.ID, slack.MsgOptionText("for alice", false)); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Say("bob", "deploys", "bob's own words", ""); err != nil {
		t.Fatal(err)
	}
	for to, want := range map[string]string{
		"#deploys": `hello|the "first" secret|a value|nothing`,
		"alice":    "for alice",
		"bob":      "",
	} {
		got := strings.Join(s.Sent(to), "\n")
		for _, part := range strings.Split(`hello|the "first" secret|a value|nothing|for alice|own words`, "|") {
			if is, has := strings.Contains(got, part), strings.Contains(want, part); is != has {
				t.Errorf("%s got %q: %v in\n%s", to, part, is, got)
			}
		}
	}
}
