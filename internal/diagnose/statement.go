package diagnose

import (
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

// Statement is one thing that Argo CD says is wrong: a condition, a failed task of the sync, the operation's message, the
// answer to a request.
type Statement struct {
	Failure message.Failure
	// From is where it was read, in words.
	From string
	// Condition is the type of the condition, if it is one.
	Condition string
	// Result is the failed task, if it is one.
	Result *evidence.ResourceResult
	// Refusal: Argo CD said it in answer to a request.
	Refusal bool
	// Resource is what it is about; zero when the text names none.
	Resource evidence.Ref

	// others are further tasks that failed, or conditions that warn, in the same words: see [alike].
	others []evidence.Ref
	// cause is that of the failure, on one line.
	cause string
	// number counts from 1.
	number int
}

// Hook reports whether the statement is about a resource hook.
func (s *Statement) Hook() bool { return s.Result != nil && s.Result.IsHook() }

// Derived reports whether the statement was read elsewhere than in what Argo CD says.
func (s *Statement) Derived() bool { return s.number >= derived }

// Quote is the statement as evidence.
func (s *Statement) Quote() Quote { return Quote{From: s.From, Text: s.Failure.Text} }

// statements lists what Argo CD says, each thing once, in a fixed order: the refusal, conditions, failed tasks, the
// operation's own message. Wrapper messages, which say only that something failed, are left out: they are no cause.
//
// left is how many failed tasks and other messages are in none of them: see [alike] and [allKept].
func statements(subject evidence.Subject) (out []Statement, left int) {
	add := func(s Statement) {
		s.cause = text.OneLine(s.Failure.Cause)
		if s.Failure.IsWrapper() || repeats(out, s) {
			return
		}
		s.number = len(out) + 1
		out = append(out, s)
	}
	told := 0 // of the messages that are no tasks
	tell := func(s Statement) {
		if told == allKept {
			left++
			return
		}
		before := len(out)
		add(s)
		told += len(out) - before
	}
	if subject.Refusal != "" {
		for _, said := range message.Split(subject.Refusal) {
			tell(Statement{Failure: message.ParseRefusal(said), From: "Argo CD's answer", Refusal: true})
		}
	}
	app := subject.Application
	if app == nil {
		return out, left
	}
	var syncErrors []Statement
	for _, c := range app.Status.Conditions {
		s := Statement{Failure: message.ParseCondition(c.Type, c.Message), From: "condition " + c.Type, Condition: c.Type}
		if warning(c.Type) {
			continue
		}
		if c.Type == "SyncError" { // repeats the operation's message: the failed tasks come first
			syncErrors = append(syncErrors, s)
			continue
		}
		tell(s)
	}
	told = 0 // many conditions do not hide what the sync says
	if op := app.CurrentOperation(); op != nil {
		said := operationSaid(op)
		results := op.Results()
		// A SyncFail hook runs because something failed before it: it comes last.
		var tasks alike
		for _, cleanup := range []bool{false, true} {
			for i := range results {
				r := &results[i]
				if !r.Failed() || (r.HookType == "SyncFail") != cleanup || cleanup && len(out) > 0 {
					continue
				}
				w := wordingOf(r)
				if own, with := tasks.admit(w); own {
					place := len(out)
					add(resultStatement(r, said[0]))
					tasks.put(w, place, len(out) > place)
				} else if with >= 0 {
					out[with].others = append(out[with].others, r.Ref())
				}
			}
		}
		left += tasks.left
		for _, f := range said {
			if !comparesAgain(app, f) {
				tell(Statement{Failure: f, From: "operation"})
			}
		}
	}
	for _, s := range syncErrors {
		if !comparesAgain(app, s.Failure) {
			tell(s)
		}
	}
	return out, left
}

// warnings are the conditions that are no failures, numbered behind the statements. left is how many are in none of them.
func warnings(app *evidence.Application, numbered int) (out []Statement, left int) {
	if app == nil {
		return nil, 0
	}
	for _, c := range app.Status.Conditions {
		switch {
		case !warning(c.Type):
		case len(out) == allKept:
			left++
		default:
			numbered++
			out = append(out, Statement{Failure: message.Parse(c.Message), From: "condition " + c.Type, Condition: c.Type, number: numbered})
		}
	}
	return out, left
}

// warning are the conditions that speak of something odd, not of a failure.
func warning(condition string) bool {
	switch condition {
	case "SharedResourceWarning", "RepeatedResourceWarning", "ExcludedResourceWarning", "OrphanedResourceWarning":
		return true
	}
	return false
}

func resultStatement(r *evidence.ResourceResult, op message.Failure) Statement {
	f := message.Parse(r.Message)
	if f.Stage == message.StageNone && !r.IsHook() {
		f.Stage = message.StageApply
		if op.Stage == message.StagePrune && strings.Contains(op.Cause, f.Cause) {
			f.Stage = message.StagePrune
		}
	}
	return Statement{Failure: f, From: "sync result of " + r.Ref().String(), Result: r, Resource: r.Ref()}
}

// repeats reports whether an earlier statement says the same: Argo CD copies the first failed task into the operation's
// message, that into the SyncError condition, and a ComparisonError into the operation that it stopped.
func repeats(earlier []Statement, s Statement) bool {
	cause := s.cause
	for i := range earlier {
		e := &earlier[i]
		if e.Result != nil && s.Result != nil { // two tasks may fail with the same words: two resources
			continue
		}
		said := e.cause
		if said == "" {
			continue
		}
		if said == cause || s.Result == nil && strings.Contains(cause, strings.TrimRight(said, "….")) || strings.Contains(said, cause) && len(cause) > 40 {
			return true
		}
	}
	return false
}

// operationSaid are the failures in the message of an operation: one, or the conditions that kept it from running.
func operationSaid(op *evidence.OperationState) []message.Failure {
	parts := message.Split(op.Message)
	out := make([]message.Failure, len(parts))
	for i, part := range parts {
		out[i] = message.Parse(part)
	}
	return out
}

// comparesAgain reports whether the operation failed on rendering or comparing, and the application has since been
// compared without an error: the operation's message outlives what it speaks of.
func comparesAgain(app *evidence.Application, op message.Failure) bool {
	switch op.Stage {
	case message.StageRender, message.StageLive, message.StageCompare:
	default:
		return false
	}
	for _, c := range app.Status.Conditions {
		if c.Type == "ComparisonError" {
			return false
		}
	}
	since := app.Status.OperationState != nil && app.Status.ReconciledAt.After(app.Status.OperationState.FinishedAt.Time)
	return (since || app.MovedOn()) && (app.Status.Sync.Status == "Synced" || app.Status.Sync.Status == "OutOfSync")
}

// derived is where the numbers of statements begin that were not said by Argo CD but read elsewhere, e.g. in an event.
const derived = 10_000

// Derive makes a statement of a text that was read elsewhere. place tells the derived statements of one diagnosis apart:
// rules that derive the same statement must give it the same place.
func Derive(place int, from, said string, about evidence.Ref) Statement {
	return Statement{Failure: message.Parse(said), From: from, Resource: about, number: derived + place}
}
