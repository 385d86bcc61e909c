package diagnose

import (
	"fmt"

	"github.com/argo-why/argo-why/internal/foreign"
	"github.com/argo-why/argo-why/internal/redact/effort"
)

// maxSteps is what the rules may take for one application, a few seconds. One of 2,000 resources takes some 100,000.
const maxSteps = 20_000_000

// stepBytes is how much text, looked at with an expression or two, counts as one step.
const stepBytes = 64

// Spend counts n steps of a rule, each a look at a value: whatever the application has many of, and looks for among many others, is counted. It
// ends the diagnosis of an application that takes too many steps, or whose time is over, in the middle of the rule.
func (in *In) Spend(n int) { in.run.spend(n) }

func (r *run) spend(n int) {
	if r.work.Look(n); r.work.Done() {
		panic(overworked{r.work})
	}
}

// overworked is the panic that ends a rule which takes too long: rules have no error for what is no matter of theirs.
type overworked struct{ work *effort.Meter }

// ended is why rules were ended; any other panic goes on.
func (r *run) ended(fault any) error {
	if _, ours := fault.(overworked); !ours {
		panic(fault)
	}
	if r.ctx.Err() != nil {
		return r.overdue()
	}
	return &foreign.TooLargeError{What: fmt.Sprintf("its rules were not done after %d steps", r.work.Spent())}
}
