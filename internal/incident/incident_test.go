package incident

import (
	"strings"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/evidence"
)

// morning is when the tests begin.
var morning = time.Date(2026, 3, 2, 3, 0, 0, 0, time.UTC)

// policy is that of the tests: a minute to open, a minute to hold, a day to reopen, four hours to remind.
func policy() Policy {
	return Policy{
		OpenAfter: func(rule string) time.Duration {
			if strings.HasPrefix(rule, "drift/") {
				return 15 * time.Minute
			}
			return time.Minute
		},
		Ignored:      func(rule string) bool { return rule == "operation/sync-window" },
		Channel:      func(app App, project string) string { return "C-" + project },
		HoldFor:      time.Minute,
		ReopenWithin: 24 * time.Hour,
		RemindAfter:  4 * time.Hour,
		GroupFrom:    3,
		GatherFor:    3 * time.Second,
		KeepFor:      30 * 24 * time.Hour,
	}
}

func named(name string) App { return App{Instance: "prod", Namespace: "argocd", Name: name} }

// fails is a bad report of a rule, with what the log says.
func fails(app, rule, log string) Seen {
	return Seen{App: named(app), Report: &diagnose.Report{
		App: named(app), Verdict: diagnose.VerdictFailing, Headline: app + ": " + rule,
		Context: diagnose.Context{Project: "shop", Revision: "3f2a91c0000000000000000000000000000000aa"},
		Findings: []diagnose.Finding{{
			Rule: rule, Role: diagnose.RoleCause, Confidence: diagnose.Certain, Title: rule, Why: log,
			Resource: evidence.Ref{Kind: "Job", Namespace: "shop", Name: "migrate"},
			Evidence: []diagnose.Quote{{From: "log of Pod/migrate-x7k2p", Text: log}},
		}},
	}}
}

// failsOfGit is fails with a cause that others share.
func failsOfGit(app string) Seen {
	s := fails(app, "render/git-unreachable", "connection refused")
	s.Report.Findings[0].Shared = git
	s.Report.Findings[0].Resource = evidence.Ref{}
	return s
}

func well(app string) Seen {
	return Seen{App: named(app), Report: &diagnose.Report{App: named(app), Verdict: diagnose.VerdictHealthy, Headline: app + ": Synced and healthy",
		Context: diagnose.Context{Project: "shop", Revision: "9c1e0d20000000000000000000000000000000bb"}}}
}

func progressing(app string) Seen {
	return Seen{App: named(app), Report: &diagnose.Report{App: named(app), Verdict: diagnose.VerdictProgressing, Headline: app + ": is being rolled out"}}
}

// story plays observations at times after morning and checks the reasons.
type story struct {
	t     *testing.T
	store *Store
}

func newStory(t *testing.T) *story { return &story{t, NewStore(policy(), nil)} }

func (s *story) see(after time.Duration, seen Seen, want Reason) Outcome {
	s.t.Helper()
	out := s.store.Observe(seen, morning.Add(after))
	if out.Reason != want {
		s.t.Fatalf("after %v, %s: %s, want %s", after, seen.App.Name, out.Reason, want)
	}
	return out
}

// told marks everything as told, as a Syncer would.
func (s *story) told() {
	s.t.Helper()
	for _, i := range s.store.All() {
		if t, ok := s.store.toSave(i.ID); ok {
			t.Version = "1"
			s.store.saved(t)
		}
		t, ok := s.store.toTell(i.ID, i.Channel)
		if !ok {
			continue
		}
		th := i.Thread
		if th.TS == "" && i.Phase != Joined {
			th = Thread{Channel: i.Channel, TS: "ts-" + i.ID, Permalink: "https://slack.example/" + i.ID}
		}
		var numbers []int
		for _, r := range i.Outbox {
			numbers = append(numbers, r.Number)
		}
		s.store.tellResult(t, NewRoot, Told{Thread: th, Numbers: numbers, All: true}, nil, morning)
	}
}
