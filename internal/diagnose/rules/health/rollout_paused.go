package health

import (
	"cmp"
	"fmt"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/unhealthy"
	"github.com/argo-why/argo-why/internal/evidence"
)

var RolloutPaused = &diagnose.Rule{
	ID:    "health/rollout-paused",
	Needs: needs,
	Doc: diagnose.Doc{
		Title:    "Rollout is paused or still in progress",
		What:     "An Argo Rollouts Rollout is paused at a canary step or before its blue-green switch. That is what its spec says, not a failure: it continues when someone promotes it or the pause ends.",
		Decisive: "Health Suspended of the Rollout; status.pauseConditions says which pause, status.currentStepIndex which step.",
		Example:  "CanaryPauseStep",
		Fix:      "Promote it, or abort it.",
		Links:    []string{"https://argo-rollouts.readthedocs.io/en/stable/features/canary/"},
	},
	Sync: advice.Pointless("the cluster already matches Git; the rollout is still in progress"),
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
			Title: fmt.Sprintf("%s is waiting for manual promotion", s.Ref),
			Why:   fmt.Sprintf("It %s%s. This is not a failure: it continues when someone promotes it.", pausedFor(s), stepClause(s.Object)),
			Fix: []diagnose.Fix{
				{Text: "Show its steps and pods", Command: diagnose.Shell("kubectl argo rollouts get rollout %s%s", s.Ref.Name, advice.NamespaceFlag(s.Ref))},
				{Text: "Promote it if the new version is good", Command: diagnose.Shell("kubectl argo rollouts promote %s%s", s.Ref.Name, advice.NamespaceFlag(s.Ref))},
				{Text: "Otherwise abort it, which returns to the stable version", Command: diagnose.Shell("kubectl argo rollouts abort %s%s", s.Ref.Name, advice.NamespaceFlag(s.Ref))},
			},
		}
		if d := pauseEnds(s.Object); d != "" {
			f.Title = fmt.Sprintf("%s is paused for %s", s.Ref, d)
			f.Why = fmt.Sprintf("It %s%s. This is not a failure: it continues by itself when the pause ends.", pausedFor(s), stepClause(s.Object))
		}
		if !paused {
			f.Confidence = diagnose.Possible
			f.Title = fmt.Sprintf("%s has not finished its rollout", s.Ref)
			f.Why = fmt.Sprintf("It %s. The evidence does not show whether it is paused or stuck.", s.IsStill())
			f.Says = says("Its status says", s.Text)
			f.Fix = f.Fix[:1]
		}
		return f, true
	}),
}

// pausedFor says how long it has been paused.
func pausedFor(s *unhealthy.Resource) string {
	if s.ForLong() == "" {
		return "is paused"
	}
	return "has been paused" + s.ForLong()
}

// pauseEnds is how long the current pause of a canary lasts; "" for one that waits for a person.
func pauseEnds(o evidence.Object) string {
	steps := o.List("spec", "strategy", "canary", "steps")
	n, ok := o.Number("status", "currentStepIndex")
	if i := int(n); ok && i >= 0 && i < len(steps) {
		return fmt.Sprint(cmp.Or(steps[i].At("pause", "duration"), any("")))
	}
	return ""
}

// stepClause says at which step of how many a canary is, and why.
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
