package deliver_test

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/workspace"
)

const history = "conversations.history"

// TestOneSearchFindsWhatAFormerProcessPosted: Slack allows fewer searches than posts, and in a storm thousands wait that may be posted already.
func TestOneSearchFindsWhatAFormerProcessPosted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t)
		const posted, waiting = 20, 20
		for n := range posted {
			s.told(t, failing(fmt.Sprint("posted-", n)), false)
		}
		s.sender = s.newSender(t)
		s.sender.Begin(nil, nil)
		time.Sleep(time.Minute)
		before := s.Calls(history)
		for n := range posted {
			s.told(t, failing(fmt.Sprint("posted-", n)), true)
		}
		for n := range waiting {
			s.told(t, failing(fmt.Sprint("waiting-", n)), true)
		}
		if n := len(s.deploys.Messages()); n != posted+waiting {
			t.Errorf("%d threads, want %d", n, posted+waiting)
		}
		if n := s.Calls(history) - before; n != 1 {
			t.Errorf("%d searches", n)
		}
	})
}

// TestWhatThisProcessPostedIsLookedForAnew: an earlier search cannot know of it.
func TestWhatThisProcessPostedIsLookedForAnew(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t)
		s.sender.Begin(nil, nil)
		time.Sleep(time.Minute)
		s.told(t, failing("other"), true) // which searches
		i := failing("web")
		s.Fault(workspace.Fault{Method: "chat.postMessage", LoseAnswer: true})
		s.told(t, i, false)
		if n := len(s.deploys.Messages()); n != 2 {
			t.Errorf("%d threads, want 2", n)
		}
	})
}

// TestWhatAnotherReplicaPostedIsLookedForAnew: this one led, stood by while the other posted, and leads again. And what is on its way when the
// other is killed arrives a moment later.
func TestWhatAnotherReplicaPostedIsLookedForAnew(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t)
		first, second := s.sender, s.newSender(t)
		first.Begin(nil, nil)
		time.Sleep(time.Minute)
		s.told(t, failing("other"), true)
		s.sender = second
		s.told(t, failing("web"), false)
		s.sender = first
		first.Begin(nil, nil)
		s.told(t, failing("another"), true) // which searches too soon
		s.sender = second
		late := failing("late")
		late.Posting = &incident.Posting{Number: incident.RootNumber, At: time.Now()}
		s.told(t, late, false)
		late.Thread = incident.Thread{}
		s.sender = first
		s.told(t, failing("web"), true)
		s.told(t, late, true)
		if n := len(s.deploys.Messages()); n != 4 {
			t.Errorf("%d threads, want 4", n)
		}
	})
}
