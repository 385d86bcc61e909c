package incident

import (
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/evidence"
)

// remember is what is seen of an application, with what its incident knows of the cause where that can no longer be read. A failed
// operation does not change any more, but what showed why it failed does not last: somebody deletes the Job, or the bot does when it is
// asked to, and the log goes with it.
func (i *Incident) remember(is *diagnose.Report) *diagnose.Report {
	if i.Report == nil || !sameFailure(i.Report.Context, is.Context) {
		return is
	}
	was, now := i.Report.Root(), is.Root()
	if was == nil || now == nil || was.Resource.IsZero() || !was.Resource.Same(now.Resource) || !knowsLess(now, was) {
		return is
	}
	known := *was
	known.Fix = stillOf(was, now)
	out := *is
	out.Headline = i.Report.Headline
	out.Findings = slices.Clone(is.Findings)
	for n := range out.Findings {
		if &is.Findings[n] == now {
			out.Findings[n] = known
		}
	}
	return &out
}

// sameFailure reports whether two reports are about one operation that failed.
func sameFailure(a, b diagnose.Context) bool {
	failed := a.Phase == evidence.OperationFailed || a.Phase == evidence.OperationError
	return failed && a.Phase == b.Phase && a.Revision == b.Revision && a.Since.Equal(b.Since)
}

// knowsLess reports whether a finding rests on less than another one.
func knowsLess(now, was *diagnose.Finding) bool {
	if now.Confidence != was.Confidence {
		return was.Confidence == diagnose.Certain || now.Confidence == diagnose.Possible
	}
	return len(now.Evidence) < len(was.Evidence)
}

// stillOf are the steps of a fix that make sense when what it is about is gone: those that are given now as well, and those that do not
// touch it.
func stillOf(was, now *diagnose.Finding) []diagnose.Fix {
	still := slices.DeleteFunc(slices.Clone(was.Fix), func(f diagnose.Fix) bool {
		given := slices.ContainsFunc(now.Fix, func(n diagnose.Fix) bool { return n.Text == f.Text })
		return !given && strings.Contains(f.Command, was.Resource.Name)
	})
	if len(still) == 0 {
		return now.Fix
	}
	return still
}
