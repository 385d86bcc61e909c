package probe_test

import (
	"testing"

	"github.com/argo-why/argo-why/internal/workspace"
)

// TestAMessageIsPostedAndDeleted in each channel where that can work, if it is asked for.
func TestAMessageIsPostedAndDeleted(t *testing.T) {
	s := newScene(t)
	s.options.Post = true
	s.AddChannel("strange")
	s.options.Channels = []string{"alerts", s.Channel("alerts").ID(), "strange"}
	s.sees(t, "✓ slack workspace: …", "✓ slack scope: …",
		"✓ slack channel #alerts …", "✓ slack message in #alerts ("+s.Channel("alerts").ID()+"): posted and deleted",
		"✓ slack channel #alerts …", "✓ slack message in #alerts …: posted and deleted",
		"✗ slack channel #strange …", "✓ slack socket: can be opened")
	if n, left := s.Calls("chat.postMessage"), len(s.Channel("alerts").Messages()); n != 2 || left != 0 {
		t.Errorf("%d messages were posted, %d are there still", n, left)
	}
}

func TestWhatSlackRefusesToPostOrDelete(t *testing.T) {
	s := newScene(t)
	s.options.Post = true
	s.Fault(workspace.Fault{Method: "chat.postMessage", Error: "restricted_action"})
	s.sees(t, "✓ slack workspace: …", "✓ slack scope: …", "✓ slack channel #alerts …", "✗ slack message in #alerts (…", "✓ slack socket: can be opened")
	s.ClearFaults()
	s.Fault(workspace.Fault{Method: "chat.delete", Error: "cant_delete_message"})
	s.sees(t, "✓ slack workspace: …", "✓ slack scope: …", "✓ slack channel #alerts …", "✗ slack message in #alerts (…", "✓ slack socket: can be opened")
	if len(s.Channel("alerts").Messages()) != 1 {
		t.Error("the message is gone")
	}
}
