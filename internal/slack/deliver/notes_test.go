package deliver_test

import (
	"strings"
	"testing"
	"testing/synctest"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/slack/deliver"
	"github.com/argo-why/argo-why/internal/workspace"
)

// notes tell beneath an answer: there are no incidents.
func (s *scene) notes() deliver.Notes {
	return deliver.Notes{Syncer: &incident.Syncer{Store: incident.NewStore(incident.Policy{}, nil)}, Threads: s.sender}
}

// deletion is that of a Job, asked for beneath an answer in #deploys.
func (s *scene) deletion(t *testing.T) *action.Record {
	t.Helper()
	ts, err := s.Say("alice", "deploys", "why web", "")
	if err != nil {
		t.Fatal(err)
	}
	return &action.Record{
		ID: "delete-1", Request: action.Request{Kind: action.DeleteHookJob, App: failing("web").Members[0].App}, State: action.Running,
		Place: action.Place{Channel: s.deploys.ID(), Thread: ts},
	}
}

func TestANoteStandsBeneathTheAnswerThatItWasAskedForUnder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t)
		r := s.deletion(t)
		if err := s.notes().Notify(t.Context(), r, action.Note{Number: 1, State: action.Running, Log: "relation users exists", From: "Job/migrate"}); err != nil {
			t.Fatal(err)
		}
		if got := thread(t, s.deploys); len(got) != 2 || !strings.Contains(string(got[1].Blocks), "relation users exists") {
			t.Errorf("%v", got)
		}
	})
}

// TestALogThatCannotBeSavedIsLetGoWhenTheActionIsOver: until then the Job has to stay; after that the log would keep everybody
// from hearing how it ended.
func TestALogThatCannotBeSavedIsLetGoWhenTheActionIsOver(t *testing.T) {
	for _, code := range []string{"is_archived", "thread_not_found"} {
		t.Run(code, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newScene(t)
				r := s.deletion(t)
				s.Fault(workspace.Fault{Method: "chat.postMessage", Error: code, Times: -1})
				log := action.Note{Number: 1, State: action.Running, Log: "relation users exists", From: "Job/migrate"}
				if err := s.notes().Notify(t.Context(), r, log); err == nil {
					t.Error("the log was lost, and the Job is deleted")
				}
				r.State = action.Failed
				if err := s.notes().Notify(t.Context(), r, log); err != nil {
					t.Errorf("it is over: %v", err)
				}
				if err := s.notes().Notify(t.Context(), r, action.Note{Number: 2, State: action.Failed, Text: "not deleted"}); err != nil {
					t.Errorf("its end: %v", err)
				}
			})
		})
	}
}
