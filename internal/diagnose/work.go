package diagnose

import (
	"fmt"

	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/foreign"
	"github.com/argo-why/argo-why/internal/redact/effort"
)

// maxSteps is what the rules may take for one application, a few seconds. One of 2,000 resources takes some 100,000.
const maxSteps = 20_000_000

// stepBytes is how much text, looked at with an expression or two, counts as one step.
const stepBytes = 64

// The longest lists of an Application's own that are read: rules go through them for each thing that is wrong.
const (
	mostIgnored    = 2000
	mostOptions    = 200
	mostFinalizers = 100
)

// tooMany is the error about an application whose own lists are longer; nil for all that people write.
func tooMany(app *evidence.Application) error {
	options := 0
	if p := app.Spec.SyncPolicy; p != nil {
		options = len(p.SyncOptions)
	}
	for _, l := range []struct {
		what  string
		n, of int
	}{{"spec.ignoreDifferences", len(app.Spec.IgnoreDifferences), mostIgnored}, {"spec.syncPolicy.syncOptions", options, mostOptions}, {"metadata.finalizers", len(app.Metadata.Finalizers), mostFinalizers}} {
		if l.n > l.of {
			return &foreign.TooLargeError{What: fmt.Sprintf("%s has %d entries", l.what, l.n)}
		}
	}
	return nil
}

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
