package operation

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/text"
)

var Stuck = &diagnose.Rule{
	ID:          "operation/stuck",
	ExplainedBy: append(diagnose.SymptomOf(syncWindow, PruneBlocked, Retrying, InProgress), everythingBefore...),
	Doc: diagnose.Doc{
		Title:    "Operation has been running far too long",
		What:     "An operation has been running much longer than this application's syncs usually take, and nothing says what it waits for: the controller was restarted in the middle, its queue is full, or it hangs.",
		Decisive: "The operation has been running for more than 30 minutes and more than five times as long as the longest sync in the history, and no hook, wave or retry explains it.",
		Example:  "phase Running for 14 h, without a message",
		Fix:      "Terminate it and check the application controller's log.",
	},
	Sync: advice.Blocked("the stuck operation is still running"),
	Check: func(in *diagnose.In) diagnose.Outcome {
		if f, ok := halfWritten(in); ok && in.App().Status.Sync.Status == "OutOfSync" && in.Since(in.App().Status.OperationState.StartedAt) >= stuckAfter {
			if all := in.Statements(); slices.ContainsFunc(all, func(s diagnose.Statement) bool { return saysInProgress(&s) }) {
				return diagnose.Nothing // the rule about that says so
			}
			f.Kind, f.Confidence = diagnose.KindFailure, diagnose.Likely
			return diagnose.Found(f)
		}
		since, usual := in.RunningFor(), usualSync(in)
		m := operationMessage(in)
		if since < stuckAfter || since < 5*usual || strings.Contains(m, "waiting for") {
			return diagnose.Nothing
		}
		fix, offer := advice.Terminate(in, "it has been running far longer than usual without saying why")
		op := in.App().Status.OperationState
		why := "It does not report what it is waiting for." + appliedAndHealthy(in)
		log := diagnose.Fix{
			Text:    "Check the application controller's log for this application",
			Command: diagnose.Shell("kubectl -n %s logs %s --since=1h | grep -F %s", advice.ArgoNamespace(in), advice.Controller(in), cmp.Or(in.App().Metadata.Name, "APP")),
		}
		restart := diagnose.Fix{Text: "If it hangs again, restart the application controller, then sync", Command: diagnose.Shell("kubectl -n %s rollout restart %s", advice.ArgoNamespace(in), advice.Controller(in))}
		steps := []diagnose.Fix{fix, log, restart}
		if op.Phase == "Terminating" {
			why = "It is already being terminated, and does not end."
			restart.Text = "Restart the application controller: it then picks the operation up again"
			steps = []diagnose.Fix{log, restart}
		}
		than := ""
		if usual > 0 {
			than = fmt.Sprintf(" The longest sync in the history took %s.", text.Age(usual))
		}
		return diagnose.Found(diagnose.Finding{
			Confidence: diagnose.Likely,
			Title:      fmt.Sprintf("Operation has been running for %s", text.Age(since)),
			Why:        why + than,
			Evidence:   []diagnose.Quote{{From: "operation", Text: strings.TrimSpace(op.Phase + " " + op.Message)}},
			Fix:        steps,
			Offers:     []diagnose.Action{offer},
		})
	},
}

// stuckAfter is longer than big applications and slow hooks take without reporting what they wait for.
const stuckAfter = 30 * time.Minute

// usualSync is the longest sync in the history; 0 without any.
func usualSync(in *diagnose.In) time.Duration {
	var longest time.Duration
	for _, h := range in.App().Status.History {
		if !h.DeployStartedAt.IsZero() && h.DeployedAt.After(h.DeployStartedAt.Time) {
			longest = max(longest, h.DeployedAt.Sub(h.DeployStartedAt.Time))
		}
	}
	return longest
}

// appliedAndHealthy says so where the sync applied something, all of that is healthy, and more is to come: nothing keeps it from going on.
func appliedAndHealthy(in *diagnose.In) string {
	n := 0
	for _, r := range in.App().CurrentOperation().Results() {
		res := in.Resource(r.Ref())
		switch {
		case r.IsHook() || !r.Applied() || res == nil || res.Health == nil:
		case res.Health.Status != "Healthy":
			return ""
		default:
			n++
		}
	}
	if n == 0 {
		return ""
	}
	return " What it has applied so far is healthy, so the controller should have gone on."
}
