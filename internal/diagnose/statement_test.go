package diagnose

import (
	"fmt"
	"testing"

	"github.com/argo-why/argo-why/internal/evidence"
)

// Rules are asked about each statement, so thousands of conditions are few of them; the others are counted, and what the operation says
// is still among them.
func TestManyConditionsAreFewStatements(t *testing.T) {
	app := &evidence.Application{}
	for i := range 1000 {
		app.Status.Conditions = append(app.Status.Conditions, evidence.Condition{Type: "ComparisonError", Message: fmt.Sprintf("cannot read file%d.yaml: no such thing", i)})
	}
	app.Status.OperationState = &evidence.OperationState{Phase: evidence.OperationFailed, Message: "the hook never began"}
	out, left := statements(evidence.Subject{Application: app})
	if len(out) != allKept+1 || left != 1000-allKept {
		t.Fatalf("%d statements and %d left", len(out), left)
	}
	if last := out[len(out)-1]; last.From != "operation" || last.Derived() {
		t.Errorf("the last is of %s, number %d", last.From, last.number)
	}
}
