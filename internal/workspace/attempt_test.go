package workspace_test

import (
	"testing"
	"testing/synctest"

	"github.com/slack-go/slack"
	"github.com/slack-go/slack/socketmode"

	"github.com/argo-why/argo-why/internal/workspace"
)

func button(block, action string) *slack.ActionBlock {
	text := slack.NewTextBlockObject(slack.PlainTextType, "Go", false, false)
	return slack.NewActionBlock(block, slack.NewButtonBlockElement(action, "value of "+block, text))
}

func TestAttemptsAreUnderWayThenDoneOrFailed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t)
		client := s.connect(t)
		ts := post(t, s, slack.MsgOptionBlocks(button("one", "go"), button("two", "go")))
		press := func() {
			t.Helper()
			if err := s.Press("alice", "deploys", ts, workspace.Press{Block: "two", Action: "go"}); err != nil {
				t.Fatal(err)
			}
			all := s.Attempts("alice")
			if len(all) != 1 || all[0].Place != (workspace.Place{Channel: s.deploys.ID(), TS: ts, Block: "two"}) || all[0].Reason != "" {
				t.Fatalf("alice has tried %+v", all)
			}
		}
		press()
		e := next(t, client, socketmode.EventTypeInteractive)
		if i, ok := e.Data.(slack.InteractionCallback); !ok || i.ActionCallback.BlockActions[0].Value != "value of two" {
			t.Errorf("the app hears %+v", e.Data)
		}
		ack(t, client, e)
		s.await(t, func() bool { return len(s.Attempts("alice")) == 0 })

		press()
		s.await(t, func() bool {
			return len(s.Attempts("alice")) == 1 && s.Attempts("alice")[0].Reason == "operation_timeout"
		})
		press() // takes the place of the one that failed
		if got := s.Attempts("bob"); len(got) != 0 {
			t.Errorf("bob has tried %+v", got)
		}
	})
}

func TestEachCommandThatFailedStays(t *testing.T) {
	s := newScene(t)
	for range 2 {
		if err := s.Command("alice", "deploys", "/argo", "help"); err != nil {
			t.Fatal(err)
		}
	}
	all := s.Attempts("alice")
	if len(all) != 2 || all[0].Reason != "dispatch_failed" || all[1].Reason != "dispatch_failed" || all[0].Channel != s.deploys.ID() {
		t.Errorf("alice has tried %+v", all)
	}
}

func TestPressInAModal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t)
		client := s.connect(t)
		ts := post(t, s, slack.MsgOptionBlocks(button("one", "go")))
		if err := s.Click("alice", "deploys", ts, "go"); err != nil {
			t.Fatal(err)
		}
		e := next(t, client, socketmode.EventTypeInteractive)
		ack(t, client, e)
		view := slack.ModalViewRequest{
			Type: slack.VTModal, Title: slack.NewTextBlockObject(slack.PlainTextType, "A modal", false, false),
			Blocks: slack.Blocks{BlockSet: []slack.Block{button("inside", "more")}},
		}
		i, ok := e.Data.(slack.InteractionCallback)
		if !ok {
			t.Fatalf("got %+v", e.Data)
		}
		opened, err := s.client.OpenViewContext(t.Context(), i.TriggerID, view)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.PressInView("alice", opened.ID, workspace.Press{Block: "inside", Action: "none"}); err == nil {
			t.Error("pressed what is not there")
		}
		if err := s.PressInView("bob", opened.ID, workspace.Press{Block: "inside", Action: "more"}); err == nil {
			t.Error("bob pressed in a modal of alice")
		}
		if err := s.PressInView("alice", opened.ID, workspace.Press{Block: "inside", Action: "more"}); err != nil {
			t.Fatal(err)
		}
		e = next(t, client, socketmode.EventTypeInteractive)
		ack(t, client, e)
		i, ok = e.Data.(slack.InteractionCallback)
		if !ok || i.Container.ViewID != opened.ID || i.ActionCallback.BlockActions[0].ActionID != "more" {
			t.Fatalf("got %+v", e.Data)
		}
		if _, err := s.client.PushViewContext(t.Context(), i.TriggerID, view); err != nil {
			t.Errorf("push over it: %v", err)
		}
	})
}

func TestLocateReversesPermalink(t *testing.T) {
	s := newScene(t)
	root, err := s.Say("alice", "deploys", "root", "")
	if err != nil {
		t.Fatal(err)
	}
	reply, err := s.Say("alice", "deploys", "reply", root)
	if err != nil {
		t.Fatal(err)
	}
	for ts, thread := range map[string]string{root: "", reply: root} {
		channel, got, gotThread, ok := s.Locate(s.deploys.Permalink(ts))
		if !ok || channel != s.deploys.ID() || got != ts || gotThread != thread {
			t.Errorf("%s is %s %s %s %t", ts, channel, got, gotThread, ok)
		}
	}
	for _, other := range []string{"https://evil.example/archives/C1/p1700000000000000", "https://acme.slack.com/archives/C1", "https://acme.slack.com/archives/C1/p1", "%", ""} {
		if _, _, _, ok := s.Locate(other); ok {
			t.Errorf("%q leads to a message", other)
		}
	}
}
