package operation

import (
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
)

var Terminated = &diagnose.Rule{
	ID:          "operation/terminated",
	ExplainedBy: diagnose.SymptomOf(diagnose.BeforeSync, diagnose.GroupHealth),
	Doc: diagnose.Doc{
		Title:    "Operation was terminated",
		What:     "The last operation was terminated before it finished: by a person, or by the sync time-out of the controller, if one is set. Or someone tried to terminate one when none was running. What it had applied stays.",
		Decisive: "The operation's message is \"Operation terminated\", or Argo CD answers that there is no operation to terminate.",
		Example:  "Operation terminated, triggered by controller sync timeout",
		Fix:      "Find out what it was waiting for. Sync again when that is solved.",
	},
	Sync: diagnose.Advice{Verdict: diagnose.SyncSafe, Why: "it applies what the terminated operation did not get to"},
	Check: statement.Each(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		f := &s.Failure
		switch ended := strings.HasPrefix(f.Lower(), "operation terminated") || f.Has("operation was terminated", "operation has been terminated", "operation is terminated", "operation termination"); {
		case f.HasAll("unable to terminate operation", "no operation is in progress"):
			return nothingToTerminate(in), true
		case f.Has("operation is terminating due to timeout"), ended && f.Has("sync timeout"):
			return timedOut(in, f), true
		case ended:
			return terminatedFinding(in, f), true
		}
		return diagnose.Finding{}, false
	}),
}

// nothingToTerminate is the answer to a request that came too late.
func nothingToTerminate(in *diagnose.In) diagnose.Finding {
	return diagnose.Finding{
		Confidence: diagnose.Certain, Role: diagnose.RoleNote, // nothing is wrong with the application
		Title: "No operation to terminate",
		Why:   "The operation had already ended when the request to terminate it arrived.",
		Sync:  diagnose.Advice{Verdict: diagnose.SyncUnknown, Why: "nothing is known to be wrong"},
		Fix:   []diagnose.Fix{showOperation(in, "Show how it ended")},
	}
}

// timedOut is the finding about an operation that the controller ended itself.
func timedOut(in *diagnose.In, f *message.Failure) diagnose.Finding {
	argo := advice.ArgoNamespace(in)
	out := diagnose.Finding{
		Confidence: diagnose.Certain,
		Title:      "Sync took longer than the controller's sync time-out",
		Why:        "The controller terminated it by itself. What was applied stays.",
		Sync:       diagnose.Advice{Verdict: diagnose.SyncUnknown, Why: "it may take as long again, and be terminated again"},
		Fix: []diagnose.Fix{
			showOperation(in, "Find out what took so long: hooks and resources that it waited for"),
			{Text: "If it needs that long, raise the time-out (controller.sync.timeout.seconds in " + advice.Param("controller.sync.timeout.seconds").Place(in) + ") and restart the controller; this prints the settings", Command: diagnose.Shell("kubectl -n %s get configmap argocd-cmd-params-cm -o yaml", argo)},
		},
	}
	if f.Has("is terminating") {
		out.Why = "The controller is terminating it by itself. What was applied stays."
		out.Sync = advice.Blocked("the operation is still being terminated")
	}
	if hook := waitedFor(in); hook != "" {
		out.Why = fmt.Sprintf("The controller terminated it while %s was running. What was applied stays.", hook)
	}
	return out
}

// terminatedFinding is the finding about an operation of which nothing says who ended it.
func terminatedFinding(in *diagnose.In, f *message.Failure) diagnose.Finding {
	out := diagnose.Finding{
		Confidence: diagnose.Certain,
		Title:      "Last operation was terminated",
		Why:        "A person ended it before it finished, or the controller's sync time-out did, if one is set. What it had applied stays; the rest was not tried.",
		Fix:        []diagnose.Fix{advice.Sync(in, "Sync again")},
	}
	if hook := endedWithIt(in); hook != "" {
		out.Why = strings.Replace(out.Why, "before it finished", "while "+hook+" was running", 1)
		out.Fix = []diagnose.Fix{showOperation(in, "Find out why the hook had not finished"), advice.Sync(in, "Then sync again: the hook runs again")}
	}
	if hook := waitedFor(in); hook != "" {
		out.Why = fmt.Sprintf("It ended while %s was running: a person terminated it, or the controller's sync time-out did, if one is set. What it had applied stays.", hook)
		out.Sync = diagnose.Advice{Verdict: diagnose.SyncUnknown, Why: "it runs " + hook + " again, and nothing shows that it will finish this time"}
		out.Fix = []diagnose.Fix{showOperation(in, "Find out why the hook did not finish"), advice.Sync(in, "Then sync again")}
	}
	if f.Has("had errors") {
		out.Why += " A hook could not be deleted."
		out.Fix = append([]diagnose.Fix{showOperation(in, "Show which hook could not be deleted, and why")}, out.Fix...)
		out.Sync = diagnose.Advice{Verdict: diagnose.SyncUnknown, Why: "a hook of the terminated operation is left over"}
	}
	return out
}

// waitedFor is the hook that was running when the operation was terminated; empty where none was. Argo CD deletes it then.
func waitedFor(in *diagnose.In) string {
	for _, r := range in.App().CurrentOperation().Results() {
		if r.IsHook() && (r.HookPhase == "Running" || r.Message == "Deleted") {
			return r.HookType + " hook " + r.Ref().String()
		}
	}
	return ""
}

// endedWithIt is the hook that failed only because the operation was terminated; empty where none did.
func endedWithIt(in *diagnose.In) string {
	for _, r := range in.App().CurrentOperation().Results() {
		if r.IsHook() && r.HookPhase == "Failed" && strings.HasPrefix(r.Message, "Terminated") {
			return r.HookType + " hook " + r.Ref().String()
		}
	}
	return ""
}

// showOperation is the step that shows the operation and what came of each resource.
func showOperation(in *diagnose.In, text string) diagnose.Fix {
	return diagnose.Fix{Text: text, Command: diagnose.Shell("argocd app get %s --show-operation", advice.AppName(in))}
}
