package operation

import (
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
)

// everythingBefore are the groups whose failures make an operation fail, be retried and be given up.
var everythingBefore = diagnose.SymptomOf(
	diagnose.BeforeSync, diagnose.GroupApply, diagnose.GroupHook, diagnose.GroupWave,
)

// everyFailure are these, and the other ways in which an operation fails.
var everyFailure = append(diagnose.SymptomOf(Terminated, Impersonation, ControllerError), everythingBefore...)

// operationMessage is the operation's message in lower case.
func operationMessage(in *diagnose.In) string {
	op := in.App().Status.OperationState
	if op == nil {
		return ""
	}
	return strings.ToLower(op.Message)
}
