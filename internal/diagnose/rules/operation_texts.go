package rules

import (
	"fmt"
	"strings"
	"time"

	"github.com/argo-why/argo-why/internal/diagnose"
)

// everythingBefore are the groups whose failures make an operation fail, be tried again and be given up.
var everythingBefore = diagnose.SymptomOf(
	diagnose.BeforeSync, diagnose.GroupApply, diagnose.GroupHook, diagnose.GroupWave,
)

// span is a duration as people say it: "40 s", "13 min", "3 h", "2 d".
func span(d time.Duration) string {
	switch {
	case d < 2*time.Minute:
		return fmt.Sprintf("%d s", int(d.Seconds()))
	case d < 2*time.Hour:
		return fmt.Sprintf("%d min", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h", int(d.Hours()))
	}
	return fmt.Sprintf("%d d", int(d.Hours()/24))
}

// terminate offers to end a running operation.
func terminate(in *diagnose.In, why string) (diagnose.Fix, diagnose.Action) {
	return diagnose.Fix{Text: "End the running operation", Command: diagnose.Shell("argocd app terminate-op %s", appName(in))},
		diagnose.Action{ID: diagnose.ActionTerminate, Label: "Terminate operation", Why: why}
}

// operationMessage is what the operation says, in lower case.
func operationMessage(in *diagnose.In) string {
	op := in.App().Status.OperationState
	if op == nil {
		return ""
	}
	return strings.ToLower(op.Message)
}
