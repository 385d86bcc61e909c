package operation

import (
	"fmt"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
	"github.com/argo-why/argo-why/internal/text"
)

var InProgress = &diagnose.Rule{
	ID:          "operation/in-progress",
	ExplainedBy: diagnose.SymptomOf(diagnose.GroupHook),
	Doc: diagnose.Doc{
		Title:    "Another operation is already running",
		What:     "Argo CD runs one operation per application at a time. It refused this one because another is still running. Or one has been running for more than five minutes, and nothing shows that it hangs.",
		Decisive: "Argo CD answers \"another operation is already in progress\"; or an operation has been running for more than five minutes, and the deadline of the hook that it waits for has not passed.",
		Example:  "rpc error: code = FailedPrecondition desc = another operation is already in progress",
		Fix:      "Wait until it finishes, or terminate it if it is stuck.",
	},
	Sync: advice.Blocked("another operation is running"),
	Check: statement.Each(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		if !saysInProgress(s) {
			return diagnose.Finding{}, false
		}
		if f, ok := halfWritten(in); ok {
			return f.ReportedAs(in.Rule().MayReportAs), true
		}
		if f, ok := notShown(in); ok {
			return f, true
		}
		why := "Argo CD runs only one operation per application at a time."
		said := diagnose.Said{}
		if op := in.App().Status.OperationState; op.Running() {
			said = diagnose.Said{Who: "Argo CD reports", Text: op.Message}
			why += fmt.Sprintf(" The current one started %s ago", text.Age(in.RunningFor()))
			if said.Text == "" {
				why += " and does not report what it is waiting for"
			}
			why += "."
		}
		fix, offer := advice.Terminate(in, "it frees the application for another operation; what was applied stays")
		fix.Text = "If it is stuck, terminate it"
		return diagnose.Finding{
			Kind: diagnose.KindForbidden, Confidence: diagnose.Certain,
			Title:  "Another operation is already running",
			Why:    why,
			Says:   said,
			Fix:    []diagnose.Fix{{Text: "Wait until it finishes", Command: diagnose.Shell("argocd app wait %s --operation", advice.AppName(in))}, fix},
			Offers: []diagnose.Action{offer},
		}, true
	}),
}

func saysInProgress(s *diagnose.Statement) bool {
	return s.Failure.Has("operation is already in progress", "operation already in progress", "another operation is in progress")
}
