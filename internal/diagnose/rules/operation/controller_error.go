package operation

import (
	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
)

var ControllerError = &diagnose.Rule{
	ID: "operation/controller-error",
	Doc: diagnose.Doc{
		Title:    "Application controller could not run the operation",
		What:     "The operation ended in a fault of the application controller itself (a panic of its Go code), or what was requested is no sync. Neither says anything about the manifests.",
		Decisive: "The operation's message is a Go runtime error, or \"no operation specified\".",
		Example:  "runtime error: invalid memory address or nil pointer dereference",
		Fix:      "Read the stack trace in the controller's log, and upgrade Argo CD. Request a sync where none was.",
	},
	Sync: diagnose.Advice{Verdict: diagnose.SyncUnknown, Why: "Argo CD may run into the same fault again"},
	Check: statement.Each(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		f := &s.Failure
		switch {
		case s.From != "operation":
			return diagnose.Finding{}, false
		case f.Has("no operation specified"):
			return noOperation(in), true
		case f.Has("runtime error: ", "interface conversion: ", "assignment to entry in nil map"):
			return panicked(in, f), true
		}
		return diagnose.Finding{}, false
	}),
}

// panicked is the finding about a controller that panicked. It writes only the panic's message into the operation.
func panicked(in *diagnose.In, f *message.Failure) diagnose.Finding {
	return diagnose.Finding{
		Confidence: diagnose.Certain, OutsideGit: true,
		Title: "Application controller hit a bug of its own",
		Brief: "Argo CD's controller failed",
		Why:   "The code of Argo CD panicked while it ran the operation. The text names no resource; the stack trace in its log shows where it happened.",
		Says:  diagnose.Said{Who: "Argo CD says", Text: f.Line(message.MaxClause)},
		Fix: []diagnose.Fix{
			{Text: "Find the stack trace in the controller's log", Command: diagnose.Shell("kubectl -n %s logs %s --since=24h | grep -F -A 30 'Recovered from panic'", advice.ArgoNamespace(in), advice.Controller(in))},
			{Text: "Upgrade to the latest patch release of this version of Argo CD, which may have it fixed; if not, report the trace to the project"},
			advice.Sync(in, "Then sync again"),
		},
	}
}

// noOperation is the finding about a request that asks for nothing.
func noOperation(in *diagnose.In) diagnose.Finding {
	return diagnose.Finding{
		Confidence: diagnose.Certain, OutsideGit: true,
		Title: "The requested operation was no sync",
		Why:   "Somebody wrote the field operation of the Application without operation.sync, so that there was nothing to run. Nothing was tried.",
		Sync:  diagnose.Advice{Verdict: diagnose.SyncUnknown, Why: "the request that failed asked for nothing, so it says nothing about a sync"},
		Fix: []diagnose.Fix{
			{Text: "Remove the field operation from where the Application is defined, or from the tool that requests the sync"},
			advice.Sync(in, "To sync, request it"),
		},
	}
}
