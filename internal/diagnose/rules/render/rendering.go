package render

import (
	"fmt"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
)

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

func withRefresh(in *diagnose.In, s *diagnose.Statement, f diagnose.Finding) diagnose.Finding {
	why := "Argo CD keeps the result of rendering a commit; after a fix outside Git it has to be told to render again"
	if s.Failure.Cached {
		why = "the error is cached and outlives its fix until a hard refresh"
		f.Why += " Argo CD repeats this error from its cache: it may be fixed already."
	}
	f.Fix = append(f.Fix, diagnose.Fix{
		Text:    "When it is fixed, have Argo CD render anew",
		Command: diagnose.Shell("argocd app get %s --hard-refresh", advice.AppName(in)),
	})
	f.Offers = append(f.Offers, diagnose.Action{ID: diagnose.ActionHardRefresh, Label: "Hard refresh", Why: why})
	return f
}

// nothingRenders is why a sync is pointless while the desired state cannot be produced.
var nothingRenders = advice.Pointless("there is nothing to apply until the manifests render")

// sourceOf says which of several sources a failure is about; empty when there is one.
func sourceOf(s *diagnose.Statement) string {
	if s.Failure.Sources > 1 {
		return fmt.Sprintf(" (source %d of %d)", s.Failure.Source, s.Failure.Sources)
	}
	return ""
}
