package hooks

import (
	"fmt"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/diagnose/pods"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

// refusal is what the API server answered to that, and where it was read.
type refusal struct{ said, from string }

// unremovable is the finding about a hook whose task says that its finalizer could not be removed.
func unremovable(in *diagnose.In) (diagnose.Outcome, bool) {
	all := in.Statements()
	for i := range all {
		s := &all[i]
		_, said, ok := strings.Cut(s.Failure.Text, statement.NotRemoved)
		if s.Result == nil || !ok {
			continue
		}
		object, _ := diagnose.Get(in, evidence.FactObject(evidence.ObjectQuery{Ref: s.Resource}))
		if in.Waiting() {
			return diagnose.Unknown, true
		}
		f := diagnose.Finding{Resource: s.Resource, OutsideGit: true, Title: fmt.Sprintf("Hook %s keeps Argo CD's finalizer", s.Resource)}
		if !in.App().Status.OperationState.Running() {
			f.Sync = advice.Pointless("the old hook has to go first, and Argo CD cannot let go of it")
		}
		f = refusal{said: said}.explain(f, finalizersOf(object))
		f.Fix = append(f.Fix, again(in, "Then sync the application")...)
		return diagnose.Found(f.On(s)), true
	}
	return diagnose.Outcome{}, false
}

// refusedRemoval is why Argo CD could not remove its finalizer from a hook, out of an event of the application; ok is false where none
// says so.
func refusedRemoval(in *diagnose.In, ref evidence.Ref) (refusal, bool) {
	app := in.App().Metadata
	events, _ := diagnose.Look(in, evidence.FactEvents(evidence.ObjectQuery{
		Ref: evidence.Ref{Group: "argoproj.io", Kind: "Application", Namespace: app.Namespace, Name: app.Name}, UID: app.UID,
	}))
	for i := range slices.Backward(events) {
		e := &events[i]
		if _, said, ok := strings.Cut(e.Message, statement.NotRemoved); ok && strings.Contains(said, ref.Name) {
			return refusal{said, pods.EventName(e)}, true
		}
	}
	return refusal{}, false
}

// refusedField is the field that an update may not change, without the value, which is a dump.
var refusedField = pattern.MustCompile(`is invalid: ([\w.\[\]]+): Invalid value: (?s:.*): (field is immutable)`)

// explain makes the finding say that. Argo CD writes the whole object to remove its finalizer; a patch of the finalizers alone passes.
func (r refusal) explain(f diagnose.Finding, held []string) diagnose.Finding {
	said := message.LastClause(text.OneLine(r.said))
	immutable := refusedField.FindStringSubmatch(r.said)
	if immutable != nil {
		said = immutable[1] + ": " + immutable[2]
	}
	f.Confidence = diagnose.Certain
	f.Why = fmt.Sprintf("Argo CD cannot remove its own finalizer %s: it writes the whole %s for that, and the API server refuses the write.", ownFinalizer, f.Resource.Kind)
	if immutable != nil {
		f.Why = fmt.Sprintf("Argo CD cannot remove its own finalizer %s: it writes the whole %s for that, and the API server refuses to let %s change.", ownFinalizer, f.Resource.Kind, immutable[1])
	}
	f.Says = diagnose.Said{Who: "The API server says", Text: said}
	if r.from != "" {
		f.Evidence = append(f.Evidence, diagnose.Quote{From: r.from, Text: r.said})
	}
	f.Fix = []diagnose.Fix{withoutFinalizers(f.Resource, slices.DeleteFunc(slices.Clone(held), func(s string) bool { return s == ownFinalizer }), "Remove that finalizer yourself: this patch touches nothing else")}
	if immutable != nil {
		f.Fix = append(f.Fix, diagnose.Fix{
			Text:    fmt.Sprintf("If it happens to each new one, look for what changes a %s when it is created, such as a mutating webhook, and try a newer Argo CD", f.Resource.Kind),
			Command: "kubectl get mutatingwebhookconfigurations",
		})
	} else {
		f.Fix[0].Text = "Or remove that finalizer yourself: this patch touches nothing else, but may be refused as well"
		f.Fix = append(advice.Steps("Correct what refuses it, or let Argo CD's account pass there"), f.Fix...)
	}
	return f
}
