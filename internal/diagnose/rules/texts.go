package rules

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/message"
)

// clause is how much of a tool's own words a title or a sentence may carry: about two lines of a terminal.
const clause = 160

// stating is a check that looks at each statement by itself.
func stating(match func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool)) func(*diagnose.In) diagnose.Outcome {
	return func(in *diagnose.In) diagnose.Outcome {
		var found []diagnose.Finding
		all := in.Statements()
		for i := range all {
			if f, ok := match(in, &all[i]); ok {
				found = append(found, f.On(&all[i]))
			}
		}
		return diagnose.Found(found...)
	}
}

// rendering is a check of the statements about producing the desired state. A finding from a cached error says so and
// offers the hard refresh that clears it.
func rendering(match func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool)) func(*diagnose.In) diagnose.Outcome {
	return stating(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
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
		Command: diagnose.Shell("argocd app get %s --hard-refresh", appName(in)),
	})
	f.Offers = append(f.Offers, diagnose.Action{ID: diagnose.ActionHardRefresh, Label: "Hard refresh", Why: why})
	return f
}

// on says on which cluster something is that many applications share.
func on(in *diagnose.In) string {
	d := in.App().Spec.Destination
	return " on cluster " + cmp.Or(d.Name, d.Server, "unknown")
}

// appName is the application as the argocd command takes it.
func appName(in *diagnose.In) string { return cmp.Or(in.App().Argument(), "APP") }

// project is the application's project; Argo CD's default one when it names none.
func project(in *diagnose.In) string {
	return cmp.Or(in.App().Spec.Project, "default")
}

// syncing is the step that syncs the whole application.
func syncing(in *diagnose.In, text string) diagnose.Fix {
	return diagnose.Fix{Text: text, Command: diagnose.Shell("argocd app sync %s", appName(in))}
}

// refreshing is the step that makes Argo CD compare anew, with what it keeps of the rendered manifests.
func refreshing(in *diagnose.In, text string) diagnose.Fix {
	return diagnose.Fix{Text: text, Command: diagnose.Shell("argocd app get %s --refresh", appName(in))}
}

// fixes makes steps without a command.
func fixes(texts ...string) []diagnose.Fix {
	var out []diagnose.Fix
	for _, t := range texts {
		out = append(out, diagnose.Fix{Text: t})
	}
	return out
}

// pointless is the verdict where a sync would fail in the same way.
func pointless(why string) diagnose.Advice {
	return diagnose.Advice{Verdict: diagnose.SyncPointless, Why: why}
}

// blocked is the verdict where Argo CD would refuse a sync.
func blocked(format string, args ...any) diagnose.Advice {
	return diagnose.Advice{Verdict: diagnose.SyncBlocked, Why: fmt.Sprintf(format, args...)}
}

// nothingRenders is why a sync is pointless while the desired state cannot be produced.
var nothingRenders = pointless("there is nothing to apply until the manifests render")

// sentence makes a sentence of a clause: one full stop, no doubled white space.
func sentence(s string) string {
	s = strings.TrimRight(message.OneLine(s), ".:; ")
	if s == "" || strings.HasSuffix(s, "…") {
		return s
	}
	return s + "."
}

// sourceOf says which of several sources a failure is about; empty when there is one.
func sourceOf(s *diagnose.Statement) string {
	if s.Failure.Sources > 1 {
		return fmt.Sprintf(" (source %d of %d)", s.Failure.Source, s.Failure.Sources)
	}
	return ""
}
