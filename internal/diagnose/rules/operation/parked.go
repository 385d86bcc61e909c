package operation

import (
	"fmt"
	"strings"
	"time"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/text"
)

// parked reports whether a running operation waits for the windows: it goes on by itself as soon as they let it.
func parked(in *diagnose.In) bool {
	op := in.App().Status.OperationState
	return op.Running() && strings.Contains(strings.ToLower(op.Message), "sync window")
}

// whileParked gives a finding the steps that fit a parked operation: nobody can start another one beside it. Argo CD asks the windows what
// they say about whoever started it, so that manual syncs being allowed does not free one that is marked as automated.
func whileParked(in *diagnose.In, f *diagnose.Finding, b block) {
	op := &in.App().Status.OperationState.Operation
	wait := diagnose.Fix{Text: "Wait until the windows allow it: the operation goes on by itself then"}
	if b.known && b.zoned {
		wait.Text = fmt.Sprintf("Wait about %s: the operation goes on by itself then", remaining(in, b))
	}
	project := advice.Project(in)
	list := diagnose.Fix{Text: "List the windows of the project with their IDs and times", Command: diagnose.Shell("argocd proj windows list %s", project)}
	f.Fix = []diagnose.Fix{wait, list}
	if b.kind == otherWindow {
		f.Fix[0].Text = "Wait until the other window opens too: the operation goes on by itself then; Argo CD 2.7 and later need only one open window"
	}
	if !b.manual {
		allow := diagnose.Fix{Text: "If it cannot wait, allow manual syncs in that window (affects every application the window covers; undo with disable-manual-sync)", Command: diagnose.Shell("argocd proj windows enable-manual-sync %s ID", project)}
		if len(b.also) > 0 {
			allow.Text = "If it cannot wait, allow manual syncs in each of these windows (affects every application they cover; undo with disable-manual-sync)"
		}
		if !op.InitiatedBy.Automated {
			allow.Text += "; the operation goes on then"
		}
		f.Fix = append(f.Fix, allow)
	}
	if op.InitiatedBy.Automated {
		terminate, _ := advice.Terminate(in, "")
		terminate.Text = "Then terminate the waiting operation, which stays blocked because it is marked as automated"
		if b.manual {
			terminate.Text = "If it cannot wait, terminate the waiting operation: the window blocks only automated ones"
		}
		f.Fix = append(f.Fix, terminate, advice.Sync(in, "Then sync manually"))
	}
	if b.manual {
		f.Sync = advice.Blocked("the operation that waits for the window is still running")
	}
	if who := op.InitiatedBy.Username; op.InitiatedBy.Automated && who != "" {
		reason := ""
		if rolling(in) {
			reason = " for the RollingSync of its ApplicationSet"
		}
		f.Why = text.Paragraph(f.Why, fmt.Sprintf("The waiting operation was started by %s%s.", who, reason))
	}
}

// rolling reports whether the RollingSync of an ApplicationSet started the operation.
func rolling(in *diagnose.In) bool {
	for _, info := range in.App().Status.OperationState.Operation.Info {
		if strings.Contains(info.Value, "RollingSync") {
			return true
		}
	}
	return false
}

// remaining is for how long the windows block yet: to the nearest hour or day, as nobody wants to come back too early.
func remaining(in *diagnose.In, b block) string {
	left := b.until.Sub(in.Now())
	switch {
	case left >= 48*time.Hour:
		left = max(left.Round(24*time.Hour), 48*time.Hour)
	case left >= 2*time.Hour:
		left = left.Round(time.Hour)
	default:
		left = left.Round(time.Minute)
	}
	return text.Duration(left)
}
