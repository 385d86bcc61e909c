package deliver_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/argo-why/argo-why/internal/workspace"
)

// TestAChannelKeepsItsName: a private channel is renamed, somebody makes a public one of the old name, and invites the bot.
func TestAChannelKeepsItsName(t *testing.T) {
	for name, next := range map[string]func(t *testing.T, s *scene, private string){
		"the bot was restarted": func(t *testing.T, s *scene, private string) {
			s.sender = s.newSender(t)
			s.sender.Begin(map[string]string{"sec": private}, nil)
		},
		"all channels were listed again": func(t *testing.T, s *scene, _ string) {
			other := failing("other")
			other.Channel = "nothere"
			if err := s.tell(t, other, false); err == nil {
				t.Error("a channel that nobody has is found")
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newScene(t)
				s.AddUser(workspace.User{Name: "mallory"})
				private := s.AddPrivateChannel("sec", "alice", "argo")
				first := failing("vault-core")
				first.Channel = "sec"
				s.told(t, first, false)
				private.Rename("sec-incidents")
				public := s.AddChannel("sec", "mallory", "argo")
				time.Sleep(2 * time.Minute)
				next(t, s, private.ID())
				second := failing("vault-core2")
				second.Channel = "sec"
				s.told(t, second, false)
				if len(public.Messages()) != 0 || second.Thread.Channel != private.ID() {
					t.Errorf("posted in %s, the public channel has %d messages", second.Thread.Channel, len(public.Messages()))
				}
			})
		})
	}
}
