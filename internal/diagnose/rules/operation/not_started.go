package operation

import (
	"fmt"
	"strings"
	"time"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

var NotStarted = &diagnose.Rule{
	ID:          "operation/not-started",
	ExplainedBy: diagnose.SymptomOf(diagnose.GroupSpec),
	Doc: diagnose.Doc{
		Title:    "Requested operation has not started",
		What:     "A sync was requested, which writes it into the field operation of the Application, but the application controller has not picked it up: it is down, overloaded or stuck, it does not watch this application's namespace, no shard manages the cluster, or the application is paused.",
		Decisive: "The field operation is set, and no operation is running, for more than a minute.",
		Example:  "operation: {sync: {}}, while status.operationState shows an older operation or none",
		Fix:      "Get the application controller running for this application, or withdraw the request.",
	},
	Sync: advice.Blocked("an operation is already requested and has not started"),
	Check: func(in *diagnose.In) diagnose.Outcome {
		app := in.App()
		if app.Requested() == nil || !app.Metadata.DeletionTimestamp.IsZero() {
			return diagnose.Nothing
		}
		requested, paused := app.RequestedAt(), evidence.IsSkipped(app.Metadata.Annotations)
		since := in.Since(requested)
		uncompared, overdue := in.Uncompared()
		waits := !requested.IsZero() && since < startsWithin || uncompared > 0 && !overdue && app.Status.OperationState == nil
		if waits && !paused { // it compares an application for the first time before it syncs it
			return diagnose.Nothing
		}
		f := diagnose.Finding{
			Confidence: diagnose.Certain,
			Title:      "Requested sync has not started",
			Evidence:   []diagnose.Quote{{From: "application", Text: requestState(app)}},
		}
		if since >= startsWithin {
			f.Title += " for " + text.Age(since)
		} else if !paused {
			f.Confidence = diagnose.Likely
		}
		f.Why, f.Fix = whyNotStarted(in, paused)
		f.Fix = append(f.Fix, diagnose.Fix{
			Text:    "To withdraw the request",
			Command: diagnose.Shell(`kubectl -n %s patch application %s --type json -p '[{"op":"remove","path":"/operation"}]'`, advice.ApplicationNamespace(in), app.Metadata.Name),
		})
		return diagnose.Found(f)
	},
}

// startsWithin is what a controller that works may take to begin.
const startsWithin = time.Minute

// whyNotStarted is what is known of why the controller does not act, and what to check. How to end the pause is another finding's.
func whyNotStarted(in *diagnose.In, paused bool) (string, []diagnose.Fix) {
	if paused {
		return "Its annotation " + evidence.AnnotationSkip + " tells the application controller to leave it alone.", nil
	}
	return advice.Inactive(in)
}

// requestState is what shows that nothing has begun.
func requestState(app *evidence.Application) string {
	said := "operation is set"
	if at := app.RequestedAt(); !at.IsZero() {
		said += ", last written " + at.UTC().Format(time.RFC3339)
	}
	if op := app.Status.OperationState; op != nil {
		return said + strings.TrimRight(fmt.Sprintf("; status.operationState is of an earlier one: %s %s", op.Phase, text.Timestamp(op.FinishedAt.Time)), " ")
	}
	return said + "; there is no status.operationState"
}
