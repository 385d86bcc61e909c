package operation

import (
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
)

var Terminated = &diagnose.Rule{
	ID:          "operation/terminated",
	ExplainedBy: diagnose.SymptomOf(diagnose.BeforeSync),
	Doc: diagnose.Doc{
		Title:    "Operation was terminated",
		What:     "Someone terminated the last operation before it finished, or tried to terminate one when none was running. What it had applied stays.",
		Decisive: "The operation's message is \"Operation terminated\", or Argo CD answers that there is no operation to terminate.",
		Example:  "Operation terminated",
		Fix:      "Sync again when the reason for terminating it is gone.",
	},
	Sync: diagnose.Advice{Verdict: diagnose.SyncSafe, Why: "it applies what the terminated operation did not get to"},
	Check: statement.Each(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		f := &s.Failure
		ended := strings.HasPrefix(f.Lower(), "operation terminated") || f.Has("operation was terminated", "operation has been terminated", "operation is terminated", "operation termination")
		nothing := f.HasAll("unable to terminate operation", "no operation is in progress")
		if !ended && !nothing {
			return diagnose.Finding{}, false
		}
		out := diagnose.Finding{
			Confidence: diagnose.Certain,
			Title:      "Last operation was terminated",
			Why:        "Someone ended it before it finished. What it had applied stays; the rest was not tried.",
			Fix:        []diagnose.Fix{advice.Sync(in, "Sync again")},
		}
		if nothing {
			out.Role = diagnose.RoleNote // nothing is wrong with the application
			out.Title, out.Why = "No operation to terminate", "The operation had already ended when the request to terminate it arrived."
			out.Sync = diagnose.Advice{Verdict: diagnose.SyncUnknown, Why: "nothing is known to be wrong"}
			out.Fix = []diagnose.Fix{{Text: "Show how it ended", Command: diagnose.Shell("argocd app get %s --show-operation", advice.AppName(in))}}
		}
		return out, true
	}),
}
