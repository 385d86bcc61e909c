package operation

import (
	"fmt"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/text"
)

// halfWritten is the finding about a state of the operation that says that it is over and lacks when: nothing runs that could end, and Argo CD
// starts nothing else.
func halfWritten(in *diagnose.In) (diagnose.Finding, bool) {
	app := in.App()
	op := app.Status.OperationState
	if !op.HalfWritten() || app.Operation != nil {
		return diagnose.Finding{}, false
	}
	return diagnose.Finding{
		Kind: diagnose.KindForbidden, Confidence: diagnose.Certain,
		Title:    "No operation runs, but its state was left half written",
		Short:    "State of the last operation is half written",
		Why:      fmt.Sprintf("status.operationState says %s for the operation that started %s ago, and has neither finishedAt nor a result. The application controller was probably restarted while it wrote that. Argo CD takes the operation for one in progress, so it starts no other, and there is none to wait for or to terminate.", op.Phase, text.Age(in.Since(op.StartedAt))),
		Evidence: []diagnose.Quote{{From: "application", Text: fmt.Sprintf("status.operationState: phase %s, startedAt %s, no finishedAt, no syncResult", op.Phase, text.Timestamp(op.StartedAt.Time))}},
		Sync:     advice.Blocked("it takes the half-written state for an operation in progress"),
		Fix: []diagnose.Fix{
			{Text: "Remove the half-written state", Command: diagnose.Shell(`kubectl -n %s patch application %s --type json -p '[{"op":"remove","path":"/status/operationState"}]'`, advice.ApplicationNamespace(in), app.Metadata.Name)},
			advice.Sync(in, "Then sync"),
			controllerLog(in, "If it comes back, restart the application controller; first see in its log what stopped it"),
		},
		OutsideGit: true,
	}, true
}

// notShown is the finding about an operation that Argo CD speaks of and that the Application does not have, or no longer.
func notShown(in *diagnose.In) (diagnose.Finding, bool) {
	app := in.App()
	op := app.Status.OperationState
	if app.Metadata.Name == "" || app.Operation != nil || op == nil || op.Running() || op.FinishedAt.IsZero() {
		return diagnose.Finding{}, false
	}
	return diagnose.Finding{
		Kind: diagnose.KindForbidden, Confidence: diagnose.Likely,
		Title: "Another operation was already running",
		Why:   fmt.Sprintf("Argo CD runs only one operation per application at a time. The Application no longer shows one: the last one is over (%s).", op.Phase),
		Sync:  diagnose.Advice{Verdict: diagnose.SyncUnknown, Why: "the other operation seems to be over, and what a sync would change is unknown"},
		Fix: []diagnose.Fix{
			advice.Sync(in, "Sync again"),
			controllerLog(in, "If Argo CD still refuses, see what the application controller says about it"),
		},
	}, true
}

// controllerLog is the step that shows what the application controller says of the application.
func controllerLog(in *diagnose.In, step string) diagnose.Fix {
	return diagnose.Fix{Text: step, Command: diagnose.Shell("kubectl -n %s logs %s --since=1h | grep -F %s", advice.ArgoNamespace(in), advice.Controller(in), in.App().Metadata.Name)}
}
