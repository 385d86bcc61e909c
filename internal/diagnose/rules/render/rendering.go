package render

import (
	"fmt"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
)

// calls are those whose failure a rule can explain. A failure whose wrapping names no call may be any.
type calls []message.Call

// during makes the calls of a rule.
func during(c ...message.Call) calls { return append(c, message.CallUnknown) }

// rendering is a check of the statements about these calls.
func (c calls) rendering(match func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool)) func(*diagnose.In) diagnose.Outcome {
	return rendering(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		if !slices.Contains(c, s.Failure.Call) {
			return diagnose.Finding{}, false
		}
		return match(in, s)
	})
}

// rendering is a check of the statements about producing the desired state. A finding from a cached error says so and
// offers the hard refresh that clears it.
func rendering(match func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool)) func(*diagnose.In) diagnose.Outcome {
	return statement.Each(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		if s.Failure.Stage != message.StageRender || s.Failure.DryRun {
			return diagnose.Finding{}, false
		}
		f, ok := match(in, s)
		if !ok {
			return diagnose.Finding{}, false
		}
		return withRefresh(in, s, f), true
	})
}

// withRefresh adds the step that makes Argo CD try again. Only what is generated from a commit is cached, with its errors; a fetch is
// always tried again, and a new commit is always rendered.
func withRefresh(in *diagnose.In, s *diagnose.Statement, f diagnose.Finding) diagnose.Finding {
	why := "Argo CD caches what a commit renders to, so a fix outside Git takes effect only after a hard refresh"
	step := diagnose.Fix{Text: "After the fix, refresh the application", Command: diagnose.Shell("argocd app get %s --refresh", advice.AppName(in))}
	hard := diagnose.Fix{Text: "After the fix, refresh the application without the cache", Command: diagnose.Shell("argocd app get %s --hard-refresh", advice.AppName(in))}
	switch c := s.Failure.Call; {
	case s.Failure.Cached:
		why = "Argo CD caches this error and repeats it after the fix until a hard refresh"
		f.Why += " Argo CD is repeating a cached error, so the problem may already be fixed."
		step = hard
	case f.OutsideGit && c != message.CallGit && c != message.CallUnknown:
		step = hard
	}
	f.Why = strings.TrimSpace(strings.ReplaceAll(f.Why, ".  ", ". "))
	f.Fix = append(f.Fix, step)
	f.Offers = append(f.Offers, diagnose.Action{ID: diagnose.ActionHardRefresh, Label: "Hard refresh", Why: why})
	return f
}

// nothingRenders is why a sync is pointless while the desired state cannot be produced.
var nothingRenders = advice.Pointless("Argo CD has no manifests to apply until rendering works")

// sourceOf says which of several sources a failure is about, by its number; empty when there is one.
func sourceOf(s *diagnose.Statement, number int) string {
	if s.Failure.Sources > 1 && number > 0 {
		return fmt.Sprintf(" (source %d of %d)", number, s.Failure.Sources)
	}
	return ""
}
