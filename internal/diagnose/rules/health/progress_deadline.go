package health

import (
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/unhealthy"
	"github.com/argo-why/argo-why/internal/text"
)

var ProgressDeadline = &diagnose.Rule{
	ID:              "health/progress-deadline",
	Needs:           needs,
	ExplainedByEach: isPodCause,
	Doc: diagnose.Doc{
		Title:    "A workload does not get its pods ready in time, and no pod says why",
		What:     "The rollout made no progress for progressDeadlineSeconds (ten minutes by default). That is never the cause itself: the pods hold it. This is the answer only where no pod tells more.",
		Decisive: "ProgressDeadlineExceeded, or a workload that has been progressing for more than ten minutes, and no pod with a reason of its own.",
		Example:  "Deployment \"web\" exceeded its progress deadline",
		Fix:      "Look at the pods of the workload, and at the events of its ReplicaSet.",
		Links:    []string{"https://kubernetes.io/docs/concepts/workloads/controllers/deployment/#failed-deployment"},
	},
	Sync: alreadyApplied,
	Recognises: about{
		{kind: "apps/Deployment"},
		{kind: "apps/DaemonSet"},
		{kind: "apps/ReplicaSet"},
		{kind: "/Pod"},
		{kind: "/ReplicationController"},
		{kind: "extensions/Deployment"},
	},
	Check: reporting(func(in *diagnose.In, p *unhealthy.Picture, s *unhealthy.Resource) (diagnose.Finding, bool) {
		refused := failureToCreate(s)
		hasReason := podGivesReason(s)
		if !s.Overdue() && !hasReason && refused == "" || contradictsHealth(p, s) || refusalReported(in, s) {
			return diagnose.Finding{}, false
		}
		f := diagnose.Finding{
			Confidence: diagnose.Possible,
			Title:      fmt.Sprintf("%s is not available%s", s.Ref, s.AfterLong()),
			Why:        fmt.Sprintf("%s %s", s.Ref, s.IsStill()),
			Fix:        []diagnose.Fix{s.Describe("See what it says"), {Text: "See what its namespace says", Command: diagnose.Shell("kubectl %sget events --sort-by=.lastTimestamp", advice.InNamespace(s.Ref))}},
		}
		switch {
		case refused != "":
			stated := strings.Contains(refused, " ") // more than the bare reason
			f.Confidence = diagnose.CertainIf(stated)
			f.Title = fmt.Sprintf("%s lacks pods that its controller cannot create: %s", s.Ref, text.Clip(refused, message.MaxClause))
			f.Why = "Its controller cannot create pods: " + text.Sentence(refused)
			if !stated {
				f.Why += " Why the API server refuses them stands in the events of its ReplicaSet: a quota, a service account, a policy."
			}
		case hasReason:
			f.Confidence = diagnose.Likely
			f.Title = fmt.Sprintf("%s: %s does not start: %s", s.Ref, s.PodName(), s.Symptom.Clause())
			f.Why = fmt.Sprintf("%s does not start: %s", s.PodName(), text.Sentence(s.Symptom.Clause()))
		case s.Text != "":
			f.Confidence = diagnose.Likely
			f.Why += ": " + text.Sentence(s.Text) + nothingTells(p, s)
		default:
			f.Why += "." + nothingTells(p, s)
		}
		return f, true
	}),
}

// nothingTells says what was looked at in vain.
func nothingTells(p *unhealthy.Picture, s *unhealthy.Resource) string {
	switch {
	case p.Tree == nil:
		return " Its pods could not be looked at."
	case s.Pod == nil:
		return " None of its pods says why."
	case !s.Examined:
		return fmt.Sprintf(" %s was not looked at: another resource fails, too.", s.PodName())
	}
	return fmt.Sprintf(" %s says nothing more.", s.PodName())
}
