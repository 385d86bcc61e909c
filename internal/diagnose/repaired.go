package diagnose

import (
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

// addRepaired adds the finding about a sync that failed for want of what is there again. The rule that explained the failure while it lasted
// still does, so that it stays one failure, and all that is left to do is to sync.
func (r *run) addRepaired() {
	if !r.repaired {
		return
	}
	app := *r.app
	app.Status.OperationState = r.past // what it came to is part of the report all the same
	r.app = &app
	was := r.whenItFailed()
	r.findings = append(r.findings, Finding{
		Rule: was.Rule, Role: RoleCause, Kind: KindRepaired, Confidence: was.Confidence, Resource: was.Resource, Others: was.Others,
		Title:    r.worksAgain(),
		Why:      strings.TrimSpace("The sync of "+revisions(r.past)) + " failed: " + text.Sentence(was.Title),
		Evidence: was.Evidence, Links: was.Links,
		Sync: r.syncAgain(),
		Fix: []Fix{
			{Text: "Show what a sync would change", Command: Shell("argocd app diff %s", r.app.Argument())},
			{Text: "Sync the application", Command: Shell("argocd app sync %s", r.app.Argument())},
		},
		short: "Last sync failed; its cause is fixed",
	})
}

// whenItFailed is what the report was about while Argo CD could not render or compare.
func (r *run) whenItFailed() Finding {
	app := *r.app
	app.Status.Sync = evidence.SyncStatus{Status: "Unknown", Revision: r.past.Revision()}
	app.Status.Conditions, app.Status.ReconciledAt = nil, evidence.Time{}
	then := r.engine.start(r.ctx, r.source, r.now)
	then.nested, then.unshown, then.closely, then.ledger, then.work = true, true, r.closely, r.ledger, r.work
	if err := then.examine(&app); err != nil {
		return Finding{Rule: noRule, Confidence: Possible, Title: text.OneLine(r.past.Message)}
	}
	r.asked = append(r.asked, then.asked...)
	return then.report().Findings[0]
}

// worksAgain says what is possible now, and that nobody has made use of it.
func (r *run) worksAgain() string {
	again := "Renders now"
	if !r.couldNotRender() {
		again = "Can be compared now"
	}
	if r.app.MovedOn() {
		again += strings.TrimSuffix(" at "+text.Revision(r.app.Status.Sync.At()), " at ")
	}
	return again + ", not synced yet"
}

func (r *run) couldNotRender() bool { return operationSaid(r.past)[0].Stage == message.StageRender }

// syncAgain is the advice: a sync gets as far as Argo CD can tell, so the differences that it removes decide.
func (r *run) syncAgain() Advice {
	able := "the manifests render now"
	if !r.couldNotRender() {
		able = "Argo CD can compare the application now"
	}
	for i := range r.findings { // auto-sync does not try the same commit again
		if f := &r.findings[i]; f.Kind == KindUnderWay && GroupDrift.Has(f.Rule) {
			f.Role, f.Sync.Why = RoleCause, able
		}
	}
	advice := r.gravest(&Finding{Sync: Advice{SyncSafe, able}})
	if advice.Verdict == SyncUnknown && len(r.findings) == 0 {
		advice.Why = fmt.Sprintf("%s, but what a sync would change was not examined", able)
	}
	return advice
}
