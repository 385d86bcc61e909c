package diagnose

import (
	"context"
	"errors"
	"time"

	"github.com/argo-why/argo-why/internal/foreign"
	"github.com/argo-why/argo-why/internal/text"
)

// Undiagnosed is the report about an application that is too large to be diagnosed: that says something about the application, and nothing
// of its health. about is what is known of it all the same.
func Undiagnosed(app AppName, about Context, err error) *Report {
	what := &foreign.TooLargeError{}
	if !errors.As(err, &what) {
		what.What = err.Error()
	}
	argument := app.Name
	if app.Namespace != "" {
		argument = app.Namespace + "/" + app.Name
	}
	rep := &Report{
		App: app, Verdict: VerdictUnknown, Context: about, Undiagnosed: what.What,
		Findings: []Finding{{
			Rule: noRule, Role: RoleNote, Confidence: Certain,
			Title: "Could not be diagnosed: too large to read",
			Why:   "The limit is there so that one application does not keep the others from being diagnosed: " + what.What + ". Its cause and its health are not known.",
			Sync:  Advice{SyncUnknown, "the application was not read"},
			Fix: []Fix{{
				Text:    "Check what makes the application so large: its values, conditions and lists of resources",
				Command: Printed(Shell("argocd app get %s -o json", argument)),
			}},
			Evidence: []Quote{{From: "reading", Text: err.Error()}},
			Links:    []string{},
		}},
		Effects: []string{}, Actions: []Action{}, Examined: []Examined{},
		Sync: Sync{Verdict: SyncUnknown, Why: "the application was not read", Affects: []string{}},
	}
	rep.compose()
	return rep
}

// pace is where the time of a diagnosis goes.
type pace struct {
	began   time.Time
	waiting time.Duration // for evidence
}

// overdue is the error of a diagnosis whose time is over. That is a matter of the application only if its rules used up most of the time, and
// not the servers that were asked.
func (r *run) overdue() error {
	err := r.ctx.Err()
	if !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	all := r.clock().Sub(r.pace.began)
	if all-r.pace.waiting <= all/2 {
		return err
	}
	return &foreign.TooLargeError{What: "its rules were not done after " + text.Duration(all)}
}
