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
		Title:    "The operation was terminated",
		What:     "Somebody ended the last operation before it was done, or tried to end one when none was running. What it had applied stays.",
		Decisive: "The operation's message is \"Operation terminated\", or Argo CD answers that there is no operation to terminate.",
		Example:  "Operation terminated",
		Fix:      "Sync again when the reason for which it was terminated is gone.",
	},
	Sync: diagnose.Advice{Verdict: diagnose.SyncSafe, Why: "nothing failed, the last operation was ended by hand"},
	Check: statement.Each(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		f := &s.Failure
		ended := strings.HasPrefix(f.Lower(), "operation terminated") || f.Has("operation was terminated", "operation has been terminated", "operation is terminated", "operation termination")
		nothing := f.HasAll("unable to terminate operation", "no operation is in progress")
		if !ended && !nothing {
			return diagnose.Finding{}, false
		}
		out := diagnose.Finding{
			Confidence: diagnose.Certain,
			Title:      "the last operation was terminated",
			Why:        "Somebody ended the operation before it was done. What it had applied stays, the rest was not tried.",
			Fix:        []diagnose.Fix{advice.Sync(in, "Sync again")},
		}
		if nothing {
			out.Role = diagnose.RoleNote // nothing is wrong with the application
			out.Title, out.Why = "there is no operation to terminate", "The operation had ended before the request to terminate it came."
			out.Sync = diagnose.Advice{Verdict: diagnose.SyncUnknown, Why: "nothing is known to be wrong"}
			out.Fix = []diagnose.Fix{{Text: "See how it ended", Command: diagnose.Shell("argocd app get %s --show-operation", advice.AppName(in))}}
		}
		return out, true
	}),
}
