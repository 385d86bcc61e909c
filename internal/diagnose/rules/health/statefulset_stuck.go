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

var StatefulSetStuck = &diagnose.Rule{
	ID:              "health/statefulset-stuck",
	Needs:           needs,
	ExplainedByEach: isPodCause,
	Doc: diagnose.Doc{
		Title:    "A StatefulSet does not finish its rollout",
		What:     "A StatefulSet updates its pods in order, one at a time, and only those that its update strategy lets it: with OnDelete none before it is deleted by hand, with a partition none below that ordinal. One pod that is not ready stops all that come after it.",
		Decisive: "spec.updateStrategy (OnDelete, or a partition above 0) with updatedReplicas below replicas, or a pod that is not ready, or Argo CD's message about a partitioned roll out.",
		Example:  "Waiting for partitioned roll out to finish: 0 out of 1 new pods have been updated...",
		Fix:      "Delete the pods by hand (OnDelete), lower the partition, or make the pod ready that the others wait for.",
		Links:    []string{"https://kubernetes.io/docs/concepts/workloads/controllers/statefulset/#update-strategies"},
	},
	Sync:       alreadyApplied,
	Recognises: about{{kind: "apps/StatefulSet"}},
	Check: reporting(func(in *diagnose.In, p *unhealthy.Picture, s *unhealthy.Resource) (diagnose.Finding, bool) {
		sts := s.Object
		if s.Pod != nil {
			sts = nil // the object is the pod's
		}
		replicas, known := sts.Number("spec", "replicas")
		updated, _ := sts.Number("status", "updatedReplicas")
		ready, _ := sts.Number("status", "readyReplicas")
		partition, _ := sts.Number("spec", "updateStrategy", "rollingUpdate", "partition")
		counts := ""
		if known {
			counts = fmt.Sprintf(" %d of %d pods have the new revision, %d are ready.", int(updated), int(replicas), int(ready))
		}
		f := diagnose.Finding{Confidence: diagnose.CertainIf(known), Fix: []diagnose.Fix{s.Describe("See its pods and events")}}
		switch strategy := sts.Text("spec", "updateStrategy", "type"); {
		case strategy == "OnDelete" && updated < replicas:
			f.Title = fmt.Sprintf("%s is not rolled out: its update strategy OnDelete waits for pods to be deleted", s.Ref)
			f.Why = "With OnDelete a StatefulSet gives a pod the new revision only when somebody deletes the pod." + counts
			f.Fix = append([]diagnose.Fix{{Text: "Delete the pods one by one, or set the strategy to RollingUpdate in Git", Command: diagnose.Shell("kubectl %sdelete pod %s", advice.InNamespace(s.Ref), s.Ref.Name+"-0")}}, f.Fix...)
		case partition > 0, strings.Contains(s.Text, "partitioned roll out"):
			f.Title = fmt.Sprintf("%s is rolled out only in part%s", s.Ref, behindPartition(partition))
			f.Why = "Its update strategy has a partition: pods with a lower ordinal keep the old revision on purpose." + counts
			f.Confidence = diagnose.CertainIf(known || s.Text != "")
			f.Fix = append([]diagnose.Fix{{Text: "If the rollout shall go on, lower the partition in Git", Patch: fmt.Sprintf("# on %s\nspec:\n  updateStrategy:\n    rollingUpdate:\n      partition: 0\n", s.Ref)}}, f.Fix...)
		case known && ready < replicas || s.Pod != nil:
			if refusalReported(in, s) || !s.Overdue() && (s.Symptom.Reason == "" || s.Pod != nil && !podGivesReason(s)) {
				return diagnose.Finding{}, false
			}
			f.Title = fmt.Sprintf("%s waits for %s", s.Ref, blocker(s))
			f.Why = fmt.Sprintf("%s creates and updates its pods in order, and goes on only when %s is ready.%s %s", s.Ref, blocker(s), counts, text.Sentence(text.UpperFirst(s.Symptom.Clause())))
			if sts.Text("spec", "podManagementPolicy") == "Parallel" {
				f.Why = fmt.Sprintf("%s is not ready.%s %s", text.UpperFirst(blocker(s)), counts, text.Sentence(text.UpperFirst(s.Symptom.Clause())))
			}
			f.Confidence = diagnose.CertainIf(s.Object != nil && s.Pod != nil)
		case !s.Overdue(), contradictsHealth(p, s):
			return diagnose.Finding{}, false
		default:
			f.Confidence = diagnose.Possible
			f.Title = fmt.Sprintf("%s has not finished its rollout%s", s.Ref, s.AfterLong())
			f.Why = fmt.Sprintf("%s %s. %s", s.Ref, s.IsStill(), text.Sentence(s.Text))
		}
		f.Why = strings.TrimSpace(f.Why)
		if len(sts) > 0 {
			f.Evidence = []diagnose.Quote{{From: s.Ref.String(), Text: rolloutState(sts)}}
			if s.Text != "" {
				f.Evidence = append(f.Evidence, diagnose.Quote{From: s.Ref.String(), Text: s.Text})
			}
		}
		return f, true
	}),
}

func behindPartition(partition float64) string {
	if partition <= 0 {
		return ""
	}
	return fmt.Sprintf(": partition %d holds back the pods below it", int(partition))
}

// blocker is the pod that the others wait for.
func blocker(s *unhealthy.Resource) string {
	if s.Pod != nil {
		return s.PodName()
	}
	return "one of its pods"
}

// rolloutState is the part of a StatefulSet that shows how far its rollout is.
func rolloutState(sts evidence.Object) string {
	out := []string{"updateStrategy " + cmp.Or(sts.Text("spec", "updateStrategy", "type"), "RollingUpdate")}
	if p, ok := sts.Number("spec", "updateStrategy", "rollingUpdate", "partition"); ok {
		out = append(out, fmt.Sprintf("partition %d", int(p)))
	}
	return strings.Join(append(out, statusCounts(sts, "replicas", "updatedReplicas", "readyReplicas")), ", ")
}
