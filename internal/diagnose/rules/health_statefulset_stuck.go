package rules

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/evidence"
)

var healthStatefulSetStuck = &diagnose.Rule{
	ID:          "health/statefulset-stuck",
	Needs:       healthNeeds,
	ExplainedBy: podCauses,
	Doc: diagnose.Doc{
		Title:    "A StatefulSet does not finish its rollout",
		What:     "A StatefulSet updates its pods in order, one at a time, and only those that its update strategy lets it: with OnDelete none before it is deleted by hand, with a partition none below that ordinal. One pod that is not ready stops all that come after it.",
		Decisive: "spec.updateStrategy (OnDelete, or a partition above 0) with updatedReplicas below replicas, or a pod that is not ready, or Argo CD's message about a partitioned roll out.",
		Example:  "Waiting for partitioned roll out to finish: 0 out of 1 new pods have been updated...",
		Fix:      "Delete the pods by hand (OnDelete), lower the partition, or make the pod ready that the others wait for.",
		Links:    []string{"https://kubernetes.io/docs/concepts/workloads/controllers/statefulset/#update-strategies"},
	},
	Sync:       applied,
	Recognises: about{{kind: "apps/StatefulSet"}},
	Check: reportingHealth(func(in *diagnose.In, p *sickPicture, s *sickResource) (diagnose.Finding, bool) {
		sts := s.object
		if s.pod != nil {
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
		f := diagnose.Finding{Confidence: diagnose.CertainIf(known), Fix: []diagnose.Fix{s.describe("See its pods and events")}}
		switch strategy := sts.Text("spec", "updateStrategy", "type"); {
		case strategy == "OnDelete" && updated < replicas:
			f.Title = fmt.Sprintf("%s is not rolled out: its update strategy OnDelete waits for pods to be deleted", s.ref)
			f.Why = "With OnDelete a StatefulSet gives a pod the new revision only when somebody deletes the pod." + counts
			f.Fix = append([]diagnose.Fix{{Text: "Delete the pods one by one, or set the strategy to RollingUpdate in Git", Command: diagnose.Shell("kubectl %sdelete pod %s", inNamespace(s.ref), s.ref.Name+"-0")}}, f.Fix...)
		case partition > 0, strings.Contains(s.text, "partitioned roll out"):
			f.Title = fmt.Sprintf("%s is rolled out only in part%s", s.ref, behindPartition(partition))
			f.Why = "Its update strategy has a partition: pods with a lower ordinal keep the old revision on purpose." + counts
			f.Confidence = diagnose.CertainIf(known || s.text != "")
			f.Fix = append([]diagnose.Fix{{Text: "If the rollout shall go on, lower the partition in Git", Patch: fmt.Sprintf("# on %s\nspec:\n  updateStrategy:\n    rollingUpdate:\n      partition: 0\n", s.ref)}}, f.Fix...)
		case known && ready < replicas || s.pod != nil:
			if refusalTold(in, s) || !s.pastPatience() && (s.symptom.reason == "" || s.pod != nil && !podSays(s)) {
				return diagnose.Finding{}, false
			}
			f.Title = fmt.Sprintf("%s waits for %s", s.ref, blocker(s))
			f.Why = fmt.Sprintf("%s creates and updates its pods in order, and goes on only when %s is ready.%s %s", s.ref, blocker(s), counts, sentence(upperFirst(s.symptom.said())))
			if sts.Text("spec", "podManagementPolicy") == "Parallel" {
				f.Why = fmt.Sprintf("%s is not ready.%s %s", upperFirst(blocker(s)), counts, sentence(upperFirst(s.symptom.said())))
			}
			f.Confidence = diagnose.CertainIf(s.object != nil && s.pod != nil)
		case !s.pastPatience(), contradicts(p, s):
			return diagnose.Finding{}, false
		default:
			f.Confidence = diagnose.Possible
			f.Title = fmt.Sprintf("%s has not finished its rollout%s", s.ref, s.afterLong())
			f.Why = fmt.Sprintf("%s %s. %s", s.ref, s.isStill(), sentence(s.text))
		}
		f.Why = strings.TrimSpace(f.Why)
		if len(sts) > 0 {
			f.Evidence = []diagnose.Quote{{From: s.ref.String(), Text: rolloutState(sts)}}
			if s.text != "" {
				f.Evidence = append(f.Evidence, diagnose.Quote{From: s.ref.String(), Text: s.text})
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
func blocker(s *sickResource) string {
	if s.pod != nil {
		return s.podName()
	}
	return "one of its pods"
}

// rolloutState is the part of a StatefulSet that tells how far its rollout is.
func rolloutState(sts evidence.Object) string {
	out := []string{"updateStrategy " + cmp.Or(sts.Text("spec", "updateStrategy", "type"), "RollingUpdate")}
	if p, ok := sts.Number("spec", "updateStrategy", "rollingUpdate", "partition"); ok {
		out = append(out, fmt.Sprintf("partition %d", int(p)))
	}
	return strings.Join(append(out, counts(sts, "replicas", "updatedReplicas", "readyReplicas")), ", ")
}
