package health

import (
	"fmt"
	"strconv"
	"strings"
	"time"

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
	Check: reporting(func(in *diagnose.In, _ *unhealthy.Picture, s *unhealthy.Resource) (diagnose.Finding, bool) {
		if s.Status != "Suspended" && !s.Overdue() {
			return diagnose.Finding{}, false
		}
		f := diagnose.Finding{
			Role: diagnose.RoleNote, Confidence: diagnose.Certain, Kind: diagnose.KindUnfinished, Held: true,
			Title: fmt.Sprintf("%s is waiting for manual promotion", s.Ref),
			Why:   fmt.Sprintf("It %s%s. This is not a failure: it continues when someone promotes it.", pausedFor(in, s), stepClause(s.Object)),
			Fix: []diagnose.Fix{
				{Text: "Show its steps and pods", Command: diagnose.Shell("kubectl argo rollouts get rollout %s%s", s.Ref.Name, advice.NamespaceFlag(s.Ref))},
				{Text: "Promote it if the new version is good", Command: diagnose.Shell("kubectl argo rollouts promote %s%s", s.Ref.Name, advice.NamespaceFlag(s.Ref))},
				{Text: "Otherwise abort it, which returns to the stable version", Command: diagnose.Shell("kubectl argo rollouts abort %s%s", s.Ref.Name, advice.NamespaceFlag(s.Ref))},
			},
		}
		paused := fmt.Sprintf("It %s%s.", pausedFor(in, s), stepClause(s.Object))
		held, _ := s.Object.At("spec", "paused").(bool)
		switch lasts := pauseEnds(s.Object); {
		case s.Status != "Suspended":
			f.Confidence = diagnose.Possible
			f.Title = fmt.Sprintf("%s has not finished its rollout", s.Ref)
			f.Why = fmt.Sprintf("It %s. The evidence does not show whether it is paused or stuck.", s.IsStill())
			if s.Object != nil {
				f.Why = fmt.Sprintf("It %s, and is not at a pause: it waits for its pods or for an analysis.", s.IsStill())
			}
			f.Says = says("Its status says", s.Text)
			f.Fix = f.Fix[:1]
		case held:
			f.Title = fmt.Sprintf("%s is paused on purpose", s.Ref)
			f.Why = paused + " Its spec.paused is true: nothing of it changes until that is taken back."
			f.Fix = []diagnose.Fix{{Text: "To resume it, set this in Git", Patch: fmt.Sprintf("# on %s\nspec:\n  paused: false\n", s.Ref)}, f.Fix[0]}
		case strings.Contains(s.Text, "InconclusiveAnalysisRun") || pauseReason(s.Object) == "InconclusiveAnalysisRun":
			f.Title = fmt.Sprintf("%s is paused: analysis inconclusive", s.Ref)
			f.Why = paused + " Its metrics neither passed nor failed, so it waits for somebody to decide."
		case lasts != "":
			f.Title = fmt.Sprintf("%s is paused for %s", s.Ref, lasts)
			f.Why = paused + " This is not a failure: it continues by itself when the pause ends."
		case s.Object == nil:
			f.Title = fmt.Sprintf("%s is paused", s.Ref)
			f.Why = paused + " This is not a failure: it continues when someone promotes it, or by itself where the pause has a duration."
		}
		return f, true
	}),
}

// pausedFor says how long it has been paused.
func pausedFor(in *diagnose.In, s *unhealthy.Resource) string {
	lasts := s.ForLong()
	if list := s.Object.List("status", "pauseConditions"); len(list) > 0 && !list[0].Time("startTime").IsZero() {
		lasts = unhealthy.Lasting(" for ", in.Since(list[0].Time("startTime")))
	}
	if lasts == "" {
		return "is paused"
	}
	return "has been paused" + lasts
}

// pauseEnds is how long the current pause lasts, of a canary's step or before a blue-green switch; "" for one that waits for a person.
func pauseEnds(o evidence.Object) string {
	if n, ok := o.Number("spec", "strategy", "blueGreen", "autoPromotionSeconds"); ok && n > 0 {
		return text.Duration(time.Duration(n) * time.Second)
	}
	steps := o.List("spec", "strategy", "canary", "steps")
	n, ok := o.Number("status", "currentStepIndex")
	i := int(n)
	if !ok || i < 0 || i >= len(steps) {
		return ""
	}
	if seconds, ok := steps[i].Number("pause", "duration"); ok {
		return text.Duration(time.Duration(seconds) * time.Second)
	}
	said := steps[i].Text("pause", "duration")
	if d, err := time.ParseDuration(said); err == nil {
		return text.Duration(d)
	}
	if _, err := strconv.Atoi(said); err == nil {
		return said + " s"
	}
	return said
}

// pauseReason is why it is paused, as its status says.
func pauseReason(o evidence.Object) string {
	if list := o.List("status", "pauseConditions"); len(list) > 0 {
		return list[0].Text("reason")
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
	return out + inBrackets(pauseReason(o))
}
