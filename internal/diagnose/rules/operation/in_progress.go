package operation

import (
	"cmp"
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
		What:     "Argo CD runs one operation of an application at a time and refused this one because another has not ended.",
		Decisive: "Argo CD answers \"another operation is already in progress\".",
		Example:  "rpc error: code = FailedPrecondition desc = another operation is already in progress",
		Fix:      "Wait for it, or terminate it if it is stuck.",
	},
	Sync: advice.Blocked("another operation is running"),
	Check: statement.Each(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		if !s.Failure.Has("operation is already in progress", "operation already in progress", "another operation is in progress") {
			return diagnose.Finding{}, false
		}
		why := "Argo CD refused the request because an operation of this application is running."
		if op := in.App().Status.OperationState; op.Running() {
			why = fmt.Sprintf("Argo CD refused the request because an operation has been running for %s: %s", text.Age(in.RunningFor()), text.Sentence(cmp.Or(op.Message, "it does not say what it waits for")))
		}
		fix, offer := advice.Terminate(in, "it makes room for another operation; what was applied stays")
		return diagnose.Finding{
			Kind: diagnose.KindForbidden, Confidence: diagnose.Certain,
			Title:  "another operation is already running",
			Why:    why,
			Fix:    []diagnose.Fix{{Text: "Wait for it", Command: diagnose.Shell("argocd app wait %s --operation", advice.AppName(in))}, fix},
			Offers: []diagnose.Action{offer},
		}, true
	}),
}
