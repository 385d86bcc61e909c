package slack_test

import (
	"testing"

	"github.com/argo-why/argo-why/internal/slack"
)

func TestWhyIsAcknowledgedAndThenAnsweredWithARootMessageAndAThread(t *testing.T) {
	play(t, nil, func(s *scene) {
		s.slash("deploys", "why courier-api")
		s.shows(s.alone("deploys"), "Looking at courier-api…")
		roots := s.deploys.Messages()
		if len(roots) != 1 {
			t.Fatalf("%d messages\n%s", len(roots), s.all())
		}
		s.shows(read(roots[0]), "courier-api: ", "Why", "Fix", "Sync now")
		thread := s.deploys.Thread(roots[0].TS)
		if len(thread) != 2 {
			t.Fatalf("%d messages in the thread\n%s", len(thread), s.all())
		}
		s.shows(read(thread[1]), "Evidence")
	})
}

var _ = slack.New
