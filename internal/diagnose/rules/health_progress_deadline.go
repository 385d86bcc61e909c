package rules

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/message"
)

var healthProgressDeadline = &diagnose.Rule{
	ID:          "health/progress-deadline",
	Needs:       healthNeeds,
	ExplainedBy: podCauses,
	Doc: diagnose.Doc{
		Title:    "A workload does not get its pods ready in time, and no pod says why",
		What:     "The rollout made no progress for progressDeadlineSeconds (ten minutes by default). That is never the cause itself: the pods hold it. This is the answer only where no pod tells more.",
		Decisive: "ProgressDeadlineExceeded, or a workload that has been progressing for more than ten minutes, and no pod with a reason of its own.",
		Example:  "Deployment \"web\" exceeded its progress deadline",
		Fix:      "Look at the pods of the workload, and at the events of its ReplicaSet.",
		Links:    []string{"https://kubernetes.io/docs/concepts/workloads/controllers/deployment/#failed-deployment"},
	},
	Sync: applied,
	Recognises: about{
		{kind: "apps/Deployment"},
		{kind: "apps/DaemonSet"},
		{kind: "apps/ReplicaSet"},
		{kind: "/Pod"},
		{kind: "/ReplicationController"},
		{kind: "extensions/Deployment"},
	},
	Check: reportingHealth(func(in *diagnose.In, p *sickPicture, s *sickResource) (diagnose.Finding, bool) {
		refused := failureToCreate(s)
		tells := podSays(s)
		if !s.pastPatience() && !tells && refused == "" || contradicts(p, s) || refusalTold(in, s) {
			return diagnose.Finding{}, false
		}
		f := diagnose.Finding{
			Confidence: diagnose.Possible,
			Title:      fmt.Sprintf("%s is not available%s", s.ref, s.afterLong()),
			Why:        fmt.Sprintf("%s %s", s.ref, s.isStill()),
			Fix:        []diagnose.Fix{s.describe("See what it says"), {Text: "See what its namespace says", Command: diagnose.Shell("kubectl %sget events --sort-by=.lastTimestamp", inNamespace(s.ref))}},
		}
		switch {
		case refused != "":
			stated := strings.Contains(refused, " ") // more than the bare reason
			f.Confidence = diagnose.CertainIf(stated)
			f.Title = fmt.Sprintf("%s lacks pods that its controller cannot create: %s", s.ref, message.Clip(refused, clause))
			f.Why = "Its controller cannot create pods: " + sentence(refused)
			if !stated {
				f.Why += " Why the API server refuses them stands in the events of its ReplicaSet: a quota, a service account, a policy."
			}
		case tells:
			f.Confidence = diagnose.Likely
			f.Title = fmt.Sprintf("%s: %s does not start: %s", s.ref, s.podName(), s.symptom.said())
			f.Why = fmt.Sprintf("%s does not start: %s", s.podName(), sentence(s.symptom.said()))
		case s.text != "":
			f.Confidence = diagnose.Likely
			f.Why += ": " + sentence(s.text) + nothingTells(p, s)
		default:
			f.Why += "." + nothingTells(p, s)
		}
		return f, true
	}),
}

// podSays reports whether the pod gives a reason for not starting. That it is pending is none before it has had the time to
// get a node and its containers.
func podSays(s *sickResource) bool {
	waits := s.symptom.reason == "Pending" && s.symptom.text == ""
	return s.pod != nil && s.symptom.reason != "" && !(waits && s.since < briefly)
}

// podCauses are the rules about what a pod suffers from: they outrank what its owner says.
var podCauses = diagnose.SymptomOf(
	healthCrashLoop, healthOOMKilled, healthLiveness, healthImagePull, healthConfigMissing, healthReadiness, healthUnschedulable, healthVolumePending, healthQuota, healthServiceAccountMissing,
)

// failureToCreate is why a controller may not create pods, as its owner repeats it.
func failureToCreate(s *sickResource) string {
	if e := lastOf(s.events, "FailedCreate"); e != nil {
		return message.OneLine(createRefusal(e))
	}
	if c := s.object.Condition("ReplicaFailure"); c.Text("status") == "True" {
		return message.OneLine(cmp.Or(c.Text("message"), c.Text("reason")))
	}
	return ""
}

// nothingTells says what was looked at in vain.
func nothingTells(p *sickPicture, s *sickResource) string {
	switch {
	case p.tree == nil:
		return " Its pods could not be looked at."
	case s.pod == nil:
		return " None of its pods says why."
	case !s.examined:
		return fmt.Sprintf(" %s was not looked at: another resource fails, too.", s.podName())
	}
	return fmt.Sprintf(" %s says nothing more.", s.podName())
}
