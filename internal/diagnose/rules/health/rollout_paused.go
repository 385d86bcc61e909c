package health

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/unhealthy"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

var RolloutPaused = &diagnose.Rule{
	ID:    "health/rollout-paused",
	Needs: needs,
	Doc: diagnose.Doc{
		Title:    "A Rollout waits for somebody to go on",
		What:     "An Argo Rollouts Rollout stands at a pause of its canary or before the switch of its blue-green strategy. That is what it was told to do, not a failure: a person (or a time) lets it go on.",
		Decisive: "Health Suspended of the Rollout; status.pauseConditions says which pause, status.currentStepIndex which step.",
		Example:  "CanaryPauseStep",
		Fix:      "Promote it, or abort it.",
		Links:    []string{"https://argo-rollouts.readthedocs.io/en/stable/features/canary/"},
	},
	Sync: advice.Pointless("what Git wants is applied; the rollout goes on when it is promoted"),
	Recognises: about{
		{kind: "argoproj.io/Rollout"},
		{kind: "argoproj.io/Rollout", status: "Suspended"},
	},
	Check: reporting(func(_ *diagnose.In, _ *unhealthy.Picture, s *unhealthy.Resource) (diagnose.Finding, bool) {
		paused := s.Status == "Suspended"
		if !paused && !s.Overdue() {
			return diagnose.Finding{}, false
		}
		f := diagnose.Finding{
			Role: diagnose.RoleNote, Confidence: diagnose.Certain, Kind: diagnose.KindUnfinished,
			Title: fmt.Sprintf("%s is paused and waits for a person to go on", s.Ref),
			Why:   fmt.Sprintf("%s has stood at a pause%s%s. That is no failure: it goes on when somebody promotes it.", s.Ref, s.ForLong(), stepClause(s.Object)),
			Fix: []diagnose.Fix{
				{Text: "Look at it", Command: diagnose.Shell("kubectl argo rollouts get rollout %s%s", s.Ref.Name, advice.NamespaceFlag(s.Ref))},
				{Text: "Let it go on", Command: diagnose.Shell("kubectl argo rollouts promote %s%s", s.Ref.Name, advice.NamespaceFlag(s.Ref))},
				{Text: "Or take it back", Command: diagnose.Shell("kubectl argo rollouts abort %s%s", s.Ref.Name, advice.NamespaceFlag(s.Ref))},
			},
		}
		if d := pauseEnds(s.Object); d != "" {
			f.Title = fmt.Sprintf("%s is paused for %s and goes on by itself", s.Ref, d)
			f.Why = fmt.Sprintf("%s stands at a pause of %s%s. That is no failure: it goes on by itself.", s.Ref, d, stepClause(s.Object))
		}
		if !paused {
			f.Confidence = diagnose.Possible
			f.Title = fmt.Sprintf("%s has not finished its rollout%s", s.Ref, s.AfterLong())
			f.Why = fmt.Sprintf("%s has been on its way%s. Whether it waits in a pause or cannot go on is not in the evidence. %s", s.Ref, s.ForLong(), text.Sentence(s.Text))
			f.Why = strings.TrimSpace(f.Why)
			f.Fix = f.Fix[:1]
		}
		return f, true
	}),
}

// pauseEnds is how long the pause lasts at which a canary stands; "" for one that waits for a person.
func pauseEnds(o evidence.Object) string {
	steps := o.List("spec", "strategy", "canary", "steps")
	n, ok := o.Number("status", "currentStepIndex")
	if i := int(n); ok && i >= 0 && i < len(steps) {
		return fmt.Sprint(cmp.Or(steps[i].At("pause", "duration"), any("")))
	}
	return ""
}

// stepClause says at which step of how many a canary stands, and why.
func stepClause(o evidence.Object) string {
	steps := len(o.List("spec", "strategy", "canary", "steps"))
	out := ""
	if n, ok := o.Number("status", "currentStepIndex"); ok && steps > 0 {
		out = fmt.Sprintf(", at step %d of %d", int(n)+1, steps)
	}
	if list := o.List("status", "pauseConditions"); len(list) > 0 {
		out += fmt.Sprintf(" (%s)", cmp.Or(list[0].Text("reason"), "paused"))
	}
	return out
}
