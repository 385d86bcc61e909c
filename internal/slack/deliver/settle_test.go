package deliver_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/slack/button"
	"github.com/argo-why/argo-why/internal/workspace"
)

// requested is a deletion that waits for an approval, with its request told.
func (s *scene) requested(t *testing.T, id string) *action.Record {
	t.Helper()
	s.key = button.NewKey("secret")
	s.sender = s.newSender(t)
	r := s.deletion(t)
	r.ID, r.State, r.By, r.Summary = id, action.Waiting, action.Person{ID: "U0DANA", Name: "dana"}, "delete Job migrate"
	r.Approval = &action.Approval{From: action.Who{Users: []string{"U0ERIN"}}, Expires: time.Now().Add(time.Hour)}
	s.noted(t, r, action.Note{Number: 1, State: action.Waiting, Text: r.Summary})
	return r
}

func (s *scene) noted(t *testing.T, r *action.Record, n action.Note) {
	t.Helper()
	if err := s.notes().Notify(t.Context(), r, n); err != nil {
		t.Fatal(err)
	}
}

// asking are the messages of a thread that can be answered with Approve and Deny.
func asking(c *workspace.Channel, thread string) (texts []string) {
	for _, m := range c.Thread(thread) {
		if strings.Contains(m.Shown(), "Approve") || strings.Contains(m.Shown(), "Deny") {
			texts = append(texts, m.Shown())
		}
	}
	return texts
}

// TestTheButtonsOfARequestGoWithIt: on every message that shows them, whichever process posted it, and on none of another request.
func TestTheButtonsOfARequestGoWithIt(t *testing.T) {
	for _, state := range []action.State{action.Ready, action.Denied, action.Expired, action.Withdrawn} {
		t.Run(string(state), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newScene(t)
				r := s.requested(t, "delete-1")
				s.noted(t, r, action.Note{Number: 1, State: action.Waiting, Text: r.Summary}) // a crash right after the first
				other := s.requested(t, "delete-2")
				other.Place = r.Place
				s.noted(t, other, action.Note{Number: 1, State: action.Waiting, Text: other.Summary})
				if n := len(asking(s.deploys, r.Place.Thread)); n != 3 {
					t.Fatalf("%d messages ask", n)
				}

				s.sender = s.newSender(t)
				began := time.Now()
				r.State = state
				s.noted(t, r, action.Note{Number: 2, State: state})
				if took := time.Since(began); took > 5*time.Second {
					t.Errorf("it took %s", took)
				}
				if got := asking(s.deploys, r.Place.Thread); len(got) != 1 {
					t.Errorf("%q", got)
				}
				over := 0
				for _, m := range s.deploys.Thread(r.Place.Thread) {
					if strings.Contains(m.Shown(), "🙋 dana requested approval for web: delete Job migrate") && !strings.Contains(m.Shown(), "Approvers") {
						over++
					}
				}
				if over != 2 {
					t.Errorf("%d requests say that they are over", over)
				}
				s.noted(t, r, action.Note{Number: 2, State: state}) // told again, for a crash
				if n := s.Calls("chat.update"); n != 2 {
					t.Errorf("%d edits of two messages", n)
				}
			})
		})
	}
}

// TestNobodyHearsOfAnEndBeforeTheButtonsAreGone, unless they cannot go.
func TestNobodyHearsOfAnEndBeforeTheButtonsAreGone(t *testing.T) {
	for code, asks := range map[string]int{"internal_error": 0, "edit_window_closed": 1, "message_not_found": 1} {
		t.Run(code, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newScene(t)
				r := s.requested(t, "delete-1")
				s.Fault(workspace.Fault{Method: "chat.update", Error: code, Times: 1})
				r.State = action.Expired
				end := action.Note{Number: 2, State: action.Expired}
				err := s.notes().Notify(t.Context(), r, end)
				if told := len(s.deploys.Thread(r.Place.Thread)) == 3; told == (err != nil) || told != (asks == 1) {
					t.Errorf("told: %t, %v", told, err)
				}
				if err != nil {
					s.noted(t, r, end)
				}
				if n := len(asking(s.deploys, r.Place.Thread)); n != asks {
					t.Errorf("%d messages ask", n)
				}
			})
		})
	}
}
