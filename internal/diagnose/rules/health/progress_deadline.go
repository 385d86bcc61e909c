package health

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/diagnose/unhealthy"
)

var ProgressDeadline = &diagnose.Rule{
	ID:              "health/progress-deadline",
	Needs:           needs,
	ExplainedByEach: isPodCause,
	Doc: diagnose.Doc{
		Title:    "Workload is not available",
		What:     "The rollout made no progress for progressDeadlineSeconds (ten minutes by default). That is never the cause itself, which is in the pods. This is the answer only where no pod says more.",
		Decisive: "ProgressDeadlineExceeded, or a workload that has been progressing for more than ten minutes, and no pod with a reason of its own.",
		Example:  "Deployment \"web\" exceeded its progress deadline",
		Fix:      "Check the pods of the workload and the events of its ReplicaSet.",
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
		if s.Status == "Progressing" && s.OutOfSync && s.Pod == nil && s.Text == "" && refused == "" {
			return diagnose.Finding{}, false // it is being changed, and nothing says that this fails: what changes it is drift
		}
		f := diagnose.Finding{
			Confidence: diagnose.Possible,
			Title:      fmt.Sprintf("%s is not available", s.Ref),
			Why:        fmt.Sprintf("It %s.", s.IsStill()),
			Fix:        []diagnose.Fix{s.Describe("Show its conditions and events"), {Text: "List the latest events of its namespace", Command: diagnose.Shell("kubectl %sget events --sort-by=.lastTimestamp", advice.InNamespace(s.Ref))}},
		}
		switch m := invalidField.FindStringSubmatch(cmp.Or(refused, s.Text)); {
		case m != nil:
			f.Confidence = diagnose.Certain
			f.Title = fmt.Sprintf("%s: its pod template is invalid", s.Ref)
			f.Why = "The API server rejects what its controller makes of the template, so no new pod is created."
			f.Says = says("The API server says", m[1]+m[2])
			f.Fix = []diagnose.Fix{{Text: fmt.Sprintf("Correct %s in Git", strings.TrimSuffix(m[1], ": "))}, s.Describe("Show its conditions and events")}
		case priorityMissing.MatchString(refused):
			name := priorityMissing.FindStringSubmatch(refused)[1]
			f.Confidence = diagnose.Certain
			f.Title = fmt.Sprintf("%s: PriorityClass/%s is missing", s.Ref, name)
			f.Why = "The API server rejects every pod that uses it."
			f.Fix = []diagnose.Fix{{Text: "Create the PriorityClass, or correct priorityClassName in Git. The controller then retries by itself"}, {Text: "List those that exist", Command: "kubectl get priorityclasses"}}
		case refused != "":
			stated := strings.Contains(refused, " ") // more than the bare reason
			f.Confidence = diagnose.CertainIf(stated)
			f.Title = fmt.Sprintf("%s: its pods cannot be created", s.Ref)
			f.Says = says("The API server says", refused)
			if !stated {
				f.Says = diagnose.Said{}
				f.Why += " The API server rejects its pods, for example because of a quota, a missing service account or a policy; the events say why."
				slices.Reverse(f.Fix)
			}
		case endsByItself(s):
			f.Confidence = diagnose.Certain
			f.Title = fmt.Sprintf("%s is running, and has not ended", s.Ref)
			f.Why = fmt.Sprintf("Its restartPolicy is %s: Argo CD calls such a pod Progressing until it has ended, also when it is ready.", s.Object.Text("spec", "restartPolicy"))
			f.Fix = []diagnose.Fix{{Text: "If it should run forever, make it a Deployment in Git, or set restartPolicy: Always. Else see what it is doing", Command: diagnose.Shell("kubectl %slogs %s --all-containers --tail=50", advice.InNamespace(s.Ref), s.Ref.Name)}}
		case hasReason:
			f.Confidence = diagnose.Likely
			f.Title = fmt.Sprintf("%s: a pod does not start", s.Ref)
			if s.Pod.Ref() == s.Ref {
				f.Title = fmt.Sprintf("%s does not start", s.Ref)
			}
			f.Why = fmt.Sprintf("%s has been waiting%s.", s.PodName(), s.PodForLong())
			if s.ForLong() == "" {
				f.Why = s.PodName() + " is waiting."
			}
			f.Says = says("Kubernetes says", s.Symptom.Clause())
		case s.Text != "":
			f.Confidence = diagnose.Likely
			f.Says = says("Its status says", s.Text)
			f.Why += nothingTells(p, s)
			f.Fix = append(listOwnPods(s), f.Fix...)
		default:
			f.Why += nothingTells(p, s)
			f.Fix = append(listOwnPods(s), f.Fix...)
		}
		return f, true
	}),
}

// endsByItself reports whether it is a running pod that Kubernetes does not restart forever.
func endsByItself(s *unhealthy.Resource) bool {
	policy := s.Object.Text("spec", "restartPolicy")
	return s.Ref.Kind == "Pod" && s.Status == "Progressing" && s.Object.Condition("Ready").Text("status") == "True" && (policy == "Never" || policy == "OnFailure")
}

// listOwnPods is the step that lists the pods of a workload of which none is known to be in trouble.
func listOwnPods(s *unhealthy.Resource) []diagnose.Fix {
	if s.Pod != nil || s.Ref.Kind == "Pod" {
		return nil
	}
	return []diagnose.Fix{{Text: "List its pods: whether they exist, run and are ready", Command: diagnose.Shell("kubectl %sget pods%s -o wide", advice.InNamespace(s.Ref), selecting(podLabels(s.Object)))}}
}

var (
	// invalidField is how the API server refuses a field: its path, and what is wrong with it.
	invalidField = pattern.MustCompile(`((?:spec|metadata)\.[^\s:]+: )((?:Invalid value|Required value|Forbidden|Unsupported value|Duplicate value|Not found)\b.*)$`)
	// priorityMissing is how it refuses a pod whose priority class does not exist.
	priorityMissing = pattern.MustCompile(`no PriorityClass with name (\S+) was found`)
)

// nothingTells says what was examined without finding a reason.
func nothingTells(p *unhealthy.Picture, s *unhealthy.Resource) string {
	switch {
	case p.Tree == nil:
		return " Its pods could not be examined."
	case s.Pod == nil:
		return " None of its pods shows a reason."
	case !s.Examined:
		return fmt.Sprintf(" %s was not examined, because another resource is failing as well.", s.PodName())
	}
	return fmt.Sprintf(" %s gives no further reason.", s.PodName())
}
